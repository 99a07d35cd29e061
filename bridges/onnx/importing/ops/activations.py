"""Activation functions."""

from math import inf, isnan

from xdsl.dialects.builtin import f32, i1
from xdsl.ir import SSAValue

from .....dialects.npu import activations, binary
from .....dialects.npu.elementwise import SelectOp
from .....dialects.npu.values import LARGEST, element_type_of
from ....decimals import shortest, shortest_f32
from ...counterparts import ACTIVATIONS
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts, converts_rest
from .elementwise import as_it_came, combine

SELU_ALPHA, SELU_GAMMA = 1.67326319217681884765625, 1.05070102214813232421875
ROWS = {row.kind: row for row in ACTIVATIONS}


@converts("Selu")
def selu(node: ImportedNode) -> Converted:
    """npu.selu for the constants of the paper; a scaled npu.elu for others, but 0 where that is -0."""
    value = node.operand(0)
    alpha, gamma = node.number("alpha", SELU_ALPHA), node.number("gamma", SELU_GAMMA)
    if (alpha, gamma) == (shortest_f32(SELU_ALPHA), shortest_f32(SELU_GAMMA)):
        return node.add(activations.SeluOp, [value], node.sizes_of(value))
    bent = node.add(activations.EluOp, [value], node.sizes_of(value), alpha=alpha)
    scaled = combine(node, binary.MulOp, bent, node.scalar(gamma, value))
    return _without_negative_zeros(node, scaled)


@converts("Celu")
def celu(node: ImportedNode) -> Converted:
    """alpha * elu(x / alpha), but 0 where that is -0."""
    value, alpha = node.operand(0), node.number("alpha", 1.0)
    if alpha <= 0:
        raise UnsupportedNode("an alpha that is not positive")
    scale = node.scalar(alpha, value)
    smaller = value if alpha == 1.0 else combine(node, binary.DivOp, value, scale)
    bent = node.add(activations.EluOp, [smaller], node.sizes_of(value))
    scaled = bent if alpha == 1.0 else combine(node, binary.MulOp, bent, scale)
    return _without_negative_zeros(node, scaled)


def _without_negative_zeros(node: ImportedNode, value: SSAValue) -> SSAValue:
    """ONNX Runtime computes f32 only."""
    return combine(node, binary.AddOp, value, node.scalar(0.0, value)) if element_type_of(value) == f32 else value


@converts("Gelu")
def gelu(node: ImportedNode) -> Converted:
    value = node.operand(0)
    return node.add(
        activations.GeluOp, [value], node.sizes_of(value), approximate=node.choice("approximate", "none", "tanh")
    )


@converts("Swish")
def swish(node: ImportedNode) -> Converted:
    """x * sigmoid(alpha * x)."""
    value, alpha = node.operand(0), node.number("alpha", 1.0)
    if alpha == 1.0:
        return as_it_came(node.add(activations.SiluOp, [value], node.sizes_of(value)), "Swish")
    scaled = combine(node, binary.MulOp, value, node.scalar(alpha, value))
    gate = node.add(activations.SigmoidOp, [scaled], node.sizes_of(value))
    return combine(node, binary.MulOp, value, gate)


@converts("Clip")
def clip(node: ImportedNode) -> Converted:
    """npu.clip for constant bounds; max and min for others. A bound that is left out is the largest finite number."""
    value = node.operand(0)
    largest = LARGEST.get(element_type_of(value), inf)
    if node.opset < 11:
        low, high = node.number("min", -largest), node.number("max", largest)
    else:
        low, high = _bound(node, 1, -largest), _bound(node, 2, largest)
    if (low is not None and isnan(low)) or (high is not None and isnan(high)):
        raise UnsupportedNode("a bound that is no number, of which ONNX says nothing")
    if low is not None and high is not None and low <= high:
        return clipped(node, value, low, high)
    if node.has_input(1):
        value = combine(node, binary.MaxOp, value, node.operand(1))
    if node.has_input(2):
        value = combine(node, binary.MinOp, value, node.operand(2))
    left_out = [inf if node.has_input(index) else largest for index in (1, 2)]
    return clipped(node, value, -left_out[0], left_out[1])


def _bound(node: ImportedNode, index: int, default: float) -> float | None:
    """A bound, if it is constant and exact in f64."""
    if not node.has_input(index):
        return default
    known = node.known(index)
    if known is None or known.size != 1:
        return None
    number = known.reshape(()).item()
    return shortest(known) if float(number) == number or isnan(number) else None


def clipped(node: ImportedNode, value: SSAValue, low: float, high: float) -> SSAValue:
    """Clip a value to two bounds, each of which may be infinite."""
    bounds = {name: bound for name, bound in (("min", low), ("max", high)) if abs(bound) < inf}
    if not bounds:
        return value
    return node.add(activations.ClipOp, [value], node.sizes_of(value), **bounds)


@converts("ThresholdedRelu")
def thresholded_relu(node: ImportedNode) -> Converted:
    """x if x > alpha, else 0."""
    value = node.operand(0)
    return above(node, value, node.scalar(node.number("alpha", 1.0), value), node.scalar(0.0, value))


def above(node: ImportedNode, value: SSAValue, bound: SSAValue, otherwise: SSAValue) -> SSAValue:
    """Select `value` where it is larger than a bound, else `otherwise`."""
    is_larger = combine(node, binary.GreaterOp, value, bound, i1)
    return node.add(SelectOp, [is_larger, value, otherwise], node.sizes_of(value), element_type_of(value))


@converts_rest(ROWS)
def activation(node: ImportedNode) -> Converted:
    row, value = ROWS[node.proto.op_type], node.operand(0)
    numbers = {name: node.number(name, default) for name, default in row.defaults.items()}
    return node.add(row.op, [value], node.sizes_of(value), **numbers)
