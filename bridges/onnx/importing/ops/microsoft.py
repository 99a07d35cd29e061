"""Ops of ONNX Runtime's domain `com.microsoft`, which its tools insert into quantised and optimised models.

ONNX cannot infer their types, so they have type functions here as well.
"""

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from .....dialects.npu import activations, binary, linear, pooling, quantization
from .....dialects.npu.elementwise import UnaryOp
from .....dialects.npu.movement import ConcatOp
from .....dialects.npu.normalization import SoftmaxOp
from .....dialects.npu.values import has_one_element
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts, types
from ..shaped import Shaped
from ..sizes import Size, add, broadcast, divide, unknown
from ..windows import feature
from .elementwise import combine
from .linear import product_sizes
from .pooling import average, pooled_sizes

DOMAIN = "com.microsoft"


def _dequantized(node: ImportedNode, first: int) -> SSAValue:
    """Dequantise an input; the next two inputs are its scale and its zero point."""
    value, scale = node.operand(first), node.operand(first + 1)
    if not has_one_element(scale):
        raise UnsupportedNode("several scales")
    point = node.optional(first + 2)
    operands = [value, scale, node.scalar(0, value) if point is None else point]
    return node.add(quantization.DequantizeOp, operands, node.sizes_of(value), node.shaped(first + 1).element)


def _quantized(node: ImportedNode, value: SSAValue, scale: int) -> SSAValue:
    """Quantise a value; `scale` is the index of the scale, the next input is the zero point."""
    element = node.output().element
    point = node.optional(scale + 1)
    operands = [value, node.operand(scale), node.graph.add_scalar(0, element) if point is None else point]
    return node.add(quantization.QuantizeOp, operands, node.sizes_of(value), element)


@types(f"{DOMAIN}.QLinearAdd", f"{DOMAIN}.QLinearMul")
def binary_type(node: ImportedNode) -> Shaped:
    sizes = broadcast((node.sizes(0), node.sizes(3)))
    if sizes is None:
        raise UnsupportedNode("sizes are not known to be equal")
    return Shaped(node.shaped(0).element, sizes)


@converts(f"{DOMAIN}.QLinearAdd", f"{DOMAIN}.QLinearMul")
def qlinear_binary(node: ImportedNode) -> Converted:
    op = binary.AddOp if node.proto.op_type == "QLinearAdd" else binary.MulOp
    return _quantized(node, combine(node, op, _dequantized(node, 0), _dequantized(node, 3)), 6)


@types(f"{DOMAIN}.QLinearSigmoid", f"{DOMAIN}.QLinearLeakyRelu", f"{DOMAIN}.Gelu", f"{DOMAIN}.QuickGelu")
@types(f"{DOMAIN}.FastGelu", f"{DOMAIN}.BiasGelu", f"{DOMAIN}.QLinearSoftmax", f"{DOMAIN}.RotaryEmbedding")
def same_type(node: ImportedNode) -> Shaped:
    return node.shaped(0)


@types(f"{DOMAIN}.Attention")
def attention_type(node: ImportedNode) -> Shaped:
    """The type of the input, with as many numbers for each word as the weights have for the values."""
    if (node.rank(), node.rank(1)) != (3, 2):
        raise UnsupportedNode("other ranks than those of words and weights")
    batch, words, _ = node.sizes()
    widths = node.integers("qkv_hidden_sizes")
    width = widths[-1] if widths else divide(node.sizes(1)[1], 3)
    if width is None:
        raise UnsupportedNode("weights of an unknown size")
    return Shaped(node.shaped(0).element, (batch, words, width))


@types(f"{DOMAIN}.MultiHeadAttention")
def heads_type(node: ImportedNode) -> Sequence[Shaped]:
    """The type of the query, with as many numbers for each word as the values have; the cache with the new words."""
    if node.rank() != 3 or not node.has_input(2) or node.rank(2) != 3:
        raise UnsupportedNode("packed operands")
    result = Shaped(node.shaped(0).element, (*node.sizes()[:2], node.sizes(2)[2]))
    if not (node.has_input(6) and node.has_input(7)):
        return (result,)
    return result, *(_longer(node, place, node.sizes(1)[1]) for place in (6, 7))


