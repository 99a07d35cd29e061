"""Flags that print something and exit."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..console.suggestions import suggestion
from .listing import PassFactories


class PrintLines(argparse.Action):
    """Prints the lines that a function yields, or all with the word `all`, and exits."""

    def __init__(
        self,
        *args: Any,
        lines: Callable[[], Iterable[str]],
        all_lines: Callable[[], Iterable[str]] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, nargs=0 if all_lines is None else "?", **options)
        self.lines = lines
        self.all_lines = all_lines

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        lines = self.lines
        if self.all_lines is not None and values:
            if values != "all":
                parser.error(f"argument {option_string}: expected nothing or all, found '{values}'")
            lines = self.all_lines
        print("\n".join(lines()))
        parser.exit()


class HelpAction(argparse.Action):
    """Prints the help, or that about a pass, and exits."""

    def __init__(self, *args: Any, passes: PassFactories, **options: Any) -> None:
        super().__init__(*args, nargs="?", **options)
        self.passes = passes

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if values is None:
            parser.print_help()
            parser.exit()
        name = str(values)
        if name not in self.passes:
            hint = suggestion(name, self.passes, "npu-opt --list-passes=all prints all")
            parser.error(f"argument -h/--help: no pass '{name}'{hint}")
        # Imported late: it reads the source of the pass.
        from .pass_help import pass_help

        print("\n".join(pass_help(name, self.passes[name]())))
        parser.exit()
