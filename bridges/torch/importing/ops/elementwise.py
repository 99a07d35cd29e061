"""Conversion of elementwise operators."""

from xdsl.ir import SSAValue

from ...counterparts import ACTIVATIONS, UNARY
from ..node import CallNode
from ..registry import converts

_UNARY = {row.name: row.op for row in (*UNARY, *ACTIVATIONS)}


@converts(*_UNARY)
def unary(node: CallNode) -> SSAValue:
    x = node.operand("self")
    return node.add(_UNARY[node.call.name], [x], node.sizes_of(x))
