"""Times laid over the ops of a program, by the names of the nodes they come from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .records import ENDS, FunctionRecord, OpRecord
from .times import Times, time_text

SUFFIX = re.compile(r"_nchwc$|_nhwc$|_output_\d+$")
"""Ends that ONNX Runtime appends to names of nodes whose layout it changes, and PyTorch to those of their results."""


@dataclass(frozen=True)
class Overlay:
    """Times of the ops of a program."""

    times: Times
    matched: float
    """The sum of the times that ops have."""
    unmatched: Sequence[tuple[str, float]]
    """The names that no op has, the longest times first."""

    @property
    def text(self) -> str:
        """The share of the time that belongs to ops."""
        times = self.times.of
        all_ = sum(times.values())
        share = f"{100 * self.matched / all_:.1f} % of {time_text(all_, self.times.unit)}" if all_ else "no time"
        count = len(times) - len(self.unmatched)
        return f"{share} ({self.times.origin}): {count} of {len(times)} names are those of ops"


def laid_over(functions: Sequence[FunctionRecord], times: Times) -> Overlay:
    """Give the time of each name to one op that has it."""
    ops = [op for function in functions for op in function.ops]
    places = _places(ops)
    unmatched: list[tuple[str, float]] = []
    for name, time in times.of.items():
        index = next((places[each] for each in _spellings(name) if each in places), None)
        if index is None:
            unmatched.append((name, time))
        else:
            ops[index].time += time
    return Overlay(times, sum(op.time for op in ops), sorted(unmatched, key=lambda each: -each[1]))


def _places(ops: Sequence[OpRecord]) -> dict[str, int]:
    """The op that gets the time of a name: the first one that is no transpose, for these have the name of their reader.

    An op without a name of the model is found by that of its value.
    """
    found: dict[str, int] = {}
    ranked = sorted(range(len(ops)), key=lambda index: (not ops[index].model_name, bool(ops[index].move)))
    for index in ranked:
        if ops[index].kind not in ENDS:
            found.setdefault(ops[index].model_name or ops[index].name.removeprefix("%"), index)
    return found


def _spellings(name: str) -> list[str]:
    return [name, SUFFIX.sub("", name)]
