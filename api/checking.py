"""`check`: the proof that two programs compute the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from ..tools.driver.comparison import Comparison, compare_programs, unmatched_notes
from ..tools.driver.program import Program
from .errors import raised_as_own, wrong_option
from .inputs import AnyModel, load

Word: TypeAlias = Literal["proved", "different", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """The outcome of a comparison. It is true only if the programs are proved to compute the same."""

    word: Word
    reason: str = ""
    """The witness or the first mismatch; empty if proved."""
    notes: tuple[str, ...] = ()
    """The places of the mismatch, and the functions that were run on random inputs."""

    @property
    def proved(self) -> bool:
        return self.word == "proved"

    def __bool__(self) -> bool:
        return self.proved

    def __str__(self) -> str:
        return "\n".join((f"{self.word}: {self.reason}" if self.reason else self.word, *self.notes))


def check(first: AnyModel, second: AnyModel, *, numeric: bool = False, trials: int = 3, seed: int = 0) -> Verdict:
    """Compare two programs for all inputs, independent of the layouts of their values.

    If that proves nothing, one random input is tried; `numeric` tries `trials` of them, also after a proof. The first
    input is that of `seed`.
    """
    for name, value, least in (("trials", trials, 1), ("seed", seed, 0)):
        if value < least:
            raise wrong_option(name, value, (f"a number of at least {least}",))
    left, right = load(first), load(second)
    seeds = range(seed, seed + (trials if numeric else 1))
    with raised_as_own():
        compared = compare_programs(left, right, seeds, always_run=numeric)
    word = cast("Word", compared.answer.verdict.name.lower())
    return Verdict(word, compared.answer.text, tuple(_notes(compared, left, right, len(seeds))))


def _notes(compared: Comparison, first: Program, second: Program, inputs: int) -> Iterator[str]:
    yield from map(str, unmatched_notes(compared.answer, first, second))
    yield from (f"note: {note}" for note in compared.notes)
    counted = "1 random input" if inputs == 1 else f"{inputs} random inputs"
    yield from (f"note: @{name} computes the same in both programs on {counted}" for name in compared.equal)
