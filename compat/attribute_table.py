"""Values by attribute."""

from typing import Generic, TypeVar

from xdsl.ir import Attribute

V = TypeVar("V")


class AttributeTable(Generic[V]):
    """Values by attribute, each of which is found by its identity: xDSL computes its hash anew each time.

    Equal attributes have entries of their own. The table keeps its attributes, so that no other one gets the identity
    of one of them.
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[Attribute, V]] = {}

    def get(self, attribute: Attribute) -> V | None:
        """The value of an attribute, or None."""
        return None if (entry := self._entries.get(id(attribute))) is None else entry[1]

    def enter(self, attribute: Attribute, value: V) -> V:
        """Enter a value, and return it."""
        self._entries[id(attribute)] = attribute, value
        return value
