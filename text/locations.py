"""Source positions in locations."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute

if TYPE_CHECKING:
    from .parser import SourceMap


def file_place(location: Attribute) -> str | None:
    """The first `file:line:col` inside a location."""
    match location:
        case FileLineColLoc():
            return f"{location.filename.data}:{location.line.data}:{location.column.data}"
        case NameLoc():
            return file_place(location.location)
        case CallSiteLoc():
            return file_place(location.callee) or file_place(location.caller)
        case FusedLoc():
            parts: Iterable[Attribute] = cast(ArrayAttr[Attribute], location.locations)
            return next(filter(None, map(file_place, parts)), None)
        case _:
            return None


def locate_in_text(source: SourceMap) -> None:
    """Set the location of each op without one to its position in the text."""
    text = source.input.content
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    name = StringAttr(source.input.name)
    for op in source.starts:
        if not isinstance(op.location, UnknownLoc) or (span := source.span_of(op)) is None:
            continue
        line = bisect_right(line_starts, span.start)
        column = span.start - line_starts[line - 1] + 1
        op.location = FileLineColLoc(name, IntAttr(line + source.line_offset), IntAttr(column))
