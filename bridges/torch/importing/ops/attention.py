"""Conversion of scaled_dot_product_attention."""

from xdsl.ir import SSAValue

from .....dialects.npu.attention import AttentionOp
from .....dialects.npu.values import element_type_of, is_boolean
from ....building import Size, UnsupportedNode
from ..arithmetic import known, optional_number
from ..node import CallNode
from ..registry import converts


@converts("aten.scaled_dot_product_attention.default")
def attention(node: CallNode) -> SSAValue:
    if node.get("dropout_p", 0.0) != 0:
        raise UnsupportedNode("dropout")
    query, key, value = (_with_four_axes(node, node.operand(name)) for name in ("query", "key", "value"))
    (batch, heads, rows, depth), (shared, keys), width = (
        node.sizes_of(query),
        node.sizes_of(key)[1:3],
        node.sizes_of(value)[3],
    )
    if shared != heads and not node.get("enable_gqa", False):
        raise UnsupportedNode("heads that are repeated")
    scale = optional_number(node, "scale")
    if scale is None:
        node.require(depth != 0, "rows of no elements")
        scale = known([depth])[0] ** -0.5
    mask = _mask(node, (rows, keys))
    found = node.add(
        AttentionOp,
        [query, key, value, mask],
        (batch, heads, rows, width),
        scale=float(scale),
        causal=bool(node.get("is_causal", False)),
    )
    return node.reshape(found, node.result().sizes)


def _with_four_axes(node: CallNode, x: SSAValue) -> SSAValue:
    """A value with batch and heads, of which one may be left out."""
    sizes = node.sizes_of(x)
    if not 3 <= len(sizes) <= 4:
        raise UnsupportedNode(f"data of {len(sizes)} axes")
    return x if len(sizes) == 4 else node.reshape(x, (1, *sizes))


def _mask(node: CallNode, whole: tuple[Size, Size]) -> SSAValue | None:
    mask = node.optional("attn_mask")
    if mask is None:
        return None
    sizes = node.sizes_of(mask)
    if not 2 <= len(sizes) <= 4 or sizes[-1] != whole[1] or sizes[-2] not in (1, whole[0]):
        raise UnsupportedNode("a mask of other sizes")
    query = element_type_of(node.operand("query"))
    if not is_boolean(element_type_of(mask)) and element_type_of(mask) != query:
        raise UnsupportedNode("a mask of another type")
    if node.get("is_causal", False):
        raise UnsupportedNode("two masks")
    # Without heads the first of three axes is that of the data's heads.
    return mask if len(sizes) == 4 else node.reshape(mask, (*(1,) * (4 - len(sizes)), *sizes))
