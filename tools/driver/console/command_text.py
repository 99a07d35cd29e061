"""Commands in messages: that of the run, with other flags, as a shell reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from ....passes import PASS_TABLE
from .flags import spell_out_flags

PIPELINE = ("-p", "--passes", "-O", "--optimize")
"""The flags of passes without names of their own."""
ALONE = ("-O", "--optimize")
"""The flags among them without a value."""


REPEATED = ("--size", "--shape")
"""Flags that are given several times."""


def changed_command(command: Sequence[str], flags: Sequence[str], *, keeps_passes: bool = True) -> str:
    """The command of a run with more flags, in the place of those of the same name, and maybe without its passes."""
    tool, *words = command
    dropped = {flag.partition("=")[0] for flag in flags}.difference(REPEATED)
    pipeline = () if keeps_passes else PIPELINE
    kept = _without(spell_out_flags(words, PASS_TABLE), {*dropped, *pipeline}, keeps_passes)
    return as_command([tool, *flags, *kept])


def as_command(words: Iterable[str]) -> str:
    """Words as a shell reads them."""
    # Imported late: most runs print no command.
    from shlex import quote

    return " ".join(map(quote, words))


def _without(words: Sequence[str], dropped: Collection[str], keeps_passes: bool) -> Iterator[str]:
    """The words without flags of these names and what belongs to them."""
    skips = False
    for place, word in enumerate(words):
        if word == "--":
            yield from words[place:]
            return
        name, equals, options = word.partition("=")
        is_pass = word.startswith("--") and name.removeprefix("--") in PASS_TABLE
        if skips:
            skips = False
        elif name in dropped or (is_pass and not keeps_passes):
            skips = not equals and name not in ALONE
        elif is_pass and not options:
            yield name
        else:
            yield word


def without_flags(words: Sequence[str], dropped: Collection[str], files: Collection[str]) -> Iterator[str]:
    """The words of a run without flags of these names, each with its value, and without its files."""
    left = Counter(files)
    for word in _without(spell_out_flags(words, PASS_TABLE), {*dropped}, keeps_passes=True):
        if left[word] > 0:
            left[word] -= 1
        else:
            yield word
