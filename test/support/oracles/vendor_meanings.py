"""Invented meanings of described ops, for which what the ops say about their axes is true."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from npu_opt.dialects.npu.values import order_of_value, rank_of, shape_of
from npu_opt.dialects.npu.vendor import VendorAnyOrderOp, VendorElementwiseOp, VendorOp, VendorPoolOp
from npu_opt.interpreter import Environment
from npu_opt.layout import Order, invert
from xdsl.ir import SSAValue

Array: TypeAlias = npt.NDArray[Any]


def _logical_inputs(op: VendorOp, inputs: Sequence[Array]) -> Iterator[Array]:
    """The operands in logical order."""
    for index, (value, array) in enumerate(zip(op.operands, inputs, strict=True)):
        order = _shared_order(op, value) if index in op.sharing_operands() else order_of_value(value)
        yield array.transpose(invert(order))


def _shared_order(op: VendorOp, value: SSAValue) -> Order:
    """The order of a value that shares the layout of the op."""
    return (
        op.feature_layout("data", op.data).order_for(rank_of(value))
        if isinstance(op, VendorPoolOp)
        else order_of_value(value)
    )


def _elementwise(op: VendorElementwiseOp, *inputs: Array) -> Array:
    rank = rank_of(op.result)
    full = [array.reshape((1,) * rank) if array.size == 1 else array for array in map(_finite, inputs)]
    return sum((array * (index + 2) for index, array in enumerate(full)), np.zeros((1,) * rank))


def _any_order(op: VendorAnyOrderOp, *inputs: Array) -> tuple[Array, ...]:
    """Numbers that depend on the elements of the data, its rank, and on where the elements of the parameters are."""
    arrays, sharing = list(map(_finite, inputs)), op.sharing_operands()
    data = np.asarray(sum(arrays[place] * (place + 1) for place in sharing))
    parameters = [array for place, array in enumerate(arrays) if place not in sharing]
    weight = data.sum() / 64 + data.ndim + sum(map(_by_place, parameters))
    return tuple(data * (index + 1) + weight for index in range(len(op.results)))


def _pool(op: VendorPoolOp, *inputs: Array) -> tuple[Array, ...]:
    """Sums along each spatial axis with different weights, so that no two axes are alike."""
    data, *parameters = map(_finite, _logical_inputs(op, inputs))
    results: list[Array] = []
    for index, value in enumerate(op.results):
        order = _shared_order(op, value)
        found = data + sum(map(_by_place, parameters))
        for axis in range(2, data.ndim):
            count = shape_of(value)[order.index(axis)]
            places = range(data.shape[axis])
            weights = np.array([[(start + place) % (axis + index + 2) for place in places] for start in range(count)])
            found = np.moveaxis(np.tensordot(found, weights, (axis, 1)), -1, axis)
        results.append(found.transpose(order))
    return tuple(results)


def _by_place(array: Array) -> float:
    """A number that depends on where the elements are stored."""
    return float((array.ravel() * (1 + np.arange(array.size) % 5)).sum() / 64)


def _finite(array: Array) -> Array:
    return np.clip(np.nan_to_num(array.astype(np.float64)), -50, 50)


VENDOR = Environment(foreign={"fuzz.elementwise": _elementwise, "fuzz.any_order": _any_order, "fuzz.pool": _pool})
