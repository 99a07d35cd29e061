"""Attention, for which PyTorch has the heads in front of the rows."""

from xdsl.ir import SSAValue

from .....dialects.npu import attention as ops
from .....dialects.npu.values import shape_of
from .....layout import permute
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports

ROWS_FIRST = (0, 2, 1, 3)


@exports(ops.AttentionOp)
def attention(
    op: ops.AttentionOp, graph: CallBuilder, query: SSAValue, key: SSAValue, value: SSAValue, mask: SSAValue | None
) -> SSAValue:
    if op.softcap is not None:
        raise NotExportable(f"'{op.name}' with a softcap has no counterpart in PyTorch")
    given = {"query": query, "key": key, "value": value}
    if op.rows_first is not None:
        given = {name: graph.transpose(x, ROWS_FIRST) for name, x in given.items()}
    sizes, depth, scale = shape_of(op.result), shape_of(op.query)[3], op.scale.value.data
    how = {
        "is_causal": op.causal is not None,
        "scale": None if depth > 0 and scale == depth**-0.5 else scale,
        "enable_gqa": shape_of(given["query"])[1] != shape_of(given["key"])[1],
    }
    operands = {**given, "attn_mask": mask}
    result = sizes if op.rows_first is None else permute(sizes, ROWS_FIRST)
    found = graph.call("aten.scaled_dot_product_attention.default", operands, result, **how)
    return found if op.rows_first is None else graph.transpose(found, ROWS_FIRST)
