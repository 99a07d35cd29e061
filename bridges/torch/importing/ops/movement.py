"""Conversion of operators that move elements along axes."""

from collections.abc import Sequence
from math import isfinite

import numpy as np
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from .....dialects.npu.binary import AndOp
from .....dialects.npu.elementwise import SelectOp
from .....dialects.npu.movement import END_OF_AXIS, ConcatOp, GatherOp, PadOp, ReverseOp, SliceOp, SplitOp, TileOp
from .....dialects.npu.values import element_type_of, is_boolean
from ....building import Typed, UnsupportedNode, are_known
from ..node import CallNode
from ..registry import Converted, converts


def _concat(node: CallNode, parts: Sequence[SSAValue], axis: int) -> SSAValue:
    """The parts along an axis; the result is that of the call."""
    if len(parts) == 1:
        return parts[0]
    return node.add(ConcatOp, [parts], node.result().sizes, element_type_of(parts[0]), axis=axis)


@converts("aten.cat.default", "aten.concat.default", "aten.concatenate.default")
def cat(node: CallNode) -> SSAValue:
    """Vectors of no elements are left out, whatever the others are."""
    rank = len(node.result().sizes)
    parts = node.list_of("tensors")
    if rank != 1:
        parts = [each for each in parts if node.sizes_of(each) != (0,)]
    return _concat(node, parts, node.axis(node.integer("dim", 0), rank))


@converts("aten.stack.default")
def stack(node: CallNode) -> SSAValue:
    axis = node.axis(node.integer("dim", 0), len(node.result().sizes))
    parts = node.list_of("tensors")
    return _concat(node, [node.reshape(each, _with_unit(node, each, axis)) for each in parts], axis)


def _with_unit(node: CallNode, x: SSAValue, axis: int) -> Sequence[object]:
    sizes = node.sizes_of(x)
    return (*sizes[:axis], 1, *sizes[axis:])


@converts(
    "aten.split.Tensor",
    "aten.split.sizes",
    "aten.split_copy.Tensor",
    "aten.split_with_sizes.default",
    "aten.split_with_sizes_copy.default",
    "aten.unsafe_split.Tensor",
    "aten.unsafe_split_with_sizes.default",
    "aten.chunk.default",
    "aten.unsafe_chunk.default",
    "aten.tensor_split.sections",
    "aten.tensor_split.indices",
)
def split(node: CallNode) -> Converted:
    """The results say the sizes."""
    x = node.operand("self")
    axis = node.axis(node.integer("dim", 0), node.rank(x))
    results = [node.result(place) for place in range(len(node.op.results))]
    parts = [each.sizes[axis] for each in results]
    if len(parts) == 1 and not are_known(parts):
        return x
    node.require(are_known(parts) and bool(parts), "parts of unknown sizes")
    return node.add_many(SplitOp, [x], results, True, axis=axis, sizes=parts)


@converts("aten.unbind.int", "aten.unbind_copy.int")
def unbind(node: CallNode) -> Converted:
    x = node.operand("self")
    axis, sizes = node.axis(node.integer("dim", 0), node.rank(x)), node.sizes_of(x)
    count = len(node.op.results)
    node.require(count > 0, "no parts")
    part = Typed(element_type_of(x), (*sizes[:axis], 1, *sizes[axis + 1 :]))
    parts = node.add_many(SplitOp, [x], [part] * count, True, axis=axis, sizes=[1] * count) if count > 1 else [x]
    return [node.reshape(each, node.result().sizes) for each in parts]


def sliced(node: CallNode, x: SSAValue, axis: int, start: int, limit: int, step: int = 1) -> SSAValue:
    """The elements along one axis from `start` on and before `limit`, both as in Python."""
    sizes = node.sizes_of(x)
    rank, size = len(sizes), sizes[axis]
    limit = END_OF_AXIS if isinstance(size, int) and limit >= size else limit
    starts, limits, steps = ([each] * rank for each in (0, END_OF_AXIS, 1))
    starts[axis], limits[axis], steps[axis] = start, limit, step
    taken = len(range(size)[start:limit:step]) if isinstance(size, int) else node.result().sizes[axis]
    whole = (*sizes[:axis], taken, *sizes[axis + 1 :])
    return node.add(SliceOp, [x], whole, starts=starts, limits=limits, steps=steps if step != 1 else None)


