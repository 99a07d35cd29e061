"""Operands and random choices for the samplers of ops."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from random import Random
from typing import ClassVar, TypeAlias, TypeVar

from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.layout import MAX_RANK, Layout, LayoutClass, Order
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    NoneAttr,
    Signedness,
    TensorType,
    f8E4M3FN,
    f8E4M3FNUZ,
    f8E5M2,
    f8E5M2FNUZ,
    f8E8M0FNU,
)
from xdsl.ir import Attribute, SSAValue

T = TypeVar("T")

MOST_ELEMENTS = 600
"""No value is larger, so that the interpreter is fast."""
CNN_RANKS = (3, 4, 4, 4, 5)
"""The ranks at which Feature and Weight have letters; images are the most usual."""
ANY_RANK = (0, 1, 2, 2, 3, 3, 4, 4, 4, 5, 6)
SOME_RANK = (1, 2, 2, 3, 3, 4, 4, 4, 5, 6)

F32, F64, F16, BF16 = Float32Type(), Float64Type(), Float16Type(), BFloat16Type()
I1, I4, I8, I16, I32, I64 = (IntegerType(width) for width in (1, 4, 8, 16, 32, 64))
UI8 = IntegerType(8, Signedness.UNSIGNED)

Elements: TypeAlias = tuple[Attribute, ...]
"""Element types to choose from; a repeated one is chosen more often."""

FLOATS: Elements = (*(F32,) * 8, F64, F16, BF16)
INTEGERS: Elements = (I32, I32, I32, I8, UI8, I16, I4, I64)
BOOLEANS: Elements = (I1,)
NUMBERS: Elements = (*FLOATS, *INTEGERS)
ANY: Elements = (*NUMBERS, *BOOLEANS)
NARROW_FLOATS: Elements = (f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E5M2FNUZ, f8E8M0FNU)
QUANTIZED: Elements = (I8, UI8)

ALL_CLASSES = tuple(LayoutClass)
TENSOR_CLASSES = (LayoutClass.TENSOR, LayoutClass.NTENSOR)


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`, both included."""

    low: float
    high: float


POSITIVE = Range(0.5, 2.0)
"""Numbers that are valid as divisors and under roots and logarithms."""
SMALL = Range(-1.5, 1.5)
"""Numbers with small exponentials."""


@dataclass(frozen=True, slots=True)
class Want:
    """Constraints on an operand whose shape the op can take as it is."""

    elements: Elements = FLOATS
    ranks: Sequence[int] = ANY_RANK
    classes: Sequence[LayoutClass] = ALL_CLASSES
    values: Range | None = None
    steady: bool = False
    """True if the op amplifies small differences, as rounding does."""
    matrices: bool = False
    """True if the last two logical axes have to be in the last two positions, as for matrix products."""


class SampleSource(ABC):
    """Source of operands and random choices for samplers."""

    NO_ELEMENTS: ClassVar[float] = 0.06
    """Probability of an axis of size zero."""
    IS_OF_ONE_OP: ClassVar[bool] = True
    """True if values may have types and ops that few engines have: floats of 8 bits, bits of another type."""

    def __init__(self, rng: Random, coloured: bool):
        self.rng = rng
        self.coloured = coloured

    @abstractmethod
    def some(self, want: Want) -> SSAValue:
        """A value that meets the constraints."""

    @abstractmethod
    def given(self, type_: TensorType, values: Range | None = None, steady: bool = False) -> SSAValue:
        """A value of this type."""

    def element(self, elements: Elements) -> Attribute:
        """One of these element types."""
        return self.one(elements)

    # Random choices.

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def one(self, items: Sequence[T]) -> T:
        return self.rng.choice(items)

    def subset(self, items: Sequence[T], least: int = 0) -> list[T]:
        """Some of the items, in random order."""
        return self.rng.sample(items, self.rng.randint(min(least, len(items)), len(items)))

    def order(self, rank: int) -> Order:
        return tuple(self.rng.sample(range(rank), rank))

    def shape(self, rank: int, most: int = MOST_ELEMENTS) -> tuple[int, ...]:
        """A small shape; odd sizes and units are usual, zero is rare."""
        sizes: list[int] = []
        for _ in range(rank):
            room = most // prod(size or 1 for size in sizes)
            sizes.append(self.one([size for size in (1, 1, 2, 2, 3, 3, 4, 5, 6, 7) if size <= room]))
        self.rng.shuffle(sizes)
        if sizes and self.chance(self.NO_ELEMENTS):
            sizes[self.rng.randrange(rank)] = 0
        return tuple(sizes)

    def layout(self, rank: int, classes: Sequence[LayoutClass] = ALL_CLASSES) -> Layout | None:
        """A layout of one of these classes, or None in an uncoloured program."""
        if not self.coloured:
            return None
        cls = self.one([cls for cls in classes if rank in class_ranks(cls)])
        if rank > MAX_RANK or (not cls.is_cnn and self.chance(0.3)):
            return Layout(cls) if not cls.is_cnn else Layout(cls, self.order(rank))
        return Layout(cls, self.order(rank))

    def type_for(self, want: Want) -> TensorType:
        """A random type that meets the constraints."""
        ranks = [rank for rank in want.ranks if any(rank in class_ranks(cls) for cls in want.classes)]
        rank = self.one(ranks)
        layout = self.layout(rank, want.classes)
        if want.matrices and layout is not None:
            layout = layout.with_order(matrices_last(layout.order_for(rank)))
        return typed(self.element(want.elements), self.shape(rank), layout)

    def tensor_layout(self, rank: int, cls: LayoutClass | None = None) -> Layout | None:
        """An identity layout of class Tensor for parameters."""
        if not self.coloured:
            return None
        return Layout(cls if cls is not None and rank in class_ranks(cls) else LayoutClass.TENSOR)


def class_ranks(cls: LayoutClass) -> Sequence[int]:
    """The ranks of tensors of a class."""
    if cls.is_cnn:
        return (3, 4, 5)
    return range(3, MAX_RANK + 1) if cls is LayoutClass.NTENSOR else range(10)


def matrices_last(order: Order) -> Order:
    """The order with the last two logical axes moved to the end, in their previous order."""
    last = len(order) - 2
    return (*(axis for axis in order if axis < last), *(axis for axis in order if axis >= last))


@cache
def typed(element: Attribute, shape: Sequence[int], layout: Layout | None) -> TensorType:
    """A tensor type, coloured if there is a layout."""
    return TensorType(element, shape, NoneAttr() if layout is None else LayoutAttr(layout))


def fits(shape: Sequence[int]) -> bool:
    """True if a value of this shape is small enough."""
    return prod(size for size in shape if size) <= MOST_ELEMENTS
