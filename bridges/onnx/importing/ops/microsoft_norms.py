"""Normalisations of ONNX Runtime: of a sum, and of the mean square before ONNX had it."""

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from .....dialects.npu.binary import AddOp
from .....dialects.npu.normalization import LayerNormOp, RmsNormOp
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts, types
from ..shaped import Shaped
from .elementwise import combine

DOMAIN = "com.microsoft"
SUM = 3
"""The output that is the sum before the normalisation."""
EPSILON = 1e-12
"""The default of normalisations of a sum."""


@types(f"{DOMAIN}.SkipLayerNormalization", f"{DOMAIN}.SkipSimplifiedLayerNormalization")
def sum_types(node: ImportedNode) -> list[Shaped]:
    """The result, its mean and inverse deviation, and the sum before it."""
    moments = Shaped(f32, (*node.sizes()[:-1], 1))
    return [node.shaped(0), moments, moments, node.shaped(0)]


@types("SimplifiedLayerNormalization")
def square_types(node: ImportedNode) -> list[Shaped]:
    """The result, which has the type of the scale, and its inverse root mean square."""
    axis = node.axis(node.integer("axis", -1))
    kept = tuple(size if place < axis else 1 for place, size in enumerate(node.sizes()))
    return [Shaped(node.shaped(1).element, node.sizes()), Shaped(f32, kept)]


@converts(f"{DOMAIN}.SkipLayerNormalization", f"{DOMAIN}.SkipSimplifiedLayerNormalization")
def normalised_sum(node: ImportedNode) -> Converted:
    """The norm of input + skip + bias; the sum is a result as well."""
    if node.has_output(1) or node.has_output(2):
        raise UnsupportedNode("ONNX Runtime computes no mean and no deviation")
    has_shift = node.proto.op_type == "SkipLayerNormalization"
    total = combine(node, AddOp, node.operand(0), node.operand(1))
    if (bias := node.optional(4 if has_shift else 3)) is not None:
        total = combine(node, AddOp, total, bias)
    rank, epsilon = node.rank(), node.number("epsilon", EPSILON)
    parameters = [_aligned(node, index, rank) for index in ((2, 3) if has_shift else (2,))]
    op = LayerNormOp if has_shift else RmsNormOp
    return node.add(op, [total, *parameters], node.sizes_of(total), axes=[rank - 1], epsilon=epsilon), None, None, total


@converts("SimplifiedLayerNormalization")
def rms_norm(node: ImportedNode) -> Converted:
    """RMSNormalization, as models had it before ONNX."""
    if node.has_output(1):
        raise UnsupportedNode("the inverse root mean square is used")
    axes, epsilon = range(node.axis(node.integer("axis", -1)), node.rank()), node.number("epsilon", 1e-5)
    node.mark_read("stash_type")
    operands = [node.operand(0), _aligned(node, 1, node.rank())]
    return node.add(RmsNormOp, operands, node.sizes(), axes=axes, epsilon=epsilon)


def _aligned(node: ImportedNode, index: int, rank: int) -> SSAValue | None:
    value = node.optional(index)
    return None if value is None else node.aligned(value, rank)
