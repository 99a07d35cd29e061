"""Reshapes, broadcasts, transposes and relabels."""

from xdsl.ir import SSAValue

from .....dialects.npu import shape as ops
from .....dialects.npu.attrs import OperandDim
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ..graph import CallGraph
from ..registry import exports


@exports(ops.ReshapeOp)
def reshape(op: ops.ReshapeOp, graph: CallGraph, x: SSAValue) -> SSAValue:
    sizes = shape_of(op.result)
    stated: list[int | str] = [-1 if size == DYNAMIC else size for size in sizes]
    for axis, dim in enumerate(op.dims.data if op.dims else ()):
        if isinstance(dim, OperandDim) and sizes[axis] == DYNAMIC:
            stated[axis] = f"#0.{dim.position}"
    return graph.reshape(x, sizes, stated)


@exports(ops.RelabelOp)
def relabel(_op: ops.RelabelOp, _graph: CallGraph, x: SSAValue) -> SSAValue:
    return x


@exports(ops.TransposeOp)
def transpose(op: ops.TransposeOp, graph: CallGraph, x: SSAValue) -> SSAValue:
    return graph.transpose(x, tuple(op.permutation.get_values()), is_own=True)
