"""Conversion of grid_sample."""

from xdsl.ir import SSAValue

from .....dialects.npu.sampling import GridSampleOp
from ..node import CallNode
from ..registry import converts
from ..windows import feature


@converts("aten.grid_sampler.default", "aten.grid_sampler_2d.default", "aten.grid_sampler_3d.default")
def grid_sample(node: CallNode) -> SSAValue:
    x, grid = node.operand("input"), node.operand("grid")
    how = {
        "mode": GridSampleOp.MODES[int(node.get("interpolation_mode"))],
        "padding": GridSampleOp.PADDINGS[int(node.get("padding_mode"))],
        "align_corners": bool(node.get("align_corners")),
    }
    return node.add(GridSampleOp, [x, grid], node.result().sizes, data_layout=feature(node.rank(x)), **how)
