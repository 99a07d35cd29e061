"""Resampling of images with channels last."""

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from .....dialects.npu import resampling as ops
from .....dialects.npu.attrs import i64_array, i64_attr
from .....layout import DYNAMIC
from ..node import FileNode
from ..registry import reads
from ..windows import layout
from .dynamic import dynamic_nearest
from .elementwise import require_plain
from .movement import require_same_numbers


def _coordinates(node: FileNode) -> str:
    options = node.options
    node.require(not (options.alignCorners and options.halfPixelCenters), "two kinds of coordinates")
    if options.alignCorners:
        return "align_corners"
    return "half_pixel" if options.halfPixelCenters else "asymmetric"


@reads("RESIZE_BILINEAR")
def bilinear(node: FileNode) -> SSAValue:
    require_plain(node)
    sizes = node.ints(1)
    properties = {"sizes": i64_array(*sizes), "coordinates": StringAttr(_coordinates(node))}
    return node.add(ops.BilinearOp, [node.value(0)], {**properties, "data_layout": layout("NHWC")})


def _repeats(size: int, given: int) -> bool:
    """True if each element has as many positions; each is a product with the quotient of the sizes, both in f32."""
    positions = np.arange(size, dtype=np.float32) * (np.float32(given) / np.float32(size))
    return np.array_equal(np.floor(positions), np.repeat(np.arange(given), size // given))


@reads("RESIZE_NEAREST_NEIGHBOR")
def nearest(node: FileNode) -> SSAValue:
    """Each element repeated a whole number of times, or the nearest ones."""
    require_same_numbers(node, 0)
    if not node.is_known(1) or DYNAMIC in node.shape()[1:3]:
        return dynamic_nearest(node, _coordinates(node))
    shape, sizes = node.shape(), node.ints(1)
    if _coordinates(node) == "align_corners":
        return dynamic_nearest(node, _coordinates(node))
    node.require(len(shape) == 4, "other axes")
    pairs = list(zip(sizes, shape[1:3], strict=True))
    is_whole = len(sizes) == 2 and all(size > 0 and given > 0 and size % given == 0 for size, given in pairs)
    if not is_whole or not (node.options.halfPixelCenters or all(_repeats(*pair) for pair in pairs)):
        return dynamic_nearest(node, _coordinates(node))
    factors = i64_array(*(size // given for size, given in pairs))
    return node.add(ops.UpsampleOp, [node.value(0)], {"factors": factors, "data_layout": layout("NHWC")})


@reads("DEPTH_TO_SPACE", "SPACE_TO_DEPTH")
def blocks(node: FileNode) -> SSAValue:
    require_same_numbers(node, 0)
    op = ops.DepthToSpaceOp if node.kind == "DEPTH_TO_SPACE" else ops.SpaceToDepthOp
    properties = {"block": i64_attr(node.options.blockSize), "data_layout": layout("NHWC")}
    return node.add(op, [node.value(0)], properties)
