"""Reductions and running sums."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...dialects.npu import reduction as ops
from ...dialects.npu.values import element_type_of, integer_range
from ..elements import Array, is_integer_type, precise
from ..errors import InterpreterError
from ..registry import meaning


def _sum_of_squares(x: Array, **where: Any) -> Array:
    return np.sum(x * x, **where)


def _sum_of_sizes(x: Array, **where: Any) -> Array:
    return np.sum(np.abs(x), **where)


def _length(x: Array, **where: Any) -> Array:
    return np.sqrt(np.sum(x * x, **where))


def _log_sum_exp(x: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    largest = np.max(x, axis, keepdims=True, initial=-np.inf)
    largest = np.where(np.isfinite(largest), largest, 0)
    total = np.log(np.sum(np.exp(x - largest), axis, keepdims=True)) + largest
    return total if keepdims else np.squeeze(total, axis)


FUNCTIONS: Mapping[type[ops.ReduceOp], Callable[..., Any]] = {
    ops.ReduceSumOp: np.sum,
    ops.ReduceProdOp: np.prod,
    ops.ReduceL1Op: _sum_of_sizes,
    ops.ReduceL2Op: _length,
    ops.ReduceSumSquareOp: _sum_of_squares,
    ops.ReduceLogSumExpOp: _log_sum_exp,
}


@meaning(*FUNCTIONS)
def reduce(op: ops.ReduceOp, x: Array) -> Array:
    return np.asarray(FUNCTIONS[type(op)](precise(x), axis=_axes(op), keepdims=op.keep is not None))


def _axes(op: ops.ReduceOp) -> tuple[int, ...]:
    return tuple(op.axes.get_values())


@meaning(ops.ReduceMeanOp)
def mean(op: ops.ReduceMeanOp, x: Array) -> Array:
    count = np.prod([x.shape[axis] for axis in _axes(op)])
    return np.sum(precise(x), _axes(op), keepdims=op.keep is not None) / count


@meaning(ops.ReduceMaxOp)
def largest(op: ops.ReduceMaxOp, x: Array) -> Array:
    element_type = element_type_of(op.input)
    least = integer_range(element_type)[0] if is_integer_type(element_type) else -np.inf
    return np.asarray(np.max(x, _axes(op), keepdims=op.keep is not None, initial=least))


@meaning(ops.ReduceMinOp)
def smallest(op: ops.ReduceMinOp, x: Array) -> Array:
    element_type = element_type_of(op.input)
    most = integer_range(element_type)[1] if is_integer_type(element_type) else np.inf
    return np.asarray(np.min(x, _axes(op), keepdims=op.keep is not None, initial=most))


@meaning(ops.ArgMaxOp, ops.ArgMinOp)
def position(op: ops.ArgReduceOp, x: Array) -> Array:
    axis = op.axis.value.data
    if not x.shape[axis]:
        raise InterpreterError(f"'{op.name}': there is no element along axis {axis}")
    find = np.argmax if isinstance(op, ops.ArgMaxOp) else np.argmin
    return np.asarray(find(x, axis, keepdims=op.keep is not None))


@meaning(ops.CumsumOp, ops.CumprodOp)
def running(op: ops.RunningOp, x: Array) -> Array:
    axis, is_sum = op.axis.value.data, isinstance(op, ops.CumsumOp)
    forward = np.flip(precise(x), axis) if op.reverse else precise(x)
    total = np.cumsum(forward, axis) if is_sum else np.cumprod(forward, axis)
    if op.exclusive:
        total = np.delete(np.insert(total, 0, 0 if is_sum else 1, axis), -1, axis)
    return np.flip(total, axis) if op.reverse else total
