"""Reshapes, broadcasts, transposes and relabels."""

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.ir import Block, Operation, SSAValue

from .....dialects.npu import shape as ops
from .....dialects.npu.attention import HeadsOp
from .....dialects.npu.attrs import OperandDim
from .....dialects.npu.quantization import DequantizeOp
from .....dialects.npu.values import has_one_element, shape_of
from .....layout import DYNAMIC, invert
from ...errors import NotExportable
from ..graph import Lifted, OnnxGraph, OnnxTensor, OperandSize, Size
from ..registry import exports
from .source import lifted


@exports(ops.ReshapeOp)
def reshape(op: ops.ReshapeOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """A reshape of the stored elements, which keep their order.

    A single undetermined size is -1, unless there are sizes of 0.
    """
    sizes: list[Size | OperandSize] = list(shape_of(op.result))
    for axis, dim in enumerate(op.dims.data if op.dims else ()):
        if isinstance(dim, OperandDim) and sizes[axis] == DYNAMIC:
            sizes[axis] = OperandSize(dim.position)
    if _joins_heads(op) and x.node is not None and x.node.kind == "Reshape" and x.node.inputs[0] is not None:
        return x.node.inputs[0]
    count = _units_in_front(shape_of(op.input), sizes)
    if not count and (found := _dequantised(op, graph, _viewed(op, x, sizes))) is not None:
        return found
    squeezed = _squeezed(graph, x, shape_of(op.input), sizes) if graph.rules.keeps_squeeze else None
    result = squeezed or graph.reshape(_viewed(op, x, sizes), sizes)
    if result is not x and count:
        below = x.lifted or Lifted(x, 0)
        result.lifted = Lifted(below.source, below.count + count)
        return result
    return result if result.original is None else lifted(graph, result)


def producer(value: SSAValue) -> Operation | Block:
    """The op that computes the stored elements of a value."""
    while isinstance(value.owner, ops.RelabelOp):
        value = value.owner.input
    return value.owner


def is_split(op: Operation | Block) -> bool:
    """True for a reshape that splits the last of three axes into heads and depth."""
    return isinstance(op, ops.ReshapeOp) and _are_rows(op, shape_of(op.input), shape_of(op.result))


def _joins_heads(op: ops.ReshapeOp) -> bool:
    """True for a reshape that joins the last two axes of an op on heads, whose rows are before these."""
    made = producer(op.input)
    is_flat = isinstance(made, HeadsOp) and made.has_rows_first
    return is_flat and _are_rows(op, shape_of(op.result), shape_of(op.input))


def _are_rows(op: ops.ReshapeOp, rows: Sequence[int], heads: Sequence[int]) -> bool:
    """True if the shapes of a reshape have the same first two axes, and one and two others."""
    if (len(rows), len(heads)) != (3, 4) or rows[:2] != heads[:2] or DYNAMIC in (*rows[2:], *heads[2:]):
        return False
    kept = op.dims is not None and list(op.dims.data[:2]) == [OperandDim(0), OperandDim(1)]
    return rows[2] == heads[2] * heads[3] and (kept or rows.count(DYNAMIC) <= 1)


def _viewed(op: ops.ReshapeOp, x: OnnxTensor, sizes: Sequence[Size | OperandSize]) -> OnnxTensor:
    """The operand of a new reshape in front, unless the sizes refer to those that it makes."""
    is_own = all(isinstance(size, int) and size != 0 for size in sizes) and sizes.count(DYNAMIC) <= 1
    node = x.node if is_own and isinstance(op.input.owner, ops.ReshapeOp) else None
    if node is None or node.kind != "Reshape" or node.is_as_it_came or not isinstance(node.attributes, Mapping):
        return x
    return node.inputs[0] or x


def _dequantised(op: ops.ReshapeOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor | None:
    """A reshape of a dequantised constant is one of the constant; None for any other reshape."""
    value, node, sizes = op.input, x.node, shape_of(op.result)
    while isinstance(value.owner, ops.ReshapeOp) and value.has_one_use():
        value = value.owner.input
    made = value.owner
    if node is None or not isinstance(made, DequantizeOp) or not value.has_one_use():
        return None
    if node.kind != "DequantizeLinear" or node.domain or node.inputs[0] is None or node.inputs[0].weights is None:
        return None
    attributes: dict[str, int] = {}
    if made.axis is not None and not (has_one_element(made.scale) and has_one_element(made.zero_point)):
        place = _place_of(shape_of(made.input), made.axis.value.data, sizes)
        if place is None:
            return None
        attributes["axis"] = place
    numbers = graph.reshape(node.inputs[0], sizes)
    return graph.node("DequantizeLinear", numbers, *node.inputs[1:], element=x.element, **attributes)


def _place_of(before: Sequence[int], axis: int, after: Sequence[int]) -> int | None:
    """The place of an axis behind a reshape; None if it is joined or cut."""
    around = prod(before[:axis]), before[axis]
    return next((place for place, size in enumerate(after) if (prod(after[:place]), size) == around), None)


def _squeezed(
    graph: OnnxGraph, x: OnnxTensor, before: Sequence[int], after: Sequence[Size | OperandSize]
) -> OnnxTensor | None:
    """The Squeeze or Unsqueeze that a reshape is; None if it is neither, or of a constant."""
    if x.weights is not None:
        return None
    # A single unknown size is that of the other side.
    is_one = list(before).count(DYNAMIC) == 1 and list(after).count(DYNAMIC) == 1
    known = [
        before[size.axis] if isinstance(size, OperandSize) and before[size.axis] != DYNAMIC else size for size in after
    ]
    own = [OperandSize(axis) if size == DYNAMIC and not is_one else size for axis, size in enumerate(before)]
    if (axes := _units_of(own, known)) is not None:
        return graph.op("Squeeze", x, graph.ints(*axes))
    return None if (axes := _units_of(known, own)) is None else graph.unsqueeze(x, axes)


def _units_of(longer: Sequence[Size | OperandSize], shorter: Sequence[Size | OperandSize]) -> list[int] | None:
    """The unit axes by which one shape is longer than another one; None if they differ in anything else."""
    axes, rest = list[int](), list(shorter)
    for axis, size in enumerate(longer):
        if rest and rest[0] == size:
            del rest[0]
        elif size == 1:
            axes.append(axis)
        else:
            return None
    return axes if axes and not rest else None


def _units_in_front(before: Sequence[int], after: Sequence[Size | OperandSize]) -> int:
    """The number of unit axes that a reshape adds in front; 0 if it changes anything else."""
    count = len(after) - len(before)
    kept = after[count:]
    if count <= 0 or any(size != 1 for size in after[:count]):
        return 0
    given = [size == OperandSize(axis) or size == before[axis] for axis, size in enumerate(kept)]
    is_determined = list(kept).count(DYNAMIC) <= (0 not in kept)
    return count if all(given) and is_determined else 0


@exports(ops.BroadcastOp)
def broadcast(op: ops.BroadcastOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    axes, sizes = op.axes.get_values(), shape_of(op.result)
    own = dict(zip(axes, shape_of(op.input), strict=True))
    for axis, size in enumerate(sizes):
        if size == DYNAMIC and own.get(axis, 1) == 1:
            raise NotExportable(f"'{op.name}': the size {axis} of the result is unknown")
    ordered = graph.transpose(x, invert(_ranks(axes)))
    # Expand itself prepends axes.
    first = min(axes, default=len(sizes))
    missing = [axis - first for axis in range(first, len(sizes)) if axis not in axes]
    # For a dynamic axis, a size of 1 keeps the operand's size.
    wanted = [1 if size == DYNAMIC else size for size in sizes]
    return graph.op("Expand", graph.unsqueeze(ordered, missing), graph.ints(*wanted))


def _ranks(axes: tuple[int, ...]) -> tuple[int, ...]:
    ordered = sorted(axes)
    return tuple(ordered.index(axis) for axis in axes)


@exports(ops.TransposeOp)
def transpose(op: ops.TransposeOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.new_transpose(x, tuple(op.permutation.get_values()))


@exports(ops.Nchw2NhwcOp, ops.Nhwc2NchwOp)
def fixed_transpose(op: ops.FixedTransposeOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.new_transpose(x, op.PERMUTATION)


@exports(ops.RelabelOp)
def relabel(op: ops.RelabelOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """The operand, because ONNX has no layouts."""
    return x
