"""Attention and RotaryEmbedding: where rows are before heads, these are in one axis with the depth."""

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

ROWS_FIRST = (0, 2, 1, 3)


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
    given = [(query, op.query), (key, op.key), (value, op.value)]
    is_flat = op.rows_first is not None and all(DYNAMIC not in shape_of(each)[2:] for _, each in given)
    heads = {"q_num_heads": shape_of(op.query)[2], "kv_num_heads": shape_of(op.key)[2]} if is_flat else {}
    cap = {} if op.softcap is None else {"softcap": op.softcap.value.data}
    causal = {} if op.causal is None else {"is_causal": 1}
    inputs = [_flat(graph, x, each) if is_flat else _heads_first(op, graph, x) for x, each in given]
    depth, scale = shape_of(op.query)[3], op.scale.value.data
    is_default = depth > 0 and scale == shortest_f32(depth**-0.5)
    place = 2 if op.rows_first is None else 1
    if mask is not None and op.mask is not None and shape_of(op.mask)[2] == 1 != shape_of(op.query)[place]:
        # ONNX Runtime repeats a mask along batch and heads only.
        rows = graph.size(query, place)
        mask = graph.op("Expand", mask, graph.shape([1, 1, rows, 1]))
    result = graph.op("Attention", *inputs, mask, **({} if is_default else {"scale": scale}), **cap, **causal, **heads)
    return _split(graph, result, op.result) if is_flat else _heads_first(op, graph, result)


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
    sizes, angles = shape_of(op.input), shape_of(op.cos)[-1]
    is_flat = op.rows_first is not None and DYNAMIC not in sizes[2:]
    attributes = {
        "interleaved": int(op.interleaved is not None),
        "num_heads": sizes[1 if op.rows_first is None else 2],
        "rotary_embedding_dim": 0 if 2 * angles == sizes[3] else 2 * angles,
    }
    data = _flat(graph, x, op.input) if is_flat else _heads_first(op, graph, x)
    given = {name: number for name, number in attributes.items() if number > 0}
    result = graph.op("RotaryEmbedding", data, cos, sin, positions, **given)
    return _split(graph, result, op.result) if is_flat else _heads_first(op, graph, result)


def _heads_first(op: ops.HeadsOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """A value with the heads in front of the rows, or back again."""
    return x if op.rows_first is None else graph.transpose(x, ROWS_FIRST)


def _flat(graph: OnnxGraph, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
    """A value whose rows have all heads."""
    *outer, heads, depth = shape_of(value)
    source = x.node.inputs[0] if x.node is not None and x.node.kind == "Reshape" else None
    if source is not None and (_is_split_by(made := producer(value)) or is_split(made)):
        return source
    return graph.reshape(x, [*_outer(outer), heads * depth])


def _is_split_by(op: Operation | Block) -> bool:
    """True for an op whose heads a Reshape splits from its rows."""
    return isinstance(op, ops.HeadsOp) and op.rows_first is not None


def _split(graph: OnnxGraph, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
    """The rows of all heads as those of each."""
    *outer, heads, depth = shape_of(value)
    return graph.reshape(x, [*_outer(outer), heads, depth])


def _outer(sizes: Sequence[int]) -> list[Size | OperandSize]:
    return [OperandSize(axis) if size == DYNAMIC else size for axis, size in enumerate(sizes)]
