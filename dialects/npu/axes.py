"""Description of the axes of an op, from which its roles and relayouts follow.

An `AxisTable` is made of the text in which the class of an op declares its axes (`declared_axes.py`). `RoleMap` is the
part that each axis plays, which `npu-check` compares. `Relayout` is the form of the op for operands and results in
other orders, which the layout passes use.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate
from typing import ClassVar, NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import I64, DenseArrayBase, IntegerAttr
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation

from ...layout import LayoutClass, Order, permutation_between
from .attrs import i64_array, i64_attr

AS_IT_IS = "as it is"


class PossibleLayouts(NamedTuple):
    """The layouts that an operand or result can have, whatever the program."""

    classes: tuple[LayoutClass, ...]
    ranks: tuple[int, ...]
    """Numbers of logical axes."""


@dataclass(frozen=True, slots=True)
class MatmulFreedom:
    """The relayouts of a matrix product that the hardware can run."""

    lhs: bool = False
    """True if the left operand may be stored transposed and read by `trans_a`, or the other way round."""
    rhs: bool = False
    """True if the right operand may be stored transposed and read by `trans_b`, or the other way round."""
    result: bool = False
    """True if the operands may be swapped, which transposes the result."""
    batch: bool = False
    """True if the batch axes may be in any order."""

    needs_constant: bool = False
    """True if the operands may only be swapped if one of them is a constant."""

    WORDS: ClassVar[Mapping[str, str]] = {
        "lhs": "transposed",
        "rhs": "transposed",
        "result": "transposed",
        "batch": "any order",
    }
    """The words for what may change."""
    WITH_CONSTANT: ClassVar[str] = "transposed with a constant"
    """The word for a result that may only be transposed if an operand is a constant."""
    NAMED: ClassVar[Mapping[str, "MatmulFreedom"]]
    RIGID: ClassVar["MatmulFreedom"]
    """None: operands and result keep their orders."""
    BATCH: ClassVar["MatmulFreedom"]
    """Any order of the batch axes."""
    FREE: ClassVar["MatmulFreedom"]
    """Any order of the batch axes, transposed operands and swapped operands."""

    @classmethod
    def choices(cls, name: str) -> tuple[str, ...]:
        """The words for one of the parts in a target file."""
        return (cls.WORDS[name], *([cls.WITH_CONSTANT] if name == "result" else []), AS_IT_IS)

    @property
    def text(self) -> str:
        """The value of `matmul` in a target file."""
        for name, freedom in self.NAMED.items():
            if self == freedom:
                return f'"{name}"'
        may_change = {name: word for name, word in self.WORDS.items() if getattr(self, name)}
        if self.needs_constant:
            may_change["result"] = self.WITH_CONSTANT
        words = (f'{name} = "{word}"' for name, word in may_change.items())
        return f"{{ {', '.join(words)} }}"


MatmulFreedom.RIGID = MatmulFreedom()
MatmulFreedom.BATCH = MatmulFreedom(batch=True)
MatmulFreedom.FREE = MatmulFreedom(lhs=True, rhs=True, result=True, batch=True)
MatmulFreedom.NAMED = {"rigid": MatmulFreedom.RIGID, "batch": MatmulFreedom.BATCH, "free": MatmulFreedom.FREE}


class Counts(Enum):
    """The kinds of references of an attribute to physical axes."""

    ONE = "one axis"
    SEVERAL = "some axes"
    LISTED = "some axes, in an order that matters"
    EACH = "a number for each axis"


@dataclass(frozen=True, slots=True)
class AxisAttribute:
    """An attribute that names axes."""

    counts: Counts
    splits: bool = False
    """True if the op keeps its meaning when an axis named here is split in two and both parts are named."""
    neutral: int | None = None
    """For EACH: the number that has no effect on an axis."""
    may_be_none: bool = False
    """For SEVERAL: True if no axis may be named."""


class DeclaredAxis(NamedTuple):
    """An axis of an operand or result in the declaration of an op, or any number of axes."""

    name: str
    """A capital letter, or the attribute that names the axis."""
    is_any_number: bool = False
    """True if it stands for any number of axes."""
    is_related: bool = False
    """True if the op relates different positions along the axis to each other."""
    may_repeat: bool = False
    """True if the value may have one element along the axis, which is repeated."""


Marks: TypeAlias = tuple[tuple[str, Hashable], ...]
"""The attributes that name an axis, with their numbers for it."""
NAME = "name"
"""The mark of an axis that only its name tells from others."""


def numbers_of(value: Attribute) -> tuple[int, ...]:
    """The numbers in an integer attribute or an array attribute."""
    if isinstance(value, IntegerAttr):
        return (value.value.data,)
    return tuple(cast("DenseArrayBase[I64]", value).get_values())


@dataclass(frozen=True, slots=True)
class AxisTable:
    """The axes of the operands and results of an op, and the attributes that name axes by physical position."""

    attributes: Mapping[str, AxisAttribute] = field(default_factory=dict[str, AxisAttribute])
    values: Mapping[str, tuple[DeclaredAxis, ...]] = field(default_factory=dict[str, tuple[DeclaredAxis, ...]])
    """The logical axes of operands and results, by name."""
    independent: frozenset[str] = frozenset()
    """Operands and results with a layout of their own: their first and last axes are not those of the first value."""
    vectors: frozenset[str] = frozenset()
    """Operands with one number per position along the axis that an attribute names."""
    repeats: bool = False
    """True if an operand may have one element along an axis, which is repeated."""
    feature_map: str = ""
    """The first value with an axis N."""
    by_letters: Mapping[str, str] = field(default_factory=dict[str, str])
    """The values by their first two axes, such as a kernel by `OI`."""

    def named(self) -> tuple[str, ...]:
        """The attributes that name one axis or some."""
        return tuple(name for name, kind in self.attributes.items() if kind.counts is not Counts.EACH)

    def marks(self, op: IRDLOperation, axis: int) -> tuple[Marks, bool]:
        """The marks of one axis, and True if it may be split."""
        marks: list[tuple[str, Hashable]] = []
        splits = True
        for name, kind, numbers in self.present(op):
            if kind.counts is Counts.EACH:
                named, mark = numbers[axis] != kind.neutral, numbers[axis]
            else:
                named, mark = axis in numbers, 1
                if named and kind.counts is Counts.LISTED:
                    mark = numbers.index(axis)
            if named:
                marks.append((name, mark))
                splits = splits and kind.splits
        return tuple(marks), splits

    def rewritten(self, op: IRDLOperation, old: Order, new: Order) -> dict[str, Attribute]:
        """The attributes that change for data in the order `new` instead of `old`."""
        return {} if old == new else self._for_axes(op, permutation_between(old, new))

    def split_axes(self, op: IRDLOperation, parts: Sequence[int]) -> dict[str, Attribute] | None:
        """The attributes after splitting axis i into `parts[i]` parts; None if an attribute cannot name the parts.

        Only axes that may be split are, and those have the neutral number in an attribute with a number for each axis.
        """
        for _, kind, numbers in self.present(op):
            if kind.counts in (Counts.ONE, Counts.LISTED) and any(parts[number] != 1 for number in numbers):
                return None
        return self._for_axes(op, [axis for axis, count in enumerate(parts) for _ in range(count)])

    def merge_axes(self, op: IRDLOperation, counts: Sequence[int]) -> dict[str, Attribute]:
        """The attributes after merging runs of `counts[i]` adjacent axes.

        Only axes with equal marks are merged.
        """
        return self._for_axes(op, [end - count for end, count in zip(accumulate(counts), counts, strict=True)])

    def _for_axes(self, op: IRDLOperation, sources: Sequence[int]) -> dict[str, Attribute]:
        """The attributes for axes each of which is one of the present axes, or a part of one."""
        properties: dict[str, Attribute] = {}
        for name, kind, numbers in self.present(op):
            match kind.counts:
                case Counts.ONE:
                    properties[name] = i64_attr(sources.index(numbers[0]))
                case Counts.SEVERAL | Counts.LISTED:
                    named = (place for number in numbers for place, axis in enumerate(sources) if axis == number)
                    properties[name] = i64_array(*named)
                case Counts.EACH:
                    wholes = {axis for axis in sources if sources.count(axis) == 1}
                    each = (numbers[axis] if axis in wholes else kind.neutral or 0 for axis in sources)
                    properties[name] = i64_array(*each)
        return properties

    def present(self, op: IRDLOperation) -> Iterator[tuple[str, AxisAttribute, tuple[int, ...]]]:
        """The attributes that an op has, with their numbers."""
        for name, kind in self.attributes.items():
            if (value := op.properties.get(name)) is not None:
                yield name, kind, numbers_of(value)


Place: TypeAlias = tuple[int, int]
"""The index of an operand or result, and a physical position in it."""


@dataclass(frozen=True, slots=True)
class Role:
    """The part that one axis plays in an op: its places, and its marks."""

    operands: tuple[Place, ...] = ()
    results: tuple[Place, ...] = ()
    splits: bool = True
    """True if the op keeps its meaning when the axis is split."""
    marks: Marks = ()

    @property
    def is_plain(self) -> bool:
        """True if no attribute names the axis."""
        return all(name == NAME for name, _ in self.marks)


@dataclass(frozen=True, slots=True)
class RoleMap:
    """All axes of an op. Every physical position of an operand or result belongs to exactly one role."""

    roles: tuple[Role, ...]
    described: frozenset[str] = frozenset()
    """The attributes that the roles describe completely."""
    swaps: bool = False
    """True if the first two operands may be swapped."""


AxisMarks: TypeAlias = tuple[Marks, bool]
"""The marks of an axis, and True if it may be split."""
UNMARKED: AxisMarks = ((), True)


def role_map(
    axes: Mapping[Hashable, AxisMarks],
    operands: Iterable[Iterable[Hashable]],
    results: Iterable[Iterable[Hashable]],
    described: frozenset[str] = frozenset(),
    swaps: bool = False,
) -> RoleMap:
    """One role for each axis, with its marks and True if it may be split; values list their axes as stored.

    Axes that only the values list have their names as marks, and are not split: several may be in the same values.
    """
    places: dict[Hashable, tuple[list[Place], list[Place]]] = {axis: ([], []) for axis in axes}
    for side, values in enumerate((operands, results)):
        for index, stored in enumerate(values):
            for position, axis in enumerate(stored):
                places.setdefault(axis, ([], []))[side].append((index, position))
    roles: list[Role] = []
    for axis, (read, written) in places.items():
        if read or written:
            marks, splits = axes.get(axis, (((NAME, axis),), False))
            roles.append(Role(tuple(read), tuple(written), splits, marks))
    return RoleMap(tuple(roles), described, swaps)


Orders: TypeAlias = Sequence[Order | None]
"""An order for each operand or result; None means any."""


@dataclass(frozen=True, slots=True)
class Relayout:
    """The form of an op for operands and results in these orders."""

    operands: tuple[Order, ...]
    """One for each operand, in the new order of operands."""
    results: tuple[Order, ...]
    properties: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])
    """Properties with a new value."""
    removed: frozenset[str] = frozenset()
    """Properties to remove."""
    operand_permutation: Order | None = None
    """The index of the old operand at each new index, if the operands are permuted."""
    becomes: type[IRDLOperation] | None = None
    """The new op, if it is another one."""

    def place_of(self, operand: int) -> int:
        """The new index of an operand."""
        return operand if self.operand_permutation is None else self.operand_permutation.index(operand)

    @property
    def reads(self) -> tuple[Order, ...]:
        """One order for each operand, in the old order of operands."""
        return tuple(self.operands[self.place_of(operand)] for operand in range(len(self.operands)))


def agree(asked: Orders, given: Sequence[Order]) -> bool:
    """True if the given orders are those asked for."""
    return all(want is None or want == order for want, order in zip(asked, given, strict=True))
