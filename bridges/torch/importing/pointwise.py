"""Elementwise operators without an exact counterpart: unknown functions of the elements at one position.

They stay calls for PyTorch, and layout passes move them as they move every elementwise op.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects.notes.interfaces import DIMS
from ....dialects.npu.vendor import VendorElementwiseOp
from ...building import UNIT, Typed, UnsupportedNode
from .node import CallNode

UNARY = (
    "abs angle celu ceil clamp clamp_max clamp_min clip deg2rad digamma elu erfc erfinv exp2 expm1 floor frac gelu"
    " hardshrink hardtanh isfinite isneginf isposinf lgamma log10 log1p log2 logit nan_to_num positive rad2deg round"
    " sgn sigmoid sign signbit sinc softplus softshrink special_erfcx special_i0 special_i1 special_ndtr sqrt threshold"
    " trunc"
)
BINARY = (
    "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor clamp clamp_max clamp_min"
    " copysign div eq floor_divide fmax fmin fmod gcd ge gt heaviside hypot lcm le logaddexp logaddexp2 lt masked_fill"
    " maximum minimum mul ne nextafter pow remainder rsub sub true_divide where xlogy addcdiv addcmul lerp"
)
OVERLOADS = (
    "default Tensor Scalar Tensor_mode Scalar_mode Tensor_Tensor Tensor_Scalar Scalar_Other Scalar_Self self ScalarSelf"
    " ScalarOther decimals"
)
POINTWISE = frozenset(
    f"aten.{name}.{overload}" for name in (*UNARY.split(), *BINARY.split()) for overload in OVERLOADS.split()
)
WORDS = frozenset({"approximate", "rounding_mode"})
"""Arguments that are texts; others that are, are sizes which are known at run time only."""


def as_pointwise(node: CallNode) -> SSAValue:
    """The call, as an unknown function."""
    values = node.call.values
    if node.call.name not in POINTWISE or len(node.op.results) != 1 or node.op.pure is None or not node.call.operands:
        raise UnsupportedNode("an unknown operator")
    if any(isinstance(each, str) and name not in WORDS for name, each in values.items()):
        raise UnsupportedNode("a number that is known at run time only")
    result = node.result()
    operands = [node.aligned(value, len(result.sizes)) for value in node.call.operands.values()]
    op = VendorElementwiseOp.create(
        operands=operands,
        result_types=[node.op.results[0].type],
        properties={"op_name": node.op.op_name, "pure": UNIT},
        attributes={name: each for name, each in node.op.attributes.items() if name != DIMS},
    )
    return node.insert(op, [Typed(result.element, result.sizes)])[0]
