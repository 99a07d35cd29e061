"""Ranges, and searches whose results are as long as the numbers of the run say."""

import numpy as np
from xdsl.dialects.builtin import i64

from .....dialects.npu import selection
from .....dialects.npu.values import element_type_of
from ..node import ImportedNode
from ..registry import Converted, converts
from ..shaped import Shaped
from ..sizes import product


@converts("Range")
def range_of(node: ImportedNode) -> Converted:
    ends = [node.reshape(node.operand(index), ()) for index in range(3)]
    return node.add(selection.RangeOp, ends, node.output().sizes)


@converts("NonZero")
def non_zero(node: ImportedNode) -> Converted:
    return node.add(selection.NonZeroOp, [node.operand(0)], (node.rank(), node.output().sizes[1]), i64)


@converts("Unique")
def unique(node: ImportedNode) -> Converted:
    value, sizes = node.operand(0), node.sizes()
    axis = node.axis(node.integer("axis")) if node.has_attribute("axis") else None
    found = node.output().sizes
    count, given = (found[0], product(sizes)) if axis is None else (found[axis], sizes[axis])
    results = [Shaped(element_type_of(value), found), *(Shaped(i64, (each,)) for each in (count, given, count))]
    return node.add_many(selection.UniqueOp, [value], results, axis=axis, as_found=not node.flag("sorted", 1))


@converts("NonMaxSuppression")
def non_max_suppression(node: ImportedNode) -> Converted:
    """Without a number of boxes there are none; without a least score all scores count."""
    defaults = np.array([0], np.int64), np.array([0], np.float32), np.array([-np.inf], np.float32)
    given = [node.optional(index) or node.constant_of(default) for index, default in enumerate(defaults, 2)]
    operands = [node.operand(0), node.operand(1), *given]
    is_centers = node.flag("center_point_box")
    sizes = (node.output().sizes[0], 3)
    return node.add(selection.NonMaxSuppressionOp, operands, sizes, i64, centers=is_centers)
