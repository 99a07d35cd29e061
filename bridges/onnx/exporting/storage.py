"""From the physical sequence of axes to the logical one, and back."""

from ....layout import Layout, Order, invert
from .graph import OnnxGraph, OnnxTensor


def to_logical(graph: OnnxGraph, x: OnnxTensor, layout: Layout | Order, rank: int) -> OnnxTensor:
    """A stored tensor with its axes in logical sequence: N, C, spatial... for an activation."""
    return graph.transpose(x, invert(_spelt_out(layout, rank)))


def to_stored(graph: OnnxGraph, x: OnnxTensor, layout: Layout | Order, rank: int) -> OnnxTensor:
    """A tensor in logical sequence with its axes as they are stored."""
    return graph.transpose(x, _spelt_out(layout, rank))


def _spelt_out(layout: Layout | Order, rank: int) -> Order:
    return layout.order_for(rank) if isinstance(layout, Layout) else layout
