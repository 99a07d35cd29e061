"""Constants and repeated blocks of a program, which a collapsed graph draws once or not at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, OpResult
from xdsl.traits import ConstantLike, is_side_effect_free

FEWEST_SAVED = 4
"""A repeat of fewer ops than this after its first turn is not worth a box."""
MOST_PERIODS = 64
"""The number of lengths that are tried for a block, the most frequent ones."""
NEAREST = 8
"""The number of equal ops behind each op to which distances are measured."""


def constant_ops(ops: Iterable[Operation]) -> frozenset[Operation]:
    """The constants, and the ops that compute from constants only, unless they are returned."""
    found: set[Operation] = set()
    for op in ops:
        is_constant = op.has_trait(ConstantLike, value_if_unregistered=False)
        producers = [value.op if isinstance(value, OpResult) else None for value in op.operands]
        if is_constant or (producers and found.issuperset(producers) and is_side_effect_free(op) and op.results):
            found.add(op)
    return frozenset(op for op in found if not any(isinstance(use.operation, ReturnOp) for use in _uses(op)))


def _uses(op: Operation):
    return (use for result in op.results for use in result.uses)


@dataclass(frozen=True, eq=False)
class Repeat:
    """A block that follows itself several times."""

    ops: Sequence[Operation]
    """The ops of all turns."""
    count: int

    @property
    def first(self) -> Sequence[Operation]:
        """The ops of the first turn."""
        return self.ops[: len(self.ops) // self.count]


def repeats(ops: Sequence[Operation], look: Callable[[Operation], Hashable]) -> list[Repeat]:
    """The repeated blocks of a sequence of ops that look the same and are connected alike, in program order."""
    numbers: dict[Hashable, int] = {}
    signs = [numbers.setdefault(look(op), len(numbers)) for op in ops]
    finder = _Finder(ops, signs)
    found: list[_Run] = []
    waiting = [(0, len(ops))]
    while waiting:
        first, last = waiting.pop()
        run = finder.best(first, last)
        if run is not None:
            found.append(run)
            waiting += [(first, run.start), (run.end, last)]
    return [Repeat(ops[run.start : run.end], run.count) for run in sorted(found, key=lambda run: run.start)]


@dataclass(frozen=True, slots=True)
class _Run:
    start: int
    period: int
    count: int

    @property
    def end(self) -> int:
        return self.start + self.period * self.count

    @property
    def saved(self) -> int:
        return self.period * (self.count - 1)


class _Finder:
    def __init__(self, ops: Sequence[Operation], signs: Sequence[int]) -> None:
        self._signs = signs
        index_of = {op: index for index, op in enumerate(ops)}
        self._reads = [
            [index_of.get(value.op) if isinstance(value, OpResult) else None for value in op.operands] for op in ops
        ]
        """For each op the indices of its producers, or None for those outside of the sequence."""

    def best(self, first: int, last: int) -> _Run | None:
        """The run in a part of the sequence that saves the most ops."""
        best: _Run | None = None
        for period in self._periods(first, last):
            start = first
            for index in range(first, last - period + 1):
                if index < last - period and self._signs[index] == self._signs[index + period]:
                    continue
                # The ops from `start` to `index` equal those one period later.
                least = FEWEST_SAVED if best is None else best.saved + 1
                if index - start >= max(least, period):
                    run = self._connected_alike(_Run(start, period, (index - start) // period + 1), least)
                    best = run or best
                start = index + 1
        return best

    def _periods(self, first: int, last: int) -> list[int]:
        """Lengths that a repeated block may have: the most frequent distances between equal ops."""
        places: dict[int, list[int]] = {}
        distances = Counter[int]()
        for index in range(first, last):
            before = places.setdefault(self._signs[index], [])
            distances.update(index - place for place in before[-NEAREST:])
            before.append(index)
        return sorted(period for period, _ in distances.most_common(MOST_PERIODS))

    def _connected_alike(self, run: _Run, least: int) -> _Run | None:
        """The longest run of turns with the same edges within a turn, if it saves enough ops."""
        count = next((turn for turn in range(1, run.count) if not self._equals_first(run, turn)), run.count)
        found = _Run(run.start, run.period, count)
        return found if found.saved >= least else None

    def _equals_first(self, run: _Run, turn: int) -> bool:
        shift = turn * run.period
        return all(
            self._inner(run.start, run.period, index) == self._inner(run.start + shift, run.period, index + shift)
            for index in range(run.start, run.start + run.period)
        )

    def _inner(self, start: int, period: int, index: int) -> list[int | None]:
        """For each operand of an op the distance to its producer in the same turn, or None."""
        return [
            index - place if place is not None and start <= place < start + period else None
            for place in self._reads[index]
        ]
