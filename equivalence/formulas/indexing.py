"""Elements at positions along one axis, and the positions of elements."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType, f32, i1, i32, i64
from xdsl.ir import SSAValue

from ...dialects.npu import binary, indexing, movement, reduction, selection
from ...dialects.npu.attrs import i64_array, i64_attr
from ...dialects.npu.elementwise import SelectOp
from ...dialects.npu.values import element_type_of, shape_of
from ...layout import DYNAMIC
from .registry import formula
from .steps import Steps


@formula(indexing.TopKOp)
def top_k(op: indexing.TopKOp, steps: Steps) -> None:
    """Positions of 32 bits are found."""
    if op.count is not None or element_type_of(op.places) == i32:
        return
    kinds = [TensorType(element, shape_of(op.found)) for element in (steps.element, i32)]
    made = indexing.TopKOp.build(operands=[steps.block.args[0], None], result_types=kinds, properties=op.properties)
    steps.block.add_op(made)
    steps.return_(made.found, steps.cast(made.places, element_type_of(op.places)))


@formula(selection.NonZeroOp)
def non_zero(op: selection.NonZeroOp, steps: Steps) -> None:
    """Truth values tell which elements are zero."""
    x, element = steps.block.args[0], element_type_of(op.input)
    if element not in (f32, i32, i64):
        return
    zero = steps.number(0) if element == f32 else steps.cast(steps.integer(0), element)
    found = steps.add(binary.NotEqualOp, [x, zero], shape_of(x), element=i1)
    steps.add(selection.NonZeroOp, [found])


@formula(indexing.GatherElementsOp)
def gather_elements(op: indexing.GatherElementsOp, steps: Steps) -> None:
    """A gather of the flattened elements, at the place along the axis plus that of all other axes."""
    given, sizes, known, axis = shape_of(op.input), steps.result, steps.known(1), op.axis.value.data
    if {0, DYNAMIC} & {*given} or (DYNAMIC in sizes and prod(given) > given[axis]):
        return
    flat = steps.reshape(steps.block.args[0], (prod(given),))
    if known is not None:
        places = steps.constant(_flattened(known, axis, given), i64)
        steps.add(movement.GatherOp, [flat, places], None, {"axis": i64_attr(0)})
        return
    places = steps.cast(steps.block.args[1], i32)
    if prod(given) > given[axis]:
        places = _from_start(steps, places, given[axis])
        strides = [prod(given[place + 1 :]) for place in range(len(given))]
        grid = np.indices(sizes, np.int32)
        strides[axis], stride = 0, strides[axis]
        others = np.tensordot(np.array(strides, np.int32), grid, 1)
        scaled = _whole(steps, binary.MulOp, places, steps.integer(stride))
        places = _whole(steps, binary.AddOp, scaled, steps.constant(others, i32))
    steps.add(movement.GatherOp, [flat, places], None, {"axis": i64_attr(0)})


@formula(indexing.ScatterElementsOp)
def scatter_elements(op: indexing.ScatterElementsOp, steps: Steps) -> None:
    """A gather of the flattened elements and updates, if the places are known."""
    given, known, axis = shape_of(op.input), steps.known(1), op.axis.value.data
    if op.reduction.data != "none" or known is None or DYNAMIC in given or 0 in (*known.shape, *given):
        return
    x, updates = (steps.reshape(each, (prod(shape_of(each)),)) for each in (steps.block.args[0], steps.block.args[2]))
    found = _replaced(steps, x, updates, _flattened(known, axis, given).reshape(-1), 0)
    steps.reshape(found, given)


def _flattened(known: NDArray[Any], axis: int, sizes: Sequence[int]) -> NDArray[Any]:
    """The places among all elements of those at these places along an axis."""
    where = np.indices(known.shape)
    where[axis] = known % sizes[axis]
    return np.asarray(np.ravel_multi_index(tuple(where), tuple(sizes)))


@formula(indexing.ScatterOp)
def scatter(op: indexing.ScatterOp, steps: Steps) -> None:
    """A gather of the slices and the updates: the last update for a place is at the largest position."""
    x, indices, updates = steps.block.args
    axis, known = op.axis.value.data, steps.known(1)
    size, (count,) = shape_of(x)[axis], shape_of(indices)
    if op.reduction.data != "none" or DYNAMIC in (size, count) or 0 in (size, count):
        return
    if known is not None:
        _replaced(steps, x, updates, known % size, axis)
        return
    places = _from_start(steps, steps.reshape(steps.cast(indices, i32), (count, 1)), size)
    own = steps.constant(np.arange(size, dtype=np.int32)[None], i32)
    news = steps.constant(size + np.arange(count, dtype=np.int32)[:, None], i32)
    is_meant = steps.add(binary.EqualOp, [places, own], (count, size), element=i1)
    sources = steps.add(SelectOp, [is_meant, news, own], (count, size), element=i32)
    last = steps.add(reduction.ReduceMaxOp, [sources], (size,), {"axes": i64_array(0)}, i32)
    _gathered(steps, x, updates, last, axis)


def _replaced(steps: Steps, x: SSAValue, updates: SSAValue, known: NDArray[Any], axis: int) -> SSAValue:
    """The slices at known places are those of the updates, which are behind the others."""
    size = shape_of(x)[axis]
    places = np.arange(size)
    places[known] = size + np.arange(len(known))
    return _gathered(steps, x, updates, steps.constant(places, i64), axis)


def _gathered(steps: Steps, x: SSAValue, updates: SSAValue, places: SSAValue, axis: int) -> SSAValue:
    return steps.add(
        movement.GatherOp, [steps.concat([x, updates], axis), places], shape_of(x), {"axis": i64_attr(axis)}
    )


def _from_start(steps: Steps, places: SSAValue, size: int) -> SSAValue:
    below = steps.add(binary.LessOp, [places, steps.integer(0)], shape_of(places), element=i1)
    moved = _whole(steps, binary.AddOp, places, steps.integer(size))
    return steps.add(SelectOp, [below, moved, places], shape_of(places), element=i32)


def _whole(steps: Steps, op: type[binary.AddOp | binary.MulOp], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    return steps.add(op, [lhs, rhs], shape_of(lhs), element=i32)
