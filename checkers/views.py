"""The storages of a certificate, and the operands and results of its ops, which are views of them.

A byte order of a storage is a sequence of its digits. A view has some digits of the storage along each of its axes, so
that the byte order is a sequence of digits of these axes, too; digits that are no part of the view's are none of it.
"""

from collections.abc import Iterable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from .digits import ANYTHING, Digit, Digits, Name, Span, digits_of, merged, parts
else:
    from digits import ANYTHING, Digit, Digits, Name, Span, digits_of, merged, parts


class FormRefused(Exception):
    """A step that does not hold."""


def need(holds: bool, *what: object) -> None:
    if not holds:
        raise FormRefused("".join(map(str, what)))


class StorageDigits:
    """A storage: its byte orders by the numbers of their layouts."""

    def __init__(self, entry: Any, listed: Any) -> None:
        self.name = listed["name"]
        self.orders = {int(each): digits_of(own) for each, own in entry["orders"].items()}
        self.numbers = {digits: layout for layout, digits in self.orders.items()}
        is_merged = all(merged(each) == each for each in self.numbers)
        need(is_merged and len(self.numbers) == len(self.orders), self.name, ": two layouts are the same digits")
        self.used: set[int] = {listed["given"]} if "given" in listed else set()
        self.pin = self.numbers.get(digits_of(entry["pin"]), -1) if "pin" in entry else None


class StatedValue:
    """An operand or result: its axes as stored, each with its size, and the digits of a storage if that is listed."""

    def __init__(self, entry: Any, place: int, storages: Sequence[StorageDigits], uses: Any) -> None:
        (self.name, link, axes), self.place = entry, place
        self.storage: StorageDigits | None = None if link == -1 else storages[int(uses[link][0])]
        self.modes: Sequence[Any] = [] if link == -1 else uses[link][1]
        self.digits = [digits_of(axis if self.storage else [[0, 1, axis]]) for axis in axes]
        self.sizes = [prod(size for _, _, size in digits) for digits in self.digits]
        self.kept: Sequence[Name] = ()
        self.known: dict[int, Digits | None] = {}
        self.tiles: dict[int, int] = {}
        """The axes with blocks, and their sizes."""
        self.filled = set[int]()
        """The axes whose last block ends in padding."""
        self.may_be_anything = False
        """True if that padding need not be zeros."""

    def call(self, names: Sequence[Name]) -> None:
        """Give the axes their names; axes of one name are digits of it."""
        self.names, self.size = names, dict.fromkeys(names, 1)
        self.of_storage: dict[int, list[Span]] = {}
        self.of_axis: dict[Name, list[Span]] = {name: [] for name in names}
        for name, digits in reversed([*zip(names, self.digits, strict=True)]):
            for of, inner, size in reversed(digits):
                self.of_storage.setdefault(of, []).append((inner, inner * size, name, self.size[name]))
                self.of_axis[name].insert(0, (self.size[name], self.size[name] * size, of, inner))
                self.size[name] *= size
        for spans in self.of_storage.values():
            spans.sort(key=lambda span: -span[0])
        self.here = [name for name in dict.fromkeys(names) if self.size[name] != 1]
        self.came: Digits = tuple((name, 0, 0) for name in self.here)

    def seen(self, layout: int) -> Digits | None:
        """A byte order as digits of the axes; None if it is none of the view. A whole axis is (name, 0, 0)."""
        if layout not in self.known and self.storage:
            stored = self.storage.orders[layout]
            found = parts(stored[:-1] if self.filled and stored[-1:] == (ANYTHING,) else stored, self.of_storage)
            wide = ((name, at, size if size != self.size[name] else 0) for name, at, size in found or ())
            digits = tuple((name, at, size) if size else (name, 0, 0) for name, at, size in wide)
            is_apart = found is None or any(name in self.kept and size for name, _, size in digits)
            self.known[layout] = None if is_apart else digits
        return self.known[layout]

    def stored(self, digits: Iterable[Digit]) -> int | None:
        """The layout of digits of the axes; None if they tear the view's, -1 if nothing is stored so."""
        own = ((name, 0, 0) if name in self.kept else (name, at, size) for name, at, size in digits)
        found = parts([(name, at or 1, size or self.size[name]) for name, at, size in dict.fromkeys(own)], self.of_axis)
        end = [ANYTHING] if self.may_be_anything else []
        return self.storage.numbers.get((*found, *end), -1) if self.storage and found is not None else None

    def has_anything(self, layout: int) -> bool:
        """True if the padding of the storage may be anything in a byte order."""
        return self.storage is not None and ANYTHING in self.storage.orders[layout]
