"""A layout: the class of a value and the order in which its logical axes, or their pieces, are stored."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from . import blocks
from .arrangement import Arrangement
from .blocks import AxisSizes
from .byte_order import ByteOrder, DirtyPadding
from .extent import DYNAMIC, UNIT, Extent, named
from .factoring import Piece
from .layout_text import (
    BlockError,
    LayoutError,
    LayoutText,
    letters_text,
    order_of,
    order_text,
    padding_text,
    parsed,
)
from .order import Order, identity, invert, is_permutation, permute, unpermute

MAX_RANK = 6
"""Tensors of a higher rank keep their order."""


class LayoutClass(Enum):
    """The meaning of a value's axes.

    >>> letters(LayoutClass.FEATURE, 5), letters(LayoutClass.WEIGHT, 4)
    ('NCDHW', 'OIHW')
    """

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


def letters(cls: LayoutClass, rank: int) -> str:
    """The letters of a CNN class in logical order: `NCHW` for features of rank 4."""
    try:
        return _LETTERS[cls][rank]
    except KeyError:
        raise LayoutError(f"{cls.value} has no named axes at rank {rank}") from None


@dataclass(frozen=True, slots=True)
class Layout:
    """A class and an order, written `NHWC`, `HWOI`, `Tensor`, `NTensor` or `Tensor, [0, 2, 1]`.

    Axes may be cut into blocks: `NCHW16c` stores blocks of 16 channels, and the channels of a block adjacent. The order
    is then one of the pieces of the axes.

    >>> Layout.parse("NHWC").order, Layout.parse("NHWC").stored_shape((1, 40, 8, 6))
    ((0, 2, 3, 1), (1, 8, 6, 40))
    >>> Layout.parse("NCHW16c").order, Layout.parse("NCHW16c").stored_shape((1, 40, 8, 6))
    ((0, 1, 3, 4, 2), (1, 3, 8, 6, 16))
    """

    cls: LayoutClass
    order: Order | None = None
    """None is the identity at any rank; only Tensor and NTensor have it."""
    tiles: AxisSizes = ()
    """The axes in blocks, with the sizes of these."""
    padded: AxisSizes = ()
    """The axes in blocks that end in padding, with their logical sizes."""
    has_zeros: bool = True
    """True if there is no padding, or it is known to be zeros."""

    def __post_init__(self) -> None:
        if not self.padded:
            object.__setattr__(self, "has_zeros", True)
        if self.order is None:
            if self.cls.is_cnn:
                raise LayoutError(f"{self.cls.value} needs an order")
            return
        if self.tiles or self.padded:
            self._check_blocks(len(self.order))
        if not is_permutation(self.order):
            raise LayoutError(f"[{', '.join(map(str, self.order))}] is not a permutation")
        if self.tiles:
            return
        if self.cls.is_cnn:
            letters(self.cls, len(self.order))
        elif self.order == identity(len(self.order)):
            object.__setattr__(self, "order", None)
        elif problem := self.rank_mismatch(len(self.order)):
            raise LayoutError(problem)

    def _check_blocks(self, rank: int) -> None:
        if self.cls.is_cnn:
            letters(self.cls, self.logical_rank(rank))
        if problem := blocks.mistake(self.tiles, self.padded, rank):
            raise BlockError(problem)
        if problem := self.rank_mismatch(rank):
            raise LayoutError(problem)

    @staticmethod
    def parse(text: str) -> "Layout":
        """Inverse of `str(layout)`; `NC1HWC0 {C0 = 32}` and `NHCWB16` are other names of `NCHW32c` and `NHCW16c`."""
        found = parsed(text)
        if found is not None and found.name:
            if any(axis.isalpha() for axis, _ in found.sizes):
                raise LayoutError(f"the axes of {found.name} have no names: the size of axis 1 is written dim 1 = 40")
            if not found.pieces and (found.sizes or found.has_zeros):
                raise LayoutError(f"{found.name} needs an order, because only axes in blocks end in padding")
            return _layout_of(LayoutClass(found.name), found, int)
        if found is not None and (known := _CLASS_OF_LETTERS.get(frozenset(axis for axis, _ in found.pieces))):
            cls, names = known
            if sum(tile is None for _, tile in found.pieces) == len(names):
                return _layout_of(cls, found, names.find)
        raise LayoutError(
            f"'{text}' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, "
            "or Tensor or NTensor"
        )

    def __str__(self) -> str:
        if self.order is None:
            return self.cls.value
        names = letters(self.cls, self.logical_rank(len(self.order))) if self.cls.is_cnn else None
        padding = padding_text(self.padded, self.has_zeros, names)
        if names is None:
            return f"{self.cls.value}, {order_text(self.order, self.tiles)}{padding}"
        return letters_text(self.order, names, self.tiles) + padding

    @property
    def rank(self) -> int | None:
        """The only stored rank that this layout fits, or None if it fits several."""
        return None if self.order is None else len(self.order)

    def rank_mismatch(self, rank: int) -> str | None:
        """The reason why a tensor of this stored rank cannot have this layout, or None if it can."""
        if self.order is not None and len(self.order) != rank:
            return f"layout {self} is of rank {self.rank}, the tensor of rank {rank}"
        rank -= len(self.tiles)
        if self.order is not None and rank > MAX_RANK:
            return f"a tensor of rank {rank} cannot be re-ordered: ranks above {MAX_RANK} keep their order"
        if self.cls is LayoutClass.NTENSOR and not 3 <= rank <= MAX_RANK:
            return f"NTensor is for ranks 3 to {MAX_RANK}, the tensor is of rank {rank}"
        return None

    def mismatch(self, shape: Sequence[int]) -> str | None:
        """The reason why a tensor that is stored in this shape cannot have this layout, or None if it can."""
        problem = self.rank_mismatch(len(shape))
        if problem is not None or not self.tiles:
            return problem
        return blocks.problem(self.tiles, self.padded, unpermute(shape, self.order_for(len(shape))))

    def order_for(self, rank: int) -> Order:
        """The order for a tensor of this stored rank, never None."""
        return identity(rank) if self.order is None else self.order

    def with_order(self, order: Order) -> "Layout":
        """The layout of this class in another order."""
        return Layout(self.cls, order, self.tiles, self.padded, self.has_zeros)

    def logical_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The sizes of the logical axes of a tensor that is stored in this shape, without padding."""
        sizes = unpermute(shape, self.order_for(len(shape)))
        if not self.tiles:
            return sizes
        known = self.padded_axes
        return tuple(known.get(axis, size) for axis, size in enumerate(self.filled_shape(sizes)))

    def filled_shape(self, sizes: Sequence[int]) -> tuple[int, ...]:
        """The sizes of the logical axes with their padding, from those of their pieces in identity order."""
        return blocks.filled_shape(self.tiles, sizes)

    def piece_sizes(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The sizes of the pieces of logical axes of these sizes, in identity order and with the padding.

        An axis of one element that is not filled up has pieces of one element.
        """
        pieces = self._pieces(named(shape))
        return tuple(DYNAMIC if piece.size.symbols else piece.size.factor for piece in pieces)

    def stored_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape in which a tensor with logical axes of these sizes is stored."""
        sizes = self.piece_sizes(shape) if self.tiles else tuple(shape)
        return permute(sizes, self.order_for(len(sizes)))

    def arrangement(self, sizes: Sequence[Extent]) -> Arrangement:
        """The pieces of logical axes of these sizes, in identity order and with the padding.

        There are none of one element, nor of axes without elements.
        """
        pieces = self._pieces(sizes)
        return Arrangement(tuple(() if each.size.is_unit or not each.size.factor else (each,) for each in pieces))

    def _pieces(self, sizes: Sequence[Extent]) -> Iterator[Piece]:
        tiles = dict(self.tiles)
        for axis, size in enumerate(sizes):
            tile = 1 if size.is_unit and axis not in self.padded_axes else tiles.get(axis, 1)
            yield Piece(axis, Extent(tile), Extent(-(-size.factor // tile), size.symbols))
            if axis in tiles:
                yield Piece(axis, UNIT, Extent(tile))

    def byte_order(self, shape: Sequence[int]) -> ByteOrder:
        """The byte order of a tensor with logical axes of these sizes.

        >>> [(piece.axis, piece.size.factor) for piece in Layout.parse("NCHW16c, C = 40").byte_order((1, 40, 8, 6))]
        [(1, 3), (2, 8), (3, 6), (1, 16)]
        """
        axes = self.arrangement(named(shape))
        found = axes.transposed(self.order_for(len(axes.axes))).byte_order
        return found if self.has_zeros else DirtyPadding(found)

    def axis_at(self, position: int) -> int:
        """The logical axis of which a piece is stored at a physical position."""
        assert self.order is not None, "the rank is known"
        return blocks.numbered_pieces(self.tiles, len(self.order))[self.order[position]][0]

    @property
    def unsized(self) -> "Layout":
        """The layout without sizes of axes that end in padding."""
        return Layout(self.cls, self.order, self.tiles) if self.padded else self

    def has_pieces_of(self, other: "Layout") -> bool:
        """True if both store the same pieces of axes in the same order, maybe in blocks of different sizes."""
        axes = [[axis for axis, _ in layout.tiles] for layout in (self, other)]
        return self.cls is other.cls and self.order == other.order and axes[0] == axes[1]

    @property
    def padded_axes(self) -> dict[int, int]:
        """The logical axes that end in padding, with their sizes."""
        return dict(self.padded)

    def is_packed_from(self, given: "Layout") -> bool:
        """True if a conversion from that layout makes other blocks, or none, or writes zeros behind the same ones."""
        return self.tiles != given.tiles or self.has_zeros > given.has_zeros

    def with_zeros(self, has_zeros: bool) -> "Layout":
        """The layout with padding that is zeros or may be anything."""
        return Layout(self.cls, self.order, self.tiles, self.padded, has_zeros) if self.padded else self

    def pieces_by_axis(self) -> list[list[int]]:
        """For each logical axis the physical positions of its pieces, the outer one first."""
        assert self.order is not None, "the rank is known"
        places = invert(self.order)
        found: list[list[int]] = [[] for _ in range(self.logical_rank(len(places)))]
        for place, (axis, _) in zip(places, blocks.numbered_pieces(self.tiles, len(places)), strict=True):
            found[axis].append(place)
        return found

    def padded_places(self) -> dict[tuple[int, int], int]:
        """The physical positions of both pieces of each axis that ends in padding, with its size."""
        places = self.pieces_by_axis() if self.padded else []
        return {(places[axis][0], places[axis][1]): size for axis, size in self.padded}

    def tile_of(self, axis: int) -> int | None:
        """The size of the blocks of a logical axis, or None if it is not cut."""
        return dict(self.tiles).get(axis)

    def logical_rank(self, rank: int) -> int:
        """The number of logical axes of a tensor of this stored rank."""
        return rank - len(self.tiles)

    def position_of(self, letter: str) -> int:
        """The physical position of a named axis: 3 for `C` in NHWC. A lower-case letter names the inner piece."""
        return self.letters_stored().index(letter)

    def letters_stored(self) -> str:
        """The letter of each stored axis; that of an inner piece is a lower-case one."""
        order = () if self.order is None else self.order
        names, pieces = letters(self.cls, self.logical_rank(len(order))), blocks.numbered_pieces(self.tiles, len(order))
        stored = (pieces[number] for number in order)
        return "".join([names[axis] if tile is None else names[axis].lower() for axis, tile in stored])


def _layout_of(cls: LayoutClass, found: LayoutText, number_of: Callable[[str], int]) -> Layout:
    pieces = [(number_of(axis), tile) for axis, tile in found.pieces]
    padded = tuple(sorted((number_of(axis), size) for axis, size in found.sizes))
    tiles = tuple(sorted((axis, tile) for axis, tile in pieces if tile is not None))
    layout = Layout(cls, order_of(pieces, tiles) if pieces else None, tiles, padded, found.has_zeros)
    if found.has_zeros and not padded:
        raise BlockError("there is no padding that could be zeros: no size of an axis is given")
    return layout


_PRECEDENCE = (LayoutClass.FEATURE, LayoutClass.WEIGHT, LayoutClass.NTENSOR, LayoutClass.TENSOR)


def precedence(layout: Layout) -> tuple[int, Order, str]:
    """Sort key of the layouts that meet at one op; the result gets the least one.

    A feature comes first, because the hardware demands layouts of feature maps and moving them costs time; kernels are
    mostly constants. The identity order comes before other orders.
    """
    return _PRECEDENCE.index(layout.cls), layout.order or (), str(layout) if layout.tiles else ""


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
