"""Matches transposes before and after a pass by their locations."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import LocationAttr

from ...dialects.npu.views import places_of
from ...passes.common.moves.conversion_ops import ConversionOp
from .seen_transposes import SeenTranspose

Queues = Mapping[LocationAttr, deque[SeenTranspose]]


@dataclass
class TransposeMatches:
    """Matches of erased transposes with new ones."""

    successors: dict[ConversionOp, ConversionOp] = field(default_factory=dict[ConversionOp, ConversionOp])
    """The new op for an erased one, perhaps between other layouts."""
    composed: set[ConversionOp] = field(default_factory=set[ConversionOp])
    """Erased ops that were composed with others."""
    compositions: set[ConversionOp] = field(default_factory=set[ConversionOp])
    """New ops that are compositions of several erased ones."""


def match_transposes(gone: Iterable[SeenTranspose], new: Iterable[SeenTranspose]) -> TransposeMatches:
    """Match a new op with the erased ops whose locations are contained in its location."""
    found = TransposeMatches()
    queues: dict[LocationAttr, deque[SeenTranspose]] = {}
    for seen in gone:
        if places_of(seen.location):
            queues.setdefault(seen.location, deque()).append(seen)
    rest: list[SeenTranspose] = []
    for seen in new:
        if queue := queues.get(seen.location):
            found.successors[queue.popleft().op] = seen.op
        else:
            rest.append(seen)
    waiting = _by_rarest_place({location: queue for location, queue in queues.items() if queue})
    for seen in rest:
        parts = _parts(seen.location, waiting)
        old = [each.op for location in parts for each in queues[location]]
        if len(old) == 1:
            found.successors[queues[parts[0]].popleft().op] = seen.op
        elif old:
            found.compositions.add(seen.op)
            found.composed.update(old)
    found.composed.difference_update(found.successors)
    return found


def _by_rarest_place(queues: Queues) -> dict[LocationAttr, list[LocationAttr]]:
    """The locations of erased ops, by their least frequent part."""
    counts = Counter(place for location in queues for place in places_of(location))
    found: dict[LocationAttr, list[LocationAttr]] = {}
    for location in queues:
        rarest = min(places_of(location), key=lambda place: counts[place])
        found.setdefault(rarest, []).append(location)
    return found


def _parts(location: LocationAttr, waiting: Mapping[LocationAttr, list[LocationAttr]]) -> list[LocationAttr]:
    """The waiting locations whose parts are all in this location."""
    places = dict.fromkeys(places_of(location))
    candidates = [candidate for place in places for candidate in waiting.get(place, ())]
    return [candidate for candidate in candidates if places.keys() >= set(places_of(candidate))]
