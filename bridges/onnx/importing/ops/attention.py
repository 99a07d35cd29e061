"""Attention and RotaryEmbedding of ONNX that are not read as their definitions, and those of ONNX Runtime."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, SSAValue

from .....dialects.npu.attention import HEADS_FIRST, ROWS_FIRST, AttentionOp, HeadsOp, RotaryOp
from .....dialects.npu.binary import AddOp, GreaterOp
from .....dialects.npu.elementwise import SelectOp
from .....dialects.npu.linear import MatmulOp
from .....dialects.npu.movement import SplitOp
from .....dialects.npu.shape import ReshapeOp
from .....dialects.npu.values import element_type_of, shape_of
from ....building import dims_of
from ....decimals import shortest_f32
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..shaped import Shaped
from ..sizes import Size, divide
from ..types import ONNX_TYPES
from ..windows import numbers
from .elementwise import combine

CACHE, LENGTHS = 4, 6
MICROSOFT = "com.microsoft"
HIDDEN = -1e4
"""The number that ONNX Runtime adds for a key that a mask hides, by default."""


@converts("Attention")
def attention(node: ImportedNode) -> Converted:
    """An Attention without a cache; the rows of three axes have all heads in them, which are before those."""
    if any(node.has_input(index) for index in range(CACHE, LENGTHS + 1)) or any(map(node.has_output, (1, 2, 3))):
        raise UnsupportedNode("a cache, or further results")
    if any(node.integer(f"{side}_window_size", -1) >= 0 for side in ("left", "right")):
        raise UnsupportedNode("a window")
    element = element_type_of(node.operand(0))
    if node.integer("softmax_precision", ONNX_TYPES[element]) != ONNX_TYPES[element]:
        raise UnsupportedNode("a softmax in another type")
    node.mark_read("qk_matmul_output_mode")
    heads, shared = node.integer("q_num_heads"), node.integer("kv_num_heads")
    query, key, value = (_with_heads(node, index, count) for index, count in enumerate((heads, shared, shared)))
    is_flat = node.rank() == 3
    batch, *sizes, depth = node.sizes_of(query)
    rows, all_heads = sizes if is_flat else reversed(sizes)
    keys, width = node.sizes_of(key)[1 if is_flat else 2], node.sizes_of(value)[3]
    scale = node.number("scale", _default_scale(depth))
    softcap = node.number("softcap") or None
    mask = None
    if node.has_input(3):
        sizes = node.sizes(3)
        if sizes[-2:] != (rows, keys):
            raise UnsupportedNode("a mask of other rows or shorter ones")
        mask = node.reshape(node.operand(3), (*(1,) * (4 - len(sizes)), *sizes))
    result = node.add(
        AttentionOp,
        [query, key, value, mask],
        (batch, rows, all_heads, width) if is_flat else (batch, all_heads, rows, width),
        scale=scale,
        softcap=softcap,
        causal=node.flag("is_causal"),
        **_axes(AttentionOp, is_flat),
    )
    return _reshaped(node, result, node.output().sizes) if is_flat else result


def _axes(op: type[HeadsOp], is_flat: bool) -> dict[str, Attribute]:
    """The attributes of an op on rows that have all heads in them, or on heads in front of the rows."""
    return op.all_in(ROWS_FIRST if is_flat else HEADS_FIRST)


def _default_scale(depth: Size) -> float:
    """One divided by the root of the numbers in a row."""
    (known,) = numbers([depth])
    if not known:
        raise UnsupportedNode("rows of nothing")
    return known**-0.5


def _reshaped(node: ImportedNode, value: SSAValue, sizes: Sequence[Size]) -> SSAValue:
    """A reshape of the node's own, also where a neighbour has one of the same value."""
    return node.add(ReshapeOp, [value], sizes, dims=dims_of(node.sizes_of(value), sizes))


