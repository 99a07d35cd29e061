"""Words of the command line, rewritten for argparse."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TextIO

from ....compat.terminal import one_line
from .suggestions import suggestion

FORMATS = {"stats": ("json",), "remarks": ("all", "json"), "what-if": ("json",), "list-passes": ("all",)}
"""The flags that take a word, with or without `=`, and their words."""

_OPTION = re.compile(r"[A-Za-z][\w-]*=.*", re.DOTALL)
"""An option of a pass. The path of a file whose name looks like one is written `./a=b.mlir`."""


def spell_out_flags(arguments: Sequence[str], pass_names: Iterable[str]) -> list[str]:
    """
    Join flags with what belongs to them: `--layout-preset strategy=naive`, `--stats json`, `--help layout-preset`.

    A flag without any becomes `--cse=`: otherwise argparse would take the input file in `--cse x.mlir` for its options.
    """
    passes = set(pass_names)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [*_joined(arguments[:end], passes), *arguments[end:]]


def _joined(arguments: Sequence[str], passes: Collection[str]) -> Iterator[str]:
    index = 0
    while index < len(arguments):
        word, index = arguments[index], index + 1
        name, equals, _ = word.removeprefix("--").partition("=")
        following = arguments[index] if index < len(arguments) else ""
        if word in ("-h", "--help") and following:
            # `--help --layout-preset` is about the pass as well.
            topic = following.removeprefix("--")
            if topic in passes or not following.startswith("-"):
                word, index = f"--help={topic}", index + 1
        elif word.startswith("--") and name in passes:
            word = word if equals else f"{word}="
            while index < len(arguments) and _OPTION.fullmatch(arguments[index]):
                word, index = f"{word} {arguments[index]}", index + 1
        elif word == f"--{name}" and name in FORMATS:
            word, index = (f"{word}={following}", index + 1) if following in FORMATS[name] else (f"{word}=", index)
        yield word


def report_errors(
    parser: argparse.ArgumentParser, extra: Callable[[argparse.Namespace], Sequence[str]] = lambda _: ()
) -> None:
    """Let a parser suggest the nearest flag for each word that it does not know, and raise errors of its output.

    `extra` are words that were read as files and cannot be any.

    It is a function, because xDSL's driver makes the parser of npu-opt.
    """

    def parse_args(args: Sequence[str] | None = None) -> argparse.Namespace:
        namespace, unknown = parser.parse_known_args(args)
        if unknown := [*extra(namespace), *unknown]:
            # Imported late: only errors need it.
            from ....compat.xdsl import arguments_of

            known = [flag for each in arguments_of(parser) for flag in each.option_strings if flag.startswith("--")]
            words = (f"{word}{_hint(word, known)}" for word in unknown)
            parser.error(one_line(f"unrecognized arguments: {' '.join(words)}"))
        return namespace

    def print_message(message: str, file: TextIO | None = None) -> None:
        """argparse's own drops errors, so that `--help` on a full disk would be a success."""
        print(message, end="", file=file)

    setattr(parser, "parse_args", parse_args)
    setattr(parser, "_print_message", print_message)


def _hint(word: str, known: Sequence[str]) -> str:
    flag = word.partition("=")[0]
    if word.startswith("--"):
        return suggestion(flag, known)
    # `layout-preset` and `-layout-preset` lack dashes.
    full = f"--{flag.lstrip('-')}"
    if full in known:
        return f" (did you mean '{full}'?)"
    return "" if word.startswith("-") else " (one file too many, or a word that no flag before it takes)"
