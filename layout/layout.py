"""A layout: the class of a value and the order in which its logical axes are stored."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from .order import Order, identity, is_permutation

MAX_RANK = 6
"""Tensors of a higher rank keep their order."""


class LayoutError(ValueError):
    """A text, or a combination of class and order, that is not a layout."""


class LayoutClass(Enum):
    """The meaning of a value's axes."""

    FEATURE = "Feature"
    """Feature maps: N, C, spatial..."""
    WEIGHT = "Weight"
    """Kernels of convolutions: O, I, spatial..."""
    TENSOR = "Tensor"
    """No axis names."""
    NTENSOR = "NTensor"
    """A batch of matrices, rank 3 to 6: the class of matrix products."""

    is_cnn: bool
    """True if the axes have letters."""

    def __init__(self, name: str) -> None:
        self.is_cnn = name in ("Feature", "Weight")

    # Members are equal only to themselves; the hash of Enum would hash the name, in a Python function.
    __hash__ = object.__hash__


_LETTERS: Mapping[LayoutClass, Mapping[int, str]] = {
    LayoutClass.FEATURE: {3: "NCW", 4: "NCHW", 5: "NCDHW"},
    LayoutClass.WEIGHT: {3: "OIW", 4: "OIHW", 5: "OIDHW"},
}

_CLASS_OF_LETTERS = {
    frozenset(letters): (cls, letters) for cls, by_rank in _LETTERS.items() for letters in by_rank.values()
}

_ORDERED = re.compile(r"(N?Tensor)\s*(?:,\s*\[([-\d\s,]*)\])?")


def letters(cls: LayoutClass, rank: int) -> str:
    """The letters of a CNN class in logical order: `NCHW` for features of rank 4."""
    try:
        return _LETTERS[cls][rank]
    except KeyError:
        raise LayoutError(f"{cls.value} has no axis letters at rank {rank}") from None


@dataclass(frozen=True, slots=True)
class Layout:
    """A class and an order, written `NHWC`, `HWOI`, `Tensor`, `NTensor` or `Tensor, [0, 2, 1]`."""

    cls: LayoutClass
    order: Order | None = None
    """None is the identity at any rank; only Tensor and NTensor have it."""

    def __post_init__(self) -> None:
        if self.order is None:
            if self.cls.is_cnn:
                raise LayoutError(f"{self.cls.value} needs an order")
            return
        if not is_permutation(self.order):
            raise LayoutError(f"[{', '.join(map(str, self.order))}] is not a permutation")
        if self.cls.is_cnn:
            letters(self.cls, len(self.order))
            return
        if self.order == identity(len(self.order)):
            object.__setattr__(self, "order", None)
        elif problem := self.rank_mismatch(len(self.order)):
            raise LayoutError(problem)

    @staticmethod
    def parse(text: str) -> "Layout":
        """Inverse of `str(layout)`."""
        text = text.strip()
        if match := _ORDERED.fullmatch(text):
            cls = LayoutClass(match[1])
            if match[2] is None:
                return Layout(cls)
            try:
                return Layout(cls, tuple(int(axis) for axis in match[2].split(",")))
            except ValueError as error:
                raise LayoutError(str(error) if isinstance(error, LayoutError) else "an axis is missing") from None
        if (known := _CLASS_OF_LETTERS.get(frozenset(text))) and len(known[1]) == len(text):
            cls, names = known
            return Layout(cls, tuple(names.index(letter) for letter in text))
        raise LayoutError(
            f"'{text}' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, "
            "or Tensor or NTensor"
        )

    def __str__(self) -> str:
        if self.order is None:
            return self.cls.value
        if self.cls.is_cnn:
            names = letters(self.cls, len(self.order))
            return "".join(names[axis] for axis in self.order)
        return f"{self.cls.value}, [{', '.join(map(str, self.order))}]"

    @property
    def rank(self) -> int | None:
        """The only rank that this layout fits, or None if it fits several."""
        return None if self.order is None else len(self.order)

    def rank_mismatch(self, rank: int) -> str | None:
        """The reason why a tensor of this rank cannot have this layout, or None if it can."""
        if self.order is not None and len(self.order) != rank:
            return f"layout {self} is of rank {self.rank}, the tensor of rank {rank}"
        if self.order is not None and rank > MAX_RANK:
            return f"a tensor of rank {rank} cannot be re-ordered: ranks above {MAX_RANK} keep their order"
        if self.cls is LayoutClass.NTENSOR and not 3 <= rank <= MAX_RANK:
            return f"NTensor is for ranks 3 to {MAX_RANK}, the tensor is of rank {rank}"
        return None

    def order_for(self, rank: int) -> Order:
        """The order for a tensor of this rank, never None."""
        return identity(rank) if self.order is None else self.order

    def with_order(self, order: Order) -> "Layout":
        """The same class in another order."""
        return Layout(self.cls, order)

    def position_of(self, letter: str) -> int:
        """The physical position of a named axis: 3 for `C` in NHWC."""
        return str(self).index(letter)


_PRECEDENCE = (LayoutClass.FEATURE, LayoutClass.WEIGHT, LayoutClass.NTENSOR, LayoutClass.TENSOR)


def precedence(layout: Layout) -> tuple[int, Order]:
    """Sort key of the layouts that meet at one op; the result gets the least one.

    A feature comes first, because the hardware demands layouts of feature maps and moving them costs time; kernels are
    mostly constants. The identity order comes before other orders.
    """
    return _PRECEDENCE.index(layout.cls), layout.order or ()


def prevailing(layouts: Iterable[Layout | None]) -> Layout | None:
    """The layout of a result whose operands have these layouts, independent of the order of the operands."""
    return min((layout for layout in layouts if layout is not None), key=precedence, default=None)


def identity_layout(cls: LayoutClass, rank: int) -> Layout:
    """The identity layout: NCHW, OIHW and their relatives of other ranks, Tensor or NTensor."""
    return Layout(cls, identity(rank)) if cls.is_cnn else Layout(cls)


def channels_last(cls: LayoutClass, rank: int) -> Layout:
    """NHWC for features, HWOI for weights, and their relatives of other ranks."""
    spatial = tuple(range(2, len(letters(cls, rank))))
    return Layout(cls, (0, *spatial, 1) if cls is LayoutClass.FEATURE else (*spatial, 0, 1))
