"""GridSample, RoiAlign and DeformConv, which read N, C and the spatial axes in this order."""

from typing import Any

from .....dialects.npu import sampling as ops
from .....dialects.npu.values import rank_of, shape_of
from ...errors import NotExportable
from ..elements import F32, I64
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports
from ..storage import to_logical, to_stored

NEW_NAMES = 20
"""The opset from which on GridSample has the names of interpolation along any number of axes."""
HALF_PIXEL = 16
"""The opset from which on RoiAlign says how places are moved."""


@exports(ops.GridSampleOp)
def grid_sample(op: ops.GridSampleOp, graph: OnnxGraph, x: OnnxTensor, grid: OnnxTensor) -> OnnxTensor:
    layout, rank, mode = op.feature_layout("input", op.input), rank_of(op.input), op.mode.data
    if graph.opset.number < NEW_NAMES:
        mode = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode)
    how: dict[str, Any] = {
        "mode": mode,
        "padding_mode": op.padding.data,
        "align_corners": int(op.align_corners is not None),
    }
    given = to_logical(graph, x, layout, rank), grid
    if graph.opset.number < NEW_NAMES:
        given = [graph.cast(each, F32) for each in given]
    found = graph.op("GridSample", *given, **how)
    return to_stored(graph, found, layout, rank)


@exports(ops.RoiAlignOp)
def roi_align(
    op: ops.RoiAlignOp, graph: OnnxGraph, x: OnnxTensor, regions: OnnxTensor, batches: OnnxTensor
) -> OnnxTensor:
    layout, (height, width) = op.feature_layout("input", op.input), op.sizes.get_values()
    how: dict[str, Any] = {"output_height": height, "output_width": width, "spatial_scale": op.scale.value.data}
    how["mode"] = "max" if op.mode.data == "max" else "avg"
    if op.ratio is not None:
        how["sampling_ratio"] = op.ratio.value.data
    is_moved = op.half_pixel is not None
    if graph.opset.number >= HALF_PIXEL:
        how["coordinate_transformation_mode"] = "half_pixel" if is_moved else "output_half_pixel"
    elif is_moved:
        raise NotExportable(f"'{op.name}' with half_pixel has no counterpart in ONNX before opset {HALF_PIXEL}")
    found = graph.op("RoiAlign", to_logical(graph, x, layout, 4), regions, graph.cast(batches, I64), **how)
    return to_stored(graph, found, layout, 4)


@exports(ops.DeformConvOp)
def deform_conv(
    op: ops.DeformConvOp,
    graph: OnnxGraph,
    x: OnnxTensor,
    offsets: OnnxTensor,
    kernel: OnnxTensor,
    bias: OnnxTensor | None,
    mask: OnnxTensor | None,
) -> OnnxTensor:
    layout, window = op.feature_layout("input", op.input), op.sliding_window(2)
    how: dict[str, Any] = {"strides": list(window.strides), "dilations": list(window.dilations)}
    how |= {"pads": [*window.pads_begin, *window.pads_end], "kernel_shape": list(shape_of(op.kernel)[2:])}
    how |= {"group": op.groups.value.data, "offset_group": op.offset_groups.value.data}
    given = [kernel, offsets, bias, mask]
    while given[-1] is None:
        given.pop()
    found = graph.op("DeformConv", to_logical(graph, x, layout, 4), *given, **how)
    return to_stored(graph, found, layout, 4)
