"""Plans in which convolutions take and make channels in other orders, so that fewer elements are picked and joined.

Each position of a source, which is a value that an op computes, is a *channel* with a number. A tensor of a plan has
channels in some order: a source in a new order, or parts of other tensors, joined.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from .channel_routes import Channels, Routes, is_distinct
from .channels import ChannelRegions, Read, Region, Way

MOST_PIECES = 16
"""The largest number of parts that are joined; more are gathered."""
WIDEST = 2
"""The largest number of channels that a convolution reads for each that it needs."""
MOST_TRIED = 64
"""The largest number of sources whose orders are tried one by one."""


class ChannelRange(NamedTuple):
    """Successive channels of a tensor."""

    tensor: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class PlannedTensor:
    """Channels in an order: of a source, joined parts, or those that indices select from another tensor."""

    channels: Channels
    place: int
    """The place in the block from which on it is known."""
    source: SSAValue | None = None
    parts: Sequence[ChannelRange] = ()
    gathered: tuple[int, Channels] | None = None
    like: SSAValue | None = None
    """A value of its type, but for the number of channels."""


class NewRead(NamedTuple):
    """An operand that becomes another tensor."""

    read: Read
    tensor: int
    taken: Channels | None
    """For each channel of the tensor its place among those that the op reads now, or -1; None for the same channels."""


class NewOrder(NamedTuple):
    """A value that an op makes in a new order."""

    value: SSAValue
    places: Channels
    """The old place of each channel."""
    constants: Sequence[tuple[int, int]]
    """The operands of the op with numbers for each channel, and their axes."""


@dataclass
class AbsorbPlan:
    """The tensors that ops read and make."""

    tensors: list[PlannedTensor] = field(default_factory=list[PlannedTensor])
    reads: list[NewRead] = field(default_factory=list[NewRead])
    orders: list[NewOrder] = field(default_factory=list[NewOrder])
    elements: int = 0
    """The number of elements that are picked and joined."""
    pieces: int = 0
    """The number of parts of which tensors are made."""

    @property
    def cost(self) -> tuple[int, int]:
        return self.elements, self.pieces


def plan_of(region: Region, regions: ChannelRegions, takes_zeros: bool) -> AbsorbPlan | None:
    """The plan of a region that moves the fewest elements; None if the program moves no more."""
    plans = [_best_of(Routes(region, regions, joins), takes_zeros) for joins in {False, region.joins}]
    best = min(plans, key=lambda plan: plan.cost)
    return best if best.elements < _elements_now(region, regions) else None


def _best_of(routes: Routes, takes_zeros: bool) -> AbsorbPlan:
    best = _Planner(routes, takes_zeros, frozenset()).plan()
    return _turned(routes, best) if takes_zeros and len(routes.constants) <= MOST_TRIED else best


def _turned(routes: Routes, best: AbsorbPlan) -> AbsorbPlan:
    """The best of plans that differ in the direction in which one source has its channels, until none is better."""
    turned, is_better = frozenset[SSAValue](), True
    while is_better:
        is_better = False
        for source in routes.constants:
            tried = turned ^ {source}
            plan = _Planner(routes, True, tried).plan()
            if plan.cost < best.cost:
                turned, best, is_better = tried, plan, True
    return best


def _elements_now(region: Region, regions: ChannelRegions) -> int:
    """The number of elements that the ops of a region that only pick write."""
    ops = {regions.ops_of(value)[-1]: value for value in region.picked}
    return sum(
        region.elements(value) * sum(region.size(each) for each in op.results if each in region.axes and each.uses)
        for op, value in ops.items()
    )


class _Planner:
    """One plan, for given directions of the sources."""

    def __init__(self, routes: Routes, takes_zeros: bool, turned: frozenset[SSAValue]) -> None:
        self._routes = routes
        self._region = routes.region
        self._takes_zeros = takes_zeros
        self._plan = AbsorbPlan()
        self._by_set: dict[bytes, int] = {}
        self._by_order: dict[bytes, int] = {}
        self._where = np.full((routes.count, 2), -1)
        """For each channel its source's tensor, and its place there."""
        for source in routes.sources:
            if source in routes.followed or source in routes.beside:
                continue
            own = routes.of(source)
            if source in routes.constants:
                ranks = routes.ranks[own]
                order = np.argsort(-ranks if source in turned else ranks, kind="stable")
                self._enter_source(source, order, routes.constants[source])
            else:
                self._enter_source(source, np.arange(len(own)), ())

    def plan(self) -> AbsorbPlan:
        """The tensors for all that is read, in program order."""
        for read in self._region.reads:
            way, value = self._routes.ways[read], read.value
            self._enter_beside(value)
            if way is Way.WHOLE or not self._routes.is_distinct(value):
                self._plan.reads.append(NewRead(read, self._in_order(read, value, self._routes.of(value)), None))
            elif way is Way.EACH:
                assert read.follower is not None, "it computes each position"
                places = self._order_of(self._routes.leaders[read.op])
                tensor = self._in_order(read, value, self._routes.of(value)[places])
                self._plan.reads.append(NewRead(read, tensor, None))
                if read is self._routes.leaders[read.op]:
                    self._enter_source(read.op.results[0], places, read.follower.constants)
            else:
                tensor = self._any_order(read, self._read_wide(value))
                self._plan.reads.append(NewRead(read, tensor, self._places(tensor, value)))
        return self._plan

    def _order_of(self, leader: Read) -> Channels:
        """The order in which an op reads the positions of its leading operand."""
        self._enter_beside(leader.value)
        return self._places(self._any_order(leader, leader.value), leader.value)

    def _enter_beside(self, value: SSAValue) -> None:
        """Enter the sources of a value that are made in the orders of other values."""
        for source in self._routes.sources_of(self._routes.of(value)):
            beside = self._routes.beside.get(source)
            if beside is None or self._where[self._routes.first[source], 0] >= 0:
                continue
            places = beside.positions.copy()
            numbers: list[int] = np.unique(beside.numbers[beside.numbers >= 0]).tolist()
            for number in numbers:
                is_here = beside.numbers == number
                places[is_here] = np.argsort(self._order_of(beside.leaders[number]))[beside.positions[is_here]]
            self._enter_source(source, np.lexsort((places, beside.numbers)), self._routes.constants[source])

    def _read_wide(self, value: SSAValue) -> SSAValue:
        """The value that a convolution reads instead of some of its channels, with weights of zero for the others."""
        host = self._routes.host(value)
        sizes = self._region.size(host), self._region.size(value)
        is_wide = self._takes_zeros and self._routes.is_distinct(host) and sizes[0] <= WIDEST * sizes[1]
        return host if is_wide else value

    def _places(self, tensor: int, value: SSAValue) -> Channels:
        """The place of each channel of a tensor in a value, or -1."""
        places = np.full(self._routes.count, -1)
        route = self._routes.of(value)
        places[route] = np.arange(len(route))
        return places[self._plan.tensors[tensor].channels]

    def _enter_source(self, source: SSAValue, order: Channels, constants: Sequence[tuple[int, int]]) -> None:
        own = self._routes.of(source)[order]
        if not np.array_equal(order, np.arange(len(order))):
            self._plan.orders.append(NewOrder(source, order, constants))
        number = self._enter(PlannedTensor(own, self._routes.place_of(source), source))
        self._where[own, 0], self._where[own, 1] = number, np.arange(len(own))

    def _enter(self, tensor: PlannedTensor) -> int:
        number = len(self._plan.tensors)
        self._plan.tensors.append(tensor)
        self._by_set.setdefault(np.sort(tensor.channels).tobytes(), number)
        self._by_order.setdefault(tensor.channels.tobytes(), number)
        return number

    def _any_order(self, read: Read, value: SSAValue) -> int:
        """A tensor with the channels of a value."""
        route = self._routes.of(value)
        if (known := self._by_set.get(np.sort(route).tobytes())) is not None:
            return known
        parts = [*self._cover(read, route)]
        if len(parts) > MOST_PIECES:
            return self._in_order(read, value, route)
        return self._joined(read, value, parts)

    def _in_order(self, read: Read, value: SSAValue, route: Channels) -> int:
        """A tensor with the channels of a value in the order of the route."""
        if (known := self._by_order.get(route.tobytes())) is not None:
            return known
        parts = [*self._runs(route)]
        tensors: list[int] = list(dict.fromkeys(self._where[route, 0].tolist()))
        wholes = [ChannelRange(each, 0, len(self._plan.tensors[each].channels)) for each in tensors]
        gathered = len(route) + self._moved(wholes)
        if len(parts) <= MOST_PIECES and self._moved(parts) <= gathered:
            return self._joined(read, value, parts)
        base = self._joined(read, value, wholes) if len(wholes) > 1 else tensors[0]
        places = np.full(self._routes.count, -1)
        places[self._plan.tensors[base].channels] = np.arange(len(self._plan.tensors[base].channels))
        self._plan.elements += len(route) * self._region.elements(value)
        place = self._routes.regions.places[read.op]
        return self._enter(PlannedTensor(route, place, gathered=(base, places[route]), like=value))

    def _moved(self, parts: Sequence[ChannelRange]) -> int:
        """The number of channels that are cut out and joined to make a tensor of parts."""
        tensors = self._plan.tensors
        sizes = [part.stop - part.start for part in parts]
        cut = sum(size for part, size in zip(parts, sizes, strict=True) if size < len(tensors[part.tensor].channels))
        return cut + (sum(sizes) if len(parts) > 1 else 0)

    def _joined(self, read: Read, value: SSAValue, parts: Sequence[ChannelRange]) -> int:
        """A new tensor of parts."""
        tensors = self._plan.tensors
        channels = np.concatenate([tensors[part.tensor].channels[part.start : part.stop] for part in parts])
        self._plan.elements += self._moved(parts) * self._region.elements(value)
        self._plan.pieces += len(parts)
        return self._enter(PlannedTensor(channels, self._routes.regions.places[read.op], parts=parts, like=value))

    def _cover(self, read: Read, route: Channels) -> Iterator[ChannelRange]:
        """Parts of tensors that have all channels, in whichever order; few, as those come first that have many."""
        tensors, place = self._plan.tensors, self._routes.regions.places[read.op]
        numbers: list[int] = np.unique(self._where[route, 0]).tolist()
        if self._takes_zeros:
            numbers += [
                number
                for number, each in enumerate(tensors)
                if each.parts and each.place <= place and is_distinct(each.channels)
            ]
        is_left = np.zeros(self._routes.count, np.bool_)
        is_left[route] = True
        taken: list[tuple[tuple[int, bool], list[ChannelRange]]] = []
        while is_left.any():
            number = max(numbers, key=lambda each: (is_left[tensors[each].channels].sum(), tensors[each].place))
            channels = tensors[number].channels
            # A tensor is made in front of the op that is at its place.
            place = tensors[number].place, tensors[number].source is not None
            taken.append((place, [*_stretches(number, is_left[channels])]))
            is_left[channels] = False
        for _, parts in sorted(taken, key=lambda each: each[0]):
            yield from parts

    def _runs(self, route: Channels) -> Iterator[ChannelRange]:
        """Parts of sources that are the channels in their order."""
        where = self._where[route]
        breaks = np.flatnonzero((np.diff(where[:, 0]) != 0) | (np.diff(where[:, 1]) != 1)) + 1
        for start, stop in zip([0, *breaks.tolist()], [*breaks.tolist(), len(route)], strict=True):
            tensor, place = where[start].tolist()
            yield ChannelRange(tensor, place, place + stop - start)


def _stretches(tensor: int, is_taken: NDArray[np.bool_]) -> Iterator[ChannelRange]:
    """The successive positions of a tensor that are taken."""
    borders = np.flatnonzero(np.diff(np.concatenate([[False], is_taken, [False]]))).tolist()
    yield from (ChannelRange(tensor, start, stop) for start, stop in zip(borders[::2], borders[1::2], strict=True))
