"""Conversion of resized images, and of channels that are exchanged for blocks of pixels."""

from xdsl.ir import SSAValue

from .....dialects.npu import resampling
from ....building import UnsupportedNode
from ..arithmetic import known
from ..node import CallNode
from ..registry import converts
from ..windows import feature

RANKS = (1, 2, 3)
NEAREST = tuple(f"aten.upsample_nearest{rank}d.{kind}" for rank in RANKS for kind in ("default", "vec"))


def scales_of(node: CallNode, rank: int) -> list[float | None]:
    """The scale along each spatial axis; None where it is the ratio of the sizes."""
    if node.call.name.endswith(".vec"):
        given = node.get("scale_factors")
        return [None] * rank if given is None else [float(each) for each in given]
    names = ("scales",) if rank == 1 else ("scales_d", "scales_h", "scales_w")[-rank:]
    return [None if (scale := node.get(name)) is None else float(scale) for name in names]


@converts(*NEAREST)
def nearest(node: CallNode) -> SSAValue:
    """Each element a whole number of times."""
    x, sizes = node.operand("input" if node.has("input") else "self"), node.result().sizes
    rank = node.rank(x) - 2
    scales = scales_of(node, rank)
    factors: list[int] = []
    for before, after, scale in zip(node.sizes_of(x)[2:], sizes[2:], scales, strict=True):
        if scale is None:
            given, wanted = known([before, after])
            scale = wanted / given if given else 0.0
        if scale < 1 or not scale.is_integer():
            raise UnsupportedNode("elements are not repeated a whole number of times")
        factors.append(int(scale))
    return node.add(resampling.UpsampleOp, [x], sizes, factors=factors, data_layout=feature(rank + 2))


@converts("aten.upsample_bilinear2d.default", "aten.upsample_bilinear2d.vec")
def bilinear(node: CallNode) -> SSAValue:
    """By sizes, or by factors where these are given: they may be another ratio than that of the sizes."""
    x, sizes = node.operand("input" if node.has("input") else "self"), node.result().sizes
    scales = scales_of(node, 2)
    factors = [scale for scale in scales if scale is not None]
    is_aligned = bool(node.get("align_corners", False))
    if len(factors) == 2 and not is_aligned:
        asked: dict[str, object] = {"factors": factors}
    elif factors and not is_aligned:
        raise UnsupportedNode("a scale of one axis")
    else:
        asked = {"sizes": known(sizes[2:])}
    how = "align_corners" if is_aligned else None
    return node.add(resampling.BilinearOp, [x], sizes, coordinates=how, data_layout=feature(4), **asked)


@converts("aten.pixel_shuffle.default")
def pixel_shuffle(node: CallNode) -> SSAValue:
    x, block = node.operand("self"), int(node.get("upscale_factor"))
    if node.rank(x) != 4:
        raise UnsupportedNode("no batch")
    return node.add(
        resampling.DepthToSpaceOp, [x], node.result().sizes, block=block, mode="crd", data_layout=feature(4)
    )


@converts("aten.pixel_unshuffle.default")
def pixel_unshuffle(node: CallNode) -> SSAValue:
    """The blocks become channels behind each channel, which is a transpose of six axes."""
    x, block = node.operand("self"), int(node.get("downscale_factor"))
    if node.rank(x) != 4:
        raise UnsupportedNode("no batch")
    batch, depth, height, width = known(node.sizes_of(x))
    cut = node.reshape(x, (batch, depth, height // block, block, width // block, block))
    return node.reshape(node.transpose(cut, (0, 1, 3, 5, 2, 4)), node.result().sizes)
