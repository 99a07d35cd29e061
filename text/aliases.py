"""Aliases of attributes and types, a short text of which may stand for much: `#b = [#a, #a]`, `#c = [#b, #b]`, ..."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute, ParametrizedAttribute

from ..compat.attribute_table import AttributeTable

LEAST_ROOM = 1 << 18
ROOM_FOR_A_CHARACTER = 64
"""The most attributes that all uses of aliases in a text may stand for: so many, and so many for each character."""


class Aliases(dict[str, Attribute]):
    """The aliases of a text, which is wrong if they stand for more attributes than there is room for."""

    def __init__(self, length: int, refuse: Callable[[str], NoReturn]) -> None:
        super().__init__()
        self._room = LEAST_ROOM + ROOM_FOR_A_CHARACTER * length
        self._left = self._room
        self._refuse = refuse
        self._sizes = AttributeTable[int]()
        """The sizes of the values of aliases."""

    def __setitem__(self, name: str, value: Attribute) -> None:
        super().__setitem__(name, value)
        self._sizes.enter(value, 1 + sum(map(self._size, _parts(value))))

    def __getitem__(self, name: str) -> Attribute:
        value = super().__getitem__(name)
        self._left -= self._size(value)
        if self._left < 0:
            self._refuse(f"the aliases stand for more than {self._room} attributes")
        return value

    def _size(self, attribute: Attribute) -> int:
        """The number of attributes in an attribute, as often as they would be written without aliases."""
        if (known := self._sizes.get(attribute)) is not None:
            return known
        return 1 + sum(map(self._size, _parts(attribute)))


def _parts(attribute: Attribute) -> Iterable[Attribute]:
    if isinstance(attribute, ParametrizedAttribute):
        return attribute.parameters
    if isinstance(attribute, ArrayAttr):
        return cast("ArrayAttr[Attribute]", attribute).data
    return attribute.data.values() if isinstance(attribute, DictionaryAttr) else ()
