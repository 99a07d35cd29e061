"""The facts of a block that the search for groups needs at each of its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from ..common.moves.conversion_ops import ConversionOp
from ..fusion.groups.traffic import Traffic
from ..fusion.stages.stage_match import Matching, OpStages
from ..fusion.stages.stage_prices import NO_PRICES

GROUP_PRICE = 1
"""The price of a group, beside which one byte costs more than all groups do."""
_NONE: Mapping[int, int] = {}


class CoverProblem:
    """The steps of a block with their stages, and what each of them costs in any case."""

    def __init__(self, flow: Traffic, matching: Matching) -> None:
        self.flow = flow
        self.order = matching.order
        self.forbids_escaping = matching.target.forbids_escaping
        self._facts = [matching.in_groups(step.op) for step in flow.steps]
        self.stages = [each.runs for each in self._facts]
        self.beginning = [each.beginning for each in self._facts]
        """The stages of each step on which it may begin a group."""
        self.own = [each.own for each in self._facts]
        self.holding = [each.holding for each in self._facts]
        self.entries = [each.entries for each in self._facts]
        self.is_free = [each.is_free for each in self._facts]
        self.spends = [each.spends for each in self._facts]
        self._are_grouped = [bool(each.runs or each.entries or each.is_free) for each in self._facts]
        self._may_follow: dict[tuple[OpStages, OpStages], bool] = {}
        self.last_reader = [readers[-1] if readers else -1 for readers in flow.readers]
        self._first_grouped = [next(filter(self.is_grouped, readers), -1) for readers in flow.readers]
        self._joins = [self._joining(value, of_value) for value, of_value in enumerate(flow.readers)]
        self.last_join = [joins[-1] if joins else -1 for joins in self._joins]
        """The last step that may be in the group that produces each value."""
        self.escapes = [
            value in flow.leaving or len(self._joins[value]) < len(readers)
            for value, readers in enumerate(flow.readers)
        ]
        """The values that are written whatever the groups."""
        self._set_prices()

    def _set_prices(self) -> None:
        sizes, steps = self.flow.bytes_of, self.flow.steps
        of_stages = [price for step in steps if step.prices is not NO_PRICES for price in step.prices.on.values()]
        self.has_stage_prices = any(of_stages)
        self._of_byte = _above(len(steps))
        self._shared = max(gcd(*sizes, *of_stages), 1)
        self.prices = [size * self._of_byte for size in sizes]
        """The price of writing or reading each value."""
        self.prices_on = [self._by_stage(step.prices.on) for step in steps]
        """The price of each step on each stage, if it is a transpose in a group with other ops."""
        self.prices_into = [self._by_stage(step.prices.into) for step in steps]
        """The price of each step on each stage if a group absorbs it on the way to the stage of its first reader."""
        written = [self.prices[value] for value in self.flow.producer if self.escapes[value]]
        alone = [step for step, is_grouped in zip(steps, self._are_grouped, strict=True) if not is_grouped]
        self.fixed = sum(written) + sum([self.prices[value] for step in alone for value in step.reads])
        """The cost that no groups change."""
        self.sure_prices = [0] * len(steps)
        """A part of the cost that each way to group a step has: the first one reads a value that no group keeps."""
        for value, step in enumerate(self._first_grouped):
            if step >= 0 and not self.may_join(value, step):
                self.sure_prices[step] += self.prices[value]

    def _by_stage(self, prices: Mapping[str, int]) -> Mapping[int, int]:
        if not prices:
            return _NONE
        return {self.order.number[name]: price * self._of_byte for name, price in prices.items() if price}

    def is_grouped(self, step: int) -> bool:
        """True if a step may be in a group."""
        return self._are_grouped[step]

    def is_transpose(self, step: int) -> bool:
        return isinstance(self.flow.steps[step].op, ConversionOp)

    def is_absorbed(self, step: int) -> bool:
        """True if a step may be in the group of its users without a stage of its own."""
        return self._facts[step].is_absorbed

    def may_join(self, value: int, reader: int) -> bool:
        """True if a reader of a value may be in the group that produces it."""
        return reader in self._joins[value]

    def _joining(self, value: int, readers: Sequence[int]) -> list[int]:
        """The readers of a value that may be in the group that produces it."""
        producer = self.flow.producer.get(value)
        if producer is None:
            return []
        first = self._facts[producer]
        readers = [reader for reader in readers if self._may_be_behind(first, self._facts[reader])]
        # Beside the data of a reader may be a transpose that its group absorbs, and no other op if no stage holds data.
        return [
            each
            for each in readers
            if first.is_absorbed or self.holding[each] or value not in self.flow.steps[each].beside
            if self.is_free[each] or any(self.takes(stage, value) for stage in self.stages[each])
        ]

    def takes(self, stage: int, value: int) -> bool:
        """True if a step on a stage may read a value of its group."""
        return self.order.stages[stage].takes(self.flow.bytes_of[value])

    def _may_be_behind(self, first: OpStages, second: OpStages) -> bool:
        pair = first, second
        found = self._may_follow.get(pair)
        if found is None:
            found = self._may_follow[pair] = self._follows(first, second)
        return found

    def _follows(self, first: OpStages, second: OpStages) -> bool:
        """True if an op may be in a group behind another one whose value it reads."""
        if not first.is_grouped or not second.is_grouped:
            return False
        if first.is_free or second.is_free:
            return True
        stages = sum(1 << stage for stage in second.runs)
        return self.order.leads_to_any([*first.runs, *self.order.members(first.entries)], stages)

    def facts_of(self, step: int) -> tuple[object, ...]:
        """All that decides how a step can be grouped, but for its values."""
        own = self._facts[step], self.sure_prices[step]
        if not self.has_stage_prices:
            return own
        prices = tuple(self.prices_on[step].items()), tuple(self.prices_into[step].items())
        return *own, self.is_transpose(step), *prices

    def measured(self, price: int) -> int:
        """The bytes that a sum of prices is at least: a multiple of what all sizes share."""
        whole, shared = price // self._of_byte, self._shared
        return -(-whole // shared) * shared


def _above(groups: int) -> int:
    """A price of one byte that is above that of all groups, and the same for most blocks."""
    return 1 << max(groups.bit_length(), 16)
