"""Activation functions."""

from math import inf, pi, sqrt

from .....dialects.notes.node_kinds import ONNX_KIND, was
from .....dialects.npu import activations as ops
from .....dialects.npu.elementwise import UnaryOp
from .....dialects.npu.values import LARGEST, element_type_of
from ...counterparts import ACTIVATIONS
from ..elements import FLOATS, UNSIGNED
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports, exports_rest
from .elementwise import one_node
from .normalization import precise


@exports(ops.ReluOp)
def relu(op: ops.ReluOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Max for signed integers, because Relu has no kernel for i64; the identity for unsigned ones."""
    if x.element in UNSIGNED:
        return x
    if x.element in FLOATS:
        return graph.op("Relu", x)
    whole = graph.computable_one("Max", x)
    return graph.node("Max", whole, graph.like(whole, 0))


@exports(ops.GeluOp)
def gelu(op: ops.GeluOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Gelu since opset 20, or its definition: x / 2 * (1 + erf(x / √2)), or tanh of a polynomial.

    Compilers know the nodes of each, in this order, as PyTorch's exporters write them.
    """
    if graph.opset.has("Gelu"):
        return graph.op("Gelu", x, approximate=op.approximate.data)
    x = precise(graph, graph.computable_one("Erf", x))
    half, one = graph.like(x, 0.5), graph.like(x, 1)
    if op.approximate.data == "none":
        bent = graph.node("Erf", graph.node("Div", x, graph.like(x, sqrt(2))))
        return graph.node("Mul", graph.node("Mul", x, graph.node("Add", bent, one)), half)
    halved = graph.node("Mul", x, half)
    cube = graph.node("Mul", graph.node("Pow", x, graph.like(x, 3)), graph.like(x, 0.044715))
    bent = graph.node("Tanh", graph.node("Mul", graph.node("Add", x, cube), graph.like(x, sqrt(2 / pi))))
    return graph.node("Mul", halved, graph.node("Add", bent, one))


@exports(ops.HardSwishOp)
def hard_swish(op: ops.HardSwishOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """HardSwish since opset 14, or its definition: x * hard_sigmoid(x)."""
    if graph.opset.has("HardSwish"):
        return graph.op("HardSwish", x)
    x = graph.computable_one("HardSigmoid", x)
    return graph.node("Mul", x, graph.node("HardSigmoid", x, alpha=1 / 6, beta=0.5))


@exports(ops.MishOp)
def mish(op: ops.MishOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Mish since opset 18, or its definition: x * tanh(softplus(x))."""
    if graph.opset.has("Mish"):
        return graph.op("Mish", x)
    x = precise(graph, graph.computable_one("Softplus", x))
    return graph.node("Mul", x, graph.node("Tanh", graph.node("Softplus", x)))


@exports(ops.SiluOp)
def silu(op: ops.SiluOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """x * sigmoid(x), or Swish as it came: ONNX Runtime 1.32 has no kernel for it."""
    if was(op, "Swish", ONNX_KIND) and x.element in (graph.opset.types("Swish", 0) or ()):
        return graph.node("Swish", x)
    return graph.op("Mul", x, graph.op("Sigmoid", x))


@exports(ops.ClipOp)
def clip(op: ops.ClipOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Bounds of integers are those of the type at most; one of floats that is left out is the largest finite number."""
    source = graph.computable_one("Clip", x)
    if x.element not in FLOATS:
        return graph.node("Clip", source, *(None if each is None else graph.like(source, each) for each in op.bounds))
    largest = LARGEST[element_type_of(op.input)] if source is x else None
    bounds: list[OnnxTensor | None] = []
    for bound, sign in zip(op.bounds, (-1, 1), strict=True):
        value = sign * inf if bound is None else bound
        is_left_out = largest is not None and value == sign * largest
        bounds.append(None if is_left_out else graph.like(source, value))
    return graph.node("Clip", source, *bounds)


@exports_rest(row.op for row in ACTIVATIONS)
def activation(op: UnaryOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return one_node(op, graph, x)
