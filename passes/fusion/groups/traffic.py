"""The data that the ops of a block read from memory and write to it, for any groups of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from ....dialects.npu.packing import PackingOp
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE
from ...common.moves.packs import bytes_of_pack
from ...common.moves.transpose_cost import bytes_of
from ..graph.graph import FusionNode, values_used_by
from ..stages.stage_match import Matching, factors_of, values_beside
from ..stages.stage_prices import NO_PRICES, StagePrices, stage_prices
from .hardware_groups import Grouping, HardwareGroup


class TrafficStep(NamedTuple):
    """An op that reads or writes data, with the numbers of the values."""

    op: Operation
    reads: Sequence[int]
    results: Sequence[int]
    prices: StagePrices = NO_PRICES
    beside: Sequence[int] = ()
    """The values that it reads beside its data, so that they have to be complete."""
    factors: Sequence[Sequence[int]] = ()
    """The values of each factor, of which one may flow through it."""


@dataclass
class Traffic:
    """The ops of a block that move data, in visiting order.

    Free ops and transposes that move nothing are no steps: their users read the values behind them. Constants are no
    data that travels.
    """

    steps: list[TrafficStep] = field(default_factory=list[TrafficStep])
    bytes_of: list[int] = field(default_factory=list[int])
    """The bytes of each value; 0 for the order of side effects, which is a value as well."""
    leaving: set[int] = field(default_factory=set[int])
    """The values that the block returns, or that free ops without users read, which no group collects."""
    is_assumed: bool = False
    """True if the bytes of a value rest on an assumed size."""

    @cached_property
    def readers(self) -> list[list[int]]:
        """The steps that read each value."""
        found: list[list[int]] = [[] for _ in self.bytes_of]
        for place, step in enumerate(self.steps):
            for value in step.reads:
                found[value].append(place)
        return found

    @cached_property
    def producer(self) -> Mapping[int, int]:
        """The step that produces a value; none for arguments."""
        return {value: place for place, step in enumerate(self.steps) for value in step.results}

    @cached_property
    def _prices(self) -> Mapping[Operation, StagePrices]:
        return {step.op: step.prices for step in self.steps if step.prices.on}

    def price(self, grouping: Grouping) -> int:
        """The price of all transposes that stages do in groups with other ops."""
        if not self._prices:
            return 0
        return sum(self._price_in(group) for group in grouping.groups if group.absorbs)

    def _price_in(self, group: HardwareGroup) -> int:
        total = 0
        for member in group.members:
            stage, prices = member.stage.name, self._prices
            total += prices[member.op].on[stage] if member.op in prices else 0
            total += sum(prices[op].into[stage] for op in member.collected if op in prices)
        return total

    def travelling(self, grouping: Grouping) -> int:
        """The bytes that groups, and ops in no group, read and write, and the price of transposes in groups.

        A value is written once if it is returned or read outside of its group, and read once by each group that reads
        it.
        """
        parts = [grouping.group_of.get(step.op, step.op) for step in self.steps]
        total = self.price(grouping)
        for value, readers in enumerate(self.readers):
            place = self.producer.get(value)
            own = None if place is None else parts[place]
            others = {parts[reader] for reader in readers} - {own}
            is_written = place is not None and (bool(others) or value in self.leaving)
            total += self.bytes_of[value] * (len(others) + is_written)
        return total


def traffic_of(nodes: Sequence[FusionNode], matching: Matching, assumed_size: int = ASSUMED_SIZE) -> Traffic:
    """The flow of data between the ops of a graph; unknown sizes are assumed."""
    return _Reading(matching, assumed_size).flow(nodes)


class _Reading:
    def __init__(self, matching: Matching, assumed_size: int) -> None:
        self._matching = matching
        self._assumed_size = assumed_size
        self._is_assumed = False
        self._steps: dict[Operation, tuple[Sequence[int], list[int]]] = {}
        """The values that an op reads, and those that it produces."""
        self._bytes: list[int] = []
        self._behind: dict[SSAValue, tuple[int, ...]] = {}
        """The values that are read where a value is used."""

    def flow(self, nodes: Sequence[FusionNode]) -> Traffic:
        leaving = [*_returned(nodes)]
        for node in nodes:
            if not isinstance(node.source, Operation):
                self._behind[node.source] = (self._numbered(node.source),)
            elif self._matching.moves_nothing(node.source):
                self._behind |= dict.fromkeys(node.source.results, self._read(values_used_by(node.source)))
                leaving += node.source.results if self._matching.reads_for_nothing(node.source) else ()
            else:
                self._add(node.source, node.previous)
        has_prices = self._matching.target.has_priced_stages
        steps = [
            TrafficStep(
                op,
                tuple(reads),
                tuple(results),
                self._prices(op, results) if has_prices else NO_PRICES,
                self._read(values_beside(op)),
                tuple(self._read([factor]) for factor in factors_of(op)),
            )
            for op, (reads, results) in self._steps.items()
        ]
        return Traffic(steps, self._bytes, set(self._read(leaving)), self._is_assumed)

    def _prices(self, op: Operation, results: Sequence[int]) -> StagePrices:
        moved = self._bytes[results[0]] if results else 0
        # An unpack moves the padding that its operand has.
        moved = bytes_of_pack(op, self._assumed_size) if isinstance(op, PackingOp) else moved
        return stage_prices(op, moved, self._matching)

    def _add(self, op: Operation, previous: Operation | None) -> None:
        reads = self._read(values_used_by(op))
        if previous is not None:
            order = self._numbered(None)
            self._steps[previous][1].append(order)
            reads = (*reads, order)
        results = [self._numbered(value) for value in op.results]
        self._behind |= {value: (number,) for value, number in zip(op.results, results, strict=True)}
        self._steps[op] = reads, results

    def _read(self, values: Iterable[SSAValue]) -> tuple[int, ...]:
        """The values behind some values, each once. Values of other blocks are left out."""
        return tuple(dict.fromkeys(number for value in values for number in self._behind.get(value, ())))

    def _numbered(self, value: SSAValue | None) -> int:
        moved, is_assumed = 0, False
        if value is not None and isinstance(value.type, TensorType):
            moved, is_assumed = bytes_of(value, self._matching.origins, self._assumed_size)
        self._is_assumed |= is_assumed
        self._bytes.append(moved)
        return len(self._bytes) - 1


def _returned(nodes: Sequence[FusionNode]) -> Sequence[SSAValue]:
    source = nodes[0].source if nodes else None
    block = source.parent if isinstance(source, Operation) else source.block if source is not None else None
    end = block.last_op if block is not None else None
    return end.operands if isinstance(end, ReturnOp) else ()