@types(f"{DOMAIN}.GroupQueryAttention")
def grouped_types(node: ImportedNode) -> Sequence[Shaped]:
    """The type of the query without packed keys and values, and the cache, whose length is known where it is run."""
    batch, words, width = node.sizes()
    heads, shared = node.integer("num_heads"), node.integer("kv_num_heads")
    if not node.has_input(1):
        depth = divide(width, heads + 2 * shared)
        if depth is None:
            raise UnsupportedNode("a query of an unknown size")
        width = depth * heads
    element = node.shaped(0).element
    result = Shaped(element, (batch, words, width))
    if not (node.has_input(3) and node.has_input(4)) or (depth := divide(width, heads)) is None:
        return (result,)
    lengths = [unknown(f"{node.proto.output[0]} cache")] * 2
    return result, *(Shaped(node.shaped(3).element, (batch, shared, length, depth)) for length in lengths)


def _longer(node: ImportedNode, index: int, words: Size) -> Shaped:
    batch, heads, length, depth = node.sizes(index)
    return Shaped(node.shaped(index).element, (batch, heads, add(length, words), depth))


@converts(f"{DOMAIN}.QLinearSigmoid", f"{DOMAIN}.QLinearLeakyRelu")
def qlinear_activation(node: ImportedNode) -> Converted:
    value = _dequantized(node, 0)
    if node.proto.op_type == "QLinearSigmoid":
        result = node.add(activations.SigmoidOp, [value], node.sizes())
    else:
        result = node.add(activations.LeakyReluOp, [value], node.sizes(), alpha=node.number("alpha", 0.01))
    return _quantized(node, result, 3)


@converts(f"{DOMAIN}.QLinearSoftmax")
def qlinear_softmax(node: ImportedNode) -> Converted:
    axis = node.axis(node.integer("axis", -1))
    if node.integer("opset") < 13 and axis != node.rank() - 1:
        raise UnsupportedNode("axes that are merged into one")
    return _quantized(node, node.add(SoftmaxOp, [_dequantized(node, 0)], node.sizes(), axis=axis), 3)


@types(f"{DOMAIN}.QLinearGlobalAveragePool")
def pooled_type(node: ImportedNode) -> Shaped:
    if node.rank() < 2:
        raise UnsupportedNode("an image without channels")
    if node.flag("channels_last"):
        batch, *sizes, channels = node.sizes()
        return Shaped(node.shaped(0).element, (batch, *(1 for _ in sizes), channels))
    batch, channels, *sizes = node.sizes()
    return Shaped(node.shaped(0).element, (batch, channels, *(1 for _ in sizes)))


@converts(f"{DOMAIN}.QLinearGlobalAveragePool")
def qlinear_global_average_pool(node: ImportedNode) -> Converted:
    if node.flag("channels_last"):
        raise UnsupportedNode("channels last")
    layout = feature(node.rank())
    value = _dequantized(node, 0)
    return _quantized(node, node.add(pooling.GlobalAvgPoolOp, [value], node.output().sizes, data_layout=layout), 3)


@types(f"{DOMAIN}.QLinearAveragePool")
def averages_type(node: ImportedNode) -> Shaped:
    if node.flag("channels_last"):
        raise UnsupportedNode("channels last")
    return Shaped(node.shaped(0).element, pooled_sizes(node))


@converts(f"{DOMAIN}.QLinearAveragePool")
def qlinear_average_pool(node: ImportedNode) -> Converted:
    if node.flag("channels_last"):
        raise UnsupportedNode("channels last")
    return _quantized(node, average(node, _dequantized(node, 0)), 3)


@types(f"{DOMAIN}.QLinearConcat")
def concat_type(node: ImportedNode) -> Shaped:
    axis = node.axis(node.integer("axis"), node.rank(2))
    sizes = list(node.sizes(2))
    total: Size = 0
    for index in range(2, node.input_count, 3):
        total = add(total, node.sizes(index)[axis])
    return Shaped(node.shaped(2).element, (*sizes[:axis], total, *sizes[axis + 1 :]))


