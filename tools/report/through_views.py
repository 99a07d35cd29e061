"""Edges of a drawing, which pass through the views of a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .records import FunctionRecord

MOST_VIEWS = 4
"""The maximum number of views one behind the other that an edge passes through; the next one is a node."""


@dataclass(frozen=True)
class ViewedEdge:
    """A use of a value, also through views."""

    source: int
    target: int
    layout: str
    """The layout that is read."""
    views: Sequence[int] = ()
    """The views between, in the order of the data."""


def through_views(function: FunctionRecord) -> tuple[list[ViewedEdge], Mapping[int, ViewedEdge]]:
    """The edges between ops that are no views, and for each view that is on an edge the edge to it.

    A view without readers, or with a measured time, stays an op.
    """
    producers: dict[int, list[int]] = {}
    for edge in function.edges:
        producers.setdefault(edge.target, []).append(edge.source)
    read = {edge.source for edge in function.edges}
    found: dict[int, ViewedEdge] = {}
    for index, op in enumerate(function.ops):
        if not op.is_view or op.time or index not in read or len(producers.get(index, ())) != 1:
            continue
        source = producers[index][0]
        before = found.get(source)
        views = () if before is None else before.views
        # A producer behind its reader would be in a ring.
        if source < index and len(views) < MOST_VIEWS:
            found[index] = ViewedEdge(source if before is None else before.source, index, "", (*views, index))
    return [*_between(function, found)], found


def _between(function: FunctionRecord, on_edges: Mapping[int, ViewedEdge]) -> Iterator[ViewedEdge]:
    for edge in function.edges:
        if edge.target not in on_edges:
            before = on_edges.get(edge.source)
            source, views = (edge.source, ()) if before is None else (before.source, before.views)
            yield ViewedEdge(source, edge.target, edge.layout, views)
