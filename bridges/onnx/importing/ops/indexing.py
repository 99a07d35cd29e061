"""Gathers, scatters and other ops on positions along an axis, one-hot encodings, and caches that are updated."""

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import SSAValue

from .....dialects.npu import binary, indexing, movement
from .....dialects.npu.elementwise import SelectOp
from .....dialects.npu.values import element_type_of
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..shaped import Shaped
from ..sizes import Size, product
from ..types import Array
from ..windows import numbers
from .elementwise import cast, choose, combine

MOST_BATCHES = 16
"""The most batches whose caches are updated by ops of their own."""


@converts("Gather")
def gather(node: ImportedNode) -> Converted:
    value, indices = node.operand(0), node.operand(1)
    axis = node.axis(node.integer("axis"))
    return _gathered(node, value, indices, axis)


def _gathered(node: ImportedNode, value: SSAValue, indices: SSAValue, axis: int) -> SSAValue:
    sizes = node.sizes_of(value)
    result = (*sizes[:axis], *node.sizes_of(indices), *sizes[axis + 1 :])
    return node.add(movement.GatherOp, [value, indices], result, axis=axis)


@converts("GatherND")
def gather_nd(node: ImportedNode) -> Converted:
    """A gather along the first axes, merged into one: each index tuple becomes one linear index."""
    value, sizes, places = node.operand(0), node.sizes(), node.sizes(1)[:-1]
    (depth,) = numbers(node.sizes(1)[-1:])
    batch = node.integer("batch_dims")
    if batch + depth == 1:
        return _gathered(node, value, node.reshape(node.operand(1), places), 0)
    joined = node.reshape(value, (product(sizes[: batch + depth]), *sizes[batch + depth :]))
    index = _joined_indices(node, places, numbers(sizes[batch : batch + depth]))
    if batch:
        blocks = numbers(sizes[:batch])
        node.reserve(blocks)
        starts = np.arange(prod(blocks), dtype=np.int64).reshape(*blocks, *[1] * (len(places) - batch))
        step = node.constant_of(starts * prod(numbers(sizes[batch : batch + depth])))
        index = combine(node, binary.AddOp, cast(node, index, i64), step)
    return _gathered(node, joined, index, 0)


@converts("GatherElements")
def gather_elements(node: ImportedNode) -> Converted:
    axis = node.axis(node.integer("axis"))
    return node.add(indexing.GatherElementsOp, [node.operand(0), node.operand(1)], node.sizes(1), axis=axis)


@converts("ScatterElements", "Scatter")
def scatter_elements(node: ImportedNode) -> Converted:
    axis, operands = node.axis(node.integer("axis")), [node.operand(index) for index in range(3)]
    return node.add(indexing.ScatterElementsOp, operands, node.sizes(), axis=axis, reduction=_reduction(node))


def _reduction(node: ImportedNode) -> str | None:
    """The way in which updates are put to elements; none is not written."""
    found = node.choice("reduction", *indexing.REDUCTIONS)
    return None if found == indexing.REDUCTIONS[0] else found


@converts("ScatterND")
def scatter_nd(node: ImportedNode) -> Converted:
    """A scatter of slices along the first axes, merged into one: each index tuple becomes one linear index."""
    value, sizes, places = node.operand(0), node.sizes(), node.sizes(1)[:-1]
    (depth,) = numbers(node.sizes(1)[-1:])
    count = product(places)
    index = node.operand(1) if depth == 1 else _joined_indices(node, places, numbers(sizes[:depth]))
    rest = sizes[depth:]
    whole = (product(sizes[:depth]), *rest)
    updates = node.reshape(node.operand(2), (count, *rest))
    operands = [node.reshape(value, whole), node.reshape(index, (count,)), updates]
    result = node.add(indexing.ScatterOp, operands, whole, axis=0, reduction=_reduction(node))
    return node.reshape(result, sizes)


@converts("TopK")
def top_k(node: ImportedNode) -> Converted:
    if not node.flag("sorted", 1):
        raise UnsupportedNode("any order")
    value, axis = node.operand(0), node.axis(node.integer("axis", -1))
    known = None if node.has_attribute("k") else node.known(1)
    count: Size = node.integer("k") if node.has_attribute("k") else node.output().sizes[axis]
    if known is not None and known.dtype != np.object_:
        count = int(node.single(1))
    sizes = (*node.sizes()[:axis], count, *node.sizes()[axis + 1 :])
    results = [Shaped(element_type_of(value), sizes), Shaped(i64, sizes)]
    operands = [value, None if isinstance(count, int) else node.operand(1)]
    return node.add_many(indexing.TopKOp, operands, results, axis=axis, smallest=not node.flag("largest", 1))


@converts("Compress")
def compress(node: ImportedNode) -> Converted:
    """Without an axis it is the one of all elements."""
    value, axis = node.operand(0), node.integer("axis") if node.has_attribute("axis") else None
    if axis is None:
        value, axis = node.reshape(value, (product(node.sizes()),)), 0
    place, sizes = node.axis(axis, len(node.sizes_of(value))), list(node.sizes_of(value))
    sizes[place] = node.output().sizes[place]
    return node.add(indexing.CompressOp, [value, node.operand(1)], sizes, axis=place)


@converts("ReverseSequence")
def reverse_sequence(node: ImportedNode) -> Converted:
    """A reverse, if every sequence is as long as the axis."""
    axis, batch, known = node.axis(node.integer("time_axis")), node.axis(node.integer("batch_axis", 1)), node.known(1)
    value, sizes = node.operand(0), node.sizes()
    if known is not None and {*known.reshape(-1).tolist()} <= {sizes[axis]}:
        return node.add(movement.ReverseOp, [value], sizes, axes=[axis])
    return node.add(indexing.ReverseSequenceOp, [value, node.operand(1)], sizes, axis=axis, batch=batch)