@converts(f"{DOMAIN}.QLinearConcat")
def qlinear_concat(node: ImportedNode) -> Converted:
    parts = [_dequantized(node, index) for index in range(2, node.input_count, 3)]
    axis = node.axis(node.integer("axis"), node.rank(2))
    return _quantized(node, node.add(ConcatOp, [parts], node.output().sizes, node.shaped(3).element, axis=axis), 0)


@types(f"{DOMAIN}.QGemm")
def qgemm_type(node: ImportedNode) -> Shaped:
    rows = node.sizes(0)[1 if node.flag("transA") else 0]
    columns = node.sizes(3)[0 if node.flag("transB") else 1]
    return Shaped(node.shaped(0 if node.has_input(7) else 1).element, (rows, columns))


@converts(f"{DOMAIN}.QGemm")
def qgemm(node: ImportedNode) -> Converted:
    if node.number("alpha", 1.0) != 1 or not node.has_input(7):
        raise UnsupportedNode("a scaled product or a result that is not quantised")
    flags = {"trans_a": node.flag("transA"), "trans_b": node.flag("transB")}
    order: Sequence[int] = (0, 3, 1, 2, 4, 5, 7, 8)
    operands = [*(node.operand(index) for index in order), node.optional(6)]
    return node.add(linear.QuantGemmOp, operands, node.output().sizes, node.output().element, **flags)


GELUS: dict[str, Callable[[ImportedNode, SSAValue], SSAValue]] = {
    "Gelu": lambda node, value: _activation(node, activations.GeluOp, value),
    "BiasGelu": lambda node, value: _activation(node, activations.GeluOp, _with_bias(node, value)),
    "FastGelu": lambda node, value: node.add(
        activations.GeluOp, [biased := _with_bias(node, value)], node.sizes_of(biased), approximate="tanh"
    ),
    "QuickGelu": lambda node, value: _quick_gelu(node, value),
}


def _activation(node: ImportedNode, op: type[UnaryOp], value: SSAValue) -> SSAValue:
    return node.add(op, [value], node.sizes_of(value))


def _with_bias(node: ImportedNode, value: SSAValue) -> SSAValue:
    return combine(node, binary.AddOp, value, node.operand(1)) if node.has_input(1) else value


def _quick_gelu(node: ImportedNode, value: SSAValue) -> SSAValue:
    """x * sigmoid(alpha * x)."""
    scaled = combine(node, binary.MulOp, value, node.scalar(node.number("alpha", 1.702), value))
    return combine(node, binary.MulOp, value, _activation(node, activations.SigmoidOp, scaled))


@converts(*(f"{DOMAIN}.{name}" for name in GELUS))
def gelu(node: ImportedNode) -> Converted:
    return GELUS[node.proto.op_type](node, node.operand(0))


@types(f"{DOMAIN}.FusedMatMul")
def fused_matmul_type(node: ImportedNode) -> Shaped:
    if node.flag("transBatchA") or node.flag("transBatchB"):
        raise UnsupportedNode("batches that are transposed")
    sides = [
        (*sizes[:-2], *sizes[:-3:-1]) if node.flag(flag) else sizes
        for sizes, flag in ((node.sizes(0), "transA"), (node.sizes(1), "transB"))
    ]
    return Shaped(node.shaped(0).element, product_sizes(*sides))


@converts(f"{DOMAIN}.FusedMatMul")
def fused_matmul(node: ImportedNode) -> Converted:
    """alpha * A * B, where each may be transposed."""
    if node.flag("transBatchA") or node.flag("transBatchB"):
        raise UnsupportedNode("batches that are transposed")
    sizes, rank = node.output().sizes, node.output().rank
    operands = [node.aligned(node.operand(index), rank) for index in (0, 1)]
    flags = {"trans_a": node.flag("transA"), "trans_b": node.flag("transB")}
    result = node.add(linear.MatmulOp, operands, sizes, **flags)
    alpha = node.number("alpha", 1.0)
    return result if alpha == 1 else combine(node, binary.MulOp, result, node.scalar(alpha, result))
