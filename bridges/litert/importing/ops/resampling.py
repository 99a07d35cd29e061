"""Resampling of images with channels last."""

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from .....dialects.npu import resampling as ops
from .....dialects.npu.attrs import i64_array, i64_attr
from ..node import FileNode
from ..registry import reads
from ..windows import layout
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


@reads("RESIZE_NEAREST_NEIGHBOR")
def nearest(node: FileNode) -> SSAValue:
    """Each element repeated a whole number of times."""
    require_same_numbers(node, 0)
    shape, sizes = node.shape(), node.ints(1)
    node.require(_coordinates(node) != "align_corners" and len(shape) == 4, "other coordinates")
    pairs = list(zip(sizes, shape[1:3], strict=True))
    node.require(all(size > 0 and given > 0 and size % given == 0 for size, given in pairs), "no whole factor")
    factors = i64_array(*(size // given for size, given in pairs))
    return node.add(ops.UpsampleOp, [node.value(0)], {"factors": factors, "data_layout": layout("NHWC")})


@reads("DEPTH_TO_SPACE", "SPACE_TO_DEPTH")
def blocks(node: FileNode) -> SSAValue:
    require_same_numbers(node, 0)
    op = ops.DepthToSpaceOp if node.kind == "DEPTH_TO_SPACE" else ops.SpaceToDepthOp
    properties = {"block": i64_attr(node.options.blockSize), "data_layout": layout("NHWC")}
    return node.add(op, [node.value(0)], properties)
