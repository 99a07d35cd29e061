"""Reshapes, broadcasts, transposes and relabels."""

from .....dialects.npu import shape as ops
from .....dialects.npu.attrs import OperandDim
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC, invert
from ...errors import NotExportable
from ..graph import OnnxGraph, OnnxTensor, OperandSize, Size
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
    return graph.reshape(x, sizes)


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
