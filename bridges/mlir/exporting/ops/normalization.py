"""Normalisations and softmax."""

from collections.abc import Sequence
from math import inf, prod

from .....dialects.npu import normalization as ops
from ...bindings import math, tosa
from ..arithmetic import add, converted, div, function, largest, mul, precise, sub, summed
from ..arrange import along, pad, reshape, with_axes
from ..loops import element_by_element, loop, loops
from ..registry import lowers
from ..scalars import Scalar, position, select
from ..tensors import Tensor
from .reduction import best_and_place


@lowers(ops.SoftmaxOp)
def softmax(op: ops.SoftmaxOp, x: Tensor) -> Tensor:
    axis = op.axis.value.data
    powers = function(_below_zero(x, axis), math.exp, tosa.ExpOp)
    return div(powers, summed(powers, [axis]))


@lowers(ops.LogSoftmaxOp)
def log_softmax(op: ops.LogSoftmaxOp, x: Tensor) -> Tensor:
    axis = op.axis.value.data
    shifted = _below_zero(x, axis)
    total = summed(function(shifted, math.exp, tosa.ExpOp), [axis])
    return sub(shifted, function(total, math.log, tosa.LogOp))


@lowers(ops.HardmaxOp)
def hardmax(op: ops.HardmaxOp, x: Tensor) -> Tensor:
    axis = op.axis.value.data
    found = [with_axes(each, [axis]) for each in best_and_place(x, axis, finds_largest=True)]

    def is_found(number: Scalar, best: Scalar, place: Scalar) -> Scalar:
        return select((number == best) & (place == position(axis)), number.literal(1), number.literal(0))

    return element_by_element(is_found, x, *found)


def _below_zero(x: Tensor, axis: int) -> Tensor:
    """The elements minus their maximum along the axis, so that exponentials do not overflow."""
    x = precise(x)
    return sub(x, largest(x, [axis], -inf))


@lowers(ops.LpNormOp)
def lp_norm(op: ops.LpNormOp, x: Tensor) -> Tensor:
    axis = [op.axis.value.data]
    x = precise(x)
    if op.p.value.data == 1:
        norm = summed(element_by_element(Scalar.abs, x), axis)
    else:
        norm = function(summed(mul(x, x), axis), math.sqrt)
    return element_by_element(lambda number, by: select(by == 0, number.literal(0), number / by), x, norm)


@lowers(ops.LrnOp)
def lrn(op: ops.LrnOp, x: Tensor) -> Tensor:
    x, axis, size = precise(x), op.axis.value.data, op.size.value.data
    before, behind = op.reach(x.shape[axis])
    low, high = ([count if each == axis else 0 for each in range(x.rank)] for count in (before, behind))
    places = [loop(each) + loop(x.rank) if each == axis else loop(each) for each in range(x.rank)]

    def with_square(number: Scalar, total: Scalar) -> Scalar:
        return total + number * number

    (total,) = loops(x.shape, [before + behind + 1], [(pad(x, low, high), places)], with_square, [x.element], [0])

    def divided(number: Scalar, total: Scalar) -> Scalar:
        base = total * (op.alpha.value.data / size) + op.bias.value.data
        return number / base.power(base.literal(op.beta.value.data))

    return element_by_element(divided, x, total)


def normalised(x: Tensor, axes: Sequence[int], epsilon: float) -> Tensor:
    """(x - mean) / √(variance + epsilon), with mean and variance along the axes."""
    x = precise(x)
    centred = sub(x, _mean(x, axes))
    return mul(centred, _inverse_root(_mean(mul(centred, centred), axes), epsilon))


def _mean(x: Tensor, axes: Sequence[int]) -> Tensor:
    count = prod(x.shape[axis] for axis in axes)
    return element_by_element(lambda number: number / count, summed(x, axes))


def _inverse_root(x: Tensor, epsilon: float) -> Tensor:
    return element_by_element(lambda number: 1 / (number + epsilon).function(math.sqrt), x)


@lowers(ops.TensorNormOp)
def tensor_norm(op: ops.TensorNormOp, x: Tensor) -> Tensor:
    return normalised(x, op.axes.get_values(), op.epsilon.value.data)


@lowers(ops.LayerNormOp)
def layer_norm(op: ops.LayerNormOp, x: Tensor, scale: Tensor | None, bias: Tensor | None) -> Tensor:
    return _with_parameters(normalised(x, op.axes.get_values(), op.epsilon.value.data), scale, bias)


@lowers(ops.RmsNormOp)
def rms_norm(op: ops.RmsNormOp, x: Tensor, scale: Tensor | None) -> Tensor:
    x = precise(x)
    root = _inverse_root(_mean(mul(x, x), op.axes.get_values()), op.epsilon.value.data)
    return _with_parameters(mul(x, root), scale, None)


def _with_parameters(x: Tensor, scale: Tensor | None, bias: Tensor | None) -> Tensor:
    """x * scale + bias; parameters have the rank of x or one element."""
    if scale is not None:
        x = mul(x, converted(scale, x.element))
    return x if bias is None else add(x, converted(bias, x.element))


@lowers(ops.BatchNormOp)
def batch_norm(op: ops.BatchNormOp, x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, variance: Tensor) -> Tensor:
    x, axis = precise(x), op.axis.value.data
    scale, bias, mean, variance = (
        along(converted(vector, x.element), axis, x.rank) for vector in (scale, bias, mean, variance)
    )
    factor = mul(_inverse_root(variance, op.epsilon.value.data), scale)
    return add(mul(sub(x, mean), factor), bias)


@lowers(ops.InstanceNormOp)
def instance_norm(op: ops.InstanceNormOp, x: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
    result = normalised(x, op.axes.get_values(), op.epsilon.value.data)
    axis = op.axis.value.data
    return _with_parameters(result, along(scale, axis, x.rank), along(bias, axis, x.rank))


@lowers(ops.GroupNormOp)
def group_norm(op: ops.GroupNormOp, x: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
    axis, groups = op.axis.value.data, op.groups.value.data
    grouped = reshape(x, [*x.shape[:axis], groups, x.shape[axis] // groups, *x.shape[axis + 1 :]])
    # The axes after the channels are shifted by one.
    axes = [axis + 1, *(other + (other > axis) for other in op.axes.get_values())]
    result = reshape(normalised(grouped, axes, op.epsilon.value.data), x.shape)
    return _with_parameters(result, along(scale, axis, x.rank), along(bias, axis, x.rank))
