"""Names of the operands and results of an op: the field names of its definition, and a unique name for each value."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias, TypeVar, cast

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, AttrSizedResultSegments, IRDLOperation


class ValueNames(NamedTuple):
    """The names of the operands of an op, or of its results."""

    fields: tuple[str, ...]
    """The field name of each value; the values of a variadic group share one."""
    each: tuple[str, ...]
    """A unique name of each value; those of a variadic group are numbered, such as `inputs[1]`."""


NamesKey: TypeAlias = tuple[type[IRDLOperation], int, Attribute | None]
"""The data that determines the names: the op's class, the number of operands or results, and their segments."""

T = TypeVar("T")

_OPERANDS: dict[NamesKey, ValueNames] = {}
_RESULTS: dict[NamesKey, ValueNames] = {}


def operand_names(op: IRDLOperation) -> ValueNames:
    """The names of the operands of an op."""
    key = type(op), len(op.operands), _segments(op, AttrSizedOperandSegments.attribute_name)
    return _OPERANDS.get(key) or _OPERANDS.setdefault(key, _names(op, op.get_irdl_definition().operands))


def result_names(op: IRDLOperation) -> ValueNames:
    """The names of the results of an op."""
    key = type(op), len(op.results), _segments(op, AttrSizedResultSegments.attribute_name)
    return _RESULTS.get(key) or _RESULTS.setdefault(key, _names(op, op.get_irdl_definition().results))


def by_definition(op: IRDLOperation, operands: Sequence[T]) -> list[T | tuple[T, ...] | None]:
    """Items that correspond to the operands of an op, one entry per operand of its definition.

    The entry of an absent optional operand is None, that of a variadic operand is a tuple.
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
    """The segments of operands or results, if their number alone does not determine them."""
    return op.properties.get(name, op.attributes.get(name))


def _names(op: IRDLOperation, definitions: Sequence[tuple[str, object]]) -> ValueNames:
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
    return ValueNames(tuple(fields), tuple(each))
