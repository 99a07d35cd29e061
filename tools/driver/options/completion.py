"""`--completion`: a script that completes the command line in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ....bridges.extra import MissingExtraError, require

FILES = (
    "input_file",
    "output_file",
    "weights",
    "reproducer",
    "first",
    "second",
    "program",
    "compare",
    "plan",
    "save_plan",
    "certificate",
)
"""The arguments that are files."""


COMPLETION_HELP = "print a script that completes the command line in a shell (bash, zsh, fish, ...), and exit"


class CompletionAction(argparse.Action):
    """Prints a script that the package shtab makes of a parser, and exits."""

    def __init__(
        self, *args: Any, words: Callable[[], Mapping[str, Iterable[str]]] = lambda: {}, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.words = words
        """The words that some arguments take, by their names."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        try:
            require("completion")
        except MissingExtraError as error:
            parser.error(f"argument {option_string}: {error}")
        # Imported late: shtab is an extra, and --help does not load the dialects.
        import shtab

        from ....compat.xdsl import arguments_of

        if values not in shtab.SUPPORTED_SHELLS:
            known = ", ".join(shtab.SUPPORTED_SHELLS)
            parser.error(f"argument {option_string}: no shell '{values}' (choose from {known})")
        words = self.words()
        for action in arguments_of(parser):
            if action.dest in words:
                action.choices = list(words[action.dest])
            if action.dest in FILES:
                setattr(action, "complete", shtab.FILE)
        print(shtab.complete(parser, str(values)))
        parser.exit()
