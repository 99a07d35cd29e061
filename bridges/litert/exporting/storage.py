"""Transposes between stored order and the order that the kernels of LiteRT take."""

from ....dialects.npu.values import logical_shape
from ....layout import Layout, Order, compose, invert
from .graph import LiteGraph, LiteTensor

__all__ = ["channels_last", "from_channels_last", "logical_shape", "to_logical"]


def to_logical(graph: LiteGraph, x: LiteTensor, layout: Layout, wanted: Order | None = None) -> LiteTensor:
    """Transpose from stored order to this order of the logical axes: by default N, C, spatial."""
    rank = len(x.shape)
    back = invert(layout.order_for(rank))
    return graph.transpose(x, back if wanted is None else compose(back, wanted))


def _channels_last(rank: int) -> Order:
    return (0, *range(2, rank), 1)


def channels_last(graph: LiteGraph, x: LiteTensor, layout: Layout) -> LiteTensor:
    """Transpose a feature map to N, spatial, C."""
    return to_logical(graph, x, layout, _channels_last(len(x.shape)))


def from_channels_last(graph: LiteGraph, x: LiteTensor, layout: Layout) -> LiteTensor:
    """Transpose a feature map from N, spatial, C to stored order."""
    rank = len(x.shape)
    return graph.transpose(x, compose(invert(_channels_last(rank)), layout.order_for(rank)))
