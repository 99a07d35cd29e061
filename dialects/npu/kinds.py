"""Kinds of ops: ops of one kind give the same answers, so that each question is asked once."""

from collections.abc import Hashable

from xdsl.ir import Attribute, Operation


class OpKinds:
    """Numbers of the kinds of ops: of the class, the properties, and the types of operands and results.

    Ops of one kind have the same roles, relayouts and demands. The hash of a type takes longer than many an answer, so
    each attribute is hashed once and found by its identity after that.
    """

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._equal: dict[Attribute, int] = {}
        """The number of an attribute; equal ones have the same."""
        self._met: dict[int, tuple[Attribute, int]] = {}
        """The attributes met, by identity, with their numbers; they are kept, so that no other one gets theirs."""

    def of(self, op: Operation) -> int:
        """The number of the kind of an op."""
        operands = [self._of_attribute(value.type) for value in op.operands]
        results = [self._of_attribute(value.type) for value in op.results]
        properties = None
        if op.properties:
            properties = frozenset([(name, self._of_attribute(value)) for name, value in op.properties.items()])
        key = type(op), len(operands), *operands, *results, properties
        return self._numbers.setdefault(key, len(self._numbers))

    def _of_attribute(self, attribute: Attribute) -> int:
        if (met := self._met.get(id(attribute))) is not None:
            return met[1]
        number = self._equal.setdefault(attribute, len(self._equal))
        self._met[id(attribute)] = attribute, number
        return number
