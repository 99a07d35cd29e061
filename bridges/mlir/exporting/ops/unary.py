"""Elementwise ops of one operand."""

from collections.abc import Callable, Mapping

from .....dialects.npu import unary as ops
from .....dialects.npu.elementwise import UnaryOp
from ...bindings import math, tosa
from ..arithmetic import tosa_elementwise
from ..elements import BOOL, F32, I32
from ..loops import element_by_element
from ..registry import lowers
from ..scalars import Scalar, select
from ..tensors import Tensor, tosa_number


def _sign(x: Scalar) -> Scalar:
    """The sign; NaN and zeros are kept."""
    below = x if x.element.kind == "u" else select(x < 0, x.literal(-1), x)
    return select(x > 0, x.literal(1), below)


FUNCTIONS: Mapping[type[UnaryOp], Callable[[Scalar], Scalar]] = {
    ops.AbsOp: Scalar.abs,
    ops.NegOp: Scalar.__neg__,
    ops.SignOp: _sign,
    ops.ExpOp: lambda x: x.function(math.exp),
    ops.LogOp: lambda x: x.function(math.log),
    ops.SqrtOp: lambda x: x.function(math.sqrt),
    ops.RsqrtOp: lambda x: 1 / x.function(math.sqrt),
    ops.ReciprocalOp: lambda x: 1 / x,
    ops.SinOp: lambda x: x.function(math.sin),
    ops.CosOp: lambda x: x.function(math.cos),
    ops.TanhOp: lambda x: x.function(math.tanh),
    ops.TanOp: lambda x: x.function(math.tan),
    ops.AsinOp: lambda x: x.function(math.asin),
    ops.AcosOp: lambda x: x.function(math.acos),
    ops.AtanOp: lambda x: x.function(math.atan),
    ops.SinhOp: lambda x: x.function(math.sinh),
    ops.CoshOp: lambda x: x.function(math.cosh),
    ops.AsinhOp: lambda x: x.function(math.asinh),
    ops.AcoshOp: lambda x: x.function(math.acosh),
    ops.AtanhOp: lambda x: x.function(math.atanh),
    ops.ErfOp: lambda x: x.function(math.erf),
    ops.CeilOp: lambda x: x.function(math.ceil),
    ops.FloorOp: lambda x: x.function(math.floor),
    ops.RoundOp: lambda x: x.function(math.roundeven),
    ops.NotOp: Scalar.__invert__,
}

IN_TOSA: Mapping[type[UnaryOp], Callable[..., object]] = {
    ops.AbsOp: tosa.AbsOp,
    ops.ExpOp: tosa.ExpOp,
    ops.LogOp: tosa.LogOp,
    ops.RsqrtOp: tosa.RsqrtOp,
    ops.ReciprocalOp: tosa.ReciprocalOp,
    ops.SinOp: tosa.SinOp,
    ops.CosOp: tosa.CosOp,
    ops.TanhOp: tosa.TanhOp,
    ops.ErfOp: tosa.ErfOp,
    ops.CeilOp: tosa.CeilOp,
    ops.FloorOp: tosa.FloorOp,
}
"""Ops with a TOSA equivalent for f32. tosa.negate also takes zero points, and tosa.logical_not is for i1 only."""

OF_INTEGERS: Mapping[type[UnaryOp], Callable[..., object]] = {ops.AbsOp: tosa.AbsOp, ops.NotOp: tosa.BitwiseNotOp}
"""Ops with a TOSA equivalent for i32."""


@lowers(*FUNCTIONS)
def unary(op: UnaryOp, x: Tensor) -> Tensor:
    if x.element == F32 and type(op) in IN_TOSA:
        return tosa_elementwise(IN_TOSA[type(op)], x)
    if x.element.is_computed_by_tosa and isinstance(op, ops.NegOp):
        return tosa_elementwise(tosa.NegateOp, x, rest=[tosa_number(0, x.element), tosa_number(0, x.element)])
    if x.element == I32 and type(op) in OF_INTEGERS:
        return tosa_elementwise(OF_INTEGERS[type(op)], x)
    if x.element == BOOL and isinstance(op, ops.NotOp):
        return tosa_elementwise(tosa.LogicalNotOp, x)
    return element_by_element(FUNCTIONS[type(op)], x)
