"""Windows that slide over feature maps: their numbers, and maps without a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from ....dialects.npu.attrs import LayoutAttr
from ....layout import LayoutClass, identity_layout
from ...building import UnsupportedNode
from .node import CallNode


def feature(rank: int) -> LayoutAttr:
    """The layout of an activation in PyTorch: NCW, NCHW or NCDHW."""
    return _layout(LayoutClass.FEATURE, rank)


def weight(rank: int) -> LayoutAttr:
    """The layout of a kernel in PyTorch: OIW, OIHW or OIDHW."""
    return _layout(LayoutClass.WEIGHT, rank)


def _layout(cls: LayoutClass, rank: int) -> LayoutAttr:
    if not 3 <= rank <= 5:
        raise UnsupportedNode(f"a window over data of {rank} axes")
    return LayoutAttr(identity_layout(cls, rank))


def batched(
    node: CallNode, x: SSAValue, spatial: int, build: Callable[[SSAValue, Sequence[object]], SSAValue]
) -> SSAValue:
    """An op on a feature map and the shape of its result; one without a batch gets an axis in front for it."""
    sizes, result = node.sizes_of(x), node.result().sizes
    if len(sizes) == spatial + 2:
        return build(x, result)
    if len(sizes) != spatial + 1:
        raise UnsupportedNode(f"data of {len(sizes)} axes")
    return node.reshape(build(node.reshape(x, (1, *sizes)), (1, *result)), result)


def slides(
    strides: Sequence[int], pads: Sequence[int], dilations: Sequence[int], high: Sequence[int] | None = None
) -> dict[str, object]:
    """The properties of a window without defaults; pads are the same at both ends."""
    both = [*pads, *(pads if high is None else high)]
    if any(each < 0 for each in both):
        raise UnsupportedNode("a pad is negative")
    return {
        "strides": [*strides] if {*strides} != {1} else None,
        "dilations": [*dilations] if {*dilations} != {1} else None,
        "pads": both if any(both) else None,
    }
