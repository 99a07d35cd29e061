"""Reshapes, broadcasts, transposes and relabels."""

from collections.abc import Sequence

from .....dialects.npu import shape as ops
from .....dialects.npu.attrs import OperandDim
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC, invert
from ...errors import NotExportable
from ..graph import Lifted, OnnxGraph, OnnxTensor, OperandSize, Size
from ..registry import exports


@exports(ops.ReshapeOp)
def reshape(op: ops.ReshapeOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """A reshape of the stored elements, which keep their order.

    A single undetermined size is -1, unless there are sizes of 0.
    """
    sizes: list[Size | OperandSize] = list(shape_of(op.result))
    for axis, dim in enumerate(op.dims.data if op.dims else ()):
        if isinstance(dim, OperandDim) and sizes[axis] == DYNAMIC:
            sizes[axis] = OperandSize(dim.position)
    result = graph.reshape(x, sizes)
    if result is not x and (count := _units_in_front(shape_of(op.input), sizes)):
        below = x.lifted or Lifted(x, 0)
        result.lifted = Lifted(below.source, below.count + count)
    return result


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
    """The same tensor, because ONNX has no layouts."""
    return x
