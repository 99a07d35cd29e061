"""The pins in a plan file: lines of the table `[pins]`, and lines of `[layouts]` that were changed by hand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import NamedTuple, NoReturn, cast

from ...dialects.notes.value_pins import PinError
from ...layout import Layout, LayoutError
from ...targets.toml_lines import MOST_PARTS, KeyPath, line_of_long_key, locate_keys
from ...targets.toml_table import hint

TABLES = ("pins", "layouts", "saved")
HEADER = ("model", "target", "options", "result")

_PLACE = re.compile(r"(.*) \(at line ([0-9]+), column ([0-9]+)\)", re.DOTALL)


class PlannedPin(NamedTuple):
    """A line that pins a value."""

    name: str
    layout: Layout
    place: str
    """`file:line:col` of the line."""
    structure: str | None
    """The structural name that the value had when the plan was saved."""


def read_pins(path: str) -> list[PlannedPin]:
    """The pins of a file, in its order; raises `PinError` with the place in the file."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except OSError as error:
        raise PinError(f"cannot read the plan: {error.strerror}", path) from None
    except UnicodeDecodeError:
        raise PinError("the plan is not UTF-8 text", path) from None
    return _PlanFile(path, text).pins()


class _PlanFile:
    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text
        self._values = self._parsed()
        self._lines = locate_keys(text)

    def _parsed(self) -> Mapping[str, object]:
        if (long_line := line_of_long_key(self._text)) is not None:
            raise PinError(f"a key of more than {MOST_PARTS} parts", f"{self._path}:{long_line}")
        try:
            return tomllib.loads(self._text)
        except RecursionError:
            raise PinError("the plan is nested too deeply", self._path) from None
        except ValueError as error:
            found = _PLACE.fullmatch(str(error))
            place = f"{self._path}:{found[2]}:{found[3]}" if found else self._path
            raise PinError(f"not TOML: {found[1] if found else error}", place) from None

    def pins(self) -> list[PlannedPin]:
        for key in self._values:
            if key not in (*TABLES, *HEADER):
                self._fail(f"unknown key '{key}'{hint(key, (*TABLES, *HEADER))}", (key,))
        saved = dict(self._table("saved"))
        pins = [*self._pins("pins", saved), *self._changed(saved)]
        first: dict[str, PlannedPin] = {}
        for pin in pins:
            if (other := first.setdefault(pin.name, pin)) is not pin:
                raise PinError(f"'{pin.name}' is pinned already at {other.place}", pin.place)
        return pins

    def _changed(self, saved: Mapping[str, str]) -> Iterator[PlannedPin]:
        """The lines of `[layouts]` that differ from those saved."""
        for pin in self._pins("layouts", saved):
            if _saved_layout(saved.get(pin.name)) != str(pin.layout):
                yield pin

    def _pins(self, table: str, saved: Mapping[str, str]) -> Iterator[PlannedPin]:
        for name, text in self._table(table):
            try:
                layout = Layout.parse(text)
            except LayoutError as error:
                self._fail(str(error), (table, name))
            known = saved.get(name)
            yield PlannedPin(name, layout, self._place((table, name)), known.rpartition(" ")[2] if known else None)

    def _table(self, key: str) -> Iterator[tuple[str, str]]:
        table = self._values.get(key, {})
        if not isinstance(table, dict):
            self._fail(f"'{key}' must be a table", (key,))
        for name, text in cast("dict[str, object]", table).items():
            if not isinstance(text, str):
                self._fail(f"expected the layout of '{name}' as a text such as \"NHWC\"", (key, name))
            yield name, text

    def _fail(self, message: str, path: KeyPath) -> NoReturn:
        raise PinError(message, self._place(path))

    def _place(self, path: KeyPath) -> str:
        number = self._lines.get(path, 1)
        line = self._text.splitlines()[number - 1]
        column = max(line.find(str(path[-1])), 0)
        # The key may be quoted.
        column -= column > 0 and line[column - 1] in "\"'"
        return f"{self._path}:{number}:{column + 1}"


def _saved_layout(text: str | None) -> str | None:
    return None if text is None else text.rpartition(" ")[0]
