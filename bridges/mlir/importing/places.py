"""Positions and names of ops in the text of a module."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, NameLoc, NoneAttr, StringAttr, UnknownLoc
from xdsl.ir import SSAValue

from ..bindings import Operation, Value

PARSED = "-"
"""MLIR's file name for text that is not from a file."""

LONGEST_NAME = 256
"""The longest part of a line searched for the name of an argument."""

_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_RESOURCE = re.compile(r'([\w$.-]+|"(?:[^"\\]|\\.)*")\s*:\s*"0x([0-9a-fA-F]*)"')
_NAME = re.compile(r'loc\("((?:[^"\\]|\\.)*)"[()]')
_RESULT = re.compile(r"%([A-Za-z_$.-][\w$.-]*)(?::\d+)?\s*=\s*$")
_ARGUMENT = re.compile(r"%([A-Za-z_$.-][\w$.-]*)")


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A position in a file."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Source:
    """The text of a module: a file, or the part of it after `first_line` lines."""

    text: str
    file: str
    first_line: int = 0

    @cached_property
    def _resources(self) -> dict[str, str]:
        """The hexadecimal digits of the resources at the end of the text, by key."""
        begin = self.text.rfind("{-#")
        return {} if begin < 0 else {found[1]: found[2] for found in _RESOURCE.finditer(self.text, begin)}

    def resource(self, key: str) -> bytes | None:
        """The bytes of a resource, or None if the text does not contain them."""
        digits = self._resources.get(key)
        return None if digits is None else bytes.fromhex(digits)

    def place(self, location: object) -> FilePlace | None:
        """The first `file:line:col` inside a location of MLIR."""
        found = _PLACE.search(str(location))
        if found is None:
            return None
        line, column = int(found[2]), int(found[3])
        if found[1] == PARSED:
            return FilePlace(self.file, line + self.first_line, column)
        return FilePlace(found[1], line, column)


class SourceNames:
    """Assigns names and locations from the text to values and ops."""

    def __init__(self, source: Source):
        self._source = source
        self._lines = source.text.split("\n")

    def location(self, of: Operation | Value) -> LocationAttr:
        """The location of an op or an argument."""
        text = str(of.location)
        place = self._source.place(text)
        where = (
            NoneAttr()
            if place is None
            else FileLineColLoc(StringAttr(place.file), IntAttr(place.line), IntAttr(place.column))
        )
        if name := _NAME.match(text):
            return NameLoc(StringAttr(name[1]), where)
        return UnknownLoc() if isinstance(where, NoneAttr) else where

    def name_results(self, of: Operation, results: Sequence[SSAValue]) -> None:
        """Name results as in the text, or else by their location."""
        before = self._text(of, before=True)
        self._name(of, results, _RESULT.search(before))

    def name_argument(self, of: Value, argument: SSAValue) -> None:
        """Name an argument as in the text, or else by its location."""
        self._name(of, [argument], _ARGUMENT.match(self._text(of, before=False)))

    def _name(self, of: Operation | Value, values: Sequence[SSAValue], found: re.Match[str] | None) -> None:
        name = found or _NAME.match(str(of.location))
        hint = None if name is None else _legal(name[1])
        for value in values:
            if value.name_hint is None:
                value.name_hint = hint

    def _text(self, of: Operation | Value, before: bool) -> str:
        """The text of the line before an op or argument, or from it on."""
        found = _PLACE.search(str(of.location))
        if found is None or found[1] != PARSED or int(found[2]) > len(self._lines):
            return ""
        # MLIR counts bytes; lines with large constants are cut.
        column = int(found[3]) - 1
        line = self._lines[int(found[2]) - 1][: column + LONGEST_NAME].encode()
        return (line[:column] if before else line[column:]).decode(errors="replace")


def _legal(name: str) -> str | None:
    """The closest valid SSA name."""
    text = re.sub(r"[^0-9a-zA-Z_$.-]", "_", name).strip("_.-") or None
    return f"v{text}" if text and text[0].isdigit() else text
