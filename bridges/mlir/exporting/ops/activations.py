"""Activation functions. Those without a TOSA op are computed in f64, like in the interpreter."""

from collections.abc import Callable, Mapping
from math import inf, pi
from math import sqrt as root

from .....dialects.npu import activations as ops
from .....dialects.npu.elementwise import UnaryOp
from .....interpreter.ops.activations import SELU_ALPHA, SELU_GAMMA
from ...bindings import ir, math, tosa
from ..arithmetic import tosa_elementwise
from ..elements import F32, F64, I32
from ..loops import element_by_element
from ..registry import lowers
from ..scalars import Scalar, select
from ..tensors import Tensor, tosa_op


def _exponential(x: Scalar, alpha: float) -> Scalar:
    return select(x > 0, x, x.function(math.expm1) * alpha)


def _sigmoid(x: Scalar) -> Scalar:
    return 1 / (1 + (-x).function(math.exp))


def _softplus(x: Scalar) -> Scalar:
    return x.maximum(0) + (-x.abs()).function(math.exp).function(math.log1p)


FUNCTIONS: Mapping[type[UnaryOp], Callable[[Scalar], Scalar]] = {
    ops.SeluOp: lambda x: _exponential(x, SELU_ALPHA) * SELU_GAMMA,
    ops.SigmoidOp: _sigmoid,
    ops.SiluOp: lambda x: x / (1 + (-x).function(math.exp)),
    ops.HardSwishOp: lambda x: x * (x / 6 + 0.5).maximum(0).minimum(1),
    ops.MishOp: lambda x: x * _softplus(x).function(math.tanh),
    ops.SoftplusOp: _softplus,
    ops.SoftsignOp: lambda x: x / (1 + x.abs()),
}


def in_f64(body: Callable[[Scalar], Scalar], x: Tensor) -> Tensor:
    """Apply a function elementwise in f64."""
    return element_by_element(lambda number: body(number.cast(F64)).cast(x.element.computed), x)


def clamped(x: Tensor, low: float, high: float) -> Tensor:
    """Clamp to two bounds, or to the upper one if low > high; NaN propagates."""
    if x.element == F32 and low <= high:
        bounds = [ir.FloatAttr.get_f32(low), ir.FloatAttr.get_f32(high)]
        return tosa_op(tosa.ClampOp, x.shape, x.element, x.value, *bounds)
    if x.element == I32 and low <= high:
        bounds = [ir.IntegerAttr.get(x.element.type, int(bound)) for bound in (low, high)]
        return tosa_op(tosa.ClampOp, x.shape, x.element, x.value, *bounds)
    return element_by_element(lambda number: number.maximum(low).minimum(high), x)


@lowers(*FUNCTIONS)
def activation(op: UnaryOp, x: Tensor) -> Tensor:
    if x.element == F32 and isinstance(op, ops.SigmoidOp):
        return tosa_elementwise(tosa.SigmoidOp, x)
    return in_f64(FUNCTIONS[type(op)], x)


@lowers(ops.ReluOp)
def relu(op: ops.ReluOp, x: Tensor) -> Tensor:
    if x.element.is_float:
        return clamped(x, 0, inf)
    return clamped(x, 0, x.element.range[1])


@lowers(ops.LeakyReluOp)
def leaky_relu(op: ops.LeakyReluOp, x: Tensor) -> Tensor:
    return in_f64(lambda number: select(number < 0, number * op.alpha.value.data, number), x)


@lowers(ops.EluOp)
def elu(op: ops.EluOp, x: Tensor) -> Tensor:
    return in_f64(lambda number: _exponential(number, op.alpha.value.data), x)


@lowers(ops.GeluOp)
def gelu(op: ops.GeluOp, x: Tensor) -> Tensor:
    if op.approximate.data == "tanh":
        return in_f64(
            lambda x: x / 2 * (1 + ((x + x * x * x * 0.044715) * root(2 / pi)).function(math.tanh)),
            x,
        )
    return in_f64(lambda x: x / 2 * (1 + (x / root(2)).function(math.erf)), x)


@lowers(ops.HardSigmoidOp)
def hard_sigmoid(op: ops.HardSigmoidOp, x: Tensor) -> Tensor:
    alpha, beta = op.alpha.value.data, op.beta.value.data
    return in_f64(lambda number: (number * alpha + beta).maximum(0).minimum(1), x)


@lowers(ops.ClipOp)
def clip(op: ops.ClipOp, x: Tensor) -> Tensor:
    """Bounds of integers are clamped to the range of the type."""
    low = op.min.value.data if op.min else -inf
    high = op.max.value.data if op.max else inf
    if x.element.is_float:
        return clamped(x, low, high)
    least, most = x.element.range
    return clamped(x, *(int(min(max(bound, least), most)) for bound in (low, high)))
