"""A layout: the class of a value and the order in which its logical axes, or their pieces, are stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from .arrangement import Arrangement
from .cut import Cut, Tile
from .extent import UNIT, Extent, named
from .factoring import Piece
from .layout_text import (
    BlockError,
    LayoutError,
    LayoutText,
    cut_of,
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
        raise LayoutError(f"{cls.value} has no axis letters at rank {rank}") from None


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
    cut: Cut | None = None
    """The axes that are cut into blocks; None if none is."""

    def __post_init__(self) -> None:
        if self.order is None:
            if self.cls.is_cnn:
                raise LayoutError(f"{self.cls.value} needs an order")
            if self.cut is not None:
                raise LayoutError(f"{self.cls.value} needs an order, because only axes in blocks end in padding")
            return
        if self.cut is not None:
            self._check_cut(self.cut, len(self.order))
        if not is_permutation(self.order):
            raise LayoutError(f"[{', '.join(map(str, self.order))}] is not a permutation")
        if self.cut is not None:
            return
        if self.cls.is_cnn:
            letters(self.cls, len(self.order))
        elif self.order == identity(len(self.order)):
            object.__setattr__(self, "order", None)
        elif problem := self.rank_mismatch(len(self.order)):
            raise LayoutError(problem)

    def _check_cut(self, cut: Cut, rank: int) -> None:
        if self.cls.is_cnn:
            letters(self.cls, rank - len(cut.tiles))
        if problem := cut.mistake(rank):
            raise BlockError(problem)
        if problem := self.rank_mismatch(rank):
            raise LayoutError(problem)

    @staticmethod
    def parse(text: str) -> "Layout":
        """Inverse of `str(layout)`; `NC1HWC0 {C0 = 32}` and `NHCWB16` are other names of `NCHW32c` and `NHCW16c`."""
        found = parsed(text)
        if found is not None and found.name:
            return _tensor_layout(found)
        if found is not None and (known := _CLASS_OF_LETTERS.get(frozenset(axis for axis, _ in found.pieces))):
            cls, names = known
            if sum(tile is None for _, tile in found.pieces) == len(names):
                pieces = [(names.index(axis), tile) for axis, tile in found.pieces]
                sizes = [(names.find(axis), size) for axis, size in found.sizes]
                cut = cut_of(pieces, sizes, found.has_zeros)
                return Layout(cls, order_of(pieces, cut), cut)
        raise LayoutError(
            f"'{text}' is not a layout: expected a permutation of NCW, NCHW, NCDHW, OIW, OIHW or OIDHW, "
            "or Tensor or NTensor"
        )

    def __str__(self) -> str:
        if self.order is None:
            return self.cls.value
        if not self.cls.is_cnn:
            return f"{self.cls.value}, {order_text(self.order, self.cut)}{padding_text(self.cut, None)}"
        names = letters(self.cls, len(self.order) - len(self.tiles))
        return letters_text(self.order, names, self.cut) + padding_text(self.cut, names)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The blocks of the axes that are cut."""
        return () if self.cut is None else self.cut.tiles

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
        if problem is not None or self.cut is None:
            return problem
        return self.cut.problem(unpermute(shape, self.order_for(len(shape))))

    def order_for(self, rank: int) -> Order:
        """The order for a tensor of this stored rank, never None."""
        return identity(rank) if self.order is None else self.order

    def with_order(self, order: Order) -> "Layout":
        """The layout of this class in another order."""
        return Layout(self.cls, order, self.cut)

    def logical_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The sizes of the logical axes of a tensor that is stored in this shape, without padding."""
        sizes = unpermute(shape, self.order_for(len(shape)))
        return sizes if self.cut is None else self.cut.logical_shape(sizes)

    def stored_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape in which a tensor with logical axes of these sizes is stored."""
        sizes = tuple(shape) if self.cut is None else self.cut.piece_sizes(shape)
        return permute(sizes, self.order_for(len(sizes)))

    def pieces_of(self, sizes: Sequence[Extent]) -> Arrangement:
        """The pieces of logical axes of these sizes, in identity order and with the padding.

        Without elements there are no pieces. An axis of one element that is not filled up has pieces of one element.
        """
        tiles, padded, axes = dict(self.tiles), self.padded_axes, list[tuple[Piece, ...]]()
        for axis, size in enumerate(sizes):
            tile = 1 if size.is_unit and axis not in padded else tiles.get(axis, 1)
            count = Extent(-(-size.factor // tile), size.symbols)
            axes.append(() if count.is_unit or not count.factor else (Piece(axis, Extent(tile), count),))
            if axis in tiles:
                axes.append(() if tile == 1 else (Piece(axis, UNIT, Extent(tile)),))
        return Arrangement(tuple(axes))

    def byte_order(self, shape: Sequence[int]) -> tuple[Piece, ...]:
        """The pieces of logical axes of these sizes in the order in which memory holds them, with the padding.

        >>> [(piece.axis, piece.size.factor) for piece in Layout.parse("NCHW16c, C = 40").byte_order((1, 40, 8, 6))]
        [(1, 3), (2, 8), (3, 6), (1, 16)]
        """
        axes = self.pieces_of(named(shape))
        return axes.transposed(self.order_for(len(axes.axes))).byte_order

    def axis_at(self, position: int) -> int:
        """The logical axis of which a piece is stored at a physical position."""
        assert self.order is not None, "the rank is known"
        number = self.order[position]
        return number if self.cut is None else self.cut.pieces(len(self.order))[number].axis

    @property
    def form(self) -> "Layout":
        """The layout without sizes of axes that end in padding."""
        return self if self.cut is None or not self.cut.sizes else Layout(self.cls, self.order, self.cut.form)

    def has_pieces_of(self, other: "Layout") -> bool:
        """True if both store the same pieces of axes in the same order, maybe in blocks of different sizes."""
        if self.cut is None or other.cut is None:
            return self == other
        axes = [[tile.axis for tile in cut.tiles] for cut in (self.cut, other.cut)]
        return self.cls is other.cls and self.order == other.order and axes[0] == axes[1]

    @property
    def padded_axes(self) -> dict[int, int]:
        """The logical axes that end in padding, with their sizes."""
        return {} if self.cut is None else dict(self.cut.sizes)

    @property
    def has_zeros(self) -> bool:
        """True if there is no padding, or it is known to be zeros."""
        return self.cut is None or not self.cut.sizes or self.cut.has_zeros

    def is_packed_from(self, given: "Layout") -> bool:
        """True if a conversion from that layout makes other blocks, or none, or writes zeros behind the same ones."""
        return self.tiles != given.tiles or self.has_zeros > given.has_zeros

    def with_zeros(self, has_zeros: bool) -> "Layout":
        """The layout with padding that is zeros or may be anything."""
        return self if self.cut is None else Layout(self.cls, self.order, self.cut.with_zeros(has_zeros))

    def pieces_by_axis(self) -> list[list[int]]:
        """For each logical axis the physical positions of its pieces, the outer one first."""
        assert self.order is not None, "the rank is known"
        places = invert(self.order)
        if self.cut is None:
            return [[place] for place in places]
        found: list[list[int]] = []
        for place, piece in zip(places, self.cut.pieces(len(places)), strict=True):
            if piece.tile is None:
                found.append([])
            found[-1].append(place)
        return found

    def padded_places(self) -> dict[tuple[int, int], int]:
        """The physical positions of both pieces of each axis that ends in padding, with its size."""
        if self.cut is None or self.order is None:
            return {}
        places = self.pieces_by_axis()
        return {(places[axis][0], places[axis][1]): size for axis, size in self.cut.sizes}

    def letters_cut(self) -> str:
        """The letters of the axes that are cut into blocks."""
        if self.cut is None or self.order is None:
            return ""
        names = letters(self.cls, self.logical_rank(len(self.order)))
        return "".join(names[tile.axis] for tile in self.cut.tiles)

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
        names = letters(self.cls, len(order) - len(self.tiles))
        if self.cut is None:
            return "".join([names[axis] for axis in order])
        pieces = self.cut.pieces(len(order))
        stored = (pieces[number] for number in order)
        return "".join(names[axis] if tile is None else names[axis].lower() for axis, tile in stored)


def _tensor_layout(found: LayoutText) -> Layout:
    cls = LayoutClass(found.name)
    pieces = [(int(axis), tile) for axis, tile in found.pieces]
    if any(axis.isalpha() for axis, _ in found.sizes):
        raise LayoutError(f"the axes of {found.name} have no letters: the size of axis 1 is written dim 1 = 40")
    cut = cut_of(pieces, [(int(axis), size) for axis, size in found.sizes], found.has_zeros)
    return Layout(cls, order_of(pieces, cut) if pieces else None, cut)


_PRECEDENCE = (LayoutClass.FEATURE, LayoutClass.WEIGHT, LayoutClass.NTENSOR, LayoutClass.TENSOR)


def precedence(layout: Layout) -> tuple[int, Order, str]:
    """Sort key of the layouts that meet at one op; the result gets the least one.

    A feature comes first, because the hardware demands layouts of feature maps and moving them costs time; kernels are
    mostly constants. The identity order comes before other orders.
    """
    return _PRECEDENCE.index(layout.cls), layout.order or (), "" if layout.cut is None else str(layout)


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
