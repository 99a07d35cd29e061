"""Values by their channels: the positions along one axis, each numbered by what it is computed from.

A convolution computes each output from channels of its data and the slices of its kernel for them, so that neither the
order of the channels nor the groups matter. Ops that pick and join channels only change the list of them, and ops that
compute each position along the axis alone do so with each channel.
"""

from collections.abc import Hashable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation

from ..dialects.npu.axes import Role
from ..dialects.npu.base import NpuOp
from ..dialects.npu.convolution import ForwardConvolutionOp
from ..dialects.npu.movement import ConcatOp, GatherOp, PadOp, SliceOp, SplitOp
from ..dialects.npu.shape import ViewOp
from ..dialects.npu.source import ConstantOp
from ..dialects.npu.values import layout_of, rank_of, shape_of
from ..dialects.program.names import by_definition
from ..interpreter import InterpreterError
from ..interpreter.registry import MEANINGS
from ..layout import DYNAMIC, UNIT, Arrangement, Extent, Piece, letters
from ..layout import product as total
from .constants import Constants
from .nodes import Nodes
from .positions import places_of
from .slices import Slices
from .values import NumberedValue, element_type, tensor

Ids: TypeAlias = NDArray[np.int64]
Pieces: TypeAlias = tuple[Piece, ...]

NO_AXIS = -1
"""The axis of the one channel of a node that is all of it."""
PICKS = ConcatOp | GatherOp | SliceOp | SplitOp


class Along(NamedTuple):
    """A value along one of its stored axes: the numbers of its channels, and the pieces of the other axes in order.

    The axes of each channel are numbered from 1 on.
    """

    channels: Ids
    rest: tuple[Pieces, ...]


class ChannelOfNode(NamedTuple):
    """A channel of a node that was not computed by channels."""

    node: int
    axis: int
    place: int


