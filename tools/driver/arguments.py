"""The command line of npu-opt: everything `xdsl-opt` has, in groups, and one flag per pass."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.xdsl_opt_main import VersionAction

from ... import __version__
from ...passes import PASS_TABLE
from .listing import ListPasses, ListTargets, PassFactories
from .models import INLINE_LIMIT
from .output_format import DefaultFormat

USAGE = "npu-opt [flags] [passes] [input_file]"

EPILOG = """\
Passes run in the order of their flags, and -p mixes freely with them:
  npu-opt model.mlir --layout-preset="strategy=naive" -p canonicalize,cse -o out.mlir
Every pass of xDSL has such a flag as well (--canonicalize, --cse, --dce, ...; see --list-passes).

Exit codes: 0 success, 1 any error (the message is on stderr, nothing is on stdout), 130 interrupted."""

VERIFY_LAYOUTS = "NPU_OPT_VERIFY_LAYOUTS"
"""The environment variable that asks for `--verify-layouts`."""


ALLOW_OUTSIDE = "--allow-outside"
ALLOW_OUTSIDE_HELP = "constants may be read from files that are not below the folder of the program"


class PassRequest(NamedTuple):
    """A piece of the pipeline, as it was asked for."""

    flag: str
    """`-p` or the flag of one pass."""
    text: str
    """For `-p` a pipeline, for a flag the options."""


def spell_out_flags(arguments: Sequence[str], pass_names: Iterable[str]) -> list[str]:
    """
    `--cse` becomes `--cse=`: options of a pass come after `=` only, and so does the format of `--stats`.

    argparse would otherwise take the input file in `--cse x.mlir` for them.
    """
    flags = {f"--{name}" for name in (*pass_names, "stats")}
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [f"{text}=" if text in flags and i < end else text for i, text in enumerate(arguments)]


def add_arguments(parser: argparse.ArgumentParser, passes: PassFactories, formats: Iterable[str]) -> None:
    """
    Arrange xDSL's arguments, which `parser` already has, in groups, and add ours.

    A flag that is declared again replaces the one xDSL declared; flags that a later xDSL adds stay where they are.
    """
    parser.prog = "npu-opt"
    parser.usage = USAGE
    parser.epilog = EPILOG
    parser.formatter_class = _HelpFormatter
    parser.allow_abbrev = False
    parser.conflict_handler = "resolve"

    _add_input_arguments(parser.add_argument_group("input"))
    _add_output_arguments(parser.add_argument_group("output"), sorted(formats))
    pass_group = parser.add_argument_group("passes")
    _add_pipeline_arguments(pass_group)

    # A pass that is named like a flag of the driver does not take its place.
    parser.conflict_handler = "error"
    npu_group = parser.add_argument_group("npu passes")
    parser.conflict_handler = "resolve"

    _add_transpose_arguments(parser.add_argument_group("transposes"))
    _add_information_arguments(parser.add_argument_group("information"), passes)
    _add_debugging_arguments(parser.add_argument_group("debugging"))
    _add_pass_flags(npu_group, passes)


class _Arguments(Protocol):
    """A group of arguments (argparse has no public name for one)."""

    def add_argument(self, *flags: str, **options: Any) -> argparse.Action: ...


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=110)


class _AddToPipeline(argparse.Action):
    """Appends to the pipeline, so that flags and `-p` keep their common order."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        is_pipeline = option_string in ("-p", "--passes")
        request = PassRequest("-p" if is_pipeline else option_string or self.dest, str(values))
        namespace.passes = [*namespace.passes, request]


def _add_flag(group: _Arguments, *flags: str, help: str) -> None:
    group.add_argument(*flags, action="store_true", help=help)


def _add_input_arguments(group: _Arguments) -> None:
    group.add_argument(
        "-f", "--frontend", metavar="NAME", help="read the input with this frontend, whatever its name ends with"
    )
    group.add_argument(
        "--weights",
        metavar="FILE|inline|none",
        help="where the weights of an ONNX model go: default is a .safetensors file beside the output, none is nowhere",
    )
    group.add_argument(
        "--inline-limit",
        metavar="BYTES",
        type=int,
        default=INLINE_LIMIT,
        help=f"up to this size, weights are written out where they are used (default: {INLINE_LIMIT})",
    )
    _add_flag(group, ALLOW_OUTSIDE, help=ALLOW_OUTSIDE_HELP)
    _add_flag(group, "--split-input-file", help="treat each piece between `// -----` lines as a file of its own")
    _add_flag(group, "--allow-unregistered-dialect", help="keep operations of unknown dialects as they are")
    _add_flag(group, "--no-implicit-module", help="the input must be one builtin.module operation")


