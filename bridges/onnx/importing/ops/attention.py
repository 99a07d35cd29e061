"""Attention and RotaryEmbedding that are not read as their definitions."""

from xdsl.ir import SSAValue

from .....dialects.npu.attention import AttentionOp, RotaryOp
from .....dialects.npu.values import element_type_of
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..sizes import divide
from ..types import ONNX_TYPES
from ..windows import numbers

CACHE, LENGTHS = 4, 6


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
    (known,) = numbers([depth])
    scale = node.number("scale", known**-0.5)
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
        rows_first=is_flat,
    )
    return node.reshape(result, node.output().sizes, True) if is_flat else result


def _with_heads(node: ImportedNode, index: int, heads: int) -> SSAValue:
    """An input with heads as an axis, behind the rows if they are in these."""
    value, sizes = node.operand(index), node.sizes(index)
    if len(sizes) == 4:
        return value
    depth = divide(sizes[2], heads) if heads else None
    if depth is None:
        raise UnsupportedNode("rows of unknown size")
    return node.reshape(value, (*sizes[:2], heads, depth), True)


@converts("RotaryEmbedding")
def rotary(node: ImportedNode) -> Converted:
    value, is_flat = _with_heads(node, 0, node.integer("num_heads")), node.rank() == 3
    depth, angles = numbers([node.sizes_of(value)[3], node.sizes(1)[-1]])
    if (node.integer("rotary_embedding_dim") or depth) != 2 * angles:
        raise UnsupportedNode("angles of another number")
    operands = [value, *(node.operand(index) for index in (1, 2)), node.optional(3)]
    flags = {"interleaved": node.flag("interleaved"), "rows_first": is_flat}
    result = node.add(RotaryOp, operands, node.sizes_of(value), **flags)
    return node.reshape(result, node.output().sizes, True) if is_flat else result