def _with_heads(node: ImportedNode, index: int, heads: int) -> SSAValue:
    """An input with heads as an axis, behind the rows if they are in these."""
    value, sizes = node.operand(index), node.sizes(index)
    if len(sizes) == 4:
        return value
    depth = divide(sizes[2], heads) if heads else None
    if depth is None:
        raise UnsupportedNode("rows of unknown size")
    return _reshaped(node, value, (*sizes[:2], heads, depth))


@converts("RotaryEmbedding")
def rotary(node: ImportedNode) -> Converted:
    value, is_flat = _with_heads(node, 0, node.integer("num_heads")), node.rank() == 3
    depth, angles = numbers([node.sizes_of(value)[3], node.sizes(1)[-1]])
    if (node.integer("rotary_embedding_dim") or depth) != 2 * angles:
        raise UnsupportedNode("angles of another number")
    operands = [value, *(node.operand(index) for index in (1, 2)), node.optional(3)]
    flags = {"interleaved": node.flag("interleaved"), **_axes(RotaryOp, is_flat)}
    result = _as_parts(node, node.add(RotaryOp, operands, node.sizes_of(value), **flags))
    return _reshaped(node, result, node.output().sizes) if is_flat else result


@converts(f"{MICROSOFT}.RotaryEmbedding")
def early_rotary(node: ImportedNode) -> Converted:
    """Positions of each row, or that of the first one, in front of the tables."""
    if node.flag("is_packed_batching") or node.number("scale", 1.0) != 1:
        raise UnsupportedNode("batches in one, or scaled numbers")
    (angles,) = numbers(node.sizes(2)[-1:])
    turned, heads, is_flat = node.integer("rotary_embedding_dim"), node.integer("num_heads"), node.rank() == 3
    if turned not in (0, 2 * angles) or (turned and not heads):
        raise UnsupportedNode("angles of another number")
    if is_flat and not heads:
        (heads,) = numbers([divide(node.sizes()[2], 2 * angles) or 0])
    value = _with_heads(node, 0, heads)
    (depth,) = numbers(node.sizes_of(value)[3:])
    if not turned and depth != 2 * angles:
        raise UnsupportedNode("angles of another number")
    sizes = node.sizes_of(value)
    outer = (sizes[0], sizes[1 if is_flat else 2])
    positions = node.operand(1)
    if node.rank(1) == 1:
        (rows,) = numbers(outer[1:])
        positions = combine(node, AddOp, node.constant_of(np.arange(rows).reshape(1, rows)), positions)
        positions = node.broadcast(positions, outer)
    flags = {"interleaved": node.flag("interleaved"), **_axes(RotaryOp, is_flat)}
    operands = [value, node.operand(2), node.operand(3), positions]
    result = _as_parts(node, node.add(RotaryOp, operands, sizes, **flags))
    return _reshaped(node, result, node.output().sizes) if is_flat else result


@converts(f"{MICROSOFT}.MultiHeadAttention")
def multi_head_attention(node: ImportedNode) -> Converted:
    """Attention to rows that have all heads in them, without a cache."""
    if not all(node.has_input(index) and node.rank(index) == 3 for index in range(3)):
        raise UnsupportedNode("packed operands")
    if any(node.has_input(index) for index in range(6, 10)) or any(map(node.has_output, (1, 2, 3))):
        raise UnsupportedNode("a cache, or further results")
    values = [node.operand(index) for index in range(3)]
    if node.has_input(3):
        biases = _parts(node, node.operand(3), [node.sizes_of(value)[2] for value in values])
        values = [combine(node, AddOp, *pair) for pair in zip(values, biases, strict=True)]
    return _of_rows(node, values, 4, 5)


@converts(f"{MICROSOFT}.Attention")
def packed_attention(node: ImportedNode) -> Converted:
    """Attention to queries, keys and values that one matrix computes, without a cache."""
    if node.has_input(4) or node.has_input(6) or node.has_output(1) or node.flag("do_rotary"):
        raise UnsupportedNode("a cache, or turned queries")
    node.mark_read("past_present_share_buffer", "rotary_embedding_dim")
    sizes, whole = node.sizes(), node.sizes(1)[1]
    widths: Sequence[Size] = node.integers("qkv_hidden_sizes") or [divide(whole, 3) or 0] * 3
    total = node.add(MatmulOp, [node.operand(0), node.aligned(node.operand(1), 3)], (*sizes[:2], whole))
    if (bias := node.optional(2)) is not None:
        total = combine(node, AddOp, total, bias)
    return _of_rows(node, _parts(node, total, widths), 3, 5)


