"""Elementwise ops of the dialect in MLIR, a row for each op of TOSA that computes the same: import and export read it.

Where TOSA has no op, or computes an element type in another way, a loop applies the function of the row. A family whose
import or export needs more than the row says has a function for the op. Rows of one op, for several element types, are
neighbours.
"""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from ...dialects.npu import activations, binary, unary
from ...dialects.npu.elementwise import ElementwiseOp
from ...interpreter.ops.activations import SELU_ALPHA, SELU_GAMMA
from .bindings import Value, math, tosa
from .exporting.elements import BOOL, COMPUTED, F32, F64, I32, Element
from .exporting.scalars import Scalar, select


class MlirRow(NamedTuple):
    """An op of the dialect as a function of scalars and as an op of TOSA."""

    op: type[ElementwiseOp]
    function: Callable[..., Scalar]
    tosa: Any = None
    """The class of the op in the bindings, if there is one."""
    types: Collection[Element] = (F32,)
    """The element types for which the op of TOSA is written."""


def _function(build: Callable[[Value], Value]) -> Callable[[Scalar], Scalar]:
    """A function of the math dialect."""
    return lambda x: x.function(build)


def _reciprocal(x: Scalar) -> Scalar:
    return 1 / x


def _rsqrt(x: Scalar) -> Scalar:
    return 1 / x.function(math.sqrt)


def _prelu(x: Scalar, slope: Scalar) -> Scalar:
    return select(x < 0, x * slope, x)


def _sign(x: Scalar) -> Scalar:
    """The sign; NaN and zeros are kept."""
    below = x if x.element.kind == "u" else select(x < 0, x.literal(-1), x)
    return select(x > 0, x.literal(1), below)


def _power(base: Scalar, exponent: Scalar) -> Scalar:
    """Integers wrap; for negative exponents the result is truncated."""
    if base.element.is_float:
        return base.power(exponent)
    if base.element.kind == "u":
        return _repeated_product(base, exponent)
    power = _repeated_product(base, exponent.maximum(0))
    # Only 1 and -1 have an integer inverse.
    odd_or_even = select((exponent & 1) == 0, base.literal(1), base)
    fraction = select(base.abs() == 1, odd_or_even, base.literal(0))
    return select(exponent >= 0, power, fraction)


def _repeated_product(base: Scalar, exponent: Scalar) -> Scalar:
    """One square per bit of the exponent."""
    result = base.literal(1)
    for _ in range(base.element.width):
        result = select((exponent & 1) == 0, result, result * base)
        base, exponent = base * base, exponent.half()
    return result


def exponential(x: Scalar, alpha: float) -> Scalar:
    """x where it is positive, else alpha * (exp(x) - 1)."""
    return select(x > 0, x, x.function(math.expm1) * alpha)


def _softplus(x: Scalar) -> Scalar:
    return x.maximum(0) + (-x.abs()).function(math.exp).function(math.log1p)


def in_f64(body: Callable[[Scalar], Scalar]) -> Callable[[Scalar], Scalar]:
    """A function that is computed in f64, as in the interpreter."""
    return lambda x: body(x.cast(F64)).cast(x.element)


