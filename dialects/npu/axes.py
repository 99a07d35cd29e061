"""What an op knows about its axes, written down once.

An op states in an `AxisTable` which of its attributes name axes, and its class says which operand axis becomes which
result axis. From that follow the two answers that passes and tools ask for. `RoleMap` says what each axis does, which
is what `npu-check` compares. `Relayout` says how the op is written when its tensors are stored in other orders, which
is what the layout passes use.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from itertools import accumulate, chain
from typing import TypeAlias, cast

from xdsl.dialects.builtin import I64, DenseArrayBase, IntegerAttr
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation

from ...layout import Order, permutation_between, permute
from .attrs import i64_array, i64_attr


class MatmulFreedom(StrEnum):
    """The relayouts of a matrix product that the hardware can run."""

    RIGID = "rigid"
    """None: operands and result keep their orders."""
    BATCH = "batch"
    """Any order of the batch axes."""
    FREE = "free"
    """Any order of the batch axes, transposed operands and swapped operands."""


class Counts(Enum):
    """How an attribute refers to physical axes."""

    ONE = "one axis"
    SEVERAL = "some axes"
    EACH = "a number for each axis"


@dataclass(frozen=True, slots=True)
class AxisAttribute:
    """An attribute that names axes."""

    counts: Counts
    splits: bool = False
    """Whether the op means the same when an axis that is named here is cut in two and both parts are named."""
    neutral: int | None = None
    """For EACH: the number that leaves an axis alone."""


ONE_AXIS = AxisAttribute(Counts.ONE)
ONE_AXIS_SPLITS = AxisAttribute(Counts.ONE, splits=True)
SOME_AXES = AxisAttribute(Counts.SEVERAL)
SOME_AXES_SPLIT = AxisAttribute(Counts.SEVERAL, splits=True)


Marks: TypeAlias = tuple[tuple[str, Hashable], ...]
"""What attributes say about an axis: their names, and their numbers for it."""


def numbers_of(value: Attribute) -> tuple[int, ...]:
    """The numbers in an attribute that is a number or a list of numbers."""
    if isinstance(value, IntegerAttr):
        return (value.value.data,)
    return tuple(cast("DenseArrayBase[I64]", value).get_values())


def each_axis(neutral: int) -> AxisAttribute:
    """An attribute with a number for each axis."""
    return AxisAttribute(Counts.EACH, neutral=neutral)


@dataclass(frozen=True, slots=True)
class AxisTable:
    """The attributes of an op that name axes by their physical position, and its operands that lie along one axis."""

    attributes: Mapping[str, AxisAttribute] = field(default_factory=dict[str, AxisAttribute])
    vectors: frozenset[str] = frozenset()
    """Operands with one number per position of the attribute `axis`."""

    def marks(self, op: IRDLOperation, axis: int) -> tuple[Marks, bool]:
        """What the attributes say about one axis, and whether it may be cut in two."""
        marks: list[tuple[str, Hashable]] = []
        splits = True
        for name, kind, numbers in self._present(op):
            if kind.counts is Counts.EACH:
                named, mark = numbers[axis] != kind.neutral, numbers[axis]
            else:
                named, mark = axis in numbers, 1
            if named:
                marks.append((name, mark))
                splits = splits and kind.splits
        return tuple(marks), splits

    def rewritten(self, op: IRDLOperation, old: Order, new: Order) -> dict[str, Attribute]:
        """The attributes that name axes and change, for data stored in `new` instead of `old`."""
        if old == new or not self.attributes:
            return {}
        moved = permutation_between(old, new)
        properties: dict[str, Attribute] = {}
        for name, kind, numbers in self._present(op):
            match kind.counts:
                case Counts.ONE:
                    properties[name] = i64_attr(moved.index(numbers[0]))
                case Counts.SEVERAL:
                    properties[name] = i64_array(*map(moved.index, numbers))
                case Counts.EACH:
                    properties[name] = i64_array(*permute(numbers, moved))
        return properties

    def cut(self, op: IRDLOperation, parts: Sequence[int]) -> dict[str, Attribute] | None:
        """The attributes that name axes when each axis is cut into so many, or None if one is that cannot be named so.

        Only axes that may be cut in two are, so that a number for each axis says nothing about those.
        """
        starts = (0, *accumulate(parts))
        properties: dict[str, Attribute] = {}
        for name, kind, numbers in self._present(op):
            match kind.counts:
                case Counts.ONE:
                    if parts[numbers[0]] != 1:
                        return None
                    properties[name] = i64_attr(starts[numbers[0]])
                case Counts.SEVERAL:
                    properties[name] = i64_array(*(p for n in numbers for p in range(starts[n], starts[n + 1])))
                case Counts.EACH:
                    assert kind.neutral is not None
                    counted = zip(numbers, parts, strict=True)
                    each = [(number,) if count == 1 else (kind.neutral,) * count for number, count in counted]
                    properties[name] = i64_array(*chain.from_iterable(each))
        return properties

    def joined(self, op: IRDLOperation, counts: Sequence[int]) -> dict[str, Attribute]:
        """The attributes that name axes when so many neighbours become one axis each.

        Only axes of which the attributes say the same become one.
        """
        firsts = [end - count for end, count in zip(accumulate(counts), counts, strict=True)]
        properties: dict[str, Attribute] = {}
        for name, kind, numbers in self._present(op):
            match kind.counts:
                case Counts.ONE:
                    properties[name] = i64_attr(firsts.index(numbers[0]))
                case Counts.SEVERAL:
                    properties[name] = i64_array(*(firsts.index(number) for number in numbers if number in firsts))
                case Counts.EACH:
                    properties[name] = i64_array(*(numbers[first] for first in firsts))
        return properties

    def _present(self, op: IRDLOperation) -> Iterator[tuple[str, AxisAttribute, tuple[int, ...]]]:
        for name, kind in self.attributes.items():
            if (value := op.properties.get(name)) is not None:
                yield name, kind, numbers_of(value)


Place: TypeAlias = tuple[int, int]
"""An operand or result by its index, and a physical position in it."""


@dataclass(frozen=True, slots=True)
class Role:
    """What one axis does in an op: the places where it stands, and what the attributes say about it."""

    operands: tuple[Place, ...] = ()
    results: tuple[Place, ...] = ()
    splits: bool = True
    """Whether the op means the same when the axis is cut in two."""
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class RoleMap:
    """All axes of an op. Every physical position of an operand or result stands in exactly one role."""

    roles: tuple[Role, ...]
    described: frozenset[str] = frozenset()
    """The attributes that the roles tell all about."""
    swaps: bool = False
    """Whether the first two operands may change places."""


Orders: TypeAlias = Sequence[Order | None]
"""An order for each operand or result; None where nothing is asked for."""


@dataclass(frozen=True, slots=True)
class Relayout:
    """How an op is written when its operands and results are stored in these orders."""

    operands: tuple[Order, ...]
    """For each operand, in the new sequence of operands."""
    results: tuple[Order, ...]
    properties: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])
    """Properties with a new value."""
    removed: frozenset[str] = frozenset()
    """Properties that are no longer there."""
    operand_permutation: Order | None = None
    """Which operand of the old op stands at each place of the new one, if they change places."""
    becomes: type[IRDLOperation] | None = None
    """The op that it turns into, if it turns into another one."""

    def place_of(self, operand: int) -> int:
        """The new index of an operand."""
        return operand if self.operand_permutation is None else self.operand_permutation.index(operand)


def agree(asked: Orders, given: Sequence[Order]) -> bool:
    """Whether the orders given are those asked for."""
    return all(want is None or want == order for want, order in zip(asked, given, strict=True))
