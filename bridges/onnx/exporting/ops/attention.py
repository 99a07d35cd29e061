"""Attention and RotaryEmbedding: where all rows are before the heads, these are in one axis with the depth."""

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from .....dialects.npu import attention as ops
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ....decimals import shortest_f32
from ..graph import OnnxGraph, OnnxTensor, OperandSize, Size
from ..qlinear import in_steps
from ..registry import exports
from .shape import is_split, producer


@exports(ops.AttentionOp)
def attention(
    op: ops.AttentionOp,
    graph: OnnxGraph,
    query: OnnxTensor,
    key: OnnxTensor,
    value: OnnxTensor,
    mask: OnnxTensor | None,
) -> OnnxTensor:
    if not graph.opset.has("Attention", query.element):
        return in_steps(op, graph, query, key, value, *([] if mask is None else [mask]))
    given = [("query", query, op.query), ("key", key, op.key), ("value", value, op.value)]
    is_flat = op.has_rows_first and all(DYNAMIC not in shape_of(each)[2:] for _, _, each in given)
    heads = {"q_num_heads": shape_of(op.query)[2], "kv_num_heads": shape_of(op.key)[2]} if is_flat else {}
    cap = {} if op.softcap is None else {"softcap": op.softcap.value.data}
    causal = {} if op.causal is None else {"is_causal": 1}
    inputs = [
        _flat(graph, x, each) if is_flat else graph.transpose(x, op.to_heads_first(name)) for name, x, each in given
    ]
    *_, depth = op.sizes("query")
    scale = op.scale.value.data
    is_default = depth > 0 and scale == shortest_f32(depth**-0.5)
    if mask is not None and op.mask is not None and shape_of(op.mask)[2] == 1 != op.sizes("query")[2]:
        # ONNX Runtime repeats a mask along batch and heads only.
        rows = graph.size(query, op.axes_of("query").index("N"))
        mask = graph.op("Expand", mask, graph.shape([1, 1, rows, 1]))
    result = graph.op("Attention", *inputs, mask, **({} if is_default else {"scale": scale}), **cap, **causal, **heads)
    return _split(graph, result, op.result) if is_flat else graph.transpose(result, op.from_heads_first("result"))


@exports(ops.RotaryOp)
def rotary(
    op: ops.RotaryOp,
    graph: OnnxGraph,
    x: OnnxTensor,
    cos: OnnxTensor,
    sin: OnnxTensor,
    positions: OnnxTensor | None,
) -> OnnxTensor:
    if not graph.opset.has("RotaryEmbedding", x.element):
        return in_steps(op, graph, x, cos, sin, *([] if positions is None else [positions]))
    (_, heads, _, depth), angles = op.sizes("input"), shape_of(op.cos)[-1]
    is_flat = op.has_rows_first and DYNAMIC not in (heads, depth)
    attributes = {
        "interleaved": int(op.interleaved is not None),
        "num_heads": heads,
        "rotary_embedding_dim": 0 if 2 * angles == depth else 2 * angles,
    }
    data = _flat(graph, x, op.input) if is_flat else graph.transpose(x, op.to_heads_first("input"))
    given = {name: number for name, number in attributes.items() if number > 0}
    result = graph.op("RotaryEmbedding", data, cos, sin, positions, **given)
    return _split(graph, result, op.result) if is_flat else graph.transpose(result, op.from_heads_first("result"))


def _flat(graph: OnnxGraph, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
    """A value whose rows have all heads."""
    *outer, heads, depth = shape_of(value)
    source = x.node.inputs[0] if x.node is not None and x.node.kind == "Reshape" else None
    if source is not None and (_is_split_by(made := producer(value)) or is_split(made)):
        return source
    return graph.reshape(x, [*_outer(outer), heads * depth])


def _is_split_by(op: Operation | Block) -> bool:
    """True for an op whose heads a Reshape splits from its rows."""
    return isinstance(op, ops.HeadsOp) and op.has_rows_first


def _split(graph: OnnxGraph, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
    """The rows of all heads as those of each."""
    *outer, heads, depth = shape_of(value)
    return graph.reshape(x, [*_outer(outer), heads, depth])


def _outer(sizes: Sequence[int]) -> list[Size | OperandSize]:
    return [OperandSize(axis) if size == DYNAMIC else size for axis, size in enumerate(sizes)]
