"""Data movement along axes."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue

from .....dialects.npu import movement as ops
from .....dialects.npu.values import element_type_of, is_boolean, is_float, shape_of
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports

PADS = {"reflect": "reflection", "edge": "replication"}


@exports(ops.ConcatOp)
def concat(op: ops.ConcatOp, graph: CallBuilder, inputs: tuple[SSAValue, ...]) -> SSAValue:
    return graph.call("aten.cat.default", {"tensors": inputs}, shape_of(op.result), dim=op.axis.value.data)


@exports(ops.SplitOp)
def split(op: ops.SplitOp, graph: CallBuilder, x: SSAValue) -> tuple[SSAValue, ...]:
    sizes, elements = zip(*((shape_of(each), element_type_of(each)) for each in op.outputs), strict=True)
    given = {"split_sizes": [*op.sizes.get_values()], "dim": op.axis.value.data}
    return tuple(graph.call_many("aten.split_with_sizes.default", {"self": x}, sizes, elements, **given))


@exports(ops.PadOp)
def pad(op: ops.PadOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    low, high, mode = op.low.get_values(), op.high.get_values(), op.mode.data
    pairs = [*zip(low, high, strict=True)]
    while len(pairs) > 1 and pairs[0] == (0, 0):
        del pairs[0]
    pads = [each for pair in reversed(pairs) for each in pair]
    if mode == "constant":
        fill, element = op.value.value.data, element_type_of(x)
        value = fill if is_float(element) else bool(fill) if is_boolean(element) else int(fill)
        return graph.call("aten.constant_pad_nd.default", {"self": x}, shape_of(op.result), pad=pads, value=value)
    if mode in PADS and len(pairs) <= 3 and len(low) - len(pairs) in (1, 2):
        name = f"aten.{PADS[mode]}_pad{len(pairs)}d.default"
        return graph.call(name, {"self": x}, shape_of(op.result), padding=pads)
    return _padded_along_axes(op, graph, x)


def _padded_along_axes(op: ops.PadOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    """The elements are selected along each padded axis, which PyTorch's pads take as the last ones only."""
    mode = op.mode.data
    for axis, (before, behind) in enumerate(zip(op.low.get_values(), op.high.get_values(), strict=True)):
        size = shape_of(x)[axis]
        if not (before or behind):
            continue
        if size == DYNAMIC:
            raise NotExportable(f"'{op.name}' in mode \"{mode}\" of an axis of unknown size")
        places: NDArray[np.int64] = np.pad(np.arange(size), (before, behind), mode=cast("Any", mode))
        sizes = [*shape_of(x)[:axis], len(places), *shape_of(x)[axis + 1 :]]
        operands = {"self": x, "index": graph.constant(places, i64)}
        x = graph.call("aten.index_select.default", operands, sizes, dim=axis)
    return x


@exports(ops.SliceOp)
def slice_of(op: ops.SliceOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    """Each axis that is not taken as a whole has a call."""
    sizes, after = list(shape_of(op.input)), shape_of(op.result)
    steps = op.steps.get_values() if op.steps else (1,) * len(sizes)
    cuts = zip(op.starts.get_values(), op.limits.get_values(), steps, strict=True)
    for axis, (start, limit, step) in enumerate(cuts):
        if (start, limit, step) == (0, ops.END_OF_AXIS, 1) or DYNAMIC != sizes[axis] == after[axis]:
            continue
        sizes[axis] = after[axis]
        x = graph.call("aten.slice.Tensor", {"self": x}, sizes, dim=axis, start=start, end=limit, step=step)
    return x


@exports(ops.ReverseOp)
def reverse(op: ops.ReverseOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return graph.call("aten.flip.default", {"self": x}, shape_of(op.result), dims=[*op.axes.get_values()])


@exports(ops.TileOp)
def tile(op: ops.TileOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    return graph.call("aten.repeat.default", {"self": x}, shape_of(op.result), repeats=[*op.repeats.get_values()])


@exports(ops.GatherOp)
def gather(op: ops.GatherOp, graph: CallBuilder, x: SSAValue, indices: SSAValue) -> SSAValue:
    """A position that is known is an argument; others may be negative, which only `index` allows."""
    axis, sizes = op.axis.value.data, shape_of(op.result)
    known = graph.numbers(indices)
    if known is not None and not known.shape:
        return graph.call("aten.select.int", {"self": x}, sizes, dim=axis, index=int(known))
    places = positions(graph, indices)
    if known is not None and known.ndim == 1 and bool((known >= 0).all()):
        return graph.call("aten.index_select.default", {"self": x, "index": places}, sizes, dim=axis)
    return graph.call("aten.index.Tensor", {"self": x, f"indices.{axis}": places}, sizes)


def positions(graph: CallBuilder, indices: SSAValue) -> SSAValue:
    """Indices of a type that PyTorch takes as such."""
    if element_type_of(indices) in (i32, i64):
        return indices
    return graph.call("aten._to_copy.default", {"self": indices}, shape_of(indices), i64, dtype=i64)
