"""Activation functions and other elementwise ops."""

from collections.abc import Mapping
from math import pi, sqrt
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness, StringAttr, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects.npu import activations as acts
from ...dialects.npu import binary, unary
from ...dialects.npu.convolution import ConvolutionOp
from ...dialects.npu.elementwise import CastOp
from ...dialects.npu.linear import GemmOp, MatmulOp
from ...dialects.npu.never_negative import is_of_sizes
from ...dialects.npu.values import element_type_of, shape_of
from ...layout import DYNAMIC
from .registry import formula
from .steps import Steps

SELU_ALPHA, SELU_GAMMA = 1.67326319217681884765625, 1.05070102214813232421875
NUMBERS: Mapping[Attribute, np.dtype[Any]] = {f32: np.dtype("<f4"), i32: np.dtype("<i4"), i64: np.dtype("<i8")}
"""The types that constants are converted to."""
SUMS = MatmulOp | GemmOp | ConvolutionOp
ui8 = IntegerType(8, Signedness.UNSIGNED)
INTEGERS: Mapping[Attribute, np.dtype[Any]] = {
    i8: np.dtype("<i1"),
    ui8: np.dtype("<u1"),
    i16: np.dtype("<i2"),
    i32: np.dtype("<i4"),
}
"""The types of integers that are clipped."""


@formula(acts.ClipOp)
def clip(op: acts.ClipOp, steps: Steps) -> None:
    """A maximum and a minimum; with 0 as the only limit, a relu."""
    low, high = op.bounds
    if not steps.is_f32() and element_type_of(op.input) not in INTEGERS:
        return
    x = steps.operand(op.input)
    if steps.is_f32() and low == 0 and high is None:
        steps.unary(acts.ReluOp, x)
        return
    for kind, limit in ((binary.MaxOp, low), (binary.MinOp, high)):
        if limit is not None:
            x = steps.binary(kind, x, _limit(steps, limit, element_type_of(x)))


def _limit(steps: Steps, limit: float, element: Attribute) -> SSAValue:
    return steps.number(limit) if element == f32 else steps.constant(np.array(limit, INTEGERS[element]), element)


@formula(acts.GeluOp)
def gelu(op: acts.GeluOp, steps: Steps) -> None:
    """x times 1 + erf(x / √2), or 1 + tanh(√(2 / π) (x + 0.044715 x³)), halved."""
    if not steps.is_f32():
        return
    x = steps.operand(op.input)
    if op.approximate == StringAttr("none"):
        bent = steps.unary(unary.ErfOp, steps.over(x, steps.number(sqrt(2))))
    else:
        cube = steps.times(steps.times(x, steps.times(x, x)), steps.number(0.044715))
        bent = steps.unary(unary.TanhOp, steps.times(steps.plus(x, cube), steps.number(sqrt(2 / pi))))
    steps.times(steps.times(x, steps.plus(bent, steps.number(1))), steps.number(0.5))


@formula(acts.SiluOp)
def silu(op: acts.SiluOp, steps: Steps) -> None:
    if steps.is_f32():
        x = steps.operand(op.input)
        steps.times(x, steps.unary(acts.SigmoidOp, x))


@formula(acts.HardSigmoidOp)
def hard_sigmoid(op: acts.HardSigmoidOp, steps: Steps) -> None:
    if not steps.is_f32():
        return
    scaled = steps.times(steps.operand(op.input), steps.number(op.alpha.value.data))
    shifted = steps.plus(scaled, steps.number(op.beta.value.data))
    steps.binary(binary.MinOp, steps.binary(binary.MaxOp, shifted, steps.number(0)), steps.number(1))