def _add_output_arguments(group: _Arguments, formats: list[str]) -> None:
    group.add_argument(
        "-o",
        "--output-file",
        metavar="FILE",
        help="write to FILE instead of stdout (`-`); on failure an old FILE is left as it is",
    )
    group.add_argument(
        "-t",
        "--emit",
        dest="target",  # Where xDSL's driver looks for it.
        metavar="FORMAT",
        default=DefaultFormat("mlir"),
        type=_format_checker(formats),
        help=f"output format: {', '.join(formats)} (default: mlir, or onnx where FILE ends with .onnx)",
    )
    _add_flag(group, "--print-op-generic", help="print every operation in the generic form")
    _add_flag(group, "--print-no-properties", help="print properties as if they were attributes")
    _add_flag(group, "--print-debuginfo", help="print locations")
    _add_flag(group, "--syntax-highlight", help="print in colours")


def _format_checker(formats: list[str]) -> Callable[[str], str]:
    def check(text: str) -> str:
        try:
            name = parse_spec(text).name
        except ArgSpecParseError as error:
            raise argparse.ArgumentTypeError(f"cannot read '{text}'") from error
        if name not in formats:
            raise argparse.ArgumentTypeError(
                f"no output format '{name}' (choose from {', '.join(formats)}; a hardware target is --target)"
            )
        return text

    return check


def _add_pipeline_arguments(group: _Arguments) -> None:
    group.add_argument(
        "-p", "--passes", metavar="PIPELINE", action=_AddToPipeline, default=[], help="passes, as in `a,b{option=1}`"
    )
    group.add_argument(
        "--target", dest="hardware", metavar="NAME|FILE", help="hardware target of every pass that reads one"
    )
    group.add_argument(
        "--fold-limit",
        metavar="BYTES",
        type=count,
        help="up to this size, constants are folded, and numbers are made up for an ONNX op (default: 64 MiB)",
    )


def _add_pass_flags(group: _Arguments, passes: PassFactories) -> None:
    for name in passes:
        entry = PASS_TABLE.get(name)
        with suppress(argparse.ArgumentError):
            group.add_argument(
                f"--{name}",
                action=_AddToPipeline,
                dest="passes",
                metavar="OPTIONS",
                help=entry.summary if entry else argparse.SUPPRESS,
            )


def _add_transpose_arguments(group: _Arguments) -> None:
    group.add_argument(
        "--stats",
        nargs="?",
        metavar="json",
        type=_stats_format,
        help="print to stderr how many transposes there are before and after each pass, and the bytes they move"
        " (--stats=json: on one line)",
    )
    _add_flag(group, "--remarks", help="print to stderr where each transpose comes from, and what became of it")
    group.add_argument(
        "--why",
        action="append",
        metavar="%VALUE",
        help="print to stderr why a value gets its layout (@function:%%value where several functions have one)",
    )
    _add_flag(
        group, "--why-not-fused", help="print to stderr what keeps ops apart that a fusion pass might put together"
    )
    group.add_argument(
        "--expect-transposes", metavar="N", type=count, help="fail if the result has more than N transposes"
    )
    group.add_argument(
        "--expect-bytes", metavar="N", type=count, help="fail if the transposes of the result move more than N bytes"
    )
    group.add_argument(
        "--verify-layouts",
        action="store_true",
        default=os.environ.get(VERIFY_LAYOUTS, "") not in ("", "0"),
        help=f"prove that passes which move layouts compute what was computed before ({VERIFY_LAYOUTS}=1: always)",
    )


def _stats_format(text: str) -> str:
    if text not in ("", "json"):
        raise argparse.ArgumentTypeError(f"expected --stats or --stats=json, found '{text}'")
    return text or "table"


def count(text: str) -> int:
    """A number that is not negative."""
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"expected a number that is not negative, found '{text}'")
    return int(text)


def _add_information_arguments(group: _Arguments, passes: PassFactories) -> None:
    group.add_argument("-h", "--help", action="help", help="print this and exit")
    group.add_argument(
        "-v",
        "--version",
        action=VersionAction,
        version_format=f"npu-opt {__version__} (xdsl {{xdsl_version}})",
        help="print the versions and exit",
    )
    group.add_argument("--list-passes", action=ListPasses, passes=passes, help="print all passes with their options")
    group.add_argument("--list-targets", action=ListTargets, help="print the hardware targets that ship with npu-opt")


def _add_debugging_arguments(group: _Arguments) -> None:
    _add_flag(group, "--debug", help="show the Python traceback of an error")
    group.add_argument(
        "--reproducer",
        metavar="FILE",
        help="where to write the program before a failing pass (default: npu-opt-reproducer.mlir, or with a number)",
    )
    _add_flag(group, "--time-passes", help="print to stderr how long reading, each pass and printing took")
    _add_flag(group, "--print-between-passes", help="print the program to stderr between passes")
    _add_flag(group, "--disable-verify", help="do not verify anything")
    _add_flag(group, "--verify-diagnostics", help="print verifier errors to stdout and exit with 0 (for tests)")
    _add_flag(group, "--parsing-diagnostics", help="print parse errors to stdout and exit with 0 (for tests)")
    _add_flag(group, "--shrink", help="succeed only if a pass raised ShrinkException (for shrinkray)")
