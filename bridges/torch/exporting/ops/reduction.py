"""Reductions and running sums."""

from collections.abc import Mapping

from xdsl.dialects.builtin import f32, i64
from xdsl.ir import SSAValue

from .....dialects.npu import reduction as ops
from .....dialects.npu.values import element_type_of, is_float, shape_of
from ...errors import NotExportable
from ...importing.arithmetic import is_half
from ..graph import CallBuilder
from ..registry import exports
from .elementwise import cast

NAMES: Mapping[type[ops.ReduceOp], str] = {
    ops.ReduceMeanOp: "aten.mean.dim",
    ops.ReduceMaxOp: "aten.amax.default",
    ops.ReduceMinOp: "aten.amin.default",
    ops.ReduceLogSumExpOp: "aten.logsumexp.default",
}


def _reduced(op: ops.ReduceOp, graph: CallBuilder, name: str, x: SSAValue, **more: object) -> SSAValue:
    keep = op.keep is not None
    return graph.call(name, {"self": x}, shape_of(op.result), dim=[*op.axes.get_values()], keepdim=keep, **more)


@exports(*NAMES)
def reduce(op: ops.ReduceOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return _reduced(op, graph, NAMES[type(op)], x)


@exports(ops.ReduceSumOp, ops.ReduceL1Op, ops.ReduceL2Op, ops.ReduceSumSquareOp)
def total(op: ops.ReduceOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    """Sums of integers state their type, which is wider otherwise; 16 bits may not hold the squares of a norm."""
    element = element_type_of(x)
    if isinstance(op, ops.ReduceL1Op | ops.ReduceL2Op) and is_float(element) and not graph.is_core:
        order = 1 if isinstance(op, ops.ReduceL1Op) else 2
        return _reduced(op, graph, "aten.linalg_vector_norm.default", x, ord=order)
    if isinstance(op, ops.ReduceL1Op):
        x = graph.call("aten.abs.default", {"self": x}, shape_of(x))
    elif isinstance(op, ops.ReduceL2Op) and is_half(element):
        x = cast(graph, x, f32)
    if isinstance(op, ops.ReduceL2Op | ops.ReduceSumSquareOp):
        x = graph.call("aten.mul.Tensor", {"self": x, "other": x}, shape_of(x))
    found = _reduced(op, graph, "aten.sum.dim_IntList", x, dtype=None if is_float(element) else element)
    if not isinstance(op, ops.ReduceL2Op):
        return found
    return cast(graph, graph.call("aten.sqrt.default", {"self": found}, shape_of(found)), element)


@exports(ops.ReduceProdOp)
def product(op: ops.ReduceProdOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    """One axis after the other, the last one first."""
    element, keep = element_type_of(x), op.keep is not None
    for axis in sorted(op.axes.get_values(), reverse=True):
        sizes = [1 if each == axis else size for each, size in enumerate(shape_of(x)) if keep or each != axis]
        stated = None if is_float(element) else element
        x = graph.call("aten.prod.dim_int", {"self": x}, sizes, dim=axis, keepdim=keep, dtype=stated)
    return x


@exports(ops.ArgMaxOp, ops.ArgMinOp)
def place(op: ops.ArgReduceOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    name = "aten.argmax.default" if isinstance(op, ops.ArgMaxOp) else "aten.argmin.default"
    found = graph.call(name, {"self": x}, shape_of(op.result), i64, dim=op.axis.value.data, keepdim=op.keep is not None)
    return cast(graph, found, element_type_of(op.result))


@exports(ops.CumsumOp, ops.CumprodOp)
def running(op: ops.RunningOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    if op.exclusive is not None or op.reverse is not None:
        raise NotExportable(f"'{op.name}' that is exclusive or reversed has no counterpart in PyTorch")
    name = "aten.cumsum.default" if isinstance(op, ops.CumsumOp) else "aten.cumprod.default"
    element = element_type_of(x)
    stated = None if is_float(element) else element
    return graph.call(name, {"self": x}, shape_of(x), dim=op.axis.value.data, dtype=stated)
