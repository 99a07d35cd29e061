"""Names of the imported nodes and constants that ops come from."""

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, FusedLoc, NameLoc
from xdsl.ir import Attribute, Operation


def origin_of(op: Operation) -> str | None:
    """The name of the node that an op comes from, or of the constant."""
    return op.location.desc.data if isinstance(op.location, NameLoc) else None


def constant_origin_of(op: Operation) -> str | None:
    """The name of the constant that an op comes from; the first one, if passes have folded views into it."""
    location = op.location
    if isinstance(location, FusedLoc):
        location = next(iter(cast("ArrayAttr[Attribute]", location.locations)), None)
    return location.desc.data if isinstance(location, NameLoc) else None
