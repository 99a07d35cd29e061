"""Reasons of passes in the locations of ops: `NameLoc("<pass>: <reason>", <location of the op that it serves>)`."""

import re

from xdsl.dialects.builtin import NameLoc
from xdsl.ir import Attribute

REWRITTEN = "relayout"
"""The reason in the location of an op that was rewritten, not inserted."""

_REASON = re.compile(r"[a-z][a-z0-9-]*: ")
"""The start of a reason: the name of a pass."""


def without_reasons(location: Attribute | None) -> tuple[Attribute | None, str]:
    """The location in the input, and the reason for the insertion of an op."""
    reason = ""
    while isinstance(location, NameLoc) and ": " in (text := location.desc.data) and _REASON.match(text):
        if not text.endswith(f": {REWRITTEN}"):
            reason = reason or text
        location = location.location
    return location, reason
