"""Ops whose sizes and positions are numbers of the run.

ONNX lists the numbers for all axes in their order, or for those that another input or an attribute names. Where it has
no names, a Gather of the numbers, which are at most twice as many as there are axes, brings them into that order.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .....dialects.npu import dynamic as ops
from .....dialects.npu.values import element_type_of, is_float, shape_of
from .....layout import DYNAMIC, invert, permute
from ...errors import NotExportable
from ..elements import F32, I32, I64
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports
from ..versions import SPLIT_COUNTED, KeptNode, check_same_meaning
from .resampling import merged_size, on_merged
from .source import count_foreign

PAD_WITH_AXES = 18
"""The opset from which on it names its axes."""


@exports(ops.ShapeOfOp)
def shape_of_value(op: ops.ShapeOfOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Shape of all axes, or of a range of them, or a Gather of some of these sizes."""
    axes, rank = op.axes.get_values(), len(shape_of(op.input))
    if axes == tuple(range(rank)):
        return graph.op("Shape", x, element=I64)
    if axes and axes == tuple(range(axes[0], axes[0] + len(axes))):
        if graph.opset.has_attribute("Shape", "start"):
            end = {} if axes[-1] == rank - 1 else {"end": axes[-1] + 1}
            return graph.op("Shape", x, element=I64, start=axes[0], **end)
        return graph.slice(graph.op("Shape", x, element=I64), [0], [axes[0]], [axes[-1] + 1])
    return graph.op("Gather", graph.op("Shape", x, element=I64), graph.ints(*axes), axis=0)


def in_order(axes: Sequence[int], rank: int, graph: OnnxGraph, numbers: OnnxTensor, *neutral: float) -> OnnxTensor:
    """The numbers for all axes in their order; those for other axes are neutral, one for each that an axis has."""
    if tuple(axes) == tuple(range(rank)):
        return numbers
    is_whole = len(axes) == rank
    # With the neutral numbers in front where some axis has none.
    front = 0 if is_whole else len(neutral)
    places = [
        front + len(axes) * part + axes.index(axis) if axis in axes else part
        for part in range(len(neutral))
        for axis in range(rank)
    ]
    if numbers.weights is not None:
        known = numbers.weights.array()
        return graph.numbers(np.append(np.asarray(neutral[:front], known.dtype), known)[places], numbers.element)
    if front:
        numbers = graph.op("Concat", graph.numbers(neutral, numbers.element), numbers, axis=0)
    return graph.op("Gather", numbers, graph.ints(*places), axis=0)


def are_first(axes: Sequence[int]) -> bool:
    return tuple(axes) == tuple(range(len(axes)))


@exports(ops.DynamicSliceOp)
def dynamic_slice(
    op: ops.DynamicSliceOp,
    graph: OnnxGraph,
    x: OnnxTensor,
    starts: OnnxTensor,
    limits: OnnxTensor,
    steps: OnnxTensor | None,
) -> OnnxTensor:
    axes = op.axes.get_values()
    named = None if are_first(axes) and steps is None else graph.numbers(np.array(axes), starts.element)
    steps = None if steps is None else graph.cast(steps, starts.element)
    return graph.op("Slice", x, starts, graph.cast(limits, starts.element), named, *([] if steps is None else [steps]))


@exports(ops.DynamicPadOp)
def dynamic_pad(
    op: ops.DynamicPadOp, graph: OnnxGraph, x: OnnxTensor, pads: OnnxTensor, fill: OnnxTensor | None
) -> OnnxTensor:
    axes, value = op.axes.get_values(), op.value.value.data
    source, pads = graph.computable_one("Pad", x), graph.cast(pads, I64)
    if fill is not None:
        fill = graph.cast(fill, source.element)
    elif value or np.signbit(value):
        fill = graph.like(source, value)
    attributes: dict[str, Any] = {} if op.mode.data == "constant" else {"mode": op.mode.data}
    is_whole = axes == tuple(range(len(shape_of(op.input)))) or pads.weights is not None
    if graph.opset.number >= PAD_WITH_AXES and not is_whole:
        return graph.node("Pad", source, pads, fill, graph.ints(*axes), **attributes)
    listed = in_order(axes, len(shape_of(op.input)), graph, pads, 0, 0)
    return graph.node("Pad", source, listed, *([] if fill is None else [fill]), **attributes)


