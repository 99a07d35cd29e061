"""Elementwise ops of one operand, and activation functions."""

from collections.abc import Mapping
from typing import cast

from xdsl.dialects.builtin import IntegerType

from .....dialects.npu import activations, unary
from .....dialects.npu.base import element_type_of
from .....dialects.npu.elementwise import UnaryOp
from .....dialects.npu.movement import integer_range
from ..elements import BOOL, FLOATS, UNSIGNED
from ..graph import Graph, Tensor
from ..registry import exports

SAME: Mapping[type[UnaryOp], str] = {
    unary.SignOp: "Sign",
    unary.ExpOp: "Exp",
    unary.LogOp: "Log",
    unary.SqrtOp: "Sqrt",
    unary.ReciprocalOp: "Reciprocal",
    unary.SinOp: "Sin",
    unary.CosOp: "Cos",
    unary.TanhOp: "Tanh",
    unary.ErfOp: "Erf",
    unary.CeilOp: "Ceil",
    unary.FloorOp: "Floor",
    unary.RoundOp: "Round",
    unary.NegOp: "Neg",
    activations.SeluOp: "Selu",
    activations.SigmoidOp: "Sigmoid",
    activations.HardSwishOp: "HardSwish",
    activations.MishOp: "Mish",
    activations.SoftplusOp: "Softplus",
    activations.SoftsignOp: "Softsign",
}
"""Ops that ONNX has as well."""


@exports(*SAME)
def same(op: UnaryOp, graph: Graph, x: Tensor) -> Tensor:
    return graph.op(SAME[type(op)], x)


@exports(unary.AbsOp)
def absolute(op: unary.AbsOp, graph: Graph, x: Tensor) -> Tensor:
    return x if x.element in UNSIGNED else graph.op("Abs", x)


@exports(unary.RsqrtOp)
def rsqrt(op: unary.RsqrtOp, graph: Graph, x: Tensor) -> Tensor:
    """One divided by the root; an f16 would lose the small roots in between."""
    return graph.op("Reciprocal", graph.op("Sqrt", x))


@exports(unary.NotOp)
def opposite(op: unary.NotOp, graph: Graph, x: Tensor) -> Tensor:
    return graph.op("Not" if x.element == BOOL else "BitwiseNot", x)


@exports(activations.ReluOp)
def relu(op: activations.ReluOp, graph: Graph, x: Tensor) -> Tensor:
    """Integers of 64 bits have no Relu in ONNX Runtime, unsigned ones need none."""
    if x.element in UNSIGNED:
        return x
    if x.element in FLOATS:
        return graph.op("Relu", x)
    whole = graph.computable_one("Max", x)
    return graph.node("Max", whole, graph.like(whole, 0))


@exports(activations.LeakyReluOp)
def leaky_relu(op: activations.LeakyReluOp, graph: Graph, x: Tensor) -> Tensor:
    return graph.op("LeakyRelu", x, alpha=op.alpha.value.data)


@exports(activations.EluOp)
def elu(op: activations.EluOp, graph: Graph, x: Tensor) -> Tensor:
    return graph.op("Elu", x, alpha=op.alpha.value.data)


@exports(activations.GeluOp)
def gelu(op: activations.GeluOp, graph: Graph, x: Tensor) -> Tensor:
    return graph.op("Gelu", x, approximate=op.approximate.data)


@exports(activations.HardSigmoidOp)
def hard_sigmoid(op: activations.HardSigmoidOp, graph: Graph, x: Tensor) -> Tensor:
    return graph.op("HardSigmoid", x, alpha=op.alpha.value.data, beta=op.beta.value.data)


@exports(activations.SiluOp)
def silu(op: activations.SiluOp, graph: Graph, x: Tensor) -> Tensor:
    """x times its sigmoid; ONNX has had it as an op of its own since its version 24 only."""
    return graph.op("Mul", x, graph.op("Sigmoid", x))


@exports(activations.ClipOp)
def clip(op: activations.ClipOp, graph: Graph, x: Tensor) -> Tensor:
    """Bounds that an integer type cannot hold are the nearest numbers that it can."""
    source = graph.computable_one("Clip", x)
    bounds: list[Tensor | None] = []
    for bound in (op.min, op.max):
        value = None if bound is None else bound.value.data
        if value is not None and x.element not in FLOATS:
            low, high = integer_range(cast("IntegerType", element_type_of(op.input)))
            value = min(max(int(value), low), high)
        bounds.append(None if value is None else graph.like(source, value))
    return graph.node("Clip", source, *bounds)
