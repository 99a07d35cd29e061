"""Ops of other systems whose axes are described: those of ONNX that LiteRT can compute."""

from collections.abc import Sequence

from .....dialects.npu import vendor as ops
from .....layout import compose
from ...errors import NotExportable
from ..graph import LiteGraph, LiteTensor
from ..grid_sample import CHANNELS_LAST, grid_sample
from ..registry import exports


@exports(ops.VendorPoolOp)
def pool(
    op: ops.VendorPoolOp, graph: LiteGraph, data: LiteTensor, parameters: Sequence[LiteTensor]
) -> tuple[LiteTensor, ...]:
    """GridSample, which reads channels last whatever the order of its data."""
    if op.op_name.data != "onnx.GridSample":
        raise NotExportable(f"'{op.op_name.data}' has no counterpart in LiteRT")
    order = compose(op.order_of_writing(), CHANNELS_LAST)
    return tuple(grid_sample(op, graph, (data, *parameters), order))
