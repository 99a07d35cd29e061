"""Ops on elements or slices at positions along one axis."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...dialects.npu import indexing as ops
from ...dialects.npu.base import NpuOp
from ...dialects.npu.values import shape_of
from ..elements import Array, precise
from ..errors import InterpreterError
from ..registry import meaning
from .dynamic import of_type

COMBINED: Mapping[str, Any] = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}
"""The functions of the reductions of scatters."""


def _places(op: NpuOp, indices: Array, size: int) -> Array:
    """Positions along an axis of this size, counted from its start."""
    places = indices.astype(np.int64)
    places = np.where(places < 0, places + size, places)
    if ((places < 0) | (places >= size)).any():
        raise InterpreterError(f"'{op.name}': an index beyond the {size} elements of the axis")
    return places


def _where(op: ops.PerElementOp, x: Array, indices: Array) -> tuple[Array, ...]:
    """The position in the input for each index, along every axis."""
    axis = op.axis.value.data
    where: list[Array] = list(np.indices(indices.shape, sparse=True))
    where[axis] = _places(op, indices, x.shape[axis])
    if any(n > size for each, (n, size) in enumerate(zip(indices.shape, x.shape, strict=True)) if each != axis):
        raise InterpreterError(f"'{op.name}': more indices than elements")
    return tuple(where)


@meaning(ops.GatherElementsOp)
def gather_elements(op: ops.GatherElementsOp, x: Array, indices: Array) -> Array:
    return x[_where(op, x, indices)]


@meaning(ops.ScatterElementsOp)
def scatter_elements(op: ops.ScatterElementsOp, x: Array, indices: Array, updates: Array) -> Array:
    return _scattered(op.reduction.data, x, _where(op, x, indices), updates)


@meaning(ops.ScatterOp)
def scatter(op: ops.ScatterOp, x: Array, indices: Array, updates: Array) -> Array:
    axis = op.axis.value.data
    where = (slice(None),) * axis + (_places(op, indices, x.shape[axis]),)
    return _scattered(op.reduction.data, x, where, updates)


def _scattered(reduction: str, x: Array, where: Any, updates: Array) -> Array:
    """The input with the updates at some places, one after another."""
    if reduction == "none":
        result = x.copy()
        result[where] = updates
        return result
    result = precise(x).copy()
    COMBINED[reduction].at(result, where, precise(updates))
    return result


@meaning(ops.TopKOp)
def top_k(op: ops.TopKOp, x: Array, count: Array | None) -> tuple[Array, Array]:
    axis = op.axis.value.data
    most = shape_of(op.found)[axis] if count is None else int(count.reshape(()))
    if not 0 <= most <= x.shape[axis]:
        raise InterpreterError(f"'{op.name}': {most} of {x.shape[axis]} elements")
    if op.smallest:
        places = np.argsort(x, axis, kind="stable")
    else:
        # The last one of equal elements comes last in ascending order, and first in its reverse.
        backwards = np.argsort(np.flip(x, axis), axis, kind="stable")
        places = x.shape[axis] - 1 - np.flip(backwards, axis)
    places = np.take(places, np.arange(most), axis)
    return of_type(op, np.take_along_axis(x, places, axis)), places


@meaning(ops.CompressOp)
def compress(op: ops.CompressOp, x: Array, condition: Array) -> Array:
    axis = op.axis.value.data
    if len(condition) > x.shape[axis]:
        raise InterpreterError(f"'{op.name}': {len(condition)} truth values for {x.shape[axis]} elements")
    return of_type(op, np.compress(condition.astype(np.bool_), x, axis))


@meaning(ops.ReverseSequenceOp)
def reverse_sequence(op: ops.ReverseSequenceOp, x: Array, lengths: Array) -> Array:
    axis, batch = op.axis.value.data, op.batch.value.data
    size = int(x.shape[axis])
    if ((lengths < 0) | (lengths > size)).any():
        raise InterpreterError(f"'{op.name}': a length beyond the {size} elements of the axis")
    places = np.arange(size, dtype=np.int64)
    order = np.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)
    shape = [1] * x.ndim
    shape[batch], shape[axis] = order.shape
    return np.take_along_axis(x, (order if batch < axis else order.T).reshape(shape), axis)