@exports(ops.DynamicSplitOp)
def dynamic_split(
    op: ops.DynamicSplitOp, graph: OnnxGraph, x: OnnxTensor, sizes: OnnxTensor | None
) -> tuple[OnnxTensor, ...]:
    source, axis, count = graph.computable_one("Split", x), op.axis.value.data, op.parts.value.data
    if sizes is not None:
        return graph.split_node("Split", [source, graph.cast(sizes, I64)], count, axis=axis)
    if (whole := shape_of(op.input)[axis]) != DYNAMIC:
        each = -(-whole // count)
        parts = [*[each] * (count - 1), whole - each * (count - 1)]
        return graph.split_node("Split", [source, graph.ints(*parts)], count, axis=axis)
    if op.equal is not None and graph.opset.number < SPLIT_COUNTED:
        return graph.split_node("Split", [source], count, axis=axis)
    before = max(graph.foreign_opset or SPLIT_COUNTED, SPLIT_COUNTED)
    check_same_meaning(KeptNode("Split", [], [source], count), before, graph.opset.number)
    return graph.split_node("Split", [source], count, axis=axis, num_outputs=count)


@exports(ops.DynamicTileOp)
def dynamic_tile(op: ops.DynamicTileOp, graph: OnnxGraph, x: OnnxTensor, repeats: OnnxTensor) -> OnnxTensor:
    return graph.op(
        "Tile", x, in_order(op.axes.get_values(), len(shape_of(op.input)), graph, graph.cast(repeats, I64), 1)
    )


@exports(ops.DynamicResizeOp)
def dynamic_resize(
    op: ops.DynamicResizeOp, graph: OnnxGraph, x: OnnxTensor, numbers: OnnxTensor, roi: OnnxTensor | None
) -> OnnxTensor:
    axes = op.axes.get_values()
    if op.coordinates.data in op.LITE_COORDINATES:
        return _resized_as_in_litert(op, graph, x, numbers, axes)
    return resized(op, graph, x, numbers, roi, axes, mode="nearest", nearest_mode=op.rounding.data)


def _resized_as_in_litert(
    op: ops.DynamicResizeOp, graph: OnnxGraph, x: OnnxTensor, numbers: OnnxTensor, axes: Sequence[int]
) -> OnnxTensor:
    """The op of LiteRT, of an image with the channels last: its positions are rounded as nowhere in ONNX."""
    domain, kind, rank = "litert", "RESIZE_NEAREST_NEIGHBOR", len(shape_of(op.input))
    is_aligned = op.coordinates.data == "lite_align_corners"
    if len(axes) != 2 or rank != 4 or (op.rounding.data == "floor") == is_aligned:
        raise NotExportable(f"'{op.name}' to positions that are rounded as in LiteRT has no counterpart in ONNX")
    count_foreign(f"{domain}.{kind}", domain, graph)
    outer, inner = (axis for axis in range(rank) if axis not in axes)
    order = (outer, *axes, inner)
    flags = {"alignCorners": int(is_aligned), "halfPixelCenters": int(op.coordinates.data == "lite_half_pixel")}
    given = [graph.transpose(x, order), graph.cast(numbers, I32)]
    made = graph.foreign_node(domain, kind, given, x.element, **flags)
    made.sizes = permute(shape_of(op.result), order)
    return graph.transpose(made, invert(order))


@exports(ops.DynamicInterpolateOp)
def dynamic_interpolate(
    op: ops.DynamicInterpolateOp, graph: OnnxGraph, x: OnnxTensor, numbers: OnnxTensor, roi: OnnxTensor | None
) -> OnnxTensor:
    """Resize, between two Transposes where ONNX Runtime has no kernel for the order of the axes."""
    axes, rank = op.axes.get_values(), len(shape_of(op.input))
    how: dict[str, Any] = {"mode": "linear"}
    if op.cubic is not None:
        how = {"mode": "cubic", "cubic_coeff_a": op.cubic.value.data}
    if op.exclude_outside is not None:
        how["exclude_outside"] = 1
    if rank < 4 or _has_kernel(op, axes, numbers):
        return resized(op, graph, x, numbers, roi, axes, **how)
    if len(axes) == rank:
        raise NotExportable(f"ONNX Runtime has no kernel for '{op.name}' of an image with axes in this order")
    # The image is along the named axes, and another one beside one axis.
    others = [axis for axis in range(rank) if axis not in axes]
    order = (*others[:2], *sorted({*range(rank)} - {*others[:2]}))
    shape, outer = (permute(shape_of(value), order) for value in (op.input, op.result))
    # ONNX Runtime moves Transposes past a Resize, unless a change of the shape is between them.
    whole = merged_size(*shape[:2])
    merged = (whole, 1)
    if shape[1] == 1 and DYNAMIC not in (*shape, *outer):
        merged = (whole,) if op.cubic is None else (1, whole) if whole != 1 else ()
    moved = [order.index(axis) - 2 + len(merged) for axis in axes]
    result = on_merged(
        graph,
        graph.transpose(x, order),
        shape,
        outer[2:],
        merged,
        lambda flat: resized(op, graph, flat, numbers, roi, moved, len(merged) + 2, **how),
    )
    return graph.transpose(result, invert(order))


def _has_kernel(op: ops.DynamicInterpolateOp, axes: Sequence[int], numbers: OnnxTensor) -> bool:
    """True if ONNX Runtime interpolates an image along these of its four axes.

    With the channels last it has cubics for larger images only, and takes other ends of a region with them.
    """
    named, are_scales = {*axes}, is_float(element_type_of(op.numbers))
    if len(axes) == 4:
        return axes[0] == 0 and tuple(axes[1:]) in (_ROUND if op.cubic is None else _ROUND[:1])
    if named <= {2, 3} or not named <= {1, 2} or op.cubic is None:
        return named <= {2, 3} or named <= {1, 2}
    if op.roi is not None or numbers.weights is None:
        return False
    before = [1 if are_scales else shape_of(op.input)[axis] for axis in axes]
    return DYNAMIC not in before and bool((numbers.weights.array().reshape(-1) >= before).all())


_ROUND = (1, 2, 3), (2, 3, 1), (3, 1, 2)
"""The axes of an image behind the first one, in orders that put the channels in front or last."""


def resized(
    op: ops.ResizingOp,
    graph: OnnxGraph,
    x: OnnxTensor,
    numbers: OnnxTensor,
    roi: OnnxTensor | None,
    axes: Sequence[int],
    rank: int | None = None,
    **how: Any,
) -> OnnxTensor:
    """A Resize along these axes. Where it does not name them, the others are scaled by 1, or keep their sizes.

    It names none if the rank of the data is another one, for the sake of ONNX Runtime, which may move Transposes there.
    """
    is_named, rank = rank is None, len(shape_of(op.input)) if rank is None else rank
    are_scales = is_float(element_type_of(op.numbers))
    numbers = graph.cast(numbers, F32 if are_scales else I64)
    how["coordinate_transformation_mode"] = op.coordinates.data
    if op.value.value.data:
        how["extrapolation_value"] = op.value.value.data
    is_listed = numbers.weights is not None and (are_scales or len(axes) == rank)
    is_whole = is_listed or tuple(axes) == tuple(range(rank))
    if is_named and not is_whole and graph.opset.has_attribute("Resize", "axes"):
        how["axes"] = list(axes)
        return graph.op("Resize", x, roi, *([numbers] if are_scales else [None, numbers]), **how)
    roi = None if roi is None else in_order(axes, rank, graph, roi, 0, 1)
    if are_scales or len(axes) == rank:
        numbers = in_order(axes, rank, graph, numbers, 1)
    else:
        places = [rank + axes.index(axis) if axis in axes else axis for axis in range(rank)]
        both = graph.op("Concat", graph.op("Shape", x, element=I64), numbers, axis=0)
        numbers = graph.op("Gather", both, graph.ints(*places), axis=0)
    return graph.op("Resize", x, roi, *([numbers] if are_scales else [None, numbers]), **how)
