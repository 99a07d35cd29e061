"""Data movement, by ops of TOSA for the element types that it supports."""

from collections.abc import Sequence
from math import prod

import numpy as np

from ....layout import DYNAMIC, Layout, Order, identity, invert, permutation_between
from ..bindings import Attribute, ir, linalg, tensor, tosa
from .elements import Element
from .loops import insert, loop, view
from .scalars import constant
from .tensors import Tensor, check_sizes, computed, empty, known, tensor_type, tosa_number, tosa_op, tosa_shape


def transpose(x: Tensor, permutation: Sequence[int]) -> Tensor:
    """Axis i of the result is axis permutation[i] of x."""
    if list(permutation) == list(range(x.rank)):
        return x
    if x.known is not None:
        return known(np.transpose(x.known, permutation), x.element)
    shape = [x.shape[axis] for axis in permutation]
    if not x.size:
        return empty(shape, x.element)
    if x.element.is_moved_by_tosa:
        return tosa_op(tosa.TransposeOp, shape, x.element, x.value, list(permutation))
    return view(x, shape, [loop(place) for place in invert(tuple(permutation))])


def to_order(x: Tensor, here: Layout | Order, there: Layout | Order) -> Tensor:
    """Transpose a tensor from one order to another."""
    orders = [each.order_for(x.rank) if isinstance(each, Layout) else each for each in (here, there)]
    return transpose(x, permutation_between(orders[0], orders[1]))


def to_logical(x: Tensor, layout: Layout | Order) -> Tensor:
    """Transpose from stored to logical order, which is N, C, spatial... for an activation."""
    return to_order(x, layout, identity(x.rank))


def to_stored(x: Tensor, layout: Layout | Order) -> Tensor:
    """Transpose from logical to stored order."""
    return to_order(x, identity(x.rank), layout)


def reshape(x: Tensor, shape: Sequence[int]) -> Tensor:
    """Reshape in row-major order."""
    shape = tuple(shape)
    if shape == x.shape and shape.count(DYNAMIC) < 2:
        return x
    if x.known is not None:
        return known(x.known.reshape(shape), x.element)
    if shape.count(DYNAMIC) > 1:
        check_sizes(shape)
    if not x.size:
        return empty(shape, x.element)
    if x.element.is_moved_by_tosa:
        op = tosa.ReshapeOp(x.value, tosa_shape(shape), results=[tensor_type(shape, x.element)])
        return computed(op.result, shape, x.element)
    return _spread(_flat(x), shape)


def _flat(x: Tensor) -> Tensor:
    """Collapse all axes into one."""
    if x.rank == 1:
        return x
    flat = tensor_type([x.size], x.element)
    if x.rank:
        value = tensor.CollapseShapeOp(flat, x.value, _one_group(x.rank)).result
    else:
        value = tensor.ExpandShapeOp(flat, x.value, _one_group(0), [], [1]).result
    return computed(value, [x.size], x.element)


def _spread(x: Tensor, shape: Sequence[int]) -> Tensor:
    """Expand one axis to a shape."""
    if len(shape) == 1:
        return x
    wide = tensor_type(shape, x.element)
    if shape:
        value = tensor.ExpandShapeOp(wide, x.value, _one_group(len(shape)), [], list(shape)).result
    else:
        value = tensor.CollapseShapeOp(wide, x.value, _one_group(0)).result
    return computed(value, shape, x.element)


def _one_group(rank: int) -> Attribute:
    """A reassociation of all axes as one group; it is empty for rank 0."""
    i64 = ir.IntegerType.get_signless(64)
    group = ir.ArrayAttr.get([ir.IntegerAttr.get(i64, axis) for axis in range(rank)])
    return ir.ArrayAttr.get([group] if rank else [])


def slice_of(x: Tensor, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int] | None = None) -> Tensor:
    """Slice along each axis, by start, size and step."""
    steps = steps or [1] * x.rank
    if tuple(sizes) == x.shape and not any(starts) and all(step == 1 for step in steps):
        return x
    if not prod(sizes):
        return empty(sizes, x.element)
    if x.element.is_moved_by_tosa and all(step == 1 for step in steps):
        return tosa_op(tosa.SliceOp, sizes, x.element, x.value, tosa_shape(starts), tosa_shape(sizes))
    value = tensor.ExtractSliceOp(
        tensor_type(sizes, x.element), x.value, [], [], [], list(starts), list(sizes), list(steps)
    ).result
    return computed(value, sizes, x.element)


