"""Conversion of pools."""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from .....dialects.npu import pooling
from ....building import UnsupportedNode
from ..arithmetic import known
from ..node import CallNode
from ..registry import Converted, converts
from ..windows import batched, feature, slides

RANKS = (1, 2, 3)
ADAPTIVE_MEANS = tuple(f"aten.adaptive_avg_pool{rank}d.default" for rank in RANKS)
CORE_MEANS = ("aten._adaptive_avg_pool2d.default", "aten._adaptive_avg_pool3d.default")


def spatial_rank(node: CallNode) -> int:
    """The number of spatial axes, which the name of the operator states."""
    return int(node.call.name.partition("pool")[2][0])


def window_of(node: CallNode) -> tuple[int, list[int], list[int], list[int]]:
    """The number of spatial axes, and size, strides and pads of the window."""
    count = spatial_rank(node)
    extents = node.integers("kernel_size", count)
    strides = node.integers("stride", count) or extents
    return count, extents, strides, node.integers("padding", count) or [0] * count


@converts(
    *(f"aten.max_pool{rank}d.default" for rank in RANKS),
    "aten.max_pool2d_with_indices.default",
    "aten.max_pool3d_with_indices.default",
)
def max_pool(node: CallNode) -> Converted:
    count, extents, strides, pads = window_of(node)
    moves = slides(strides, pads, node.integers("dilation", count) or [1] * count)

    def build(x: SSAValue, sizes: Sequence[object]) -> SSAValue:
        layout, rounds_up = feature(count + 2), bool(node.get("ceil_mode", False))
        return node.add(pooling.MaxPoolOp, [x], sizes, window=extents, ceil=rounds_up, data_layout=layout, **moves)

    found = batched(node, node.operand("self"), count, build)
    return [found, *[None] * (len(node.op.results) - 1)]


@converts(*(f"aten.avg_pool{rank}d.default" for rank in RANKS))
def avg_pool(node: CallNode) -> SSAValue:
    count, extents, strides, pads = window_of(node)
    if node.get("divisor_override") is not None:
        raise UnsupportedNode("another divisor")
    how = {
        **slides(strides, pads, [1] * count),
        "ceil": bool(node.get("ceil_mode", False)),
        "count_padding": bool(node.get("count_include_pad", True)) and any(pads),
    }

    def build(x: SSAValue, sizes: Sequence[object]) -> SSAValue:
        return node.add(pooling.AvgPoolOp, [x], sizes, window=extents, data_layout=feature(count + 2), **how)

    return batched(node, node.operand("self"), count, build)


@converts(*ADAPTIVE_MEANS, *CORE_MEANS)
def adaptive_mean(node: CallNode) -> SSAValue:
    return _adaptive(node, pooling.GlobalAvgPoolOp, pooling.AvgPoolOp)


@converts(*(f"aten.adaptive_max_pool{rank}d.default" for rank in RANKS))
def adaptive_maximum(node: CallNode) -> Converted:
    return _adaptive(node, pooling.GlobalMaxPoolOp, pooling.MaxPoolOp), None


def _adaptive(node: CallNode, whole: type[pooling.GlobalPoolingOp], windowed: type[pooling.PoolingOp]) -> SSAValue:
    """Windows of one size that lie side by side."""
    count = spatial_rank(node)

    def build(x: SSAValue, sizes: Sequence[object]) -> SSAValue:
        layout, after = feature(count + 2), [*sizes[2:]]
        if {*after} == {1}:
            return node.add(whole, [x], sizes, data_layout=layout)
        pairs = zip(known(node.sizes_of(x)[2:]), node.integers("output_size", count), strict=True)
        extents: list[int] = []
        for before, positions in pairs:
            if not positions or before % positions or not before:
                raise UnsupportedNode("windows of different sizes")
            extents.append(before // positions)
        moves = slides(extents, [0] * count, [1] * count)
        return node.add(windowed, [x], sizes, window=extents, data_layout=layout, **moves)

    return batched(node, node.operand("self"), count, build)