def _joined_indices(node: ImportedNode, places: Sequence[Size], sizes: Sequence[int]) -> SSAValue:
    """The linear index of each index tuple into axes of these sizes."""
    known = node.known(1)
    if known is not None and known.dtype != np.object_ and _are_inside(known, sizes):
        columns = tuple(np.moveaxis(known % np.array(sizes), -1, 0))
        return node.constant_of(np.asarray(np.ravel_multi_index(columns, tuple(sizes))))
    indices = node.operand(1)
    column = Shaped(element_type_of(indices), (*places, 1))
    columns = node.add_many(
        movement.SplitOp, [indices], [column] * len(sizes), True, axis=len(places), sizes=[1] * len(sizes)
    )
    total: SSAValue | None = None
    for each, size in zip(columns, sizes, strict=True):
        index = _from_front(node, each, size)
        if total is not None:
            index = combine(node, binary.AddOp, combine(node, binary.MulOp, total, node.scalar(size, total)), index)
        total = index
    assert total is not None
    return node.reshape(total, places)


def _are_inside(indices: Array, sizes: Sequence[int]) -> bool:
    """True if index tuples are valid for axes of these sizes; negative ones count from the end."""
    lengths = np.array(sizes)
    return bool(((indices >= -lengths) & (indices < lengths)).all())


def _from_front(node: ImportedNode, index: SSAValue, size: int) -> SSAValue:
    """Indices with negative ones replaced by non-negative ones."""
    is_negative = combine(node, binary.LessOp, index, node.scalar(0, index), i1)
    moved = combine(node, binary.AddOp, index, node.scalar(size, index))
    return choose(node, is_negative, moved, index)


@converts("OneHot")
def one_hot(node: ImportedNode) -> Converted:
    """A comparison of the indices with positions along the new axis."""
    indices, depth = cast(node, node.operand(0), i64), int(node.single(1))
    rank = node.rank() + 1
    axis = node.axis(node.integer("axis", -1), rank)
    off, on = _halves(node, node.operand(2))
    before = node.sizes()
    node.reserve([depth])
    upright = node.reshape(indices, (*before[:axis], 1, *before[axis:]))
    places = node.constant_of(np.arange(depth).reshape([depth if each == axis else 1 for each in range(rank)]))
    from_front = combine(node, binary.EqualOp, upright, places, i1)
    below = combine(node, binary.SubOp, places, node.scalar(depth, places))
    hit = combine(node, binary.OrOp, from_front, combine(node, binary.EqualOp, upright, below, i1))
    return choose(node, hit, on, off)


def _halves(node: ImportedNode, pair: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The two elements of a vector of two."""
    each = Shaped(element_type_of(pair), (1,))
    first, second = node.add_many(movement.SplitOp, [pair], [each, each], True, axis=0, sizes=[1, 1])
    return first, second


@converts("TensorScatter")
def tensor_scatter(node: ImportedNode) -> Converted:
    """The cache of each batch with the update from its index on, as a choice of what each position has."""
    value, update = node.operand(0), node.operand(1)
    sizes, axis = node.sizes(), node.axis(node.integer("axis", -2))
    is_circular = node.choice("mode", "linear", "circular") == "circular"
    batches, length, count = numbers((sizes[0], sizes[axis], node.sizes(1)[axis]))
    if axis == 0 or batches > MOST_BATCHES or not length or not count:
        raise UnsupportedNode("a cache of many batches, or of nothing")
    starts = node.optional(2)
    if starts is None:
        starts = node.constant_of(np.zeros(batches, np.int64))
    positions = node.constant_of(np.arange(length))
    caches, updates, places = (_batches(node, each, batches) for each in (value, update, starts))
    found = [_updated(node, *part, positions, axis, is_circular) for part in zip(caches, updates, places, strict=True)]
    return found[0] if batches == 1 else node.add(movement.ConcatOp, [found], sizes, element_type_of(value), axis=0)


def _batches(node: ImportedNode, value: SSAValue, count: int) -> Sequence[SSAValue]:
    """The parts of a value, one for each batch."""
    if count == 1:
        return [value]
    result = Shaped(element_type_of(value), (1, *node.sizes_of(value)[1:]))
    return node.add_many(movement.SplitOp, [value], [result] * count, True, axis=0, sizes=[1] * count)


def _updated(
    node: ImportedNode,
    value: SSAValue,
    update: SSAValue,
    start: SSAValue,
    positions: SSAValue,
    axis: int,
    is_circular: bool,
) -> SSAValue:
    """The cache of one batch, with the update."""
    sizes = node.sizes_of(value)
    length, count = numbers((sizes[axis], node.sizes_of(update)[axis]))
    places = combine(node, binary.SubOp, positions, start)
    if is_circular:
        # Signs as those of the divisor.
        places = combine(node, binary.ModOp, places, node.scalar(length, places))
    zero, end = node.scalar(0, places), node.scalar(count, places)
    inside = combine(node, binary.LessOp, places, end, i1)
    if not is_circular:
        inside = combine(node, binary.AndOp, inside, combine(node, binary.GreaterEqualOp, places, zero, i1))
    index = node.add(SelectOp, [inside, places, zero], (length,), element_type_of(places))
    moved = node.add(movement.GatherOp, [update, index], sizes, axis=axis)
    wide = node.reshape(inside, [length if each == axis else 1 for each in range(len(sizes))])
    return node.add(SelectOp, [wide, moved, value], sizes, element_type_of(value))
