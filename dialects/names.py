"""What the operands and results of an op are called: by the definition of the op, and each by itself."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias, TypeVar, cast

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, AttrSizedResultSegments, IRDLOperation


class Names(NamedTuple):
    """The names of the operands of an op, or of its results."""

    fields: tuple[str, ...]
    """For each the name that the definition has for it, or for the group that it belongs to."""
    each: tuple[str, ...]
    """A name for each by itself: those of a group are numbered, as `inputs[1]`."""


Key: TypeAlias = tuple[type[IRDLOperation], int, Attribute | None]
"""All that names follow from: the op's class, how many operands or results it has, and how these are divided."""

T = TypeVar("T")

_OPERANDS: dict[Key, Names] = {}
_RESULTS: dict[Key, Names] = {}


def operand_names(op: IRDLOperation) -> Names:
    """The names of the operands of an op."""
    key = type(op), len(op.operands), _segments(op, AttrSizedOperandSegments.attribute_name)
    return _OPERANDS.get(key) or _OPERANDS.setdefault(key, _names(op, op.get_irdl_definition().operands))


def result_names(op: IRDLOperation) -> Names:
    """The names of the results of an op."""
    key = type(op), len(op.results), _segments(op, AttrSizedResultSegments.attribute_name)
    return _RESULTS.get(key) or _RESULTS.setdefault(key, _names(op, op.get_irdl_definition().results))


def by_definition(op: IRDLOperation, operands: Sequence[T]) -> list[T | tuple[T, ...] | None]:
    """What stands for the operands of an op, one entry per operand of its definition.

    That of an optional operand that is absent is None, that of a variadic one is a tuple.
    """
    rest = iter(operands)
    entries: list[T | tuple[T, ...] | None] = []
    for name, _ in op.get_irdl_definition().operands:
        match getattr(op, name):
            case None:
                entries.append(None)
            case SSAValue():
                entries.append(next(rest))
            case group:
                entries.append(tuple(islice(rest, len(group))))
    return entries


def _segments(op: IRDLOperation, name: str) -> Attribute | None:
    """How operands or results are divided into groups, if their number alone does not tell."""
    return op.properties.get(name, op.attributes.get(name))


def _names(op: IRDLOperation, definitions: Sequence[tuple[str, object]]) -> Names:
    fields: list[str] = []
    each: list[str] = []
    for field, _ in definitions:
        part = cast("SSAValue | Sequence[SSAValue] | None", getattr(op, field))
        if isinstance(part, SSAValue):
            names = [field]
        else:
            names = [f"{field}[{index}]" for index in range(len(part or ()))]
        fields += [field] * len(names)
        each += names
    return Names(tuple(fields), tuple(each))
