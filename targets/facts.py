"""The facts of ops and of transposes, which the conditions and prices of a target file are about.

They do not depend on the order in which values are stored: sizes are those of logical axes, and a transpose is known by
the movement of its data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import prod
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.npu.base import NpuOp
from ..dialects.npu.values import encoding, tensor_type
from ..layout import DYNAMIC, Movement, letters, movement
from .conditions import LETTERS, OF_OP, PARTS, Fact
from .prices import LINES, MULTIPLICATIONS, READ, WRITTEN
from .vocabulary import operand_names, result_names


class Amount(NamedTuple):
    """The data of a value; unknown sizes are assumed."""

    bytes: int
    elements: int


Measure: TypeAlias = Callable[[TensorType], Amount]


class OpFacts:
    """The facts of an op, looked up when a condition or price asks for them."""

    def __init__(
        self,
        op: Operation,
        measure: Measure,
        is_constant: Callable[[SSAValue], bool],
        operands: Sequence[SSAValue] | None = None,
        own: Mapping[str, Fact] | None = None,
        last_size: Callable[[SSAValue], int] | None = None,
    ) -> None:
        """`operands` are those of a form with permuted operands, and `own` the facts that it answers itself.

        `last_size` has the size of the last axis of a value as the form stores it.
        """
        self._last_size = last_size
        self._op = op
        self._facts_of_form = own
        self._operands = op.operands if operands is None else operands
        self._measure = measure
        self._is_constant = is_constant

    def fact(self, name: str, part: str | None, of: str | None) -> Fact | None:
        if name in OF_OP:
            return _part(name, self._own[name], part) if name in self._own else None
        type_ = self._type(of)
        return None if type_ is None else _fact_of(type_, name, self._measure, self._letters(of))

    def is_constant(self, name: str) -> bool | None:
        values = self._values.get(name, ())
        return all(map(self._is_constant, values)) if values else None

    def amount(self, quantity: str, of: str | None) -> int:
        if quantity == MULTIPLICATIONS:
            return self._multiplications()
        if quantity == LINES:
            return self._lines(of)
        if quantity in (READ, WRITTEN):
            return self._bytes_of_all(self._operands if quantity == READ else self._op.results)
        type_ = self._type(of)
        return 0 if type_ is None else _amount(type_, quantity, self._measure)

    def _bytes_of_all(self, values: Sequence[SSAValue]) -> int:
        tensors = (value for value in values if isinstance(value.type, TensorType))
        return sum(self._measure(tensor_type(value)).bytes for value in tensors)

    def _lines(self, of: str | None) -> int:
        """The lines of a value along its last axis."""
        values = self._op.operands[:1] if of is None else self._values.get(of, ())
        if not values or self._last_size is None:
            return 0
        return self.amount("elements", of) // max(1, self._last_size(values[0]))

    def _multiplications(self) -> int:
        """The multiplications of a product of matrices; 0 if their rows or their number are unknown."""
        rows, matrices = self.fact("rows", None, None), self.fact("matrices", None, "lhs")
        if not isinstance(rows, int) or not isinstance(matrices, int):
            return 0
        inner = self.amount("elements", "lhs") // max(1, rows * matrices)
        return self.amount("elements", "result") * inner

    @cached_property
    def _own(self) -> Mapping[str, Fact]:
        if self._facts_of_form is not None:
            return self._facts_of_form
        return self._op.facts() if isinstance(self._op, NpuOp) else {}

    @cached_property
    def _values(self) -> Mapping[str, Sequence[SSAValue]]:
        values: dict[str, list[SSAValue]] = {}
        for name, value in zip(operand_names(self._op), self._operands, strict=True):
            values.setdefault(name, []).append(value)
        for name, value in zip(result_names(self._op), self._op.results, strict=True):
            values.setdefault(name, []).append(value)
        return values

    def _letters(self, of: str | None) -> str:
        """The letters that the op has for the axes of a value."""
        name = next(iter(self._values), "") if of is None else of
        return self._op.letters(name) if isinstance(self._op, NpuOp) else ""

    def _type(self, of: str | None) -> TensorType | None:
        """The type of a value, of the first one of a variadic group; None if there is none, or no tensor."""
        values = self._operands if of is None else self._values.get(of, ())
        return tensor_type(values[0]) if values and isinstance(values[0].type, TensorType) else None


def _part(name: str, value: Fact, part: str | None) -> Fact | None:
    """Sizes, or those along one axis: lists have a number for each of the letters D, H, W, pads two."""
    if not isinstance(value, tuple):
        return value
    if DYNAMIC in value:
        return None
    if part is None:
        return value
    count = len(value) // 2 if name == "pads" else len(value)
    known = PARTS[-count:] if count else ""
    if part not in known:
        return None
    place = known.index(part)
    return value[place::count] if name == "pads" else value[place]


def _fact_of(type_: TensorType, name: str, measure: Measure, named: str) -> Fact | None:
    layout, shape = encoding(type_), type_.get_shape()
    sizes = shape if layout is None else layout.logical_shape(shape)
    match name:
        case "type":
            return str(type_.element_type)
        case "rank":
            return len(sizes)
        case "bytes" | "elements":
            return None if DYNAMIC in sizes else _amount(type_, name, measure)
        case "matrices":
            return None if DYNAMIC in sizes[:-2] or len(sizes) < 2 else prod(sizes[:-2])
        case _:
            return _size(type_, sizes, name, named)


def _size(type_: TensorType, sizes: Sequence[int], name: str, named: str) -> int | None:
    """The size of an axis, by its letter or as `dim 0`; `named` are the letters that the op has for the axes."""
    layout = encoding(type_)
    if name in LETTERS:
        if not named and layout is not None and layout.cls.is_cnn:
            named = letters(layout.cls, len(sizes))
        place = named.find(name)
    else:
        place = int(name.removeprefix("dim "))
    known = 0 <= place < len(sizes) and sizes[place] != DYNAMIC
    return sizes[place] if known else None


def _amount(type_: TensorType, quantity: str, measure: Measure) -> int:
    amount = measure(type_)
    return amount.bytes if quantity == "bytes" else amount.elements


class PackKind(Enum):
    """The ops that cut axes into blocks, and join the blocks."""

    PACK = "packs"
    UNPACK = "unpacks"


@dataclass(frozen=True)
class TransposeFacts:
    """The facts of a transpose, or of a pack or unpack, which is one of pieces."""

    element_type: str
    movement: Movement
    bytes: int
    """The bytes moved, with padding; unknown sizes are assumed."""
    kind: PackKind | None = None
    """None unless an axis is in blocks on one side only."""
    changes_padding: bool = False

    @staticmethod
    def of(element_type: Attribute, shape: Sequence[int], permutation: Sequence[int], moved: int) -> TransposeFacts:
        """A transpose of a tensor that is stored in this shape."""
        return TransposeFacts(str(element_type), movement(permutation, shape), moved)

    @property
    def moves_nothing(self) -> bool:
        """True if the data stays where it is."""
        return self.movement.moves_nothing and not self.changes_padding

    def fact(self, name: str, part: str | None, of: str | None) -> Fact | None:
        match name:
            case "keeps":
                return self.movement.keeps_last_axis
            case "moves":
                return not self.movement.keeps_last_axis
            case "swaps":
                return self.movement.swaps_blocks
            case PackKind.PACK.value | PackKind.UNPACK.value:
                return self.kind is not None and self.kind.value == name
            case "permutation":
                return self.movement.permutation
            case "type":
                return self.element_type
            case "rank":
                return len(self.movement.sizes)
            case "bytes":
                return None if DYNAMIC in self.movement.sizes else self.bytes
            case "run":
                return self._size(len(self.movement.sizes) - 1) if self.movement.keeps_last_axis else 1
            case _:
                return self._size(int(name.removeprefix("dim ")))

    def _size(self, place: int) -> int | None:
        sizes = self.movement.sizes
        return sizes[place] if place < len(sizes) and sizes[place] != DYNAMIC else None

    def is_constant(self, name: str) -> bool | None:
        return None

    def amount(self, quantity: str, of: str | None) -> int:
        return self.bytes
