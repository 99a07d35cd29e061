"""The command line of the smaller tools."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import NoReturn

from ..console.exit_codes import ERROR
from ..console.flags import report_errors
from .arguments import (
    ALLOW_OUTSIDE,
    ALLOW_OUTSIDE_HELP,
    ALLOW_UNREGISTERED,
    ALLOW_UNREGISTERED_HELP,
    FRONTENDS,
    frontend,
)
from .completion import COMPLETION_HELP, CompletionAction
from .versions import VersionsAction


class ToolParser(argparse.ArgumentParser):
    """The command line of a smaller tool, with the arguments that all of them have."""

    def __init__(self, name: str, description: str, exit_codes: str) -> None:
        super().__init__(
            name,
            description=description,
            epilog=exit_codes,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        report_errors(self)

    def add_common_arguments(self) -> None:
        """Add the arguments that come last in the help."""
        self.add_argument(
            "-f",
            "--frontend",
            metavar="NAME[,NAME]",
            type=frontends,
            default=("", ""),
            help=f"read the programs with this frontend ({', '.join(FRONTENDS)}), or one each,"
            " independent of their file names",
        )
        self.add_argument(ALLOW_OUTSIDE, action="store_true", help=ALLOW_OUTSIDE_HELP)
        self.add_argument(ALLOW_UNREGISTERED, action="store_true", help=ALLOW_UNREGISTERED_HELP)
        self.add_argument("--debug", action="store_true", help="show the Python traceback of an error")
        self.add_argument("--completion", action=CompletionAction, metavar="SHELL", help=COMPLETION_HELP)
        self.add_argument("-v", "--version", action=VersionsAction)

    def error(self, message: str) -> NoReturn:
        """Exit with one line, without the usage."""
        self.exit(ERROR, f"{self.prog}: error: {message}\n")


def check_standard_input(parser: argparse.ArgumentParser, files: Iterable[str | None]) -> None:
    """Refuse to read two programs from standard input, which has one."""
    if sum(file == "-" for file in files) > 1:
        parser.error("standard input (-) is one program: give the other one as a file")


def frontends(text: str) -> tuple[str, str]:
    """Parse the name of the frontend of both programs, or one for each."""
    names = [frontend(name) for name in text.split(",")]
    if len(names) > 2:
        raise argparse.ArgumentTypeError(f"expected one frontend, or one for each program, found '{text}'")
    return names[0], names[-1]