class ByChannel:
    """The values of two programs by their channels."""

    def __init__(self, nodes: Nodes, constants: Constants, zeros_absorb: bool) -> None:
        """With `zeros_absorb`, channels that a convolution multiplies by zeros are none that it reads."""
        self._number = nodes.number
        self._nodes = nodes
        self._constants = constants
        self._zeros_absorb = zeros_absorb
        self._slices = Slices(nodes.number, constants)
        self._channels: dict[int, Ids] = {}
        """The channels of each node that has any, whose axis 0 they are."""
        self._origins: dict[int, ChannelOfNode] = {}
        self._axes: dict[tuple[int, int], tuple[Extent, tuple[int, ...]]] = {}
        """For an axis of a node its size and the other axes of the node."""

    def values(self, op: NpuOp, operands: Sequence[NumberedValue]) -> Sequence[NumberedValue] | None:
        """The results of an op by channels; None if it has none."""
        if any(layout is not None and layout.tiles for layout in map(layout_of, (*op.operands, *op.results))):
            return None
        match op:
            case GatherOp() | PadOp() | SliceOp() | ConcatOp() | ViewOp() if self._slices.are_constants(operands):
                moved = self._slices.moved(op, operands)
                return None if moved is None else [moved]
            case ViewOp():
                return self._viewed(op, operands[0])
            case ForwardConvolutionOp():
                return self._convolved(op, operands)
            case ConcatOp() | GatherOp() | SliceOp() | SplitOp():
                return self._picked(op, operands) or self._each(op, operands)
            case _:
                return self._each(op, operands)

    def note(self, op: Operation, results: Sequence[NumberedValue]) -> None:
        """Note a constant."""
        if isinstance(op, ConstantOp):
            self._slices.enter(results[0])

    # Channels of values.

    def _along(self, value: NumberedValue, position: int) -> Along | None:
        """A value along a stored axis, which has to be one axis of the node, in any order."""
        stored, node = tensor(value), value.node
        pieces = stored.axes[position]
        rest = (*stored.axes[:position], *stored.axes[position + 1 :])
        if not pieces and len(self._channels.get(node, ())) == 1:
            return Along(self._channels[node], rest)
        axes = {piece.axis for piece in pieces}
        others = sorted({piece.axis for each in rest for piece in each})
        if len(axes) != 1 or min(axes) < 0 or axes & {*others} or min(others, default=0) < 0 or not _is_static(pieces):
            return None
        (axis,), places = axes, places_of(pieces)
        if sorted(places.tolist()) != list(range(len(places))):
            return None
        if node in self._channels:
            return Along(self._channels[node][places], rest) if axis == 0 else None
        self._axes[node, axis] = total(piece.size for piece in pieces), tuple(others)
        channels = np.array([self._channel(ChannelOfNode(node, axis, place)) for place in places.tolist()], np.int64)
        renamed = [tuple(piece._replace(axis=1 + others.index(piece.axis)) for piece in each) for each in rest]
        return Along(channels, tuple(renamed))

    def _alone(self, value: NumberedValue, position: int) -> Along | None:
        """A value whose one channel is all of it."""
        axes = tensor(value).axes
        others = sorted({piece.axis for each in axes for piece in each})
        if axes[position] or value.node in self._channels or min(others, default=0) < 0:
            return None
        self._axes[value.node, NO_AXIS] = Extent(1), tuple(others)
        renamed = [tuple(piece._replace(axis=1 + others.index(piece.axis)) for piece in each) for each in axes]
        channel = self._channel(ChannelOfNode(value.node, NO_AXIS, 0))
        return Along(np.array([channel], np.int64), (*renamed[:position], *renamed[position + 1 :]))

    def _channel(self, origin: ChannelOfNode) -> int:
        channel = self._number(("channel", origin))
        self._origins[channel] = origin
        return channel

    def _with_channels(self, found: Along, position: int) -> NumberedValue:
        """The value with these channels."""
        channels, rest = found
        if (whole := self._whole(channels)) is not None:
            node, axis, others = whole
            along = (Piece(axis, UNIT, Extent(len(channels))),) if len(channels) > 1 else ()
            rest = tuple(tuple(piece._replace(axis=others[piece.axis - 1]) for piece in each) for each in rest)
        else:
            node = self._number(("channels", channels.tobytes()))
            self._channels[node] = channels
            along = (Piece(0, UNIT, Extent(len(channels))),) if len(channels) > 1 else ()
        return NumberedValue(node, Arrangement((*rest[:position], along, *rest[position:])))

    def _whole(self, channels: Ids) -> tuple[int, int, tuple[int, ...]] | None:
        """The node, and the axis of it, that has just these channels in their order."""
        first = self._origins.get(int(channels[0])) if len(channels) else None
        if first is None:
            return None
        size, others = self._axes[first.node, first.axis]
        wanted = [first._replace(place=place) for place in range(len(channels))]
        if size != Extent(len(channels)) or [self._origins.get(each) for each in channels.tolist()] != wanted:
            return None
        return first.node, first.axis, others

    def _viewed(self, op: ViewOp, operand: NumberedValue) -> Sequence[NumberedValue] | None:
        """A view whose axis has all channels in another order, as the value with its channels in that order."""
        viewed = self._nodes.viewed(op, operand)
        if viewed.node != operand.node:
            return None
        for position, pieces in enumerate(tensor(viewed).axes):
            if len(pieces) > 1 and (found := self._along(viewed, position)) is not None:
                return [self._with_channels(found, position)]
        return [viewed] if operand.node in self._channels else None

    # Ops.

    def _picked(self, op: PICKS, operands: Sequence[NumberedValue]) -> Sequence[NumberedValue] | None:
        """The results of an op that picks and joins positions of one axis."""
        axis = _cut_axis(op) if isinstance(op, SliceOp) else op.axis.value.data
        data = operands[:1] if isinstance(op, GatherOp) else operands
        values = op.operands[: len(data)]
        if axis is None or any(shape_of(each)[axis] == DYNAMIC for each in values):
            return None
        found = [self._along(each, axis) for each in data]
        given = [each for each in found if each is not None]
        if len(given) < len(found) or len({each.rest for each in given}) != 1:
            return None
        rank, start, arrays = len(shape_of(values[0])), 0, list[NDArray[Any]]()
        for each in given:
            count = len(each.channels)
            arrays.append(np.arange(start, start + count).reshape([count if at == axis else 1 for at in range(rank)]))
            start += count
        if isinstance(op, GatherOp):
            indices = self._constants.elements(op.indices, operands[1])
            if indices is None or indices.ndim != 1:
                return None
            arrays.append(indices)
        try:
            results = MEANINGS[type(op)](op, *by_definition(op, arrays))
        except (InterpreterError, ValueError, IndexError):
            return None
        channels = np.concatenate([each.channels for each in given])
        picked = [np.asarray(each) for each in (results if isinstance(results, list | tuple) else [results])]
        if any(each.size != each.shape[axis] or not each.size for each in picked):
            return None
        return [self._with_channels(Along(channels[each.reshape(-1)], given[0].rest), axis) for each in picked]

    def _convolved(self, op: ForwardConvolutionOp, operands: Sequence[NumberedValue]) -> list[NumberedValue] | None:
        """The result of a convolution: each channel by those that it is computed from, with their weights."""
        layout, kernel_layout = (
            op.feature_layout("data", op.data),
            op.known_layout("kernel", op.kernel, "kernel_layout", op.kernel_layout),
        )
        position, sizes = layout.position_of("C"), shape_of(op.result)
        names = ["N", *(letter for letter in letters(layout.cls, rank_of(op.data)) if letter not in "NC")]
        data = self._along(operands[0], position) or self._alone(operands[0], position)
        outputs, inputs = kernel_layout.position_of("O"), kernel_layout.position_of("I")
        if data is None or any(sizes[layout.position_of(letter)] == DYNAMIC for letter in names[1:]):
            return None
        kernel = self._slices.along(op.kernel, operands[1], (outputs, inputs))
        bias = None if op.bias is None else self._slices.numbers(op.bias, operands[2], 0)
        places = [layout.position_of(letter) for letter in names]
        rest = [data.rest[place - (place > position)] for place in places]
        if kernel is None or (op.bias is not None and bias is None) or any(len(each) > 1 for each in rest):
            return None
        count, groups = shape_of(op.kernel)[outputs], op.groups.value.data
        extents = [size for axis, size in enumerate(shape_of(op.kernel)) if axis not in (outputs, inputs)]
        key = (
            *("convolved", op.name, op.sliding_window(len(names) - 1), tuple(extents), tuple(rest)),
            *(element_type(op.result.type), kernel.key),
        )
        by_group, made = data.channels.reshape(groups, -1), list[int]()
        for output in range(count):
            channels = by_group[output * groups // count]
            summed = self._summed(channels, kernel.rows[output])
            made.append(self._number((key, summed, None if bias is None else int(bias[output]))))
        axes: list[Pieces] = []
        for letter, pieces, place in zip(names, rest, places, strict=True):
            size = total(piece.size for piece in pieces) if letter == "N" else Extent(sizes[place])
            axes.append(() if size.is_unit else (Piece(1 + sum(map(bool, axes)), UNIT, size),))
        by_place = dict(zip(places, axes, strict=True))
        found = Along(np.array(made, np.int64), tuple(by_place[place] for place in sorted(by_place)))
        return [self._with_channels(found, position)]

    def _summed(self, channels: Ids, rows: NDArray[np.uint8]) -> bytes:
        """The channels of a sum of products with these weights, in an order that does not depend on theirs."""
        if self._zeros_absorb:
            is_read = rows.any(axis=1)
            channels, rows = channels[is_read], rows[is_read]
        order = np.argsort(channels, kind="stable")
        if (np.diff(channels[order]) == 0).any():
            texts = [(channel, row.tobytes()) for channel, row in zip(channels.tolist(), rows, strict=True)]
            order = np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int64)
        return sha256(channels[order].tobytes() + rows[order].tobytes()).digest()

    def _each(self, op: NpuOp, operands: Sequence[NumberedValue]) -> list[NumberedValue] | None:
        """The result of an op that computes each position along an axis alone."""
        roles = op.roles() if len(op.results) == 1 else None
        role = (
            None if roles is None else next((each for each in roles.roles if self._is_each(op, each, operands)), None)
        )
        if roles is None or role is None:
            return None
        ((_, position),) = role.results
        count = shape_of(op.results[0])[position]
        varying = [(index, place) for index, place in role.operands if shape_of(op.operands[index])[place] == count]
        found: dict[int, Along] = {}
        for index, place in varying:
            known = self._slices.numbers(op.operands[index], operands[index], place)
            if known is not None:
                found[index] = Along(known, ())
            elif (along := self._along(operands[index], place)) is not None:
                found[index] = along
        if len(found) < len(varying):
            return None
        stored = [self._rest(index, operands[index], found, dict(varying)) for index in range(len(operands))]
        shared = [None if index in found else each.node for index, each in enumerate(operands)]
        order = [*range(len(operands))]
        if op.commutes():
            order[:2] = sorted(order[:2], key=lambda index: (str(shared[index]), sorted(map(repr, stored[index]))))
        entries = [
            (
                tuple(sorted((order.index(index), stored[index][place]) for index, place in each.operands)),
                each.marks,
                each.results,
            )
            for each in roles.roles
            if each is not role
        ]
        # The axes of channels are in the order of those that they are computed from.
        entries.sort(key=lambda entry: (not entry[0], repr([pieces for _, pieces in entry[0]]), repr(entry[1])))
        by_place: dict[int, Pieces] = {}
        for pieces, marks, results in entries:
            for _, place in results:
                size = self._size_of(op, place, pieces, marks)
                if size is None:
                    return None
                by_place[place] = () if size.is_unit else (Piece(1 + sum(map(bool, by_place.values())), UNIT, size),)
        described = [(pieces, marks, tuple(by_place[at] for _, at in results)) for pieces, marks, results in entries]
        properties = sorted((name, value) for name, value in op.properties.items() if name not in roles.described)
        key = "each", op.name, tuple(properties), tuple(described), element_type(op.results[0].type)
        swaps, made = _swaps(op, entries), list[int]()
        for at in range(count):
            read = [
                ("channel", int(found[index].channels[at])) if index in found else ("all", shared[index])
                for index in order
            ]
            made.append(self._number((key, *(sorted(read[:2], key=str) if swaps else read[:2]), *read[2:])))
        rest = tuple(by_place[place] for place in sorted(by_place))
        return [self._with_channels(Along(np.array(made, np.int64), rest), position)]

    def _is_each(self, op: NpuOp, role: Role, operands: Sequence[NumberedValue]) -> bool:
        """True if an op computes each position of an axis alone, and a value has its channels along it."""
        if (role.marks and not op.COMPUTES_EACH) or not role.splits or len(role.results) != 1:
            return False
        if DYNAMIC == shape_of(op.results[0])[role.results[0][1]]:
            return False
        return any(self._has_channels(operands[index], place) for index, place in role.operands)

    def _has_channels(self, value: NumberedValue, position: int) -> bool:
        """True if a value has its channels along a stored axis, or a value with its node was asked for them there."""
        pieces = tensor(value).axes[position]
        is_known = value.node in self._channels or (bool(pieces) and (value.node, pieces[0].axis) in self._axes)
        return is_known and self._along(value, position) is not None

    def _rest(
        self, index: int, value: NumberedValue, found: Mapping[int, Along], places: Mapping[int, int]
    ) -> list[Pieces]:
        """The pieces of each axis of an operand, but for those of its channels."""
        axes = [*tensor(value).axes]
        if index not in found:
            return axes
        place, rest = places[index], found[index].rest
        return [*rest[:place], (), *rest[place:]] if rest else [()] * len(axes)

    @staticmethod
    def _size_of(op: NpuOp, place: int, pieces: Sequence[tuple[int, Pieces]], marks: Hashable) -> Extent | None:
        """The size of an axis of the result."""
        if (size := shape_of(op.results[0])[place]) != DYNAMIC:
            return Extent(size)
        sizes = {total(each.size for each in along) for _, along in pieces if along}
        return sizes.pop() if len(sizes) == 1 and not marks else None


def _swaps(op: NpuOp, entries: Sequence[tuple[Sequence[tuple[int, Pieces]], Hashable, Hashable]]) -> bool:
    """True if the first two operands may be exchanged: all else about them is equal."""
    return op.commutes() and all(len({pieces for _, pieces in each[:2]}) == 1 for each, _, _ in entries)


def _cut_axis(op: SliceOp) -> int | None:
    """The one axis of which a slice does not take all."""
    cut = [axis for axis in range(len(op.starts)) if op.axis_marks(axis)[0]]
    return cut[0] if len(cut) == 1 else None


def _is_static(pieces: Pieces) -> bool:
    return not any(piece.size.symbols or piece.inner.symbols for piece in pieces)
