"""The channels of the values of a region: how they are read, and which of them have to be in one order.

Each position of a source, which is a value that an op computes, is a *channel* with a number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue

from .channels import ChannelRegions, Read, Region, Way

Channels = NDArray[np.int64]


class Beside(NamedTuple):
    """The operands beside which the channels of a source are read, by ops on each position of several values."""

    leaders: Sequence[Read]
    """The operands in whose orders the source is made."""
    numbers: Channels
    """For each channel the number of its leader."""
    positions: Channels
    """For each channel its position in that operand."""


@dataclass
class _Alignment:
    """The channels that have to be at one place in their tensors."""

    roots: Channels
    """For each channel the one whose place it has."""
    is_free: NDArray[np.bool_]
    """The channels of convolutions that have no order yet."""
    leaders: list[Read]
    numbers: Channels
    """For each channel the number of the leader beside which it is read, or -1."""
    positions: Channels


class Routes:
    """The channels of each value of a region, and how they are read."""

    def __init__(self, region: Region, regions: ChannelRegions, joins: bool) -> None:
        """With `joins`, ops on each position of several values take an order of channels along."""
        self.region, self.regions = region, regions
        self.sources = [value for value in self._in_order() if value not in region.picked]
        sizes = [region.size(source) for source in self.sources]
        self._starts: Channels = np.cumsum([0, *sizes])
        self.first: dict[SSAValue, int] = dict(zip(self.sources, self._starts.tolist(), strict=False))
        self.count: int = int(self._starts[-1])
        self._of: dict[SSAValue, Channels] = {}
        for value in self._in_order():
            self._of[value] = self._route(value)
        whole = {read.value for read in region.reads if read.way is Way.WHOLE}
        whole |= {read.value for read in region.reads if read.follower and read.op.results[0] in whole}
        aligned = self._nothing_aligned(whole)
        self.leaders: Mapping[Operation, Read] = self._leaders(whole, aligned, joins)
        """For each op that takes an order of channels along the operand whose order it is."""
        self.followed = {op.results[0] for op in self.leaders}
        self.ways: Mapping[Read, Way] = {
            read: Way.WHOLE if read.way is Way.EACH and read.op not in self.leaders else read.way
            for read in region.reads
        }
        pinned = {read.value for read, way in self.ways.items() if way is Way.WHOLE}
        self.constants = {
            value: regions.weights_of(value)
            for value in self.sources
            if value not in pinned and self._is_convolution(value)
        }
        """The sources that can be made in any order, each with the constants that have numbers for its channels."""
        self.beside: Mapping[SSAValue, Beside] = {
            source: found for source in self.constants if (found := self._beside(source, aligned)) is not None
        }
        """The sources that are made in the orders of others."""
        self.ranks = self._ranks()

    def _in_order(self) -> list[SSAValue]:
        places = self.regions.places
        return sorted(
            self.region.axes,
            key=lambda value: places.get(value.owner, -1) if isinstance(value.owner, Operation) else -1,
        )

    def _route(self, value: SSAValue) -> Channels:
        picked = self.region.picked.get(value)
        if picked is None:
            return np.arange(self.region.size(value)) + self.first[value]
        return np.concatenate([self._of[each] for each in picked.inputs])[list(picked.places)]

    def of(self, value: SSAValue) -> Channels:
        """The channel at each position of a value."""
        return self._of[value]

    def is_distinct(self, value: SSAValue) -> bool:
        """True if no channel is twice in a value."""
        return is_distinct(self.of(value))

    def place_of(self, value: SSAValue) -> int:
        """The place in the block from which on a value is known."""
        return self.regions.places.get(value.owner, -1) if isinstance(value.owner, Operation) else -1

    def sources_of(self, channels: Channels) -> list[SSAValue]:
        """The sources of some channels, in program order."""
        return [self.sources[at] for at in np.unique(np.searchsorted(self._starts, channels, "right") - 1).tolist()]

    def host(self, value: SSAValue) -> SSAValue:
        """The nearest value above from which all channels of a value are picked, and which is no such value itself."""
        while (picked := self.region.picked.get(value)) is not None and len(picked.inputs) == 1:
            (value,) = picked.inputs
        return value

    # Ops that take an order along.

    def _is_convolution(self, source: SSAValue) -> bool:
        return self.regions.makes_any_order(source, self.region.axes[source])

    def _nothing_aligned(self, whole: set[SSAValue]) -> _Alignment:
        is_free = np.zeros(self.count, np.bool_)
        for source in self.sources:
            is_free[self.of(source)] = source not in whole and self._is_convolution(source)
        return _Alignment(np.arange(self.count), is_free, [], np.full(self.count, -1), np.full(self.count, -1))

    def _leaders(self, whole: set[SSAValue], aligned: _Alignment, joins: bool) -> dict[Operation, Read]:
        """The ops that take an order along, with the operands that they follow."""
        by_op: dict[Operation, list[Read]] = {}
        for read in self.region.reads:
            if read.way is Way.EACH:
                by_op.setdefault(read.op, []).append(read)
        found: dict[Operation, Read] = {}
        for op, reads in by_op.items():
            assert reads[0].follower is not None, "it computes each position"
            count = len(reads[0].follower.operands)
            is_known = len(reads) == count and (joins or count == 1) and op.results[0] not in whole
            if is_known and all(self.is_distinct(read.value) for read in reads):
                leader = min(reads, key=lambda read: self._last_place(self.of(read.value)))
                if self._align(leader, reads, aligned):
                    found[op] = leader
        return found

    def _last_place(self, channels: Channels) -> int:
        """The place in the block from which on some channels are known."""
        return max(map(self.place_of, self.sources_of(channels)), default=-1)

    def _align(self, leader: Read, reads: Sequence[Read], aligned: _Alignment) -> bool:
        """Align the operands of an op with one of them; False if they cannot be in one order.

        They are in one if their channels come from those of the leader. A later convolution makes its channels so, if
        no other op has asked for an order.
        """
        route = self.of(leader.value)
        last, table = self._last_place(route), np.arange(self.count)
        beside: list[tuple[Channels, Channels]] = []
        for read in reads:
            ours, theirs = table[aligned.roots[route]], table[aligned.roots[self.of(read.value)]]
            (positions,) = np.nonzero(ours != theirs)
            moved = theirs[positions]
            is_later = all(self.place_of(source) > last for source in self.sources_of(moved))
            if not (is_later and is_distinct(moved) and aligned.is_free[moved].all()):
                return False
            table[moved] = ours[positions]
            beside.append((moved, positions))
        for moved, positions in beside:
            aligned.numbers[moved], aligned.positions[moved] = len(aligned.leaders), positions
            aligned.is_free[moved] = False
        aligned.leaders.append(leader)
        aligned.roots = table[aligned.roots]
        aligned.roots[self.of(leader.op.results[0])] = aligned.roots[route]
        return True

    def _beside(self, source: SSAValue, aligned: _Alignment) -> Beside | None:
        own = self.of(source)
        found = Beside(aligned.leaders, aligned.numbers[own], aligned.positions[own])
        return found if (found.numbers >= 0).any() else None

    # The order of use.

    def _ranks(self) -> Channels:
        """A number for each channel, which is less the earlier it is read, and equal if the same ops read it."""
        readers: list[list[tuple[int, int]]] = [[] for _ in range(self.count)]
        ranks = np.zeros(self.count, np.int64)
        # The readers of what an op makes come behind it.
        for number, read in reversed([*enumerate(self.region.reads)]):
            route: list[int] = self.of(read.value).tolist()
            behind: list[int] = [0] * len(route)
            if self.ways[read] is Way.EACH:
                (result,) = read.op.results
                self._rank(result, readers, ranks)
                behind = ranks[self.of(result)].tolist()
            for channel, rank in zip(route, behind, strict=True):
                readers[channel].append((number, rank))
        for source in self.sources:
            if source not in self.followed:
                self._rank(source, readers, ranks)
        return ranks

    def _rank(self, source: SSAValue, readers: Sequence[list[tuple[int, int]]], ranks: Channels) -> None:
        own: list[int] = self.of(source).tolist()
        keys = [tuple(sorted(readers[channel])) for channel in own]
        numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
        ranks[own] = [numbers[key] for key in keys]


def is_distinct(channels: Channels) -> bool:
    """True if no channel is there twice."""
    return len(np.unique(channels)) == len(channels)
