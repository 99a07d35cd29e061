"""Parts of products whose weights are joined: each is the product with its columns of the weights.

Optimizers join products of one value, such as those of query, key and value, and split the result. Elementwise ops and
quantisation in between are those of the parts.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.npu.base import NpuOp
from ...dialects.npu.elementwise import ElementwiseOp
from ...dialects.npu.linear import MatmulIntegerOp, MatmulOp
from ...dialects.npu.movement import END_OF_AXIS, ConcatOp, GatherOp, SliceOp, SplitOp
from ...dialects.npu.quantization import DequantizeOp, QuantizeOp, RequantizeOp
from ...dialects.npu.values import element_type_of, shape_of
from ...layout import DYNAMIC, REPEATED, UNIT, Arrangement, Extent, Piece
from ..notes import meaningful
from ..values import NumberedValue, tensor
from .steps import Steps

ResultsOfBlock = Callable[[Block, Sequence[NumberedValue], Sequence[SSAValue]], Sequence[NumberedValue]]
Joinable = ElementwiseOp | QuantizeOp | DequantizeOp | RequantizeOp | MatmulOp | MatmulIntegerOp | ConcatOp
Known = Callable[[SSAValue, NumberedValue], NDArray[Any] | None]


class Range(NamedTuple):
    """Successive positions of an axis."""

    axis: int
    start: int
    size: int


class JoinedResult(NamedTuple):
    """An op that makes a node, and its result there."""

    op: Joinable
    operands: Sequence[NumberedValue]
    result: Arrangement

    def axes(self, axis: int) -> Sequence[int | None] | None:
        """The axis of each operand that is this one of the result; None if a part of it needs more than parts."""
        rank = len(self.result.axes)
        match self.op:
            case ElementwiseOp():
                return [axis if len(shape_of(each)) == rank else None for each in self.op.operands]
            case QuantizeOp() | DequantizeOp() | RequantizeOp():
                is_along = self.op.axis is not None and self.op.axis.value.data == axis
                return [axis, *(0 if is_along and shape_of(each) else None for each in self.op.operands[1:])]
            case MatmulIntegerOp():
                columns = rank - 1 if self.op.trans_b is None else rank - 2
                zeros = 0 if shape_of(self.op.rhs_zero_point) else None
                return [None, columns, None, zeros] if axis == rank - 1 and not self.op.has_blocks() else None
            case MatmulOp():
                outputs = self.op.weighted_outputs()
                return None if outputs is None or axis != outputs.axis else [None, outputs.of_weights]
            case ConcatOp():
                return None


class JoinedProducts:
    """The products in two programs, and what ops on each element make of them."""

    def __init__(self, results_of_block: ResultsOfBlock, known: Known, is_constant: Callable[[int], bool]) -> None:
        self._results_of_block = results_of_block
        self._known = known
        self._is_constant = is_constant
        self._made: dict[int, JoinedResult] = {}
        self._parts: dict[tuple[NumberedValue, Range], NumberedValue | None] = {}

    def enter(self, op: Operation, operands: Sequence[NumberedValue], results: Sequence[NumberedValue]) -> None:
        """Note how the node of a value is computed, if that is from older nodes, and parts of it may be of interest."""
        if not isinstance(op, Joinable) or meaningful(op.attributes):
            return
        (result,) = results
        is_start = isinstance(op, MatmulOp | MatmulIntegerOp | ConcatOp)
        if not is_start and not any(each.node in self._made or self._is_constant(each.node) for each in operands):
            return
        if all(each.node < result.node for each in operands):
            self._made.setdefault(result.node, JoinedResult(op, operands, tensor(result)))

    def values(self, op: NpuOp, operands: Sequence[NumberedValue]) -> Sequence[NumberedValue] | None:
        """The parts of a value that an op takes, each computed alone; None for all others."""
        if not isinstance(op, SliceOp | SplitOp | GatherOp) or operands[0].node not in self._made:
            return None
        if isinstance(op, GatherOp):
            return self._gathered(op, operands)
        found = [self._part(operands[0], each) for each in _ranges(op)]
        parts = [each for each in found if each is not None]
        return parts if parts and len(parts) == len(found) else None

    def _gathered(self, op: GatherOp, operands: Sequence[NumberedValue]) -> Sequence[NumberedValue] | None:
        """The part at one constant place, without its axis if the place is a scalar."""
        places, axis = self._known(op.indices, operands[1]), op.axis.value.data
        if places is None or places.shape not in ((), (1,)) or (size := shape_of(op.input)[axis]) == DYNAMIC:
            return None
        place = int(places.reshape(()))
        if not -size <= place < size:
            return None
        part = self._part(operands[0], Range(axis, place % size, 1))
        if part is None or places.shape:
            return None if part is None else [part]
        axes = tensor(part).axes
        return [NumberedValue(part.node, Arrangement((*axes[:axis], *axes[axis + 1 :])))]

    def _part(self, value: NumberedValue, taken: Range) -> NumberedValue | None:
        key = value, taken
        if key not in self._parts:
            self._parts[key] = self._made_part(value, taken)
        return self._parts[key]

    def _made_part(self, value: NumberedValue, taken: Range) -> NumberedValue | None:
        """A part of a result, or of a view of one along an axis that is the outermost piece of an axis of the node."""
        made, pieces = self._made.get(value.node), tensor(value).axes[taken.axis]
        if made is not None and made.result == value.stored:
            return self._computed(made, taken)
        if made is None or len(pieces) != 1 or pieces[0].size.symbols or pieces[0].inner.symbols:
            return None
        (piece,) = pieces
        whole = (Piece(piece.axis, UNIT, piece.size.times(piece.inner)),)
        if (axis := _only_place(made.result, piece.axis)) is None or made.result.axes[axis] != whole:
            return None
        inner = piece.inner.factor
        part = self._computed(made, Range(axis, taken.start * inner, taken.size * inner))
        if part is None or (own := _own_axis(made.result, tensor(part), axis, taken.size * inner)) is None:
            return None
        axes: list[tuple[Piece, ...]] = []
        for place, each in enumerate(tensor(value).axes):
            if place == taken.axis:
                axes.append((Piece(own, piece.inner, Extent(taken.size)),) if taken.size > 1 else ())
            elif any(one.axis < 0 and one.axis != REPEATED for one in each):
                return None
            else:
                axes.append(tuple(one._replace(axis=own) if one.axis == piece.axis else one for one in each))
        return NumberedValue(part.node, Arrangement(tuple(axes)))

    def _computed(self, made: JoinedResult, taken: Range) -> NumberedValue | None:
        """A part of the result of an op, from parts of its operands and of its constants."""
        if isinstance(made.op, ConcatOp):
            return _operand_at(made.op, made.operands, taken)
        if (axes := made.axes(taken.axis)) is None:
            return None
        steps, given = Steps(made.op, lambda _: None), [*made.operands]
        inner: list[SSAValue] = list(steps.block.args)
        for index, (axis, value) in enumerate(zip(axes, made.op.operands, strict=True)):
            if axis is None or shape_of(value)[axis] == 1:
                continue
            numbers = self._known(value, made.operands[index])
            if numbers is not None:
                places = np.arange(taken.start, taken.start + taken.size)
                inner[index] = steps.constant(numbers.take(places, axis), element_type_of(value))
                continue
            part = self._part(made.operands[index], taken._replace(axis=axis))
            if part is None:
                return None
            given.append(part)
            type_ = TensorType(element_type_of(value), _with_size(shape_of(value), axis, taken.size))
            inner[index] = steps.block.insert_arg(type_, len(steps.block.args))
        steps.add(type(made.op), inner, _with_size(steps.result, taken.axis, taken.size), made.op.properties)
        return self._results_of_block(steps.block, given, steps.results)[0]


def _operand_at(op: ConcatOp, operands: Sequence[NumberedValue], taken: Range) -> NumberedValue | None:
    """The operand of a concatenation that is at these positions."""
    axis, start = op.axis.value.data, 0
    for value, operand in zip(op.operands, operands, strict=True):
        size = shape_of(value)[axis]
        if axis != taken.axis or DYNAMIC == size or start > taken.start:
            return None
        if (start, size) == (taken.start, taken.size):
            return operand
        start += size
    return None


def _ranges(op: SliceOp | SplitOp) -> Sequence[Range]:
    """The ranges that the results of an op take of its operand; none if it takes parts of several axes."""
    if isinstance(op, SplitOp):
        axis, sizes = op.axis.value.data, op.sizes.get_values()
        return [Range(axis, sum(sizes[:place]), size) for place, size in enumerate(sizes) if size]
    found: list[Range] = []
    steps = op.steps.get_values() if op.steps else (1,) * len(op.starts)
    for axis, (start, limit, step) in enumerate(
        zip(op.starts.get_values(), op.limits.get_values(), steps, strict=True)
    ):
        if (start, limit, step) == (0, END_OF_AXIS, 1):
            continue
        if step != 1 or (size := shape_of(op.input)[axis]) == DYNAMIC:
            return ()
        taken = range(size)[start:limit]
        if len(taken) < size:
            found.append(Range(axis, taken.start, len(taken)))
    return found if len(found) == 1 and found[0].size else ()


def _only_place(result: Arrangement, axis: int) -> int | None:
    """The axis of a result that is made of one of its node, if no other one is."""
    places = [place for place, pieces in enumerate(result.axes) if any(piece.axis == axis for piece in pieces)]
    return places[0] if len(places) == 1 and axis >= 0 else None


def _own_axis(whole: Arrangement, part: Arrangement, axis: int, size: int) -> int | None:
    """The axis of the node of a part that it was taken along; None if its other axes are not those of the whole."""
    if any(one != other for place, (one, other) in enumerate(zip(whole.axes, part.axes, strict=True)) if place != axis):
        return None
    pieces = part.axes[axis]
    if size == 1:
        return 0 if not pieces else None
    (piece, *others) = pieces or (Piece(REPEATED, UNIT, UNIT),)
    is_one = not others and piece.axis >= 0 and piece.inner == UNIT and piece.size == Extent(size)
    return piece.axis if is_one else None


def _with_size(shape: Sequence[int], axis: int, size: int) -> tuple[int, ...]:
    return (*shape[:axis], size, *shape[axis + 1 :])
