"""Reshapes, broadcasts, transposes and relabels."""

from xdsl.ir import SSAValue

from .....dialects.npu import shape as ops
from .....dialects.npu.attrs import OperandDim
from .....dialects.npu.values import element_type_of, shape_of
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports


@exports(ops.ReshapeOp)
def reshape(op: ops.ReshapeOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    sizes = shape_of(op.result)
    stated: list[int | str] = [-1 if size == DYNAMIC else size for size in sizes]
    for axis, dim in enumerate(op.dims.data if op.dims else ()):
        if isinstance(dim, OperandDim) and sizes[axis] == DYNAMIC:
            stated[axis] = f"#0.{dim.position}"
    return graph.reshape(x, sizes, stated)


@exports(ops.BroadcastOp)
def broadcast(op: ops.BroadcastOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    """A number is repeated by `full`; axes of one element are added before others are repeated."""
    axes, sizes = op.axes.get_values(), shape_of(op.result)
    own = dict(zip(axes, shape_of(op.input), strict=True))
    for axis, size in enumerate(sizes):
        if size == DYNAMIC and own.get(axis, 1) == 1:
            raise NotExportable(f"'{op.name}': the size {axis} of the result is unknown")
    element = element_type_of(x)
    if (number := graph.number(x)) is not None:
        return graph.call("aten.full.default", {}, sizes, element, size=[*sizes], fill_value=number, dtype=element)
    ordered = sorted(axes)
    x = graph.transpose(x, tuple(axes.index(axis) for axis in ordered))
    first = min(axes, default=len(sizes))
    upright = [own.get(axis, 1) for axis in range(first, len(sizes))]
    stated = [
        f"#0.{ordered.index(axis)}" if own.get(axis) == DYNAMIC else own.get(axis, 1)
        for axis in range(first, len(sizes))
    ]
    x = graph.reshape(x, upright, stated) if len(upright) != len(own) else x
    return graph.call(
        "aten.expand.default", {"self": x}, sizes, size=[-1 if size == DYNAMIC else size for size in sizes]
    )


@exports(ops.RelabelOp)
def relabel(_op: ops.RelabelOp, _graph: CallBuilder, x: SSAValue) -> SSAValue:
    return x


@exports(ops.TransposeOp)
def transpose(op: ops.TransposeOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return graph.transpose(x, tuple(op.permutation.get_values()), is_own=True)


@exports(ops.Nchw2NhwcOp, ops.Nhwc2NchwOp)
def fixed_transpose(op: ops.FixedTransposeOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return graph.transpose(x, op.PERMUTATION, is_own=True)