def filled(shape: Sequence[int], number: float, element: Element) -> Tensor:
    """A tensor filled with a number."""
    value = linalg.fill(constant(number, element).value, outs=[empty(shape, element).value])
    return computed(value, shape, element)


def pad(x: Tensor, low: Sequence[int], high: Sequence[int], number: float = 0) -> Tensor:
    """Pad each axis with a number at both ends."""
    if not any((*low, *high)):
        return x
    shape = [before + size + behind for before, size, behind in zip(low, x.shape, high, strict=True)]
    if not x.size:
        return filled(shape, number, x.element)
    if x.element.is_moved_by_tosa:
        widths = tosa_shape([width for pair in zip(low, high, strict=True) for width in pair])
        return tosa_op(tosa.PadOp, shape, x.element, x.value, widths, tosa_number(number, x.element))
    return insert(x, filled(shape, number, x.element), low)


def fitted(x: Tensor, low: Sequence[int], high: Sequence[int], number: float = 0) -> Tensor:
    """Pad each axis at both ends; negative pads remove elements."""
    starts = [max(-before, 0) for before in low]
    sizes = [size - start + min(behind, 0) for size, start, behind in zip(x.shape, starts, high, strict=True)]
    return pad(slice_of(x, starts, sizes), [max(each, 0) for each in low], [max(each, 0) for each in high], number)


def reverse(x: Tensor, axes: Sequence[int]) -> Tensor:
    """Reverse along some axes."""
    if x.known is not None:
        return known(np.flip(x.known, tuple(axes)), x.element)
    if not x.size:
        return x
    if not x.element.is_moved_by_tosa:
        places = [loop(axis) * -1 + (size - 1) if axis in axes else loop(axis) for axis, size in enumerate(x.shape)]
        return view(x, x.shape, places)
    for axis in axes:
        x = tosa_op(tosa.ReverseOp, x.shape, x.element, x.value, axis)
    return x


def tile(x: Tensor, repeats: Sequence[int]) -> Tensor:
    """Tile a tensor along each axis."""
    if all(count == 1 for count in repeats):
        return x
    shape = [size * count for size, count in zip(x.shape, repeats, strict=True)]
    if not prod(shape):
        return empty(shape, x.element)
    if x.element.is_moved_by_tosa:
        return tosa_op(tosa.TileOp, shape, x.element, x.value, tosa_shape(repeats))
    return view(x, shape, [ir.AffineExpr.get_mod(loop(axis), size) for axis, size in enumerate(x.shape)])


def repeated(x: Tensor, factors: Sequence[int]) -> Tensor:
    """Repeat each element along each axis."""
    if all(factor == 1 for factor in factors):
        return x
    shape = [size * factor for size, factor in zip(x.shape, factors, strict=True)]
    return view(x, shape, [ir.AffineExpr.get_floor_div(loop(axis), factor) for axis, factor in enumerate(factors)])


def broadcast(x: Tensor, shape: Sequence[int]) -> Tensor:
    """Broadcast unit axes to a shape of the same rank."""
    return tile(x, [size if found == 1 else 1 for found, size in zip(x.shape, shape, strict=True)])


def concat(inputs: Sequence[Tensor], axis: int) -> Tensor:
    """Concatenate tensors along an axis."""
    some = [x for x in inputs if x.size]
    if len(some) == 1:
        return some[0]
    element = inputs[0].element
    shape = list(inputs[0].shape)
    shape[axis] = sum(x.shape[axis] for x in inputs)
    if not some:
        return empty(shape, element)
    if element.is_moved_by_tosa:
        op = tosa.ConcatOp([x.value for x in some], axis, results=[tensor_type(shape, element)])
        return computed(op.result, shape, element)
    result, place = empty(shape, element), 0
    for x in some:
        result = insert(x, result, [place if other == axis else 0 for other in range(x.rank)])
        place += x.shape[axis]
    return result


def with_axes(x: Tensor, axes: Sequence[int]) -> Tensor:
    """Insert unit axes at these positions of the result."""
    sizes = iter(x.shape)
    return reshape(x, [1 if axis in axes else next(sizes) for axis in range(x.rank + len(axes))])


def along(vector: Tensor, axis: int, rank: int) -> Tensor:
    """Reshape a vector along an axis so that it broadcasts to a tensor of this rank."""
    return reshape(vector, [vector.size if other == axis else 1 for other in range(rank)])
