"""The values of a JSON document, each with its path, and the errors in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias, cast

from ..driver.console.suggestions import suggestion

Path: TypeAlias = tuple[str | int, ...]
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


class FieldError(ValueError):
    """A value that a document may not have."""

    def __init__(self, message: str, path: Path = ()) -> None:
        super().__init__(message)
        self.path = path

    def __str__(self) -> str:
        return ": ".join(filter(None, (path_text(self.path), super().__str__())))

    @property
    def message(self) -> str:
        """The message without the path."""
        return super().__str__()


def path_text(path: Path) -> str:
    """A path as text: `ops[3].tuples[0].cost`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


class JsonValue:
    """A value with its path: the key in the value that holds it."""

    __slots__ = ("_holder", "_key", "data")

    def __init__(self, data: Any, holder: JsonValue | None = None, key: str | int = "") -> None:
        self.data = data
        self._holder = holder
        self._key = key

    @property
    def path(self) -> Path:
        return () if self._holder is None else (*self._holder.path, self._key)

    def fail(self, message: str) -> NoReturn:
        raise FieldError(message, self.path)

    def _wrong(self, expected: str) -> NoReturn:
        self.fail(f"expected {expected}, found {_brief(self.data)}")

    def object(self, required: Sequence[str], optional: Sequence[str] = ()) -> Mapping[str, JsonValue]:
        """The members of an object with these keys."""
        members = self.members()
        known = (*required, *optional)
        for key, value in members.items():
            if key not in known:
                value.fail(f"unknown key '{key}'" + suggestion(key, known, f"known are {', '.join(known)}"))
        for key in required:
            if key not in members:
                self.fail(f"expected a key '{key}'")
        return members

    def members(self) -> Mapping[str, JsonValue]:
        """The members of an object with any keys."""
        data = cast("Mapping[object, object] | None", self.data)
        if not isinstance(data, Mapping):
            self._wrong("an object")
        found = dict[str, JsonValue]()
        for key, value in data.items():
            if not isinstance(key, str):
                self._wrong("keys that are texts")
            found[key] = JsonValue(value, self, key)
        return found

    def items(self, noun: str, fewest: int = 0) -> Sequence[JsonValue]:
        """The items of a list of some things."""
        data = cast("Sequence[object]", self.data)
        if not isinstance(data, list | tuple) or len(data) < fewest:
            self._wrong(f"a list of {('', 'one or more ', 'two or more ')[fewest]}{noun}")
        return [JsonValue(item, self, place) for place, item in enumerate(data)]

    def text(self) -> str:
        if not isinstance(self.data, str) or not self.data:
            self._wrong("a text that is not empty")
        return self.data

    def number(self, expected: str = "a whole number of at least 0") -> int:
        """A whole number of any size."""
        if isinstance(self.data, float):
            self._wrong(f"{expected} (multiply all costs by a number that makes them whole)")
        if isinstance(self.data, bool) or not isinstance(self.data, int) or self.data < 0:
            self._wrong(expected)
        return self.data

    def names(self, noun: str, fewest: int = 0) -> Sequence[str]:
        """A list of texts that differ."""
        found = dict[str, None]()
        for item in self.items(noun, fewest):
            if (name := item.text()) in found:
                item.fail(f"'{name}' is in the list already")
            found[name] = None
        return [*found]


def _brief(data: object) -> str:
    """A value in a message."""
    try:
        text = json.dumps(data, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(data)
    return text if len(text) <= 40 else f"{text[:37]}..."


def parsed(text: str) -> Any:
    """The value of a JSON text; raises `SyntaxFault`."""
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        raise SyntaxFault(f"{error.msg[:1].lower()}{error.msg[1:]}", error.pos) from None
    except RecursionError:
        raise SyntaxFault("the text is nested too deeply") from None
    except ValueError as error:
        raise SyntaxFault(str(error)) from None


class SyntaxFault(ValueError):
    """An error in the text of a document, with the position of its character if that is known."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.position = position


def _without_repeats(pairs: Sequence[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"an object has the key '{next(key for key in found if keys.count(key) > 1)}' twice")
    return found


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def position_of(text: str, path: Path) -> int:
    """The position of a value in a text that is known to be JSON; that of the nearest one around it if it has none."""
    position = _skip(text, 0)
    for part in path:
        found = dict(_entries(text, position))
        if part not in found:
            break
        position = found[part]
    return position


def _entries(text: str, position: int) -> Iterator[tuple[str | int, int]]:
    """The key and the position of each member of an object or a list."""
    opening, position = text[position : position + 1], _skip(text, position + 1)
    number = 0
    while opening in ("{", "[") and text[position] not in "}]":
        key: str | int = number
        if opening == "{":
            key, position = _decoded_at(text, position)
            # Behind the colon.
            position = _skip(text, position + 1)
        yield key, position
        _, position = _decoded_at(text, position)
        position = _skip(text, position + 1) if text[position] == "," else position
        number += 1


def _decoded_at(text: str, position: int) -> tuple[Any, int]:
    """The value at a position, and the position of what follows it."""
    value, end = _DECODER.raw_decode(text, position)
    return value, _skip(text, end)


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return position if found is None else found.end()


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """The line and column of a character, from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
