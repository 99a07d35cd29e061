"""Sliding windows: SAME or VALID, with the pads of an op before it."""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue

from ....dialects.npu.attrs import LayoutAttr, i64_array
from ....dialects.npu.movement import PadOp
from ....layout import DYNAMIC, Layout
from ..exporting.windows import SAME, same_pads
from .node import FileNode

LETTERS = ("D", "H", "W")


class Pads(NamedTuple):
    """The pads of the spatial axes."""

    begins: tuple[int, ...]
    ends: tuple[int, ...]


def layout(letters: str) -> LayoutAttr:
    return LayoutAttr(Layout.parse(letters))


def numbers(name: str, found: Sequence[int], default: int) -> dict[str, Attribute]:
    """A list as a property, unless all numbers are the default."""
    return {name: i64_array(*found)} if any(each != default for each in found) else {}


def padded(node: FileNode, index: int, value: float, extents: Sequence[int]) -> tuple[SSAValue, Pads]:
    """The data of a window, and the pads that it has from an op before it, of which it takes the operand."""
    data, none = node.value(index), (0,) * len(extents)
    op = data.owner
    if node.options.padding == SAME or not isinstance(op, PadOp) or op.mode != StringAttr("constant"):
        return data, Pads(none, none)
    low, high = op.low.get_values(), op.high.get_values()
    if op.value.value.data != value or any((low[0], high[0], low[-1], high[-1])) or min((*low, *high)) < 0:
        return data, Pads(none, none)
    return op.input, Pads(tuple(low[1:-1]), tuple(high[1:-1]))


def window_of(node: FileNode, extents: Sequence[int], given: Pads) -> dict[str, Attribute]:
    """The properties of a window."""
    letters, options = LETTERS[-len(extents) :], node.options
    strides = [getattr(options, f"stride{letter}") for letter in letters]
    dilations = [getattr(options, f"dilation{letter}Factor", 1) for letter in letters]
    node.require(min((*strides, *dilations, *extents)) > 0, "a window that does not move")
    pads = given
    if options.padding == SAME:
        sizes = node.shape(0)[1:-1]
        node.require(DYNAMIC not in sizes, "SAME pads of an unknown size")
        pairs = [
            same_pads(size, extent, stride, dilation, -(-size // stride))
            for size, extent, stride, dilation in zip(sizes, extents, strides, dilations, strict=True)
        ]
        pads = Pads(tuple(begin for begin, _ in pairs), tuple(end for _, end in pairs))
    return {
        **numbers("strides", strides, 1),
        **numbers("dilations", dilations, 1),
        **numbers("pads", (*pads.begins, *pads.ends), 0),
    }
