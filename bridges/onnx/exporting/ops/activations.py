"""Activation functions."""

from collections.abc import Mapping
from typing import cast

from xdsl.dialects.builtin import IntegerType

from .....dialects.npu import activations as ops
from .....dialects.npu.elementwise import UnaryOp
from .....dialects.npu.values import element_type_of, integer_range
from ..elements import FLOATS, UNSIGNED
from ..graph import OnnxGraph, OnnxTensor
from ..registry import exports

SAME: Mapping[type[UnaryOp], str] = {
    ops.SeluOp: "Selu",
    ops.SigmoidOp: "Sigmoid",
    ops.HardSwishOp: "HardSwish",
    ops.MishOp: "Mish",
    ops.SoftplusOp: "Softplus",
    ops.SoftsignOp: "Softsign",
}
"""Activation functions with an ONNX op."""


@exports(*SAME)
def same(op: UnaryOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.op(SAME[type(op)], x)


@exports(ops.ReluOp)
def relu(op: ops.ReluOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Max for signed integers, because Relu has no kernel for i64; the identity for unsigned ones."""
    if x.element in UNSIGNED:
        return x
    if x.element in FLOATS:
        return graph.op("Relu", x)
    whole = graph.computable_one("Max", x)
    return graph.node("Max", whole, graph.like(whole, 0))


@exports(ops.LeakyReluOp)
def leaky_relu(op: ops.LeakyReluOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.op("LeakyRelu", x, alpha=op.alpha.value.data)


@exports(ops.EluOp)
def elu(op: ops.EluOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.op("Elu", x, alpha=op.alpha.value.data)


@exports(ops.GeluOp)
def gelu(op: ops.GeluOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.op("Gelu", x, approximate=op.approximate.data)


@exports(ops.HardSigmoidOp)
def hard_sigmoid(op: ops.HardSigmoidOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.op("HardSigmoid", x, alpha=op.alpha.value.data, beta=op.beta.value.data)


@exports(ops.SiluOp)
def silu(op: ops.SiluOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """x * sigmoid(x), because ONNX has Swish only since opset 24."""
    return graph.op("Mul", x, graph.op("Sigmoid", x))


@exports(ops.ClipOp)
def clip(op: ops.ClipOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Bounds of integers are clamped to the range of the type."""
    source = graph.computable_one("Clip", x)
    bounds: list[OnnxTensor | None] = []
    for bound in (op.min, op.max):
        value = None if bound is None else bound.value.data
        if value is not None and x.element not in FLOATS:
            low, high = integer_range(cast("IntegerType", element_type_of(op.input)))
            value = min(max(int(value), low), high)
        bounds.append(None if value is None else graph.like(source, value))
    return graph.node("Clip", source, *bounds)
