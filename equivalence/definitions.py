"""Ops that are defined by others, which compute the same bits up to the order in which floats are added."""

from math import prod

from xdsl.dialects.builtin import AnyFloat, IntegerType, f32, f64, i1, i64
from xdsl.ir import Attribute, Block

from ..dialects.npu.base import NpuOp
from ..dialects.npu.binary import AddOp, EqualOp, NotEqualOp
from ..dialects.npu.elementwise import CastOp
from ..dialects.npu.linear import GemmOp, MatmulOp
from ..dialects.npu.quantized import SteppedOp
from ..dialects.npu.reduction import ReduceSumOp
from ..dialects.npu.unary import NotOp, ReciprocalOp, RsqrtOp
from ..dialects.npu.values import element_type_of, shape_of
from ..layout import DYNAMIC
from .formulas.steps import Steps


def in_steps(op: NpuOp) -> Block | None:
    """A block whose arguments are the operands of an op, and whose last op has its result; None if it has no steps."""
    match op:
        case SteppedOp():
            return op.in_steps()
        case NotEqualOp():
            steps = Steps(op, lambda _: None)
            equal = steps.add(EqualOp, [steps.operand(each) for each in op.operands], element=i1)
            steps.unary(NotOp, equal)
        case RsqrtOp():
            steps = Steps(op, lambda _: None)
            steps.unary(ReciprocalOp, steps.root(steps.operand(op.input)))
        case CastOp() if _wraps(op):
            steps = Steps(op, lambda _: None)
            whole = steps.add(CastOp, [steps.operand(op.input)], element=i64)
            steps.add(CastOp, [whole])
        case MatmulOp() | ReduceSumOp() if _is_of_nothing(op):
            steps = Steps(op, lambda _: None)
            steps.zeros()
        case GemmOp():
            steps = Steps(op, lambda _: None)
            # Floats of 16 bits would be rounded once more.
            if op.bias is not None and not isinstance(steps.element, IntegerType) and steps.element not in (f32, f64):
                return None
            total = steps.add(MatmulOp, [steps.operand(op.lhs), steps.operand(op.rhs)], None, _flags(op))
            if op.bias is not None:
                sizes, rank = shape_of(op.bias), len(steps.result)
                aligned = sizes if prod(sizes) == 1 else (*[1] * (rank - len(sizes)), *sizes)
                steps.add(AddOp, [total, steps.reshape(steps.operand(op.bias), aligned)])
        case _:
            return None
    return steps.block


def _is_of_nothing(op: MatmulOp | ReduceSumOp) -> bool:
    """True if each element of the result is the sum of no numbers."""
    return 0 in shape_of(op.operands[0]) and not {0, DYNAMIC} & {*shape_of(op.result)}


def _wraps(op: CastOp) -> bool:
    """True if a cast truncates floats to whole numbers, and wraps them to another type than i64."""
    element, wanted = element_type_of(op.input), element_type_of(op.result)
    is_integer = isinstance(wanted, IntegerType) and wanted.bitwidth > 1
    return isinstance(element, AnyFloat) and is_integer and wanted != i64


def _flags(op: GemmOp) -> dict[str, Attribute]:
    return {name: value for name, value in op.properties.items() if name in ("trans_a", "trans_b")}
