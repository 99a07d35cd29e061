"""Ops of the dialect and the operators of PyTorch that compute the same, one row for each: import and export read it.

Each op has one operand. A family whose import or export needs more than the row says has a function for the op, which
comes before the row.
"""

from typing import NamedTuple

from ...dialects.npu import activations, unary
from ...dialects.npu.base import NpuOp


class TorchRow(NamedTuple):
    """An op of the dialect as an operator of PyTorch."""

    op: type[NpuOp]
    name: str


UNARY = (
    TorchRow(unary.AbsOp, "aten.abs.default"),
    TorchRow(unary.NegOp, "aten.neg.default"),
    TorchRow(unary.SignOp, "aten.sign.default"),
    TorchRow(unary.ExpOp, "aten.exp.default"),
    TorchRow(unary.LogOp, "aten.log.default"),
    TorchRow(unary.SqrtOp, "aten.sqrt.default"),
    TorchRow(unary.RsqrtOp, "aten.rsqrt.default"),
    TorchRow(unary.ReciprocalOp, "aten.reciprocal.default"),
    TorchRow(unary.SinOp, "aten.sin.default"),
    TorchRow(unary.CosOp, "aten.cos.default"),
    TorchRow(unary.TanOp, "aten.tan.default"),
    TorchRow(unary.AsinOp, "aten.asin.default"),
    TorchRow(unary.AcosOp, "aten.acos.default"),
    TorchRow(unary.AtanOp, "aten.atan.default"),
    TorchRow(unary.SinhOp, "aten.sinh.default"),
    TorchRow(unary.CoshOp, "aten.cosh.default"),
    TorchRow(unary.TanhOp, "aten.tanh.default"),
    TorchRow(unary.AsinhOp, "aten.asinh.default"),
    TorchRow(unary.AcoshOp, "aten.acosh.default"),
    TorchRow(unary.AtanhOp, "aten.atanh.default"),
    TorchRow(unary.ErfOp, "aten.erf.default"),
    TorchRow(unary.CeilOp, "aten.ceil.default"),
    TorchRow(unary.FloorOp, "aten.floor.default"),
    TorchRow(unary.RoundOp, "aten.round.default"),
)
ACTIVATIONS = (
    TorchRow(activations.ReluOp, "aten.relu.default"),
    TorchRow(activations.SigmoidOp, "aten.sigmoid.default"),
    TorchRow(activations.SiluOp, "aten.silu.default"),
    TorchRow(activations.HardSwishOp, "aten.hardswish.default"),
    TorchRow(activations.MishOp, "aten.mish.default"),
    TorchRow(activations.SeluOp, "aten.selu.default"),
)
