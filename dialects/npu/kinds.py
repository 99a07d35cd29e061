"""Kinds of ops: ops of one kind give the same answers, so that each question is asked once."""

from collections.abc import Hashable, Mapping

from xdsl.ir import Attribute, Operation

from ...compat.attribute_table import AttributeTable
from .axes import Relayout


class OpKinds:
    """Numbers of the kinds of ops: of the class, the properties, and the types of operands and results.

    Ops of one kind have the same roles, relayouts and demands. The hash of a type takes longer than many an answer, so
    each attribute is hashed once and found by its identity after that.
    """

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._equal: dict[Attribute, int] = {}
        """The number of an attribute; equal ones have the same."""
        self._met = AttributeTable[int]()
        """The numbers of the attributes met."""

    def of(self, op: Operation) -> int:
        """The number of the kind of an op."""
        operands = [self._of_attribute(value.type) for value in op.operands]
        results = [self._of_attribute(value.type) for value in op.results]
        properties = self.of_properties(op.properties) if op.properties else None
        key = type(op), len(operands), *operands, *results, properties
        return self._numbers.setdefault(key, len(self._numbers))

    def of_properties(self, properties: Mapping[str, Attribute]) -> Hashable:
        """A short key for properties; equal ones have the same."""
        return frozenset([(name, self._of_attribute(value)) for name, value in properties.items()])

    def of_relayout(self, relayout: Relayout) -> Hashable:
        """A short key for a relayout; equal ones have the same."""
        properties = self.of_properties(relayout.properties)
        orders = relayout.operands, relayout.results
        return *orders, properties, relayout.removed, relayout.operand_permutation, relayout.becomes

    def _of_attribute(self, attribute: Attribute) -> int:
        if (met := self._met.get(attribute)) is not None:
            return met
        return self._met.enter(attribute, self._equal.setdefault(attribute, len(self._equal)))
