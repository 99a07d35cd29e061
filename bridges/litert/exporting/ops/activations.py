"""Activation functions."""

from collections.abc import Mapping
from math import inf
from typing import cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute

from .....dialects.notes.node_kinds import was
from .....dialects.npu import activations as ops
from .....dialects.npu.elementwise import UnaryOp
from .....dialects.npu.quantities import Bounds, clipped_to
from .....dialects.npu.quantization import QuantizeOp
from .....dialects.npu.quantized import QuantizedOp
from .....dialects.npu.values import LARGEST, element_type_of, integer_range
from ... import counterparts
from ..graph import LiteGraph, LiteTensor
from ..kinds import ACTIVATIONS, FUSES_ON_INTEGERS
from ..registry import exports, exports_rest, moves

ROWS = {row.op: row for row in counterparts.ACTIVATIONS}
CLAMPS: Mapping[tuple[float | None, float | None], str] = {
    **{ends: kind for kind, ends in counterparts.CLAMPS.items()},
    (0.0, None): "RELU",
}
"""The ranges for which LiteRT has an op."""
MIDDLE = 1e-3
"""Numbers that are no farther from the middle of two integers may be rounded to either one."""
SELU_ALPHA, SELU_GAMMA = 1.67326319217681884765625, 1.05070102214813232421875


@exports(ops.ReluOp)
def relu(op: ops.ReluOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """RELU; a maximum of integers, or none where a kernel on integers has it."""
    if x.element.is_float:
        return graph.unary("RELU", x)
    return x if _came_applied(op, x, "RELU") else graph.binary("MAXIMUM", x, graph.like(x, 0))


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


@exports_rest(ROWS)
def activation(op: UnaryOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    row = ROWS[type(op)]
    return graph.unary(row.kind, x, **{name: getattr(op, name).value.data for name in row.attributes})


@moves(ops.ClipOp)
def clip(op: ops.ClipOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """One op for the ranges that LiteRT knows, none where a kernel on integers has it, else a maximum and a minimum."""
    low, high = _bounds(op)
    if x.element.is_float and (low, high) in CLAMPS:
        return graph.unary(CLAMPS[low, high], x)
    if (low, high) in CLAMPS and _came_applied(op, x, CLAMPS[low, high]):
        return x
    # A view of quantised numbers may be the same tensor, with other readers.
    is_own = isinstance(op.input.owner, QuantizedOp) and op.input.has_one_use()
    if is_own and _applied(x, low, high, element_type_of(op.input)):
        return x
    for kind, limit in (("MAXIMUM", low), ("MINIMUM", high)):
        x = x if limit is None else _limited(graph, kind, x, limit)
    return x


def _came_applied(op: ops.ReluOp | ops.ClipOp, x: LiteTensor, kind: str) -> bool:
    """Let the op that makes integers apply an activation function, as it did in the file; False if it did not."""
    node = x.node
    if node is None or node.activation is not None or x.quantization is not None or not was(op, node.kind):
        return False
    if kind in ACTIVATIONS and op.input.has_one_use():
        node.change(activation=kind)
        return True
    return False


def _bounds(op: ops.ClipOp) -> tuple[float | None, float | None]:
    """The bounds of a clip. In front of quantisations, which take an infinite number for the largest, none is that."""
    low, high = op.bounds
    largest = LARGEST.get(element_type_of(op.input))
    if largest is None or not all(isinstance(use.operation, QuantizeOp) for use in op.result.uses):
        return low, high
    return None if low == -largest else low, None if high == largest else high


def _limited(graph: LiteGraph, kind: str, x: LiteTensor, limit: float) -> LiteTensor:
    """A maximum or minimum with a number, which represents the same numbers."""
    bound = graph.like(x, limit - x.shift)
    if x.quantization is not None:
        bound = graph.renumbered(bound, x.quantization)
    result = graph.binary(kind, x, bound)
    result.change(quantization=x.quantization, shift=x.shift)
    return result


def _applied(x: LiteTensor, low: float | None, high: float | None, element: Attribute) -> bool:
    """Let the op that makes quantised numbers apply an activation function; False if none has this range."""
    numbers, node = x.quantization, x.node
    if numbers is None or node is None or node.kind not in FUSES_ON_INTEGERS:
        return False
    scale, zero = numbers.scale[0], numbers.zero_point[0] + x.shift
    least, largest = integer_range(cast("IntegerType", element))
    wanted = Bounds(None if low == least else low, None if high == largest else high)
    for (first, last), kind in CLAMPS.items():
        if kind not in ACTIVATIONS or _is_in_the_middle(first, scale) or _is_in_the_middle(last, scale):
            continue
        if clipped_to(first or 0.0, inf if last is None else last, scale, zero, element) == wanted:
            node.change(activation=kind)
            return True
    return False


def _is_in_the_middle(number: float | None, scale: float) -> bool:
    """True if a number is in the middle of two multiples of a scale, where kernels round in their own ways."""
    return number is not None and abs(number / scale % 1 - 0.5) < MIDDLE
