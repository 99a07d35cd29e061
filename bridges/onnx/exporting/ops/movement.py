"""Data movement along physical axes."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import TypeAlias

from .....dialects.notes.node_kinds import ONNX_KIND, was
from .....dialects.npu import movement as ops
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ....origins import node_of
from ...errors import NotExportable
from ..elements import I32, I64
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports

Part: TypeAlias = tuple[int, int, int]
"""The start, the limit and the step along an axis."""
LARGE = 1 << 20
"""The elements from which on a value is moved in parts, which caches hold."""
SHORT, FEW = 8, 1 << 10
"""A Split that copies fewer than `SHORT` elements at a time is slow, unless the value has fewer than `FEW`."""


@exports(ops.ConcatOp)
def concat(op: ops.ConcatOp, graph: OnnxGraph, inputs: tuple[OnnxTensor, ...]) -> OnnxTensor:
    return graph.op("Concat", *inputs, axis=op.axis.value.data)


@exports(ops.SplitOp)
def split(op: ops.SplitOp, graph: OnnxGraph, x: OnnxTensor) -> tuple[OnnxTensor, ...]:
    sizes, axis = op.sizes.get_values(), op.axis.value.data
    if (parts := _of_transposed(op, graph, x)) is not None:
        return parts
    source = graph.computable_one("Split", x)
    if was(op, "Split", ONNX_KIND) and sizes == _equal_parts(sum(sizes), len(sizes)):
        if graph.opset.has_attribute("Split", "num_outputs"):
            return graph.split_node("Split", [source], len(sizes), axis=axis, num_outputs=len(sizes))
        if sizes[0] == sizes[-1]:
            return graph.split_node("Split", [source], len(sizes), axis=axis)
    return graph.split_node("Split", [source, graph.ints(*sizes)], len(sizes), axis=axis)


def _of_transposed(op: ops.SplitOp, graph: OnnxGraph, x: OnnxTensor) -> tuple[OnnxTensor, ...] | None:
    """Equal parts of a value that a new Transpose in front moves: it moves one part after another.

    The parts are the first axis then, so that each is read and written in one piece. None if the parts lie otherwise in
    the source, and where it is not faster: for a value that caches hold and that the Split copies in long runs.
    """
    node, sizes, count = x.node, op.sizes.get_values(), len(op.outputs)
    if node is None or node.kind != "Transpose" or node.is_as_it_came or not isinstance(node.attributes, Mapping):
        return None
    source, order, axis = node.inputs[0], [*node.attributes["perm"]], op.axis.value.data
    whole = [] if source is None or source.sizes is None else [*source.sizes]
    if source is None or DYNAMIC in whole or len(set(sizes)) != 1 or not op.input.has_one_use():
        return None
    cut, part = order[axis], shape_of(op.outputs[0])
    is_slow = prod(whole) >= (FEW if prod(part[axis:]) < SHORT else LARGE)
    if not is_slow or cut == 0 or prod(whole[:cut]) != 1:
        return None
    apart = graph.reshape(source, [count, sizes[0], *whole[cut + 1 :]])
    moved = graph.new_transpose(apart, (0, *(each - cut + 1 for each in order if each >= cut)))
    parts = graph.split_node("Split", [moved, graph.ints(*[1] * count)], count, axis=0)
    taken = [1, *(part[to] for to, each in enumerate(order) if each >= cut)]
    return parts if taken == [*part] else tuple(graph.reshape(each, part) for each in parts)


def _equal_parts(size: int, count: int) -> tuple[int, ...]:
    """The sizes of parts that a Split only counts: the last one may be smaller."""
    each = -(-size // count)
    return (*[each] * (count - 1), size - each * (count - 1))


@exports(ops.PadOp)
def pad(op: ops.PadOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    low, high = op.low.get_values(), op.high.get_values()
    if op.mode.data == "constant":
        return graph.padded(x, low, high, op.value.value.data)
    if op.mode.data != "symmetric":
        return graph.op("Pad", x, graph.ints(*low, *high), mode=op.mode.data)
    # ONNX has no counterpart: the elements are gathered along each padded axis.
    for axis, (size, before, behind) in enumerate(zip(shape_of(op.input), low, high, strict=True)):
        if before or behind:
            if size == DYNAMIC:
                raise NotExportable(f"'{op.name}' in mode \"symmetric\" of an axis of unknown size")
            places = (*range(before - 1, -1, -1), *range(size), *range(size - 1, size - 1 - behind, -1))
            x = graph.op("Gather", x, graph.ints(*places), axis=axis)
    return x


@exports(ops.SliceOp)
def slice_of(op: ops.SliceOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Only axes that are not taken whole are listed. A node of a model that takes some backward is one again."""
    rank = len(shape_of(op.input))
    steps = op.steps.get_values() if op.steps else (1,) * rank
    parts = list(zip(op.starts.get_values(), op.limits.get_values(), steps, strict=True))
    before = op.input.owner
    source = x.node.inputs[0] if x.node is not None and x.node.kind == "Slice" else None
    if source is not None and isinstance(before, ops.ReverseOp) and _is_one_node(before, op):
        x, parts = source, _backward(parts, shape_of(op.input), before.axes.get_values())
    axes = [axis for axis, part in enumerate(parts) if part != (0, ops.END_OF_AXIS, 1)]
    if not axes:
        return x
    starts, limits, strides = zip(*(parts[axis] for axis in axes), strict=True)
    return graph.slice(x, axes, starts, limits, strides)


def _is_one_node(before: ops.ReverseOp, op: ops.SliceOp) -> bool:
    """True if a Slice of a model became both, of known sizes and with a result."""
    is_known = DYNAMIC not in shape_of(op.input) and 0 not in shape_of(op.result)
    return is_known and node_of(op) is not None and node_of(before) == node_of(op)


def _backward(parts: Sequence[Part], sizes: Sequence[int], axes: Sequence[int]) -> list[Part]:
    """The starts, limits and steps in the axes as they are before some of them are reversed."""
    turned = list(parts)
    for axis in axes:
        start, limit, step = parts[axis]
        taken = range(sizes[axis])[::-1][start:limit:step]
        turned[axis] = taken.start, taken.stop if taken.stop >= 0 else -ops.END_OF_AXIS, taken.step
    return turned


@exports(ops.ReverseOp)
def reverse(op: ops.ReverseOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.reversed(x, op.axes.get_values())


@exports(ops.TileOp)
def tile(op: ops.TileOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.op("Tile", x, graph.ints(*op.repeats.get_values()))


@exports(ops.GatherOp)
def gather(op: ops.GatherOp, graph: OnnxGraph, x: OnnxTensor, indices: OnnxTensor) -> OnnxTensor:
    places = indices if indices.element in (I32, I64) else graph.cast(indices, I64)
    return graph.op("Gather", x, places, axis=op.axis.value.data)