def _parts(node: ImportedNode, value: SSAValue, widths: Sequence[Size]) -> list[SSAValue]:
    """Parts of these widths along the last axis."""
    sizes, element = numbers(widths), element_type_of(value)
    results = [Shaped(element, (*node.sizes_of(value)[:-1], size)) for size in sizes]
    axis = len(shape_of(value)) - 1
    return [*node.add_many(SplitOp, [value], results, True, axis=axis, sizes=sizes)]


def _of_rows(node: ImportedNode, values: Sequence[SSAValue], mask: int, bias: int) -> SSAValue:
    """Attention to rows that have all heads in them; two inputs are a mask of the keys, and numbers that are added."""
    heads = node.integer("num_heads")
    query, key, value = (_split_rows(node, each, heads) for each in values)
    batch, rows, _, depth = node.sizes_of(query)
    keys, width = node.sizes_of(key)[1], node.sizes_of(value)[3]
    node.mark_read("mask_filter_value")
    added = node.optional(bias)
    if added is not None and (node.rank(bias) != 4 or node.sizes(bias)[2:] != (rows, keys)):
        raise UnsupportedNode("numbers for other rows or keys")
    if node.has_input(mask):
        hidden = _hidden(node, mask, (batch, keys), element_type_of(query))
        added = hidden if added is None else combine(node, AddOp, hidden, added)
    if node.flag("unidirectional") and rows != keys:
        raise UnsupportedNode("the last query is at the last key")
    scaled = {"scale": node.number("scale") or shortest_f32(_default_scale(depth))}
    flags = {"causal": node.flag("unidirectional"), **_axes(AttentionOp, True)}
    made = node.add(AttentionOp, [query, key, value, added], (batch, rows, heads, width), **scaled, **flags)
    return _reshaped(node, _as_parts(node, made), (batch, rows, heads * width))


def _split_rows(node: ImportedNode, value: SSAValue, heads: int) -> SSAValue:
    *outer, width = node.sizes_of(value)
    depth = divide(width, heads) if heads else None
    if depth is None:
        raise UnsupportedNode("rows of unknown size")
    return _reshaped(node, value, (*outer, heads, depth))


def _hidden(node: ImportedNode, index: int, sizes: Sequence[Size], element: Attribute) -> SSAValue:
    """A large negative number for each key that a mask hides."""
    batch, keys = sizes
    if node.sizes(index) != tuple(sizes):
        raise UnsupportedNode("a mask of another shape")
    mask = node.operand(index)
    is_seen = node.add(GreaterOp, [mask, node.scalar(0, mask)], node.sizes_of(mask), i1)
    choices = [node.graph.add_scalar(number, element) for number in (0, node.number("mask_filter_value", HIDDEN))]
    added = node.add(SelectOp, [is_seen, *choices], node.sizes_of(mask), element)
    return node.reshape(added, (batch, 1, 1, keys))


def _as_parts(node: ImportedNode, made: SSAValue) -> SSAValue:
    """An op on heads, or its steps, unless the target runs it whole."""
    op = made.owner
    if not isinstance(op, HeadsOp) or op.DEFINED_AS in node.graph.whole or (block := op.in_steps()) is None:
        return made
    known: dict[SSAValue, SSAValue] = dict(zip(block.args, op.operands, strict=True))
    op.detach()
    for step in [*block.ops]:
        step.detach()
        step.operands = [known.get(value, value) for value in step.operands]
        node.graph.insert(step, [shape_of(result) for result in step.results])
        made = step.results[-1]
    op.erase()
    return made
