"""Ops of the dialect and the ops of LiteRT that compute the same, one row for each pair: import and export read it.

Operands and results are the same ones in the same order, and attributes have the same names. A family whose import or
export needs more than the row says has a function for the op.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ...dialects.npu import activations, binary, reduction, unary
from ...dialects.npu.base import NpuOp
from .element_types import BOOL, F32, F64, FLOAT, I32, NARROW, NUMBERS, LiteElement


class LiteRow(NamedTuple):
    """An op of the dialect as an op of LiteRT."""

    op: type[NpuOp]
    kind: str
    types: frozenset[LiteElement] = FLOAT
    """The element types that the kernel takes."""
    attributes: Sequence[str] = ()
    """The numbers of f32 that are an option as well."""


UNARY = (
    LiteRow(unary.AbsOp, "ABS", frozenset({F32, I32})),
    LiteRow(unary.NegOp, "NEG", NUMBERS),
    LiteRow(unary.SignOp, "SIGN", frozenset({F32, F64, I32})),
    LiteRow(unary.ExpOp, "EXP"),
    LiteRow(unary.LogOp, "LOG"),
    LiteRow(unary.SqrtOp, "SQRT"),
    LiteRow(unary.RsqrtOp, "RSQRT"),
    LiteRow(unary.SinOp, "SIN"),
    LiteRow(unary.CosOp, "COS"),
    LiteRow(unary.TanhOp, "TANH"),
    LiteRow(unary.CeilOp, "CEIL"),
    LiteRow(unary.FloorOp, "FLOOR"),
    LiteRow(unary.RoundOp, "ROUND"),
    LiteRow(unary.NotOp, "LOGICAL_NOT", frozenset({BOOL})),
)

ACTIVATIONS = (
    LiteRow(activations.ReluOp, "RELU"),
    LiteRow(activations.SigmoidOp, "LOGISTIC"),
    LiteRow(activations.HardSwishOp, "HARD_SWISH"),
    LiteRow(activations.EluOp, "ELU"),
    LiteRow(activations.LeakyReluOp, "LEAKY_RELU", attributes=("alpha",)),
)

ARITHMETIC = (
    LiteRow(binary.AddOp, "ADD", NUMBERS),
    LiteRow(binary.SubOp, "SUB", NUMBERS),
    LiteRow(binary.MulOp, "MUL", NUMBERS),
    LiteRow(binary.DivOp, "DIV", frozenset({F32, I32})),
    LiteRow(binary.PowOp, "POW", frozenset({F32, I32})),
    LiteRow(binary.MaxOp, "MAXIMUM", NUMBERS | NARROW),
    LiteRow(binary.MinOp, "MINIMUM", NUMBERS | NARROW),
)

LOGICAL = (
    LiteRow(binary.AndOp, "LOGICAL_AND", frozenset({BOOL})),
    LiteRow(binary.OrOp, "LOGICAL_OR", frozenset({BOOL})),
)

COMPARISONS = (
    LiteRow(binary.EqualOp, "EQUAL", NUMBERS | {BOOL}),
    LiteRow(binary.NotEqualOp, "NOT_EQUAL", NUMBERS | {BOOL}),
    LiteRow(binary.LessOp, "LESS", NUMBERS),
    LiteRow(binary.LessEqualOp, "LESS_EQUAL", NUMBERS),
    LiteRow(binary.GreaterOp, "GREATER", NUMBERS),
    LiteRow(binary.GreaterEqualOp, "GREATER_EQUAL", NUMBERS),
)

REDUCTIONS = (
    LiteRow(reduction.ReduceSumOp, "SUM", NUMBERS),
    LiteRow(reduction.ReduceMeanOp, "MEAN"),
    LiteRow(reduction.ReduceMaxOp, "REDUCE_MAX", NUMBERS | NARROW),
    LiteRow(reduction.ReduceMinOp, "REDUCE_MIN", NUMBERS | NARROW),
    LiteRow(reduction.ReduceProdOp, "REDUCE_PROD", NUMBERS),
)

CLAMPS = {"RELU6": (0.0, 6.0), "RELU_0_TO_1": (0.0, 1.0), "RELU_N1_TO_1": (-1.0, 1.0)}
"""The ops that are an `npu.clip` to this range."""
BINARY = (*ARITHMETIC, *LOGICAL, *COMPARISONS)
ROWS = (*UNARY, *ACTIVATIONS, *BINARY, *REDUCTIONS)
