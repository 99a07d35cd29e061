"""Gathers and one-hot encodings."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import SSAValue

from .....dialects.npu import binary, movement
from .....dialects.npu.elementwise import SelectOp
from .....dialects.npu.values import element_type_of
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..shaped import Shaped
from ..sizes import Size, product
from ..types import Array
from ..windows import numbers
from .elementwise import cast, combine


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
    if node.integer("batch_dims"):
        raise UnsupportedNode("batch dimensions")
    value = node.operand(0)
    (depth,) = numbers(node.sizes(1)[-1:])
    sizes, places = node.sizes(), node.sizes(1)[:-1]
    if depth == 1:
        return _gathered(node, value, node.reshape(node.operand(1), places), 0)
    joined = node.reshape(value, (product(sizes[:depth]), *sizes[depth:]))
    return _gathered(node, joined, _joined_indices(node, places, numbers(sizes[:depth])), 0)


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
    return node.add(SelectOp, [is_negative, moved, index], node.sizes_of(index), element_type_of(index))


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
    return node.add(SelectOp, [hit, on, off], node.sizes_of(hit), element_type_of(on))


def _halves(node: ImportedNode, pair: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The two elements of a vector of two."""
    each = Shaped(element_type_of(pair), (1,))
    first, second = node.add_many(movement.SplitOp, [pair], [each, each], True, axis=0, sizes=[1, 1])
    return first, second
