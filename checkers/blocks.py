"""Blocks: an axis of 40 elements in blocks of 16 is two axes, the number of the block (3) and the place in it (16).

A form in blocks is that of an op with these two axes instead of one; no axis is cut further. Where the blocks do not
divide the axis, its last block ends in padding: zeros, or anything. The facts name the values and axes that a target
has in blocks, and where padding may be anything; the law of the op says that it computes the same on them.
"""

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from .axis_laws import Law
    from .digits import UNKNOWN, Digits, Name, digits_of, merged
    from .views import StatedValue, need
else:
    from axis_laws import Law
    from digits import UNKNOWN, Digits, Name, digits_of, merged
    from views import StatedValue, need

INNER = "inner"


def cut(value: StatedValue, blocks: Any, names: Sequence[Name]) -> None:
    """Give the axes of a value their names; of an axis in blocks, the outer piece has the name of the axis."""
    pieces = [*zip(names, value.digits, strict=True)]
    for entry in sorted(blocks[1:], key=lambda entry: -int(entry[0])):
        at, tile, outer, inner = int(entry[0]), int(entry[1]), digits_of(entry[2]), digits_of(entry[3])
        size, whole, place = value.sizes[at], merged((*outer, *inner)), prod(each for _, _, each in inner)
        need(tile > 1 and size < UNKNOWN, value.name, ": no size of blocks")
        need(place == tile or (not whole and size == 1), value.name, ": blocks of another size")
        if value.storage and whole != merged(value.digits[at]):
            need(is_filled(value, at, -(-size // tile) * tile, whole), value.name, ": no padding of its axis")
            value.filled.add(at)
        value.tiles[at] = tile
        pieces[at : at + 1] = [(names[at], outer), ((names[at], INNER), inner)]
    value.may_be_anything = bool(blocks and blocks[0])
    need(bool(value.filled) or not (value.storage and value.may_be_anything), value.name, ": no padding to be anything")
    value.digits = [digits for _, digits in pieces]
    value.call([name for name, _ in pieces])


def is_filled(value: StatedValue, at: int, end: int, whole: Digits) -> bool:
    """True if one digit is an axis of the storage, filled up to an end: the value has no other digit of that axis."""
    others = {of for axis, digits in enumerate(value.digits) if axis != at for of, _, _ in digits}
    own = merged(value.digits[at]) or ((whole[0][0], 1, 1),)
    return whole == ((own[0][0], 1, end),) and own == ((own[0][0], 1, value.sizes[at]),) and own[0][0] not in others


def are_lawful(law: Law, values: Sequence[StatedValue]) -> bool:
    """True if an op computes the same on values with these blocks.

    Values of a convolution have blocks of channels of their own, but for data that are summed with a kernel in blocks.
    Other values have those that all with the axis have: parts of a concat are whole blocks, and no padding is summed.
    """
    if "kernel" in law.names:
        kernel, data = values[law.names.index("kernel")].tiles, values[0].tiles
        channels = {law.entry["letters"][axis] for each in (values[0], values[-1]) for axis in each.tiles}
        return channels <= {"C"} and (len(kernel) < 2 or {*data.values()} <= {*kernel.values()})
    every = [each for value in values if value.place not in law.alone for each in _axes(law, value)]
    for value in values:
        for axis, tile in value.tiles.items():
            name = law.axes[value.place][axis]
            free, is_named = law.free.get(name, "whole"), name in law.computed and not law.stays
            others = [(each, size) for other, each, size in every if other == name]
            is_divided = law.entry["kind"] in ("npu.concat", "npu.split") and not any(size % tile for _, size in others)
            if free == "whole" and not is_divided:
                return False
            if is_named and (free == "together" or axis in value.filled):
                return False
            if any(each != tile for each, size in others if size != 1):
                return False
    return True


def _axes(law: Law, value: StatedValue) -> list[tuple[Name, int, int]]:
    """The name, the size of the blocks (0 without any) and the size of each axis of a value."""
    names = enumerate(law.axes[value.place])
    return [(name, value.tiles.get(axis, 0), value.sizes[axis]) for axis, name in names]
