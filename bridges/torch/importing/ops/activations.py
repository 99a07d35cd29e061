"""Conversion of activation functions."""

from math import inf, isfinite

from xdsl.ir import SSAValue

from .....dialects.npu import activations, binary, unary
from .....dialects.npu.movement import SplitOp
from .....dialects.npu.values import element_type_of, is_float
from ....building import UnsupportedNode
from ..arithmetic import cast, combine, is_exact, is_half, number, optional_number, upright
from ..node import CallNode
from ..registry import converts

EXACT = 2**53
"""The integers up to this one are floats of 64 bits."""


@converts("aten.gelu.default")
def gelu(node: CallNode) -> SSAValue:
    x = node.operand("self")
    return node.add(activations.GeluOp, [x], node.sizes_of(x), approximate=node.get("approximate", "none"))


@converts("aten.leaky_relu.default")
def leaky_relu(node: CallNode) -> SSAValue:
    x = node.operand("self")
    return node.add(activations.LeakyReluOp, [x], node.sizes_of(x), alpha=float(number(node, "negative_slope", 0.01)))


@converts("aten.elu.default")
def elu(node: CallNode) -> SSAValue:
    if number(node, "scale", 1) != 1 or number(node, "input_scale", 1) != 1:
        raise UnsupportedNode("scales")
    x = node.operand("self")
    return node.add(activations.EluOp, [x], node.sizes_of(x), alpha=float(number(node, "alpha", 1)))


@converts("aten.prelu.default", "aten._prelu_kernel.default")
def prelu(node: CallNode) -> SSAValue:
    """The slopes lie along the second axis; those of the kernel have the rank of the data."""
    x, slope = node.operand("self"), node.operand("weight")
    rank = node.rank(x)
    if node.rank(slope) == 1 and node.call.name == "aten.prelu.default":
        slope = upright(node, slope, min(1, rank - 1), rank) if rank else node.reshape(slope, ())
    return combine(node, binary.PreluOp, [x, slope])


@converts("aten.softplus.default")
def softplus(node: CallNode) -> SSAValue:
    """PyTorch returns x above the threshold, where 32 bits hold no difference."""
    x = node.operand("self")
    if number(node, "beta", 1) != 1 or number(node, "threshold", 20) < 20:
        raise UnsupportedNode("another beta or threshold")
    return node.add(activations.SoftplusOp, [x], node.sizes_of(x))


@converts("aten.log_sigmoid.default")
def log_sigmoid(node: CallNode) -> SSAValue:
    x = node.operand("self")
    negative = node.add(unary.NegOp, [x], node.sizes_of(x))
    return node.add(unary.NegOp, [node.add(activations.SoftplusOp, [negative], node.sizes_of(x))], node.sizes_of(x))


@converts("aten.hardsigmoid.default")
def hard_sigmoid(node: CallNode) -> SSAValue:
    x = node.operand("self")
    return node.add(activations.HardSigmoidOp, [x], node.sizes_of(x), alpha=1 / 6, beta=0.5)


@converts("aten.relu6.default")
def relu6(node: CallNode) -> SSAValue:
    return clipped(node, node.operand("self"), 0, 6)


@converts("aten.hardtanh.default")
def hardtanh(node: CallNode) -> SSAValue:
    return clipped(node, node.operand("self"), number(node, "min_val", -1), number(node, "max_val", 1))


@converts("aten.clamp.default", "aten.clip.default", "aten.clamp_min.default", "aten.clamp_max.default")
def clamp(node: CallNode) -> SSAValue:
    x = cast(node, node.operand("self"), node.result().element)
    return clipped(node, x, optional_number(node, "min"), optional_number(node, "max"))


@converts("aten.clamp.Tensor", "aten.clamp_min.Tensor", "aten.clamp_max.Tensor")
def clamp_to_tensors(node: CallNode) -> SSAValue:
    element = node.result().element
    x = cast(node, node.operand("self"), element)
    for name, op in (("min", binary.MaxOp), ("max", binary.MinOp)):
        if node.has(name):
            x = combine(node, op, [x, cast(node, node.operand(name), element)])
    return x


def clipped(node: CallNode, x: SSAValue, low: float | None, high: float | None) -> SSAValue:
    """Elements between two bounds."""
    element = element_type_of(x)
    ends = ("min", low, -inf), ("max", high, inf)
    bounds = {name: float(each) for name, each, none in ends if each is not None and each != none}
    for bound in bounds.values():
        if not isfinite(bound) or not is_exact(bound, element) or not (is_float(element) or abs(bound) <= EXACT):
            raise UnsupportedNode(f"a bound of {bound}")
    return node.add(activations.ClipOp, [x], node.sizes_of(x), **bounds) if bounds else x


@converts("aten.celu.default")
def celu(node: CallNode) -> SSAValue:
    if number(node, "alpha", 1) != 1:
        raise UnsupportedNode("another alpha")
    x = node.operand("self")
    if is_half(element_type_of(x)):
        raise UnsupportedNode("16 bits")
    return node.add(activations.EluOp, [x], node.sizes_of(x), alpha=1.0)


@converts("aten.glu.default")
def glu(node: CallNode) -> SSAValue:
    """One half along an axis, times the sigmoid of the other."""
    x, result = node.operand("self"), node.result()
    axis = node.axis(node.integer("dim", -1), node.rank(x))
    size = result.sizes[axis]
    node.require(isinstance(size, int) and size > 0, "halves of an unknown size")
    first, second = node.add_many(SplitOp, [x], [result] * 2, True, axis=axis, sizes=[size] * 2)
    gate = node.add(activations.SigmoidOp, [second], result.sizes)
    return node.add(binary.MulOp, [first, gate], result.sizes)
