"""Names of the imported nodes, tensors and constants that ops come from, and the reasons of passes for inserted ops."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, FusedLoc, NameLoc
from xdsl.ir import Attribute, Operation

from ..dialects.notes.reasons import without_reasons


@dataclass(frozen=True, slots=True)
class Origin:
    """The node that an op comes from."""

    node: str | None
    """Its name; None for an op that a pass inserted."""
    results: Sequence[str | None]
    """The names of the results in the imported model."""
    reason: str = ""
    """The reason why a pass inserted the op."""


def origin_of(op: Operation) -> Origin:
    """The node that an op comes from, or the reason why a pass inserted it."""
    location, reason = without_reasons(op.location)
    if reason or not isinstance(location, NameLoc):
        return Origin(None, [None] * len(op.results), reason)
    return Origin(location.desc.data, _names(location.location, len(op.results)))


def node_of(op: Operation) -> str | None:
    """The name of the node that an op comes from; None for an op that a pass inserted."""
    location, reason = without_reasons(op.location)
    return location.desc.data if not reason and isinstance(location, NameLoc) else None


def constant_origin_of(op: Operation) -> str | None:
    """The name of the constant that an op comes from; the first one, if passes have folded views into it."""
    location, _ = without_reasons(op.location)
    if isinstance(location, FusedLoc):
        location, _ = without_reasons(next(iter(_parts(location)), None))
    if not isinstance(location, NameLoc):
        return None
    (name,) = _names(location.location, 1)
    return name or location.desc.data


def _names(location: Attribute, count: int) -> Sequence[str | None]:
    """The names below that of a node: one, or one for each result."""
    parts = _parts(location) if isinstance(location, FusedLoc) else [location]
    if len(parts) != count:
        return [None] * count
    return [part.desc.data if isinstance(part, NameLoc) else None for part in parts]


def _parts(location: FusedLoc) -> Sequence[Attribute]:
    return tuple(cast("ArrayAttr[Attribute]", location.locations))
