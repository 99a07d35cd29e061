"""Normalisations and softmax."""

from collections.abc import Sequence

import numpy as np

from ...dialects.npu import normalization as ops
from ..elements import Array, precise
from ..registry import meaning


@meaning(ops.SoftmaxOp)
def softmax(op: ops.SoftmaxOp, x: Array) -> Array:
    axis = op.axis.value.data
    powers = np.exp(_below_zero(x, axis))
    return powers / powers.sum(axis, keepdims=True)


@meaning(ops.LogSoftmaxOp)
def log_softmax(op: ops.LogSoftmaxOp, x: Array) -> Array:
    axis = op.axis.value.data
    shifted = _below_zero(x, axis)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


@meaning(ops.HardmaxOp)
def hardmax(op: ops.HardmaxOp, x: Array) -> Array:
    axis = op.axis.value.data
    is_largest = x == x.max(axis, keepdims=True, initial=-np.inf)
    return is_largest & (is_largest.cumsum(axis) == 1)


def _below_zero(x: Array, axis: int) -> Array:
    """The elements minus the maximum along the axis: avoids overflow without changing the quotients."""
    return precise(x) - x.max(axis, keepdims=True, initial=-np.inf)


@meaning(ops.LpNormOp)
def lp_norm(op: ops.LpNormOp, x: Array) -> Array:
    norm = np.linalg.norm(precise(x), op.p.value.data, op.axis.value.data, keepdims=True)
    return np.where(norm == 0, 0, x / norm)


@meaning(ops.LrnOp)
def lrn(op: ops.LrnOp, x: Array) -> Array:
    axis = op.axis.value.data
    square = np.moveaxis(precise(x) ** 2, axis, 0)
    length, total = len(square), np.zeros_like(square)
    before, behind = op.reach(length)
    for distance in range(-before, behind + 1):
        kept, read = max(-distance, 0), max(distance, 0)
        total[kept : length - read] += square[read : length - kept]
    base = op.bias.value.data + op.alpha.value.data / op.size.value.data * np.moveaxis(total, 0, axis)
    return x / base**op.beta.value.data


def normalised(x: Array, axes: Sequence[int], epsilon: float) -> Array:
    """(x - mean) / √(variance + epsilon), with mean and variance along the axes."""
    x = precise(x)
    centred = x - _mean(x, axes)
    return centred / np.sqrt(_mean(centred**2, axes) + epsilon)


def _mean(x: Array, axes: Sequence[int]) -> Array:
    # Not np.mean, which warns about an empty axis.
    count = np.prod([x.shape[axis] for axis in axes])
    return x.sum(tuple(axes), keepdims=True) / count


@meaning(ops.TensorNormOp)
def tensor_norm(op: ops.TensorNormOp, x: Array) -> Array:
    return normalised(x, op.axes.get_values(), op.epsilon.value.data)


@meaning(ops.LayerNormOp)
def layer_norm(op: ops.LayerNormOp, x: Array, scale: Array | None, bias: Array | None) -> Array:
    result = normalised(x, op.axes.get_values(), op.epsilon.value.data)
    return result * _repeated(scale, x, 1) + _repeated(bias, x, 0)


@meaning(ops.RmsNormOp)
def rms_norm(op: ops.RmsNormOp, x: Array, scale: Array | None) -> Array:
    square = _mean(precise(x) ** 2, op.axes.get_values())
    return x / np.sqrt(square + op.epsilon.value.data) * _repeated(scale, x, 1)


def _repeated(parameter: Array | None, x: Array, default: float) -> Array:
    """A parameter of the rank of x, or of one element."""
    if parameter is None:
        return np.asarray(default)
    return parameter if parameter.ndim == x.ndim else parameter.reshape(())


def along(vector: Array, axis: int, rank: int) -> Array:
    """A vector with one number per position of an axis, in a shape for broadcasting to this rank."""
    return np.expand_dims(precise(vector), [other for other in range(rank) if other != axis])


def along_pieces(vector: Array, places: Sequence[int], rank: int) -> Array:
    """A vector along an axis whose pieces are at these places, in a shape for broadcasting to this rank."""
    if vector.ndim == 1:
        return along(vector, places[0], rank)
    moved = vector if places[0] < places[1] else vector.T
    return np.expand_dims(precise(moved), [other for other in range(rank) if other not in places])


@meaning(ops.BatchNormOp)
def batch_norm(op: ops.BatchNormOp, x: Array, scale: Array, bias: Array, mean: Array, variance: Array) -> Array:
    places = op.vector_places()
    scale, bias, mean, variance = (along_pieces(vector, places, x.ndim) for vector in (scale, bias, mean, variance))
    return (x - mean) / np.sqrt(variance + op.epsilon.value.data) * scale + bias


@meaning(ops.InstanceNormOp)
def instance_norm(op: ops.InstanceNormOp, x: Array, scale: Array, bias: Array) -> Array:
    axis = op.axis.value.data
    result = normalised(x, op.axes.get_values(), op.epsilon.value.data)
    return result * along(scale, axis, x.ndim) + along(bias, axis, x.ndim)


@meaning(ops.GroupNormOp)
def group_norm(op: ops.GroupNormOp, x: Array, scale: Array, bias: Array) -> Array:
    axis, groups = op.axis.value.data, op.groups.value.data
    grouped = x.reshape(*x.shape[:axis], groups, x.shape[axis] // groups, *x.shape[axis + 1 :])
    # All axes after the channels are shifted by one now.
    axes = [axis + 1, *(other + (other > axis) for other in op.axes.get_values())]
    result = normalised(grouped, axes, op.epsilon.value.data).reshape(x.shape)
    return result * along(scale, axis, x.ndim) + along(bias, axis, x.ndim)
