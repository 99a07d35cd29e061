"""Typed access to a TOML table, with errors that name the line."""

import re
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from .errors import TargetError
from .toml_lines import MOST_PARTS, KeyPath, line_of, line_of_long_key, locate_keys


class Float(str):
    """A number with a point or exponent, as written."""

    @property
    def plain(self) -> str:
        """The digits without an exponent or underscores; the text itself if it is no number from 0."""
        # Imported late: few targets have such numbers.
        from decimal import Decimal

        number = Decimal(self)
        return f"{number:f}" if number.is_finite() and abs(number.adjusted()) < _MOST_DIGITS else self


_MOST_DIGITS = 100
_TYPE_NAMES: Mapping[type, str] = {
    str: "a text",
    int: "a number",
    bool: "true or false",
    Float: "a float",
    list: "a list",
    dict: "a table",
}
_MAX_LISTED = 14
"""Longer lists of names are omitted from messages."""


def hint(name: str, known: Collection[str], most: int = _MAX_LISTED) -> str:
    """The suffix of a message about an unknown name: a similar name, or all known names if they are few."""
    # Imported late: files without mistakes need no hints.
    from difflib import get_close_matches

    if similar := get_close_matches(name, known, n=1):
        return f"; did you mean '{similar[0]}'?"
    if 0 < len(known) <= most:
        return f"; expected {listed(known)}"
    return ""


def listed(names: Collection[str]) -> str:
    """'a', 'b' or 'c'."""
    quoted = [f"'{name}'" for name in names]
    return " or ".join(filter(None, (", ".join(quoted[:-1]), *quoted[-1:])))


@dataclass(frozen=True)
class Text:
    """A text with its path in the file."""

    value: str
    path: KeyPath


@dataclass(frozen=True)
class TomlTable:
    """One table of a file, with its path."""

    file: Path
    lines: Mapping[KeyPath, int]
    values: Mapping[str, object]
    path: KeyPath = ()

    @staticmethod
    def read(file: Path) -> "TomlTable":
        """Read a whole file."""
        try:
            # Some editors write a byte order mark, which is no part of the text.
            text = file.read_bytes().decode("utf-8-sig")
        except OSError as error:
            raise TargetError(f"cannot read the target: {error.strerror}", file) from None
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise TargetError("not UTF-8 text", file, line) from None
        if (long_line := line_of_long_key(text)) is not None:
            raise TargetError(f"a key of more than {MOST_PARTS} parts", file, long_line)
        try:
            values = tomllib.loads(text, parse_float=Float)
            lines = locate_keys(text)
        except RecursionError:
            raise TargetError("nested too deeply", file) from None
        except tomllib.TOMLDecodeError as error:
            raise _syntax_error(str(error), text, file) from None
        except ValueError:
            raise _number_error(text, file) from None
        return TomlTable(file, lines, values)

    def error(self, message: str, path: KeyPath | None = None) -> TargetError:
        """An error at a path of the file, by default at this table."""
        return TargetError(message, self.file, line_of(self.lines, self.path if path is None else path))

    def place(self, path: KeyPath) -> str:
        """`file:line` of a path, without the folder of the file."""
        return f"{self.file.name}:{line_of(self.lines, path)}"

    def at(self, key: str) -> KeyPath:
        return (*self.path, key)

    def allow_only(self, keys: Collection[str], what: str = "key") -> None:
        for key in self.values:
            if key not in keys:
                raise self.error(f"unknown {what} '{key}'{hint(key, keys)}", self.at(key))

    def expect_some(self, what: str) -> None:
        """An error if the table is empty."""
        if not self.values:
            raise self.error(f"'{self.path[-1]}' is empty: add {what}, or leave it out")

    def get(self, key: str, kind: type) -> object | None:
        """The value of an optional key."""
        value = self.values.get(key)
        if value is not None:
            self.expect(value, kind, f"'{key}'", self.at(key))
        return value

    def require(self, key: str, kind: type) -> object:
        value = self.get(key, kind)
        if value is None:
            raise self.missing(key, _TYPE_NAMES[kind])
        return value

    def missing(self, key: str, wanted: str) -> TargetError:
        place = f" in '{'.'.join(map(str, self.path))}'" if self.path else ""
        return self.error(f"'{key}' is missing{place}: it must be {wanted}")

    def expect(self, value: object, kind: type, name: str, path: KeyPath) -> None:
        # bool is a subclass of int, but `uses = true` is not a number.
        if type(value) is not kind:
            found = _TYPE_NAMES.get(type(value), f"a {type(value).__name__}")
            raise self.error(f"{name} must be {_TYPE_NAMES[kind]}, found {found}", path)

    def text(self, key: str) -> str:
        value = cast(str, self.require(key, str))
        if not value.strip():
            raise self.error(f"'{key}' is empty", self.at(key))
        return value

    def choice(self, key: str, choices: Collection[str]) -> str:
        value = self.text(key)
        if value not in choices:
            raise self.error(f"'{key}' must be {listed(choices)}, found '{value}'", self.at(key))
        return value

    def number(self, key: str, low: int, high: int | None = None) -> int | None:
        """The value of an optional key."""
        value = self.get(key, int)
        if value is None:
            return None
        number = cast(int, value)
        if number < low or (high is not None and number > high):
            limits = f"at least {low}" if high is None else f"from {low} to {high}"
            raise self.error(f"'{key}' must be {limits}, found {number}", self.at(key))
        return number

    def flag(self, key: str) -> bool:
        return bool(self.get(key, bool))

    def texts(self, key: str, optional: bool = False) -> Iterator[Text]:
        """The elements of a list of texts, with their paths."""
        elements = cast(list[object], self.get(key, list) or [] if optional else self.require(key, list))
        for index, element in enumerate(elements):
            path = (*self.at(key), index)
            self.expect(element, str, f"element {index + 1} of '{key}'", path)
            yield Text(cast(str, element), path)

    def table(self, key: str) -> "TomlTable":
        values = cast(Mapping[str, object], self.require(key, dict))
        return TomlTable(self.file, self.lines, values, self.at(key))

    def optional_table(self, key: str) -> "TomlTable | None":
        return self.table(key) if key in self.values else None

    def elements(self, key: str) -> "Iterator[TomlTable]":
        """The elements of a list of tables."""
        for index, element in enumerate(cast("list[object]", self.require(key, list))):
            path = (*self.at(key), index)
            self.expect(element, dict, f"element {index + 1} of '{key}'", path)
            yield TomlTable(self.file, self.lines, cast("Mapping[str, object]", element), path)

    def tables(self) -> Iterator[tuple[str, "TomlTable"]]:
        """The entries, each of which must be a table."""
        for key in self.values:
            yield key, self.table(key)


def _number_error(text: str, file: Path) -> TargetError:
    """The error for a number that is too long for Python."""
    limit = sys.get_int_max_str_digits()
    match = re.search(rf"[0-9_]{{{limit + 1}}}", text)
    line = None if match is None else text.count("\n", 0, match.start()) + 1
    return TargetError(f"a number of more than {limit} digits", file, line)


def _syntax_error(message: str, text: str, file: Path) -> TargetError:
    """Convert an error of tomllib, which ends in `(at line 3, column 5)` or `(at end of document)`."""
    problem, _, place = message.rpartition(" (at ")
    numbers = [int(word) for word in place.replace(",", " ").replace(")", " ").split() if word.isdigit()]
    if len(numbers) == 2:
        line, column = numbers
        return TargetError(f"not TOML: {problem} (column {column})", file, line)
    return TargetError(f"not TOML: {problem or message}", file, text.rstrip("\n").count("\n") + 1)
