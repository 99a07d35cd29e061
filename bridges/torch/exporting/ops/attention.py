"""Attention, for which PyTorch has the heads in front of the rows."""

from xdsl.ir import SSAValue

from .....dialects.npu import attention as ops
from .....dialects.npu.values import shape_of
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports


@exports(ops.AttentionOp)
def attention(
    op: ops.AttentionOp, graph: CallBuilder, query: SSAValue, key: SSAValue, value: SSAValue, mask: SSAValue | None
) -> SSAValue:
    if op.softcap is not None:
        raise NotExportable(f"'{op.name}' with a softcap has no counterpart in PyTorch")
    given = {"query": query, "key": key, "value": value}
    given = {name: graph.transpose(x, op.to_heads_first(name)) for name, x in given.items()}
    depth, scale = op.sizes("query")[3], op.scale.value.data
    how = {
        "is_causal": op.causal is not None,
        "scale": None if depth > 0 and scale == depth**-0.5 else scale,
        "enable_gqa": shape_of(given["query"])[1] != shape_of(given["key"])[1],
    }
    operands = {**given, "attn_mask": mask}
    result = op.sizes("result")
    found = graph.call("aten.scaled_dot_product_attention.default", operands, result, **how)
    return graph.transpose(found, op.from_heads_first("result"))
