"""Activation functions. Those without a TOSA op are computed in f64, like in the interpreter."""

from collections.abc import Callable
from math import inf, pi
from math import sqrt as root

from .....dialects.npu import activations as ops
from .....dialects.npu.elementwise import UnaryOp
from ...bindings import ir, math, tosa
from ...counterparts import ACTIVATIONS, exponential, in_f64
from ..elements import F32, I32
from ..loops import element_by_element
from ..registry import lowers, lowers_rest
from ..scalars import Scalar, select
from ..tensors import Tensor, tosa_op
from .elementwise import one_op


def mapped(body: Callable[[Scalar], Scalar], x: Tensor) -> Tensor:
    """Apply a function elementwise in f64."""
    return element_by_element(in_f64(body), x)


def clamped(x: Tensor, low: float, high: float) -> Tensor:
    """Clamp to two bounds, or to the upper one if low > high; NaN propagates."""
    if x.element == F32 and low <= high:
        bounds = [ir.FloatAttr.get_f32(low), ir.FloatAttr.get_f32(high)]
        return tosa_op(tosa.ClampOp, x.shape, x.element, x.value, *bounds)
    if x.element == I32 and low <= high:
        bounds = [ir.IntegerAttr.get(x.element.type, int(bound)) for bound in (low, high)]
        return tosa_op(tosa.ClampOp, x.shape, x.element, x.value, *bounds)
    return element_by_element(lambda number: number.maximum(low).minimum(high), x)


@lowers(ops.ReluOp)
def relu(op: ops.ReluOp, x: Tensor) -> Tensor:
    if x.element.is_float:
        return clamped(x, 0, inf)
    return clamped(x, 0, x.element.range[1])


@lowers(ops.LeakyReluOp)
def leaky_relu(op: ops.LeakyReluOp, x: Tensor) -> Tensor:
    return mapped(lambda number: select(number < 0, number * op.alpha.value.data, number), x)


@lowers(ops.EluOp)
def elu(op: ops.EluOp, x: Tensor) -> Tensor:
    return mapped(lambda number: exponential(number, op.alpha.value.data), x)


@lowers(ops.GeluOp)
def gelu(op: ops.GeluOp, x: Tensor) -> Tensor:
    if op.approximate.data == "tanh":
        return mapped(
            lambda x: x / 2 * (1 + ((x + x * x * x * 0.044715) * root(2 / pi)).function(math.tanh)),
            x,
        )
    return mapped(lambda x: x / 2 * (1 + (x / root(2)).function(math.erf)), x)


@lowers(ops.HardSigmoidOp)
def hard_sigmoid(op: ops.HardSigmoidOp, x: Tensor) -> Tensor:
    alpha, beta = op.alpha.value.data, op.beta.value.data
    return mapped(lambda number: (number * alpha + beta).maximum(0).minimum(1), x)


@lowers(ops.ClipOp)
def clip(op: ops.ClipOp, x: Tensor) -> Tensor:
    """Bounds of integers are clamped to the range of the type."""
    low = op.min.value.data if op.min else -inf
    high = op.max.value.data if op.max else inf
    if x.element.is_float:
        return clamped(x, low, high)
    least, most = x.element.range
    return clamped(x, *(int(min(max(bound, least), most)) for bound in (low, high)))


@lowers_rest(row.op for row in ACTIVATIONS)
def activation(op: UnaryOp, x: Tensor) -> Tensor:
    return one_op(op, x)
