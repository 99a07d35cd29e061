"""Reductions of one axis, which becomes a unit axis."""

from collections.abc import Mapping

from xdsl.dialects.builtin import UnitAttr, i1, i32
from xdsl.ir import Attribute, SSAValue

from .....dialects.npu import reduction as ops
from .....dialects.npu.attrs import i64_array, i64_attr
from ..constants import tensor_type
from ..node import ImportedOp, Operand
from ..registry import reads

OPS: Mapping[str, type[ops.ReduceOp]] = {
    "tosa.reduce_max": ops.ReduceMaxOp,
    "tosa.reduce_min": ops.ReduceMinOp,
    "tosa.reduce_product": ops.ReduceProdOp,
    "tosa.reduce_sum": ops.ReduceSumOp,
}
OF_TRUTH: Mapping[str, type[ops.ReduceOp]] = {
    "tosa.reduce_all": ops.ReduceMinOp,
    "tosa.reduce_any": ops.ReduceMaxOp,
}


def _reduced(node: ImportedOp, op: type[ops.ReduceOp], x: SSAValue, element: Attribute) -> SSAValue:
    properties = {"axes": i64_array(node.int("axis")), "keep": UnitAttr()}
    return node.add(op, [x], properties, tensor_type(node.shape, element))


@reads(*OPS)
def reduce(node: ImportedOp, x: Operand) -> SSAValue:
    node.require_nan_propagates()
    return _reduced(node, OPS[node.op.name], x.value, node.element)


@reads(*OF_TRUTH)
def reduce_truth(node: ImportedOp, x: Operand) -> SSAValue:
    """all is the minimum and any the maximum of the values as integers."""
    numbers = node.cast(x.value, i32)
    return node.cast(_reduced(node, OF_TRUTH[node.op.name], numbers, i32), i1)


@reads("tosa.argmax")
def arg_max(node: ImportedOp, x: Operand) -> SSAValue:
    node.require_nan_propagates()
    return node.add(ops.ArgMaxOp, [x.value], {"axis": i64_attr(node.int("axis"))})