UNARY = (
    MlirRow(unary.AbsOp, Scalar.abs, tosa.AbsOp, COMPUTED),
    MlirRow(unary.NegOp, Scalar.__neg__),
    MlirRow(unary.SignOp, _sign),
    MlirRow(unary.ExpOp, _function(math.exp), tosa.ExpOp),
    MlirRow(unary.LogOp, _function(math.log), tosa.LogOp),
    MlirRow(unary.SqrtOp, _function(math.sqrt)),
    MlirRow(unary.RsqrtOp, _rsqrt, tosa.RsqrtOp),
    MlirRow(unary.ReciprocalOp, _reciprocal, tosa.ReciprocalOp),
    MlirRow(unary.SinOp, _function(math.sin), tosa.SinOp),
    MlirRow(unary.CosOp, _function(math.cos), tosa.CosOp),
    MlirRow(unary.TanhOp, _function(math.tanh), tosa.TanhOp),
    MlirRow(unary.TanOp, _function(math.tan)),
    MlirRow(unary.AsinOp, _function(math.asin)),
    MlirRow(unary.AcosOp, _function(math.acos)),
    MlirRow(unary.AtanOp, _function(math.atan)),
    MlirRow(unary.SinhOp, _function(math.sinh)),
    MlirRow(unary.CoshOp, _function(math.cosh)),
    MlirRow(unary.AsinhOp, _function(math.asinh)),
    MlirRow(unary.AcoshOp, _function(math.acosh)),
    MlirRow(unary.AtanhOp, _function(math.atanh)),
    MlirRow(unary.ErfOp, _function(math.erf), tosa.ErfOp),
    MlirRow(unary.CeilOp, _function(math.ceil), tosa.CeilOp),
    MlirRow(unary.FloorOp, _function(math.floor), tosa.FloorOp),
    MlirRow(unary.RoundOp, _function(math.roundeven)),
    MlirRow(unary.NotOp, Scalar.__invert__, tosa.BitwiseNotOp, (I32,)),
    MlirRow(unary.NotOp, Scalar.__invert__, tosa.LogicalNotOp, (BOOL,)),
)

ACTIVATIONS = (
    MlirRow(activations.SeluOp, in_f64(lambda x: exponential(x, SELU_ALPHA) * SELU_GAMMA)),
    MlirRow(activations.SigmoidOp, in_f64(lambda x: 1 / (1 + (-x).function(math.exp))), tosa.SigmoidOp),
    MlirRow(activations.SiluOp, in_f64(lambda x: x / (1 + (-x).function(math.exp)))),
    MlirRow(activations.HardSwishOp, in_f64(lambda x: x * (x / 6 + 0.5).maximum(0).minimum(1))),
    MlirRow(activations.MishOp, in_f64(lambda x: x * _softplus(x).function(math.tanh))),
    MlirRow(activations.SoftplusOp, in_f64(_softplus)),
    MlirRow(activations.SoftsignOp, in_f64(lambda x: x / (1 + x.abs()))),
)

BINARY = (
    MlirRow(binary.AddOp, Scalar.__add__, tosa.AddOp, COMPUTED),
    MlirRow(binary.SubOp, Scalar.__sub__, tosa.SubOp, COMPUTED),
    # TOSA does not define a division by zero.
    MlirRow(binary.DivOp, Scalar.__truediv__, tosa.IntDivOp, ()),
    MlirRow(binary.PowOp, _power, tosa.PowOp),
    MlirRow(binary.MaxOp, Scalar.maximum, tosa.MaximumOp, COMPUTED),
    MlirRow(binary.MinOp, Scalar.minimum, tosa.MinimumOp, COMPUTED),
    MlirRow(binary.PreluOp, _prelu),
    MlirRow(binary.AndOp, Scalar.__and__, tosa.BitwiseAndOp, (I32,)),
    MlirRow(binary.AndOp, Scalar.__and__, tosa.LogicalAndOp, (BOOL,)),
    MlirRow(binary.OrOp, Scalar.__or__, tosa.BitwiseOrOp, (I32,)),
    MlirRow(binary.OrOp, Scalar.__or__, tosa.LogicalOrOp, (BOOL,)),
    MlirRow(binary.XorOp, Scalar.__xor__, tosa.BitwiseXorOp, (I32,)),
    MlirRow(binary.XorOp, Scalar.__xor__, tosa.LogicalXorOp, (BOOL,)),
    MlirRow(binary.EqualOp, Scalar.__eq__, tosa.EqualOp, COMPUTED),
    MlirRow(binary.NotEqualOp, Scalar.__ne__),
    MlirRow(binary.LessOp, Scalar.__lt__),
    MlirRow(binary.LessEqualOp, Scalar.__le__),
    MlirRow(binary.GreaterOp, Scalar.__gt__, tosa.GreaterOp, COMPUTED),
    MlirRow(binary.GreaterEqualOp, Scalar.__ge__, tosa.GreaterEqualOp, COMPUTED),
)
