"""The text of a layout: letters or numbers of axes in stored order, blocks, and logical sizes.

NHWC                                      NCHW16c, C = 40, zeros
Tensor, [0, 2, 1]                         Tensor, [0, 1, 2] tiles [1 by 16, 2 by 16], dim 1 = 40
                                          Tensor, [0, 1 by 16, 1]
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from .cut import AxisPiece, Cut, LogicalSize, Tile
from .order import Order

_TENSOR = re.compile(r"(N?Tensor)(?:\s*,\s*\[([-\w\s,]*)\](?:\s+tiles\s+\[([\w\s,]*)\])?)?")
_ENTRY = re.compile(r"(-?\d+)(?:\s+by\s+(\d+))?")
_LETTERS = re.compile(r"(?:[A-Z]|\d+[a-z])+")
_SIZES = re.compile(r"((?:\s*,\s*(?:[A-Z]|dim\s+\d+)\s*=\s*\d+)*)(\s*,\s*zeros)?\s*$")
_SIZE = re.compile(r"([A-Z]|dim\s+\d+)\s*=\s*(\d+)")
_OTHER_NAMES = (
    (re.compile(r"N(D?)C1HWC0(?:\s*\{\s*C0\s*=\s*(\d+)\s*\})?"), r"N\1CHW{}c"),
    (re.compile(r"N(D?)HCWB(\d+)"), r"N\1HCW{}c"),
)
"""The names that others use for blocks of channels, and ours; C0 is 16 unless it is given."""


class LayoutError(ValueError):
    """A text, or a combination of class and order, that is not a layout.

    >>> parsed("Tensor, [0, 2,]")
    Traceback (most recent call last):
    npu_opt.layout.layout_text.LayoutError: an axis is missing
    """


class BlockError(LayoutError):
    """A layout with blocks that no tensor has.

    Only an axis in blocks ends in padding, so that `NCHW16c, W = 5` is none:

    >>> cut_of(pieces=[(1, 16)], sizes=[(3, 5)], has_zeros=False).mistake(stored_rank=5)
    'only an axis in blocks ends in padding'
    """


class LayoutText(NamedTuple):
    """The parts of the text of a layout.

    >>> found = parsed("NCHW16c, C = 40, zeros")
    >>> found.pieces[1], found.pieces[-1], found.sizes, found.has_zeros
    (('C', None), ('C', 16), [('C', 40)], True)
    """

    name: str
    """The class if the axes have no letters, else empty."""
    pieces: Sequence[tuple[str, int | None]]
    """The axes in stored order, each with the size of its blocks if the piece is an inner one."""
    sizes: Sequence[tuple[str, int]]
    """The logical sizes of axes."""
    has_zeros: bool


def parsed(text: str) -> LayoutText | None:
    """The parts of a text, or None if it is no layout."""
    text = text.strip()
    end = _SIZES.search(text)
    assert end is not None
    sizes = [(axis.removeprefix("dim").strip(), int(size)) for axis, size in _SIZE.findall(end[1])]
    head, has_zeros = _with_our_name(text[: end.start()].strip()), end[2] is not None
    if match := _TENSOR.fullmatch(head):
        return LayoutText(match[1], [*_entries(match[2]), *_entries(match[3])], sizes, has_zeros)
    if _LETTERS.fullmatch(head):
        found = re.findall(r"(\d*)([A-Za-z])", head)
        return LayoutText("", [(axis.upper(), int(tile) if tile else None) for tile, axis in found], sizes, has_zeros)
    return None


def _with_our_name(head: str) -> str:
    for other, ours in _OTHER_NAMES:
        if match := other.fullmatch(head):
            return match.expand(ours).format(match[2] or 16)
    return head


def _entries(text: str | None) -> list[tuple[str, int | None]]:
    if text is None:
        return []
    entries = [_ENTRY.fullmatch(entry.strip()) for entry in text.split(",")]
    if None in entries:
        raise LayoutError("an axis is missing")
    return [(entry[1], int(entry[2]) if entry[2] else None) for entry in entries if entry is not None]


def cut_of(pieces: Sequence[tuple[int, int | None]], sizes: Sequence[tuple[int, int]], has_zeros: bool) -> Cut | None:
    """The cut of axes with these pieces; None if no axis is cut."""
    tiles = sorted(Tile(axis, tile) for axis, tile in pieces if tile is not None)
    if not tiles and not sizes and not has_zeros:
        return None
    return Cut(tuple(tiles), tuple(sorted(LogicalSize(*each) for each in sizes)), has_zeros)


def order_of(pieces: Sequence[tuple[int, int | None]], cut: Cut | None) -> Order:
    """The order of pieces in stored order; not a permutation if some are missing or repeated."""
    if cut is None:
        return tuple(axis for axis, _ in pieces)
    number = {piece: place for place, piece in enumerate(cut.pieces(len(pieces)))}
    return tuple(number.get(AxisPiece(*each), -1) for each in pieces)


def order_text(order: Order, cut: Cut | None) -> str:
    """The order of axes without letters."""
    if cut is None:
        return f"[{', '.join(map(str, order))}]"
    pieces = [cut.pieces(len(order))[number] for number in order]
    outer = len(pieces) - len(cut.tiles)
    if any(piece.tile is not None for piece in pieces[:outer]):
        return f"[{', '.join(map(_entry, pieces))}]"
    return f"[{', '.join(map(_entry, pieces[:outer]))}] tiles [{', '.join(map(_entry, pieces[outer:]))}]"


def _entry(piece: AxisPiece) -> str:
    return str(piece.axis) if piece.tile is None else f"{piece.axis} by {piece.tile}"


def letters_text(order: Order, names: str, cut: Cut | None) -> str:
    """The order of axes with letters."""
    if cut is None:
        return "".join([names[axis] for axis in order])
    pieces = cut.pieces(len(order))
    found = (pieces[number] for number in order)
    return "".join(names[axis] if tile is None else f"{tile}{names[axis].lower()}" for axis, tile in found)


def padding_text(cut: Cut | None, names: str | None) -> str:
    """The logical sizes of axes that end in padding."""
    if cut is None:
        return ""
    sizes = (f", {f'dim {axis}' if names is None else names[axis]} = {size}" for axis, size in cut.sizes)
    return "".join(sizes) + ", zeros" * cut.has_zeros
