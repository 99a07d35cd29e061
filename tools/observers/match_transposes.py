"""What a pass made of transposes, told by where those come from that are gone and those that are new."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import LocationAttr

from ...dialects.npu.shape import AnyTransposeOp
from ...dialects.npu.views import places_of
from .seen_transposes import SeenTranspose

Queues = Mapping[LocationAttr, deque[SeenTranspose]]


@dataclass
class TransposeMatches:
    """What became of the transposes that are gone, as far as those that are new tell it."""

    successors: dict[AnyTransposeOp, AnyTransposeOp] = field(default_factory=dict[AnyTransposeOp, AnyTransposeOp])
    """The new op that stands for one that is gone: the same one, perhaps between other layouts."""
    composed: set[AnyTransposeOp] = field(default_factory=set[AnyTransposeOp])
    """Those that are gone because a new one does what several did."""
    compositions: set[AnyTransposeOp] = field(default_factory=set[AnyTransposeOp])
    """The new ones that do that."""


def match_transposes(gone: Iterable[SeenTranspose], new: Iterable[SeenTranspose]) -> TransposeMatches:
    """A new op whose location names the places of one that is gone stands for it; one that names several, for all."""
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
    """The locations of what is gone, each under that of its places which the fewest name."""
    counts = Counter(place for location in queues for place in places_of(location))
    found: dict[LocationAttr, list[LocationAttr]] = {}
    for location in queues:
        rarest = min(places_of(location), key=lambda place: counts[place])
        found.setdefault(rarest, []).append(location)
    return found


def _parts(location: LocationAttr, waiting: Mapping[LocationAttr, list[LocationAttr]]) -> list[LocationAttr]:
    """The locations of which all places are among those of this one."""
    places = dict.fromkeys(places_of(location))
    candidates = [candidate for place in places for candidate in waiting.get(place, ())]
    return [candidate for candidate in candidates if places.keys() >= set(places_of(candidate))]
