"""Reductions."""

from typing import Any

from .....dialects.npu import reduction as ops
from .....dialects.npu.values import element_type_of, shape_of
from ...counterparts import REDUCTIONS
from ..elements import element_of
from ..graph import LiteGraph, LiteTensor
from ..registry import exports

KINDS = {row.op: row.kind for row in REDUCTIONS}


@exports(*KINDS)
def reduced(op: ops.ReduceOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return _along(op, graph, KINDS[type(op)], x)


def _along(op: ops.ReduceOp, graph: LiteGraph, kind: str, x: LiteTensor) -> LiteTensor:
    return graph.reduce(kind, x, op.axes.get_values(), op.keep is not None)


@exports(ops.ReduceL1Op)
def l1(op: ops.ReduceL1Op, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return _along(op, graph, "SUM", graph.unary("ABS", x))


@exports(ops.ReduceSumSquareOp)
def sum_square(op: ops.ReduceSumSquareOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return _along(op, graph, "SUM", graph.binary("MUL", x, x))


@exports(ops.ReduceL2Op)
def l2(op: ops.ReduceL2Op, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.unary("SQRT", _along(op, graph, "SUM", graph.binary("MUL", x, x)))


@exports(ops.ReduceLogSumExpOp)
def log_sum_exp(op: ops.ReduceLogSumExpOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """The maximum is subtracted first, so that no exponential overflows."""
    top = graph.reduce("REDUCE_MAX", x, op.axes.get_values())
    total = graph.reduce("SUM", graph.unary("EXP", graph.binary("SUB", x, top)), op.axes.get_values())
    return graph.reshape(graph.binary("ADD", graph.unary("LOG", total), top), shape_of(op.result))


@exports(ops.ArgMaxOp, ops.ArgMinOp)
def arg_reduce(op: ops.ArgReduceOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    kind, axis = "ARG_MAX" if isinstance(op, ops.ArgMaxOp) else "ARG_MIN", op.axis.value.data
    element = element_of(element_type_of(op.result))
    shape = (*x.shape[:axis], *x.shape[axis + 1 :])
    found = graph.node(kind, [x, graph.ints(axis)], shape, element, outputType=int(element))
    return graph.reshape(found, shape_of(op.result))


@exports(ops.CumsumOp)
def cumsum(op: ops.CumsumOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    flags: dict[str, Any] = {"exclusive": op.exclusive is not None, "reverse": op.reverse is not None}
    return graph.node("CUMSUM", [x, graph.numbers(op.axis.value.data, graph.ints(0).element)], x.shape, **flags)
