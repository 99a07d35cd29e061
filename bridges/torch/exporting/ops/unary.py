"""Elementwise ops of one operand."""

from xdsl.ir import SSAValue

from .....dialects.npu.elementwise import UnaryOp
from .....dialects.npu.unary import NotOp
from .....dialects.npu.values import element_type_of, is_boolean, shape_of
from ...counterparts import UNARY
from ..graph import CallBuilder
from ..registry import exports, exports_rest

_NAMES = {row.op: row.name for row in UNARY}


@exports(NotOp)
def negation(op: NotOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    name = "aten.logical_not.default" if is_boolean(element_type_of(x)) else "aten.bitwise_not.default"
    return graph.call(name, {"self": x}, shape_of(op.result))


@exports_rest(_NAMES)
def unary(op: UnaryOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return graph.call(_NAMES[type(op)], {"self": x}, shape_of(op.result), element_type_of(op.result))
