"""Ops of LiteRT whose axes are described."""

from collections.abc import Sequence

from .....dialects.npu import vendor as ops
from ...errors import NotExportable
from ..graph import LiteGraph, LiteTensor
from ..kept import is_kept, kept
from ..registry import exports


@exports(ops.VendorElementwiseOp)
def elementwise(op: ops.VendorElementwiseOp, graph: LiteGraph, inputs: Sequence[LiteTensor]) -> tuple[LiteTensor, ...]:
    if not is_kept(op):
        raise NotExportable(f"'{op.op_name.data}' has no counterpart in LiteRT")
    return tuple(kept(op, graph, inputs))


@exports(ops.VendorPoolOp)
def pool(op: ops.VendorPoolOp, *_: object) -> tuple[LiteTensor, ...]:
    raise NotExportable(f"'{op.op_name.data}' has no counterpart in LiteRT")
