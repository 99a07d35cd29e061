"""Channels on their way through ops that pick and join them, and through ops that compute each of them alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from math import prod
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue, Use

from ...dialects.npu.base import NpuOp, Picked
from ...dialects.npu.convolution import ForwardConvolutionOp
from ...dialects.npu.shape import ViewOp
from ...dialects.npu.values import has_one_element, shape_of
from ...dialects.settings.assumed_sizes import assumed
from ...layout import DYNAMIC
from ..common.storages.origins import Origins
from .folded import is_known
from .shuffles import Shuffle, shuffle_above

MOST_GROUPS = 8
"""The largest number of groups of a convolution that may become one without."""


class Way(Enum):
    """The ways in which an op reads a value along an axis."""

    EACH = "each position alone"
    SUMS = "sums over all positions, with constant weights"
    WHOLE = "anything else"


class Follower(NamedTuple):
    """An op that computes each position along an axis of its result from those of operands, and from constants."""

    operands: tuple[tuple[int, int], ...]
    """The operands that are computed, and their axes."""
    axis: int
    """The axis of the result."""
    constants: tuple[tuple[int, int], ...]
    """The operands with numbers for each position, and their axes."""


class Read(NamedTuple):
    """An operand that is a value of a region."""

    op: Operation
    operand: int
    way: Way
    follower: Follower | None = None

    @property
    def value(self) -> SSAValue:
        return self.op.operands[self.operand]


@dataclass
class Region:
    """Values that splits, slices, concatenations, gathers, shuffles and ops on each position connect."""

    axes: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """The values, and the axis of each along which positions are followed."""
    picked: dict[SSAValue, Picked] = field(default_factory=dict[SSAValue, Picked])
    """The values that only have positions of others."""
    reads: list[Read] = field(default_factory=list[Read])
    """The operands that ops which do not only pick have of it, in program order."""
    joins: bool = False
    """True if ops on each position of several values connect them as well."""
    is_whole: bool = True
    """False if a value has several such axes, no position, or is read in another block."""

    def size(self, value: SSAValue) -> int:
        """The number of positions of a value."""
        return shape_of(value)[self.axes[value]]

    def elements(self, value: SSAValue) -> int:
        """The number of elements at each position of a value; unknown sizes are assumed."""
        sizes = assumed(shape_of(value))
        return prod(sizes[: self.axes[value]]) * prod(sizes[self.axes[value] + 1 :])


class ChannelRegions:
    """The regions of a block."""

    def __init__(self, block: Block, origins: Origins, takes_groups: bool) -> None:
        self._block = block
        self._origins = origins
        self._takes_groups = takes_groups
        self.places: Mapping[Operation, int] = {op: place for place, op in enumerate(block.ops)}
        self._shuffles: dict[SSAValue, Shuffle] = {}
        self._first_views: dict[Operation, SSAValue] = {}
        inside = set[Operation]()
        for op in reversed(list(block.ops)):
            if isinstance(op, ViewOp) and op not in inside and (shuffle := shuffle_above(op, origins)) is not None:
                inside.update(shuffle.views)
                self._shuffles[shuffle.result] = shuffle
                self._first_views[shuffle.views[0]] = shuffle.result

    def all(self) -> list[Region]:
        """The regions in which a gather or a shuffle moves positions."""
        found: list[Region] = []
        seen = set[SSAValue]()
        for op in self._block.ops:
            for value in op.results:
                if value in seen or (picked := self.picked(value)) is None or not _moves(picked):
                    continue
                region = self._around(value, picked.axis, joins=True)
                if not region.is_whole:
                    region = self._around(value, picked.axis, joins=False)
                seen.update(region.axes)
                found.append(region)
        return [region for region in found if region.is_whole]

    def picked(self, value: SSAValue) -> Picked | None:
        """The positions of others that a value has, if it has nothing else."""
        if (shuffle := self._shuffles.get(value)) is not None:
            return Picked(shuffle.axis, [shuffle.source], shuffle.indices())
        op = value.owner
        if not isinstance(op, NpuOp) or op.has_blocks() or isinstance(op, ViewOp):
            return None
        found = op.picked(next(index for index, each in enumerate(op.results) if each is value))
        is_known = found is not None and all(shape_of(each)[found.axis] != DYNAMIC for each in found.inputs)
        return found if is_known and not any(map(self._origins.is_constant, op.operands[:1])) else None

    def ops_of(self, value: SSAValue) -> Sequence[Operation]:
        """The ops that only pick a value."""
        if (shuffle := self._shuffles.get(value)) is not None:
            return shuffle.views
        assert isinstance(value.owner, Operation)
        return [value.owner]

    def _around(self, value: SSAValue, axis: int, joins: bool) -> Region:
        """The region of a value along an axis."""
        region, left = Region(joins=joins), [(value, axis)]
        while left:
            value, axis = left.pop()
            if value in region.axes:
                region.is_whole &= region.axes[value] == axis
                continue
            if shape_of(value)[axis] in (DYNAMIC, 0):
                region.is_whole = False
                continue
            region.axes[value] = axis
            left += self._above(value, axis, region)
            for use in tuple(value.uses):
                left += self._behind(use, axis, region)
        region.reads.sort(key=lambda read: (self.places.get(read.op, 0), read.operand))
        return region

    def _above(self, value: SSAValue, axis: int, region: Region) -> list[tuple[SSAValue, int]]:
        picked = self.picked(value)
        if picked is not None and picked.axis == axis:
            region.picked[value] = picked
            return [(each, axis) for each in picked.inputs]
        follower = self.follower(value, axis, region.joins)
        if follower is None or not isinstance(value.owner, Operation):
            return []
        return [(value.owner.operands[index], place) for index, place in follower.operands]

    def _behind(self, use: Use, axis: int, region: Region) -> list[tuple[SSAValue, int]]:
        op = use.operation
        if op.parent is not self._block:
            region.is_whole = False
            return []
        if op in self._first_views:
            results: Sequence[SSAValue] = [self._first_views[op]]
        else:
            results = op.results
        picking = [each for each in results if (found := self.picked(each)) is not None and found.axis == axis]
        if picking:
            return [(each, axis) for each in picking]
        read = self._read(use, axis, region.joins)
        region.reads.append(read)
        return [] if read.follower is None else [(op.results[0], read.follower.axis)]

    def _read(self, use: Use, axis: int, joins: bool) -> Read:
        """The way in which an op reads a value along an axis."""
        op = use.operation
        if isinstance(op, ForwardConvolutionOp) and self.is_free(op) and use.index == 0 and axis == op.channels:
            return Read(op, use.index, Way.SUMS)
        for result in op.results[:1] if isinstance(op, NpuOp) else ():
            for place in range(len(shape_of(result))):
                follower = self.follower(result, place, joins)
                if follower is not None and (use.index, axis) in follower.operands:
                    return Read(op, use.index, Way.EACH, follower)
        return Read(op, use.index, Way.WHOLE)

    def is_free(self, op: Operation) -> bool:
        """True for a convolution that can take or make its channels in any order."""
        if not isinstance(op, ForwardConvolutionOp) or op.has_blocks() or op.is_on_each_channel():
            return False
        groups = op.groups.value.data
        return self._has_constants(op) and (groups == 1 or (self._takes_groups and groups <= MOST_GROUPS))

    def makes_any_order(self, value: SSAValue, axis: int) -> bool:
        """True if a convolution can make a value in any order along an axis."""
        op = value.owner
        return isinstance(op, ForwardConvolutionOp) and self.is_free(op) and axis == op.channels

    def weights_of(self, value: SSAValue) -> tuple[tuple[int, int], ...]:
        """The constants of the convolution of a value with numbers for each channel."""
        op = value.owner
        assert isinstance(op, ForwardConvolutionOp), "a convolution makes it"
        return _weights_of_outputs(op)

    def _has_constants(self, op: ForwardConvolutionOp) -> bool:
        return all(map(is_known, op.operands[1:]))

    def follower(self, value: SSAValue, axis: int, joins: bool) -> Follower | None:
        """The op of a value, if it computes each position along this axis alone, from one operand unless it `joins`."""
        op = value.owner
        if not isinstance(op, NpuOp) or isinstance(op, ViewOp) or op.is_source or len(op.results) != 1:
            return None
        if op.has_blocks() or DYNAMIC == shape_of(value)[axis]:
            return None
        if isinstance(op, ForwardConvolutionOp) and op.is_on_each_channel() and axis == op.channels:
            return Follower(((0, axis),), axis, _weights_of_outputs(op)) if self._has_constants(op) else None
        roles = op.roles()
        role = None if roles is None else next((each for each in roles.roles if (0, axis) in each.results), None)
        if role is None or (role.marks and not op.COMPUTES_EACH) or not role.splits:
            return None
        size = shape_of(value)[axis]
        varying = [(index, place) for index, place in role.operands if shape_of(op.operands[index])[place] != 1]
        given = tuple(each for each in varying if not is_known(op.operands[each[0]]))
        if not given or any(shape_of(op.operands[index])[place] != size for index, place in varying):
            return None
        if len(given) > 1 and not joins:
            return None
        return Follower(given, axis, tuple(each for each in varying if each not in given))


def _weights_of_outputs(op: ForwardConvolutionOp) -> tuple[tuple[int, int], ...]:
    """The operands of a convolution with numbers for each output, and their axes."""
    outputs = op.weighted_outputs()
    assert outputs is not None, "a convolution without blocks has outputs"
    biases = [(index, 0) for index in range(2, len(op.operands)) if not has_one_element(op.operands[index])]
    return (1, outputs.of_weights), *biases


def _moves(picked: Picked) -> bool:
    """True if a value has positions in another order than its input."""
    places = picked.places
    return len(picked.inputs) == 1 and any(one > other for one, other in pairwise(places))
