"""The order of the stages along the data-flow of a target, for many quick questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ....targets import Stage, Target


class StageOrder:
    """The stages of a target, by number, and those behind each of them."""

    def __init__(self, target: Target) -> None:
        self.stages = list(target.stages.values())
        self.number = {stage.name: place for place, stage in enumerate(self.stages)}
        self.behind = [self._behind(stage) for stage in self.stages]
        """For each stage those that data may reach from it, as a set of bits."""
        self._limited = self.bits(stage for stage in self.stages if stage.uses is not None)
        self._best_last: dict[tuple[int, ...], list[int]] = {}
        """The best last stages among some, for ops without prices."""
        self._alike: dict[int, int] = {}
        for stage, behind in enumerate(self.behind):
            self._alike.setdefault(behind, stage)

    def bits(self, stages: Iterable[Stage]) -> int:
        return sum(1 << self.number[stage.name] for stage in stages)

    def members(self, bits: int) -> list[int]:
        """The stages in a set of bits."""
        return [stage for stage in range(len(self.stages)) if bits >> stage & 1]

    def _behind(self, stage: Stage) -> int:
        found: set[str] = set()
        waiting = [stage]
        while waiting:
            fresh = [self.stages[self.number[name]] for name in waiting.pop().successors if name not in found]
            found.update(each.name for each in fresh)
            waiting += fresh
        return sum(1 << self.number[name] for name in found)

    def leads(self, first: int, second: int) -> bool:
        """True if data may go from one stage to another, or come back to it."""
        return bool(self.behind[first] >> second & 1)

    def leads_to_any(self, firsts: Iterable[int], seconds: int) -> bool:
        return any(self.behind[first] & seconds for first in firsts)

    def alike(self, stage: int) -> int:
        """The first stage with the same stages behind it."""
        return self._alike[self.behind[stage]]

    def limit(self, stage: int) -> int | None:
        return self.stages[stage].uses

    def limited_behind(self, stage: int) -> int:
        """The stages behind one that run a limited number of ops, as a set of bits."""
        return self.behind[stage] & self._limited

    def best_last(self, stages: Sequence[int], prices: Mapping[int, int]) -> list[int]:
        """The stages among which the best one is, for an op behind which all others of its group will be.

        A stage is better than another one if it leads to all that the other one leads to, takes no use away, and does
        not cost the op more.
        """
        if prices:
            return self._found_best_last(stages, prices)
        if (key := tuple(stages)) not in self._best_last:
            self._best_last[key] = self._found_best_last(stages, prices)
        return self._best_last[key]

    def _found_best_last(self, stages: Sequence[int], prices: Mapping[int, int]) -> list[int]:
        kept: list[int] = []
        for stage in stages:
            if not any(self._is_better(other, stage, prices) for other in kept):
                kept = [other for other in kept if not self._is_better(stage, other, prices)] + [stage]
        return kept

    def _is_better(self, stage: int, other: int, prices: Mapping[int, int]) -> bool:
        if self.behind[other] & ~self.behind[stage] or prices.get(stage, 0) > prices.get(other, 0):
            return False
        return self.limit(stage) is None or not self.leads(stage, stage)


def lowest_bit(bits: int) -> int:
    """The number of the first stage in a set of bits."""
    return (bits & -bits).bit_length() - 1
