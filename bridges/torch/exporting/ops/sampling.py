"""grid_sample, which reads N, C and the spatial axes in this order."""

from xdsl.ir import SSAValue

from .....dialects.npu import sampling as ops
from .....dialects.npu.values import logical_shape, rank_of
from ..graph import CallBuilder
from ..registry import exports
from ..storage import to_logical, to_stored


@exports(ops.GridSampleOp)
def grid_sample(op: ops.GridSampleOp, graph: CallBuilder, x: SSAValue, grid: SSAValue) -> SSAValue:
    layout, rank = op.feature_layout("input", op.input), rank_of(op.input)
    how = {
        "interpolation_mode": op.MODES.index(op.mode.data),
        "padding_mode": op.PADDINGS.index(op.padding.data),
        "align_corners": op.align_corners is not None,
    }
    kind = f"grid_sampler_{rank - 2}d" if graph.is_core else "grid_sampler"
    operands = {"input": to_logical(graph, x, layout, rank), "grid": grid}
    found = graph.call(f"aten.{kind}.default", operands, logical_shape(op.result, layout), **how)
    return to_stored(graph, found, layout, rank)
