"""Matrix products."""

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from .....dialects.npu.linear import MatmulIntegerOp, MatmulOp
from .....interpreter.elements import is_integer_type
from ..node import ImportedOp, Operand
from ..registry import reads
from .elementwise import build


@reads("tosa.matmul")
def matmul(node: ImportedOp, lhs: Operand, rhs: Operand, zero: Operand, rhs_zero: Operand) -> SSAValue:
    if not is_integer_type(lhs.type):
        node.require_no_zero_points(zero, rhs_zero)
        return build(node, MatmulOp, lhs.value, rhs.value)
    node.require(node.element == i32, "an accumulator other than i32")
    zeros = (node.reshaped(each, []) for each in (zero, rhs_zero))
    return build(node, MatmulIntegerOp, lhs.value, rhs.value, *zeros)
