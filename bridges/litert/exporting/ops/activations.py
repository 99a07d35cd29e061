"""Activation functions."""

from collections.abc import Mapping

from xdsl.ir import Operation

from .....dialects.npu import activations as ops
from ..graph import LiteGraph, LiteTensor
from ..registry import exports

KINDS: Mapping[type[Operation], str] = {ops.ReluOp: "RELU", ops.SigmoidOp: "LOGISTIC", ops.HardSwishOp: "HARD_SWISH"}
CLAMPS: Mapping[tuple[float | None, float | None], str] = {
    (0.0, 6.0): "RELU6",
    (0.0, 1.0): "RELU_0_TO_1",
    (-1.0, 1.0): "RELU_N1_TO_1",
    (0.0, None): "RELU",
}
"""The ranges for which LiteRT has an op."""
SELU_ALPHA, SELU_GAMMA = 1.67326319217681884765625, 1.05070102214813232421875


@exports(*KINDS)
def activation(op: ops.FloatUnaryOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    if not x.element.is_float:
        return graph.binary("MAXIMUM", x, graph.like(x, 0))
    return graph.unary(KINDS[type(op)], x)


@exports(ops.LeakyReluOp)
def leaky_relu(op: ops.LeakyReluOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.unary("LEAKY_RELU", x, alpha=op.alpha.value.data)


@exports(ops.EluOp)
def elu(op: ops.EluOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return _elu(graph, x, op.alpha.value.data)


def _elu(graph: LiteGraph, x: LiteTensor, alpha: float) -> LiteTensor:
    """ELU, whose alpha is 1; with another one, the sum of the positive part and the scaled ELU of the negative one."""
    if alpha == 1:
        return graph.unary("ELU", x)
    negative = graph.unary("ELU", graph.binary("MINIMUM", x, graph.like(x, 0)))
    return graph.binary("ADD", graph.unary("RELU", x), graph.binary("MUL", negative, graph.like(x, alpha)))


@exports(ops.SeluOp)
def selu(op: ops.SeluOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.binary("MUL", _elu(graph, x, SELU_ALPHA), graph.like(x, SELU_GAMMA))


@exports(ops.GeluOp)
def gelu(op: ops.GeluOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.unary("GELU", x, approximate=op.approximate.data == "tanh")


@exports(ops.HardSigmoidOp)
def hard_sigmoid(op: ops.HardSigmoidOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    scaled = graph.binary("MUL", x, graph.like(x, op.alpha.value.data))
    return graph.unary("RELU_0_TO_1", graph.binary("ADD", scaled, graph.like(x, op.beta.value.data)))


@exports(ops.SiluOp)
def silu(op: ops.SiluOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.binary("MUL", x, graph.unary("LOGISTIC", x))


@exports(ops.SoftplusOp)
def softplus(op: ops.SoftplusOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return _softplus(graph, x)


def _softplus(graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """max(x, 0) + log(1 + exp(-|x|)), which does not overflow."""
    tail = graph.unary("EXP", graph.unary("NEG", graph.unary("ABS", x)))
    return graph.binary("ADD", graph.unary("RELU", x), graph.unary("LOG", graph.binary("ADD", tail, graph.like(x, 1))))


@exports(ops.MishOp)
def mish(op: ops.MishOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.binary("MUL", x, graph.unary("TANH", _softplus(graph, x)))


@exports(ops.SoftsignOp)
def softsign(op: ops.SoftsignOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.binary("DIV", x, graph.binary("ADD", graph.unary("ABS", x), graph.like(x, 1)))


@exports(ops.ClipOp)
def clip(op: ops.ClipOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """One op for the ranges that LiteRT knows, else a minimum and a maximum."""
    low, high = (None if limit is None else limit.value.data for limit in (op.min, op.max))
    if x.element.is_float and (low, high) in CLAMPS:
        return graph.unary(CLAMPS[low, high], x)
    if low is not None:
        x = graph.binary("MAXIMUM", x, graph.like(x, low))
    return x if high is None else graph.binary("MINIMUM", x, graph.like(x, high))
