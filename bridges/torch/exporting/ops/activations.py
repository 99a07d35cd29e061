"""Activation functions."""

from xdsl.ir import SSAValue

from .....dialects.npu.elementwise import UnaryOp
from .....dialects.npu.values import element_type_of, shape_of
from ...counterparts import ACTIVATIONS
from ..graph import CallGraph
from ..registry import exports_rest

_NAMES = {row.op: row.name for row in ACTIVATIONS}


@exports_rest(_NAMES)
def activation(op: UnaryOp, graph: CallGraph, x: SSAValue) -> SSAValue:
    return graph.call(_NAMES[type(op)], {"self": x}, shape_of(op.result), element_type_of(op.result))