def _cut(node: CallNode, size: object) -> tuple[int, int, int]:
    """The start, the limit and the step of a call; a limit that is the size is the end."""
    start, limit, step = node.get("start", 0), node.get("end", END_OF_AXIS), node.get("step", 1)
    limit = END_OF_AXIS if limit == size else limit
    if not all(isinstance(each, int) for each in (start, limit, step)):
        raise UnsupportedNode("places that are not known")
    return start, limit, step


@converts("aten.slice.Tensor", "aten.slice_copy.Tensor")
def slice_(node: CallNode) -> SSAValue:
    x = node.operand("self")
    axis = node.axis(node.integer("dim", 0), node.rank(x))
    size = node.sizes_of(x)[axis]
    start, limit, step = _cut(node, size)
    is_all = (start, step) == (0, 1) and (limit == END_OF_AXIS or (isinstance(size, int) and limit >= size))
    return x if is_all else sliced(node, x, axis, start, limit, step)


@converts("aten.narrow.default", "aten.narrow_copy.default")
def narrow(node: CallNode) -> SSAValue:
    x = node.operand("self")
    axis = node.axis(node.integer("dim"), node.rank(x))
    size, start, length = node.sizes_of(x)[axis], node.integer("start"), node.integer("length")
    node.require(isinstance(size, int), "a part of an unknown size")
    start = start + size if start < 0 else start
    return x if length == size else sliced(node, x, axis, start, start + length)


@converts("aten.select.int", "aten.select_copy.int")
def select(node: CallNode) -> SSAValue:
    x, index = node.operand("self"), node.integer("index")
    axis = node.axis(node.integer("dim"), node.rank(x))
    return node.add(GatherOp, [x, node.place_of(index)], node.result().sizes, axis=axis)


@converts("aten.slice_scatter.default")
def slice_scatter(node: CallNode) -> SSAValue:
    """The parts around the new one, and that."""
    x, axis = node.operand("self"), node.axis(node.integer("dim", 0), node.rank(node.operand("self")))
    size = node.sizes_of(x)[axis]
    start, limit, step = _cut(node, size)
    node.require(isinstance(size, int) and step == 1, "parts with steps or of unknown sizes")
    taken = range(size)[start:limit]
    return _replaced(node, x, node.operand("src"), axis, taken.start, taken.stop)


@converts("aten.select_scatter.default")
def select_scatter(node: CallNode) -> SSAValue:
    x, axis = node.operand("self"), node.axis(node.integer("dim"), node.rank(node.operand("self")))
    size, index = node.sizes_of(x)[axis], node.integer("index")
    node.require(isinstance(size, int), "a part of an unknown size")
    src = node.operand("src")
    part = node.reshape(src, _with_unit(node, src, axis))
    return _replaced(node, x, part, axis, index % size, index % size + 1)


def _replaced(node: CallNode, x: SSAValue, part: SSAValue, axis: int, start: int, limit: int) -> SSAValue:
    """The value with another part from `start` on and before `limit`."""
    sizes = node.sizes_of(x)
    node.require(node.sizes_of(part)[axis] == limit - start, "a part of another size")
    node.require(element_type_of(x) == element_type_of(part), "a part of another type")
    parts = [part]
    node.require(limit > start, "an empty part")
    if start > 0:
        parts.insert(0, sliced(node, x, axis, 0, start))
    if limit < sizes[axis]:
        parts.append(sliced(node, x, axis, limit, END_OF_AXIS))
    return _concat(node, parts, axis)


@converts("aten.repeat.default", "aten.tile.default")
def repeat(node: CallNode) -> SSAValue:
    x = node.operand("self")
    repeats = node.integers("repeats" if "repeats" in node.call.values else "dims")
    rank = max(len(repeats), node.rank(x))
    repeats = [1] * (rank - len(repeats)) + repeats
    wide = node.reshape(x, (*(1,) * (rank - node.rank(x)), *node.sizes_of(x)))
    if all(each == 1 for each in repeats):
        return wide
    return node.add(TileOp, [wide], node.result().sizes, repeats=repeats)


MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge"}


@converts("aten.constant_pad_nd.default", "aten.pad.default")
def pad(node: CallNode) -> SSAValue:
    return _padded(node, node.integers("pad"), node.get("mode", "constant"), node.get("value", 0))


@converts(*(f"aten.reflection_pad{rank}d.default" for rank in (1, 2, 3)))
def reflection_pad(node: CallNode) -> SSAValue:
    return _padded(node, node.integers("padding"), "reflect", 0)


@converts(*(f"aten.replication_pad{rank}d.default" for rank in (1, 2, 3)))
def replication_pad(node: CallNode) -> SSAValue:
    return _padded(node, node.integers("padding"), "replicate", 0)


def _padded(node: CallNode, pads: Sequence[int], mode: str, fill: object) -> SSAValue:
    """Pads are pairs of numbers from the last axis on; negative ones cut elements off."""
    x = node.operand("self")
    node.require(mode in MODES and isinstance(fill, bool | int | float) and isfinite(float(fill)), "an unknown pad")
    rank = node.rank(x)
    low, high = [0] * rank, [0] * rank
    for place in range(len(pads) // 2):
        low[rank - 1 - place], high[rank - 1 - place] = pads[2 * place], pads[2 * place + 1]
    if min((*low, *high), default=0) < 0:
        sizes = node.sizes_of(x)
        node.require(are_known(sizes) and mode == "constant", "parts of unknown sizes")
        cut = [(max(-before, 0), size - max(-behind, 0)) for before, behind, size in zip(low, high, sizes, strict=True)]
        node.require(all(start <= limit for start, limit in cut), "more cut off than there is")
        for axis, ((start, limit), size) in enumerate(zip(cut, sizes, strict=True)):
            x = x if (start, limit) == (0, size) else sliced(node, x, axis, start, limit)
        low, high = [max(each, 0) for each in low], [max(each, 0) for each in high]
    if not any((*low, *high)):
        return x
    number = float(fill) if isinstance(fill, int | float) else 0.0
    given = {"mode": MODES[mode] if mode != "constant" else None, "value": number or None}
    return node.add(PadOp, [x], node.result().sizes, low=low, high=high, **given)


@converts("aten.flip.default")
def flip(node: CallNode) -> SSAValue:
    x = node.operand("self")
    axes = [node.axis(axis, node.rank(x)) for axis in node.integers("dims")]
    return node.add(ReverseOp, [x], node.sizes_of(x), axes=axes) if axes else x


@converts("aten.roll.default")
def roll(node: CallNode) -> SSAValue:
    """Each axis is cut in two parts, which change places."""
    x, shifts, axes = node.operand("self"), node.integers("shifts"), node.integers("dims")
    node.require(len(shifts) == len(axes) and bool(axes), "a roll of all elements")
    for shift, given in zip(shifts, axes, strict=True):
        axis = node.axis(given, node.rank(x))
        size = node.sizes_of(x)[axis]
        node.require(isinstance(size, int), "an axis of unknown size")
        cut = -shift % size if size else 0
        if cut:
            x = _concat(node, [sliced(node, x, axis, cut, END_OF_AXIS), sliced(node, x, axis, 0, cut)], axis)
    return x


@converts("aten.triu.default", "aten.tril.default")
def triangle(node: CallNode) -> SSAValue:
    """A choice by a mask."""
    x = node.operand("self")
    node.require(are_known(node.sizes_of(x)[-2:]), "a matrix of unknown size")
    rows, columns = node.sizes_of(x)[-2:]
    whole = np.ones((rows, columns), np.bool_)
    cut = np.triu if node.call.name == "aten.triu.default" else np.tril
    units = (1,) * (node.rank(x) - 2)
    mask = node.constant_of(cut(whole, node.integer("diagonal", 0)).reshape(*units, rows, columns), i1)
    if is_boolean(element_type_of(x)):
        return node.add(AndOp, [x, mask], node.sizes_of(x))
    return node.add(SelectOp, [mask, x, node.scalar(0, element_type_of(x))], node.sizes_of(x), element_type_of(x))
