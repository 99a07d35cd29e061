"""Resampling of the spatial axes of an activation."""

from xdsl.ir import SSAValue

from .....dialects.npu import resampling as ops
from .....dialects.npu.values import logical_shape
from .....layout import DYNAMIC
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports
from ..storage import to_logical, to_stored


@exports(ops.UpsampleOp)
def upsample(op: ops.UpsampleOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    layout, factors = op.feature_layout("input", op.input), op.factors.get_values()
    rank = len(factors) + 2
    data, sizes = to_logical(graph, x, layout, rank), logical_shape(op.result, layout)
    scales = [float(factor) for factor in factors]
    found = graph.call(f"aten.upsample_nearest{rank - 2}d.vec", {"input": data}, sizes, scale_factors=scales)
    return to_stored(graph, found, layout, rank)


@exports(ops.BilinearOp)
def bilinear(op: ops.BilinearOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    how = op.coordinates.data
    if how == "asymmetric":
        raise NotExportable(f"'{op.name}' with asymmetric coordinates has no counterpart in PyTorch")
    layout = op.feature_layout("input", op.input)
    data, sizes = to_logical(graph, x, layout, 4), logical_shape(op.result, layout)
    if op.sizes is not None:
        asked: dict[str, object] = {"output_size": [*op.sizes.get_values()]}
    else:
        asked = {"scale_factors": [*(op.factors.get_values() if op.factors else ())]}
    name, is_aligned = "aten.upsample_bilinear2d.vec", how == "align_corners"
    found = graph.call(name, {"input": data}, sizes, align_corners=is_aligned, **asked)
    return to_stored(graph, found, layout, 4)


@exports(ops.DepthToSpaceOp)
def depth_to_space(op: ops.DepthToSpaceOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    """pixel_shuffle for blocks behind the channels, else a transpose of six axes."""
    layout, block = op.feature_layout("input", op.input), op.block.value.data
    data, sizes = to_logical(graph, x, layout, 4), logical_shape(op.result, layout)
    if op.mode.data == "crd":
        found = graph.call("aten.pixel_shuffle.default", {"self": data}, sizes, upscale_factor=block)
        return to_stored(graph, found, layout, 4)
    batch, channels, height, width = logical_shape(op.input, layout)
    if DYNAMIC in (channels, height, width):
        raise NotExportable(f"'{op.name}' of unknown sizes has no counterpart in PyTorch")
    cut = graph.reshape(data, [batch, block, block, channels // (block * block), height, width])
    return to_stored(graph, graph.reshape(graph.transpose(cut, (0, 3, 4, 1, 5, 2)), sizes), layout, 4)


@exports(ops.SpaceToDepthOp)
def space_to_depth(op: ops.SpaceToDepthOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    """A transpose of six axes."""
    layout, block = op.feature_layout("input", op.input), op.block.value.data
    data, sizes = to_logical(graph, x, layout, 4), logical_shape(op.result, layout)
    batch, channels, height, width = logical_shape(op.input, layout)
    if DYNAMIC in (channels, height, width):
        raise NotExportable(f"'{op.name}' of unknown sizes has no counterpart in PyTorch")
    cut = graph.reshape(data, [batch, channels, height // block, block, width // block, block])
    return to_stored(graph, graph.reshape(graph.transpose(cut, (0, 3, 5, 1, 2, 4)), sizes), layout, 4)
