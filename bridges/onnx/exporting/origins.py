"""Names of the imported nodes, tensors and constants that ops come from, and the reasons of passes for inserted ops."""

import re
from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, FusedLoc, NameLoc
from xdsl.ir import Attribute, Operation

from ....dialects.reasons import REWRITTEN

_REASON = re.compile(r"[a-z][a-z0-9-]*: ")
"""The start of a reason: the name of a pass."""


def origin_of(op: Operation) -> str | None:
    """The name of the node that an op comes from, or of the constant; None for an op that a pass inserted."""
    location, reason = _split(op.location)
    return location.desc.data if isinstance(location, NameLoc) and reason is None else None


def reason_of(op: Operation) -> str | None:
    """The reason why a pass inserted an op; None if the op was in the input."""
    return _split(op.location)[1]


def constant_origin_of(op: Operation) -> str | None:
    """The name of the constant that an op comes from; the first one, if passes have folded views into it."""
    location, _ = _split(op.location)
    if isinstance(location, FusedLoc):
        location, _ = _split(next(iter(_parts(location)), None))
    if not isinstance(location, NameLoc):
        return None
    (name,) = _names(location.location, 1)
    return name or location.desc.data


def result_names(op: Operation) -> Sequence[str | None]:
    """The names that the results of an op have in the imported model."""
    location, reason = _split(op.location)
    count = len(op.results)
    return _names(location.location, count) if isinstance(location, NameLoc) and reason is None else [None] * count


def _names(location: Attribute, count: int) -> Sequence[str | None]:
    """The names below that of a node: one, or one for each result."""
    parts = _parts(location) if isinstance(location, FusedLoc) else [location]
    if len(parts) != count:
        return [None] * count
    return [part.desc.data if isinstance(part, NameLoc) else None for part in parts]


def _split(location: Attribute | None) -> tuple[Attribute | None, str | None]:
    """The location in the input, and the reason for the insertion of an op."""
    reason: str | None = None
    while isinstance(location, NameLoc) and _REASON.match(text := location.desc.data):
        if not text.endswith(f": {REWRITTEN}"):
            reason = reason or text
        location = location.location
    return location, reason


def _parts(location: FusedLoc) -> Sequence[Attribute]:
    return tuple(cast("ArrayAttr[Attribute]", location.locations))
