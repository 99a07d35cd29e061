"""The lines of keys and array elements in a TOML file, which `tomllib` does not report."""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping
from typing import TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and array positions, from the top of the file: `("stages", "mul", "runs", 0)`."""

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*'""")
MOST_PARTS = 100
_LONG_KEY = re.compile(
    r"""(?:(?:(?<![A-Za-z0-9_-])[A-Za-z0-9_-]++|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+)"""
    rf"{{{MOST_PARTS}}}"
)
"""A dotted key of more parts than any target has; `tomllib` takes quadratic time and memory for it."""
_STRING = re.compile(
    r'''"""(?:\\[\s\S]|[^\\])*?""""{0,2}'''
    r"""|'''[\s\S]*?''''{0,2}"""
    r'''|"(?:\\.|[^"\\\n])*"'''
    r"""|'[^'\n]*'"""
)
_SCALAR = re.compile(r"[^,\]}#\n]+")


def locate_keys(text: str) -> Mapping[KeyPath, int]:
    """The line of every table, key and array element of a text that `tomllib` has accepted."""
    return _Scanner(text).scan()


def line_of_long_key(text: str) -> int | None:
    """The line of a key of more than `MOST_PARTS` parts."""
    found = _LONG_KEY.search(text)
    return None if found is None else text.count("\n", 0, found.start()) + 1


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """The line of a path or, if the path is not in the file, of the nearest enclosing table."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


class _Scanner:
    """Scans a text that is known to be correct TOML; checks nothing."""

    def __init__(self, text: str):
        self.text = text
        self.position = 0
        self.ends = [match.start() for match in re.finditer("\n", text)]
        """The positions of line feeds."""
        self.lines: dict[KeyPath, int] = {}
        self.table_counts: dict[KeyPath, int] = {}

    def scan(self) -> Mapping[KeyPath, int]:
        table: KeyPath = ()
        self.skip(_BLANK)
        while self.position < len(self.text):
            if self.next_is("["):
                table = self.header()
            else:
                self.pair(table)
            self.skip(_BLANK)
        return self.lines

    def header(self) -> KeyPath:
        brackets = 2 if self.next_is("[[") else 1
        start = self.position
        self.position += brackets
        path = self.inside_newest_tables(self.key())
        self.position += brackets
        if brackets == 2:
            index = self.table_counts.get(path, -1) + 1
            self.table_counts[path] = index
            self.note((), path, start)
            path = (*path, index)
        self.note((), path, start)
        return path

    def inside_newest_tables(self, key: KeyPath) -> KeyPath:
        """The path of a header, where the name of an array of tables refers to its last table."""
        path: KeyPath = ()
        for part in key[:-1]:
            path = (*path, part)
            if path in self.table_counts:
                path = (*path, self.table_counts[path])
        return (*path, key[-1])

    def pair(self, table: KeyPath) -> None:
        start = self.position
        key = self.key()
        self.note(table, key, start)
        self.position += len("=")
        self.skip(_SPACE)
        self.value((*table, *key))

    def key(self) -> KeyPath:
        """A dotted key, including surrounding spaces."""
        parts: list[str] = []
        while True:
            self.skip(_SPACE)
            parts.append(_unquoted(self.skip(_KEY)))
            self.skip(_SPACE)
            if not self.next_is("."):
                return tuple(parts)
            self.position += len(".")

    def value(self, path: KeyPath) -> None:
        if self.next_is("["):
            self.items(path, "]")
        elif self.next_is("{"):
            self.items(path, "}")
        elif self.next_is('"') or self.next_is("'"):
            self.skip(_STRING)
        else:
            self.skip(_SCALAR)

    def items(self, path: KeyPath, end: str) -> None:
        """The elements of an array or the pairs of an inline table."""
        self.position += len("[")
        index = 0
        self.skip(_BLANK)
        while not self.next_is(end):
            if end == "]":
                self.note(path, (index,), self.position)
                self.value((*path, index))
            else:
                self.pair(path)
            index += 1
            self.skip(_BLANK)
            if self.next_is(","):
                self.position += len(",")
                self.skip(_BLANK)
        self.position += len(end)

    def note(self, outer: KeyPath, inner: KeyPath, position: int) -> None:
        """Record the line of `inner` and of the tables that a dotted key implies."""
        line = bisect_left(self.ends, position) + 1
        for length in range(1, len(inner) + 1):
            self.lines.setdefault((*outer, *inner[:length]), line)

    def next_is(self, text: str) -> bool:
        return self.text.startswith(text, self.position)

    def skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.position)
        if match is None:
            return ""
        self.position = match.end()
        return match[0]


def _unquoted(key: str) -> str:
    if key.startswith(("'", '"')):
        return str(tomllib.loads(f"key = {key}")["key"])
    return key
