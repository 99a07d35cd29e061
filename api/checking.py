"""`check`: the proof that two programs compute the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias, cast

from ..tools.driver.comparison.comparison import SECONDS, compare_programs
from ..tools.driver.formats.program import Program, with_same_whole_ops
from .errors import raised_as_own, wrong_argument
from .inputs import AnyModel, copied, read
from .paths import StrPath, path_text
from .torch_models import NO_EXAMPLES, Examples, is_module

Word: TypeAlias = Literal["proved", "different", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """The outcome of a comparison. It is true only if the programs are proved to compute the same."""

    word: Word
    reason: str = ""
    """The witness or the first mismatch; empty if proved."""
    notes: tuple[str, ...] = ()
    """Constants that could not be read, the places of the mismatch, and what random inputs have shown."""
    out_of_time: bool = False
    """True if the limit of time ended the proof."""

    @property
    def proved(self) -> bool:
        """True if the programs compute the same for all inputs."""
        return self.word == "proved"

    def __bool__(self) -> bool:
        return self.proved

    def __str__(self) -> str:
        return f"{self.word}: {self.reason}" if self.reason else self.word


def check(
    first: AnyModel,
    second: AnyModel,
    *,
    numeric: bool = False,
    trials: int = 3,
    seed: int = 0,
    target: StrPath | None = None,
    time_limit: float = SECONDS,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
) -> Verdict:
    """Compare two programs for all inputs, independent of the layouts of their values.

    If that proves nothing, one random input is tried; `numeric` tries `trials` of them, also after a proof. The first
    input is that of `seed`. What a `target` says about ops of other systems is believed. What is not proved after
    `time_limit` seconds is undecided. A `torch.nn.Module` is exported with `args`, `kwargs` and `dynamic_shapes`.
    """
    for name, value, least in (("trials", trials, 1), ("seed", seed, 0), ("time_limit", time_limit, 0)):
        if value < least:
            raise wrong_argument(name, value, (f"a number of at least {least}",))
    hardware = None if target is None else path_text(target)
    examples = Examples(args, kwargs, dynamic_shapes)
    modules = [is_module(model) for model in (first, second)]
    if not any(modules):
        examples.check_unused()
    again, other_again = (
        partial(_read, model, hardware, examples if is_torch else NO_EXAMPLES)
        for model, is_torch in zip((first, second), modules, strict=True)
    )
    left, right = with_same_whole_ops(again(), other_again(), again, other_again)
    # The comparison writes into programs, and what the caller has may be in use in another thread.
    left, right = copied(left), copied(right)
    seeds = range(seed, seed + (trials if numeric else 1))
    notes: list[object] = []
    with raised_as_own():
        compared = compare_programs(
            left, right, seeds, always_run=numeric, note=notes.append, target=hardware, seconds=time_limit
        )
    word = cast("Word", compared.answer.verdict.name.lower())
    # The first line is the verdict.
    notes += compared.lines()[1:]
    notes += (f"with {each}" for each in compared.differing_interfaces)
    return Verdict(word, compared.answer.text, tuple(map(str, notes)), compared.answer.out_of_time)


def _read(model: AnyModel, hardware: str | None, examples: Examples, whole: frozenset[str] = frozenset()) -> Program:
    return read(model, hardware=hardware, whole=whole, examples=examples)
