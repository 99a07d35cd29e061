"""The text of a layout: letters or numbers of axes in stored order, blocks, and logical sizes.

NHWC                                      NCHW16c, C = 40, zeros
Tensor, [0, 2, 1]                         Tensor, [0, 1, 2] tiles [1 by 16, 2 by 16], dim 1 = 40
                                          Tensor, [0, 1 by 16, 1]
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from .blocks import AxisSizes, numbered_pieces
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

    >>> from npu_opt.layout import Layout
    >>> Layout.parse("NCHW16c, W = 5")
    Traceback (most recent call last):
    npu_opt.layout.layout_text.BlockError: only an axis in blocks ends in padding
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


def order_of(stored: Sequence[tuple[int, int | None]], tiles: AxisSizes) -> Order:
    """The order of pieces in stored order; not a permutation if some are missing or repeated."""
    if not tiles:
        return tuple(axis for axis, _ in stored)
    number = {piece: place for place, piece in enumerate(numbered_pieces(tiles, len(stored)))}
    return tuple(number.get(piece, -1) for piece in stored)


def order_text(order: Order, tiles: AxisSizes) -> str:
    """The order of axes without letters."""
    stored = [numbered_pieces(tiles, len(order))[number] for number in order]
    outer = len(stored) - len(tiles)
    if not tiles or any(tile is not None for _, tile in stored[:outer]):
        return f"[{', '.join(map(_entry, stored))}]"
    return f"[{', '.join(map(_entry, stored[:outer]))}] tiles [{', '.join(map(_entry, stored[outer:]))}]"


def _entry(piece: tuple[int, int | None]) -> str:
    axis, tile = piece
    return str(axis) if tile is None else f"{axis} by {tile}"


def letters_text(order: Order, names: str, tiles: AxisSizes) -> str:
    """The order of axes with letters."""
    stored = (numbered_pieces(tiles, len(order))[number] for number in order)
    return "".join([names[axis] if tile is None else f"{tile}{names[axis].lower()}" for axis, tile in stored])


def padding_text(padded: AxisSizes, has_zeros: bool, names: str | None) -> str:
    """The sizes of axes that end in padding."""
    sizes = (f", {f'dim {axis}' if names is None else names[axis]} = {size}" for axis, size in padded)
    return "".join(sizes) + ", zeros" * (has_zeros and bool(padded))
