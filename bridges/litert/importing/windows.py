"""Sliding windows: SAME or VALID, with the pads of an op before it."""

from collections.abc import Sequence
from math import copysign
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, StringAttr, f32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.npu.attrs import LayoutAttr, i64_array
from ....dialects.npu.movement import PadOp
from ....dialects.npu.source import ConstantOp, OpaqueOp, elements_of, written_integers
from ....dialects.npu.values import element_type_of
from ....layout import DYNAMIC, Layout
from ..exporting.windows import SAME, same_pads
from ..kept import PREFIX
from .node import FileNode

LOWEST = float(np.finfo(np.float32).min)
"""The number with which MAX_POOL_2D is padded, and which is the largest of infinitely small ones to it."""
LEAST = np.float32(-np.inf).tobytes()
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
    found = None if node.options.padding == SAME else _padding(data.owner, value)
    if found is None:
        return data, Pads(none, none)
    source, (low, high) = found
    if any((low[0], high[0], low[-1], high[-1])) or min((*low, *high)) < 0:
        return data, Pads(none, none)
    return source, Pads(low[1:-1], high[1:-1])


def _signed(number: float) -> tuple[float, float]:
    """A number with its sign, which tells the two zeros apart."""
    return number, copysign(1, number)


def _padding(op: Operation | Block, value: float) -> tuple[SSAValue, Pads] | None:
    """The operand of an op that pads with a number, and the pads of all axes."""
    if isinstance(op, PadOp) and op.mode == StringAttr("constant") and _signed(op.value.value.data) == _signed(value):
        return op.input, Pads(tuple(op.low.get_values()), tuple(op.high.get_values()))
    if isinstance(op, OpaqueOp) and op.op_name.data == f"{PREFIX}PADV2" and value == LOWEST:
        return _infinite_padding(op)
    return None


def _infinite_padding(op: OpaqueOp) -> tuple[SSAValue, Pads] | None:
    """The data and the pads of an op that pads with an infinite number, which no attribute can be."""
    source, widths, number = op.operands
    pairs, constant = written_integers(widths), number.owner
    if pairs is None or element_type_of(number) != f32 or not isinstance(constant, ConstantOp):
        return None
    dense = constant.value
    if not isinstance(dense, DenseIntOrFPElementsAttr) or elements_of(dense).tobytes() != LEAST:
        return None
    return source, Pads(tuple(pairs[::2]), tuple(pairs[1::2]))


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
