"""Ops that are arithmetic of others: determinants of small matrices, and sums of windows of images."""

from itertools import permutations
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.npu import binary, indexing, movement
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..types import Array
from ..windows import numbers
from .elementwise import combine

LARGEST_MATRIX = 3
"""The rows of the largest matrix whose determinant is a sum of products."""

PLANE = 2
"""The axes of most images."""


@converts("Det")
def determinant(node: ImportedNode) -> Converted:
    """The sum of the products of elements of different rows and columns, with the signs of their permutations."""
    value, sizes = node.operand(0), node.sizes()
    rows, columns = numbers(sizes[-2:])
    if rows != columns or not 0 < rows <= LARGEST_MATRIX:
        raise UnsupportedNode(f"a determinant of {rows} rows and {columns} columns")
    elements = [[_element(node, value, row, column) for column in range(rows)] for row in range(rows)]
    total: SSAValue | None = None
    for order in permutations(range(rows)):
        term = elements[0][order[0]]
        for row in range(1, rows):
            term = combine(node, binary.MulOp, term, elements[row][order[row]])
        is_even = sum(left > right for at, left in enumerate(order) for right in order[at + 1 :]) % 2 == 0
        total = term if total is None else combine(node, binary.AddOp if is_even else binary.SubOp, total, term)
    assert total is not None
    return node.reshape(total, sizes[:-2])


def _element(node: ImportedNode, value: SSAValue, row: int, column: int) -> SSAValue:
    """An element of each matrix, in axes of one element."""
    sizes = node.sizes_of(value)
    rest = len(sizes) - 2
    starts, limits = [*[0] * rest, row, column], [*[movement.END_OF_AXIS] * rest, row + 1, column + 1]
    return node.add(movement.SliceOp, [value], (*sizes[:-2], 1, 1), starts=starts, limits=limits)


@converts("Col2Im")
def windows_summed(node: ImportedNode) -> Converted:
    """A scatter of the elements of all windows that adds those of one place; padding is one more place."""
    image, block = node.constants(1), node.constants(2)
    if len(image) != PLANE and {*(node.integers("dilations") or [1])} != {1}:
        # ONNX Runtime (1.32) puts their elements elsewhere than ONNX defines.
        raise UnsupportedNode("windows with dilations of other than two axes")
    batch, wide, count = node.sizes()
    places = _places(image, block, node)
    (columns, found), last = numbers((wide, count)), prod(image)
    if places.size != prod(block) * found or columns % prod(block):
        raise UnsupportedNode("windows that do not fill the image")
    whole = (batch, columns // prod(block))
    updates = node.reshape(node.operand(0), (*whole, places.size))
    zeros = node.broadcast(node.scalar(0, updates), (*whole, last + 1))
    given = [zeros, node.constant_of(places.reshape(-1)), updates]
    total = node.add(indexing.ScatterOp, given, (*whole, last + 1), axis=2, reduction="add")
    limits = [movement.END_OF_AXIS, movement.END_OF_AXIS, last]
    inside = node.add(movement.SliceOp, [total], (*whole, last), starts=[0, 0, 0], limits=limits)
    return node.reshape(inside, (*whole, *image))


def _places(image: list[int], block: list[int], node: ImportedNode) -> Array:
    """The place in the image of each element of a block and window, and the one behind the image for padding."""
    rank = len(image)
    dilations, strides = (node.integers(name) or [1] * rank for name in ("dilations", "strides"))
    pads = node.integers("pads") or [0] * (2 * rank)
    along: list[Array] = []
    for axis, (size, width, step, apart) in enumerate(zip(image, block, strides, dilations, strict=True)):
        count = (size + pads[axis] + pads[axis + rank] - apart * (width - 1) - 1) // step + 1
        at = np.arange(width)[:, None] * apart + np.arange(count)[None, :] * step - pads[axis]
        shape = [1] * (2 * rank)
        shape[axis], shape[axis + rank] = at.shape
        along.append(at.reshape(shape))
    linear, is_inside = np.zeros((), np.int64), np.ones((), np.bool_)
    for size, at in zip(image, along, strict=True):
        linear, is_inside = linear * size + at, is_inside & (at >= 0) & (at < size)
    return np.where(is_inside, linear, prod(image)).astype(np.int64)
