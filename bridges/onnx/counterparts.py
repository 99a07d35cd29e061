"""Ops of the dialect and the ops of ONNX that compute the same, one row for each pair: import and export read it.

Operands and results are the same ones in the same order, and attributes have the same names. A family whose import or
export needs more than the row says has a function for the op, which comes before the row. Rows of one op, for several
element types, are neighbours.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ...dialects.npu import activations, binary, normalization, reduction, unary
from ...dialects.npu.base import NpuOp
from .element_types import ANY, BF16, BOOL, BYTES, HALF, I8, I32, SINGLE, U32, U64, WHOLE

NUMBERS = SINGLE | WHOLE | {U32, U64}
BITS = ANY - SINGLE - {BF16, BOOL}
TRUTH = frozenset({BOOL})


class OnnxRow(NamedTuple):
    """An op of the dialect as an op of ONNX."""

    op: type[NpuOp]
    kind: str
    types: frozenset[int]
    """The element types for which ONNX Runtime has a CPU kernel; others are computed in a wider type."""
    wraps: bool = False
    """True if u64 may be computed in i64, because the op computes modulo 2**64."""
    defaults: Mapping[str, float] = MappingProxyType({})
    """The numbers that ONNX takes for attributes that a node leaves out."""


UNARY = (
    OnnxRow(unary.AbsOp, "Abs", ANY - {BOOL, BF16}),
    OnnxRow(unary.NegOp, "Neg", SINGLE | WHOLE | {I8}, wraps=True),
    OnnxRow(unary.SignOp, "Sign", ANY - {BOOL, BF16}),
    OnnxRow(unary.ExpOp, "Exp", SINGLE),
    OnnxRow(unary.LogOp, "Log", SINGLE),
    OnnxRow(unary.SqrtOp, "Sqrt", SINGLE),
    OnnxRow(unary.ReciprocalOp, "Reciprocal", SINGLE),
    OnnxRow(unary.SinOp, "Sin", SINGLE),
    OnnxRow(unary.CosOp, "Cos", SINGLE),
    OnnxRow(unary.TanOp, "Tan", HALF),
    OnnxRow(unary.AsinOp, "Asin", HALF),
    OnnxRow(unary.AcosOp, "Acos", HALF),
    OnnxRow(unary.AtanOp, "Atan", HALF),
    OnnxRow(unary.SinhOp, "Sinh", HALF),
    OnnxRow(unary.CoshOp, "Cosh", HALF),
    OnnxRow(unary.TanhOp, "Tanh", SINGLE),
    OnnxRow(unary.AsinhOp, "Asinh", HALF),
    OnnxRow(unary.AcoshOp, "Acosh", HALF),
    OnnxRow(unary.AtanhOp, "Atanh", HALF),
    OnnxRow(unary.ErfOp, "Erf", HALF),
    OnnxRow(unary.CeilOp, "Ceil", SINGLE),
    OnnxRow(unary.FloorOp, "Floor", SINGLE),
    OnnxRow(unary.RoundOp, "Round", SINGLE),
    OnnxRow(unary.NotOp, "Not", TRUTH),
    OnnxRow(unary.NotOp, "BitwiseNot", BITS),
)

ACTIVATIONS = (
    OnnxRow(activations.ReluOp, "Relu", SINGLE | {I8, I32}),
    OnnxRow(activations.SigmoidOp, "Sigmoid", SINGLE),
    OnnxRow(activations.HardSwishOp, "HardSwish", HALF),
    OnnxRow(activations.MishOp, "Mish", HALF),
    OnnxRow(activations.SeluOp, "Selu", HALF),
    OnnxRow(activations.SoftplusOp, "Softplus", HALF),
    OnnxRow(activations.SoftsignOp, "Softsign", HALF),
    OnnxRow(activations.LeakyReluOp, "LeakyRelu", HALF, defaults={"alpha": 0.01}),
    OnnxRow(activations.EluOp, "Elu", HALF, defaults={"alpha": 1.0}),
    OnnxRow(activations.HardSigmoidOp, "HardSigmoid", HALF, defaults={"alpha": 0.2, "beta": 0.5}),
)

UNARY_KINDS = frozenset(row.kind for row in (*UNARY, *ACTIVATIONS))

BINARY = (
    OnnxRow(binary.AddOp, "Add", NUMBERS, wraps=True),
    OnnxRow(binary.SubOp, "Sub", NUMBERS, wraps=True),
    OnnxRow(binary.MulOp, "Mul", NUMBERS, wraps=True),
    OnnxRow(binary.DivOp, "Div", NUMBERS),
    OnnxRow(binary.MaxOp, "Max", NUMBERS | BYTES),
    OnnxRow(binary.MinOp, "Min", NUMBERS | BYTES),
    OnnxRow(binary.AndOp, "And", TRUTH),
    OnnxRow(binary.AndOp, "BitwiseAnd", BITS),
    OnnxRow(binary.OrOp, "Or", TRUTH),
    OnnxRow(binary.OrOp, "BitwiseOr", BITS),
    OnnxRow(binary.XorOp, "Xor", TRUTH),
    OnnxRow(binary.XorOp, "BitwiseXor", BITS),
    OnnxRow(binary.EqualOp, "Equal", NUMBERS | TRUTH),
    OnnxRow(binary.LessOp, "Less", NUMBERS),
    OnnxRow(binary.LessEqualOp, "LessOrEqual", NUMBERS),
    OnnxRow(binary.GreaterOp, "Greater", NUMBERS),
    OnnxRow(binary.GreaterEqualOp, "GreaterOrEqual", NUMBERS),
)

REDUCTIONS = (
    OnnxRow(reduction.ReduceSumOp, "ReduceSum", SINGLE | WHOLE, wraps=True),
    OnnxRow(reduction.ReduceMeanOp, "ReduceMean", SINGLE),
    OnnxRow(reduction.ReduceMaxOp, "ReduceMax", SINGLE | WHOLE | BYTES | TRUTH),
    OnnxRow(reduction.ReduceMinOp, "ReduceMin", SINGLE | WHOLE | BYTES | TRUTH),
    OnnxRow(reduction.ReduceProdOp, "ReduceProd", SINGLE | WHOLE, wraps=True),
    OnnxRow(reduction.ReduceL1Op, "ReduceL1", SINGLE | WHOLE, wraps=True),
    OnnxRow(reduction.ReduceL2Op, "ReduceL2", SINGLE),
    OnnxRow(reduction.ReduceSumSquareOp, "ReduceSumSquare", SINGLE | WHOLE, wraps=True),
    OnnxRow(reduction.ReduceLogSumExpOp, "ReduceLogSumExp", SINGLE),
)

SOFTMAX = (
    OnnxRow(normalization.SoftmaxOp, "Softmax", SINGLE),
    OnnxRow(normalization.LogSoftmaxOp, "LogSoftmax", SINGLE),
    # There is no kernel for f64 either, but two numbers that f32 rounds to one are to stay two.
    OnnxRow(normalization.HardmaxOp, "Hardmax", SINGLE),
)
