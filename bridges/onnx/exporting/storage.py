"""Transposes between stored and logical order."""

from ....layout import Layout, Order, invert
from .graph import OnnxGraph, OnnxTensor


def to_logical(graph: OnnxGraph, x: OnnxTensor, layout: Layout | Order, rank: int) -> OnnxTensor:
    """Transpose from stored to logical order, which is N, C, spatial... for an activation."""
    return graph.transpose(x, invert(_spelt_out(layout, rank)))


def to_stored(graph: OnnxGraph, x: OnnxTensor, layout: Layout | Order, rank: int) -> OnnxTensor:
    """Transpose from logical to stored order."""
    return graph.transpose(x, _spelt_out(layout, rank))


def _spelt_out(layout: Layout | Order, rank: int) -> Order:
    return layout.order_for(rank) if isinstance(layout, Layout) else layout
