"""Ops of other systems whose axes are described: those of LiteRT, and those of ONNX that LiteRT can compute."""

from collections.abc import Sequence

from .....dialects.npu import vendor as ops
from .....layout import compose
from ...errors import NotExportable
from ..graph import LiteGraph, LiteTensor
from ..grid_sample import CHANNELS_LAST, grid_sample
from ..kept import is_kept, kept
from ..registry import exports


@exports(ops.VendorElementwiseOp)
def elementwise(op: ops.VendorElementwiseOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> tuple[LiteTensor, ...]:
    if not is_kept(op):
        raise NotExportable(f"'{op.op_name.data}' has no counterpart in LiteRT")
    return tuple(kept(op, graph, inputs))


@exports(ops.VendorPoolOp)
def pool(
    op: ops.VendorPoolOp, graph: LiteGraph, data: LiteTensor, parameters: Sequence[LiteTensor]
) -> tuple[LiteTensor, ...]:
    """GridSample, which reads channels last whatever the order of its data."""
    if op.op_name.data != "onnx.GridSample":
        raise NotExportable(f"'{op.op_name.data}' has no counterpart in LiteRT")
    order = compose(op.order_of_writing(), CHANNELS_LAST)
    return tuple(grid_sample(op, graph, (data, *parameters), order))
