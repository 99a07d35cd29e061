"""Transposes between stored and logical order."""

from xdsl.ir import SSAValue

from ....layout import Layout, invert
from .graph import CallBuilder


def to_logical(graph: CallBuilder, x: SSAValue, layout: Layout, rank: int) -> SSAValue:
    """Transpose from stored to logical order, which is N, C, spatial... for an activation."""
    return graph.transpose(x, invert(layout.order_for(rank)))


def to_stored(graph: CallBuilder, x: SSAValue, layout: Layout, rank: int) -> SSAValue:
    """Transpose from logical to stored order."""
    return graph.transpose(x, layout.order_for(rank))