@formula(acts.SoftplusOp, acts.MishOp)
def softplus(op: acts.SoftplusOp | acts.MishOp, steps: Steps) -> None:
    """The larger of x and 0, plus log(1 + exp(-|x|))."""
    if not steps.is_f32():
        return
    x = steps.operand(op.input)
    tail = steps.unary(unary.ExpOp, steps.unary(unary.NegOp, steps.unary(unary.AbsOp, x)))
    whole = steps.plus(steps.unary(acts.ReluOp, x), steps.unary(unary.LogOp, steps.plus(tail, steps.number(1))))
    if isinstance(op, acts.MishOp):
        steps.times(x, steps.unary(unary.TanhOp, whole))


@formula(acts.SoftsignOp)
def softsign(op: acts.SoftsignOp, steps: Steps) -> None:
    if steps.is_f32():
        x = steps.operand(op.input)
        steps.over(x, steps.plus(steps.unary(unary.AbsOp, x), steps.number(1)))


@formula(acts.EluOp, acts.SeluOp)
def elu(op: acts.EluOp | acts.SeluOp, steps: Steps) -> None:
    """With a factor of 1 for negative numbers, the op itself."""
    alpha = SELU_ALPHA if isinstance(op, acts.SeluOp) else op.alpha.value.data
    if alpha == 1 or not steps.is_f32():
        return
    x = steps.operand(op.input)
    negative = steps.unary(acts.EluOp, steps.binary(binary.MinOp, x, steps.number(0)))
    whole = steps.plus(steps.unary(acts.ReluOp, x), steps.times(negative, steps.number(alpha)))
    if isinstance(op, acts.SeluOp):
        steps.times(whole, steps.number(SELU_GAMMA))


@formula(unary.ReciprocalOp)
def reciprocal(op: unary.ReciprocalOp, steps: Steps) -> None:
    if steps.is_f32():
        steps.over(steps.number(1), steps.operand(op.input))


@formula(binary.AddOp)
def bias_of_zeros(op: binary.AddOp, steps: Steps) -> None:
    """The sum of products alone, to which zeros add nothing."""
    for index, other in enumerate(reversed(op.operands)):
        if isinstance(other.owner, SUMS) and shape_of(other) == steps.result and steps.is_zero(index):
            steps.return_(steps.operand(other))
            return


@formula(binary.DivOp)
def quotient_of_sizes(op: binary.DivOp, steps: Steps) -> None:
    """The quotient in 32 bits, if numbers that are computed of sizes fit in them."""
    if steps.element == i64 and is_of_sizes(op.lhs) and is_of_sizes(op.rhs):
        narrow = [steps.cast(steps.operand(each), i32) for each in (op.lhs, op.rhs)]
        steps.cast(steps.add(binary.DivOp, narrow, element=i32), i64)
        steps.sizes_fit = True


@formula(binary.PowOp)
def square_or_cube(op: binary.PowOp, steps: Steps) -> None:
    exponent = steps.known(1)
    if exponent is None or not exponent.size or not steps.is_f32() or shape_of(op.lhs) != steps.result:
        return
    x = steps.operand(op.lhs)
    if (exponent == 2).all():
        steps.times(x, x)
    elif (exponent == 3).all():
        steps.times(x, steps.times(x, x))


@formula(CastOp)
def cast(op: CastOp, steps: Steps) -> None:
    """Constant integers are those numbers in any type that has them, and floats are rounded.

    A truth value says that a number is not 0.
    """
    if steps.element == i1 and (kind := NUMBERS.get(element_type_of(op.input))) is not None:
        zero = steps.constant(np.zeros((), kind), element_type_of(op.input))
        steps.add(binary.NotEqualOp, [steps.operand(op.input), zero])
        return
    known, wanted = steps.known(0), NUMBERS.get(steps.element)
    is_rounded = element_type_of(op.input) == f64 and steps.is_f32()
    if known is None or wanted is None or DYNAMIC in steps.result:
        return
    if not is_rounded and element_type_of(op.input) not in (i32, i64):
        return
    with np.errstate(over="ignore"):
        found = known.astype(wanted)
    if is_rounded or (found.astype(known.dtype) == known).all():
        steps.constant(found, steps.element)
