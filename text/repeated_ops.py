"""Ops whose text was parsed before, but for the names of values: networks repeat their blocks.

The text of an op of the dialect, on one line of its own, is split into names of values and the rest. An op with the
same rest, and with operands of the same types, is the same op on other values, so it is made without parsing. Ops of
other dialects are parsed, as their texts may use names for more than operands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.lexer import Position

_LINE = re.compile(r'%([0-9a-zA-Z$._-]++) = (npu\.[^\n"/]{1,600}+)\n')
"""One result, and an op in custom format without strings and comments. Longer text is rarely repeated."""
_VALUE = re.compile(r"%([0-9a-zA-Z$._-]++)")
_NEXT = re.compile(r"(?:\s++|//[^\n]*+)*+")
"""Blanks and comments, up to the next token."""

Values: TypeAlias = Mapping[str, Sequence[SSAValue]]
"""The values of each name; an op with several results may give them one name."""


class OpLine(NamedTuple):
    """A line with an op."""

    result: str
    operands: Sequence[str]
    rest: str
    """The text without the names of values."""
    end: Position
    """The start of the next line."""


class _Known(NamedTuple):
    """The parts of an op besides its operands."""

    cls: type[Operation]
    operand_types: Sequence[Attribute]
    result_type: Attribute
    properties: Mapping[str, Attribute]
    attributes: Mapping[str, Attribute]


def op_line(content: str, start: Position) -> OpLine | None:
    """The line that starts here, if it may hold one whole op whose operands have different names."""
    match = _LINE.match(content, start)
    if match is None:
        return None
    pieces = _VALUE.split(match[2])
    rest, operands = "%".join(pieces[::2]), pieces[1::2]
    # Locations, and one of several results of an op, are left to the parser.
    if "loc(" in rest or "%#" in rest or len(set(operands)) < len(operands):
        return None
    return OpLine(match[1], operands, rest, match.end())


class RepeatedOps:
    """The ops of a text, by what their lines hold besides the names of values."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def repeated(self, line: OpLine, values: Values) -> Operation | None:
        """The op of a line that is known but for the names of its values."""
        known = self._known.get(line.rest)
        if known is None:
            return None
        operands: list[SSAValue] = []
        for name, type_ in zip(line.operands, known.operand_types, strict=True):
            found = values.get(name, ())
            if len(found) != 1 or found[0].type != type_:
                return None
            operands.append(found[0])
        return known.cls.create(
            operands=operands,
            result_types=[known.result_type],
            properties=known.properties,
            attributes=known.attributes,
        )

    def remember(self, line: OpLine, op: Operation, content: str, end: Position, values: Values) -> None:
        """Remember an op that was parsed up to here, if it is the whole line, and its operands come in that order."""
        if op.regions or op.successors or len(op.results) != 1 or not isinstance(op.location, UnknownLoc):
            return
        following = _NEXT.match(content, line.end)
        if following is None or following.end() != end or len(line.operands) != len(op.operands):
            return
        named = (values.get(name, ()) for name in line.operands)
        if any(len(found) != 1 or found[0] is not value for found, value in zip(named, op.operands, strict=True)):
            return
        types = [value.type for value in op.operands]
        self._known[line.rest] = _Known(type(op), types, op.results[0].type, dict(op.properties), dict(op.attributes))
