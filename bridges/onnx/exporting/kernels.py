"""Element types for which ONNX Runtime has CPU kernels.

Determined by experiment: a model whose ops have no kernel is valid, but does not load. Ops not listed here take any
type. For a missing type, the operands are cast to a wider one (elements.py), and the result back.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .elements import BF16, BOOL, F16, F32, F64, I4, I8, I16, I32, I64, U4, U8, U16, U32, U64


class Kernel(NamedTuple):
    """The element types with a kernel of an op."""

    types: frozenset[int]
    operands: Sequence[int] | None = None
    """The operands that have such a type; None: all."""
    wraps: bool = False
    """True if u64 may be cast to i64, because the op moves elements or computes modulo 2**64."""


HALF, SINGLE = frozenset({F16, F32}), frozenset({F16, F32, F64})
WHOLE = frozenset({I32, I64})
BYTES = frozenset({I8, U8})
ANY = frozenset({BOOL, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64})

_FIRST = (0,)

KERNELS: Mapping[str, Kernel] = {
    **dict.fromkeys(("Concat",), Kernel(ANY, wraps=True)),
    **dict.fromkeys(("Reshape", "Slice", "Split", "Unsqueeze", "Squeeze", "Gather"), Kernel(ANY, _FIRST, True)),
    **dict.fromkeys(("Expand", "Tile"), Kernel(ANY - {BF16}, _FIRST, True)),
    "Transpose": Kernel(ANY | {I4, U4}),
    "Shape": Kernel(ANY),
    "Pad": Kernel(SINGLE | WHOLE | BYTES | {BOOL, U32, U64}, (0, 2), True),
    "Where": Kernel(SINGLE | WHOLE | BYTES | {U32}, (1, 2), True),
    **dict.fromkeys(("DepthToSpace", "SpaceToDepth"), Kernel(SINGLE | BYTES)),
    "Resize": Kernel(HALF | BYTES | {I32}, _FIRST),
    "Abs": Kernel(ANY - {BOOL, BF16}),
    "Neg": Kernel(SINGLE | WHOLE | {I8}, wraps=True),
    "Sign": Kernel(ANY - {BOOL, BF16}),
    **dict.fromkeys(("Exp", "Log", "Sqrt", "Reciprocal", "Sin", "Cos", "Tanh"), Kernel(SINGLE)),
    **dict.fromkeys(("Ceil", "Floor", "Round", "Sigmoid"), Kernel(SINGLE)),
    **dict.fromkeys(("Erf", "LeakyRelu", "Elu", "Selu", "Gelu", "HardSigmoid", "HardSwish"), Kernel(HALF)),
    **dict.fromkeys(("Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh"), Kernel(HALF)),
    **dict.fromkeys(("Mish", "Softplus", "Softsign"), Kernel(HALF)),
    "Relu": Kernel(SINGLE | {I8, I32}),
    **dict.fromkeys(("Add", "Sub", "Mul"), Kernel(SINGLE | WHOLE | {U32, U64}, wraps=True)),
    **dict.fromkeys(("Div", "Mod"), Kernel(SINGLE | WHOLE | {U32, U64})),
    "Pow": Kernel(SINGLE),
    **dict.fromkeys(("Max", "Min", "Clip"), Kernel(SINGLE | WHOLE | BYTES | {U32, U64})),
    "PRelu": Kernel(HALF),
    "Equal": Kernel(SINGLE | WHOLE | {BOOL, U32, U64}),
    **dict.fromkeys(("Less", "LessOrEqual", "Greater", "GreaterOrEqual"), Kernel(SINGLE | WHOLE | {U32, U64})),
    **dict.fromkeys(("BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot"), Kernel(ANY - SINGLE - {BF16, BOOL})),
    **dict.fromkeys(("ReduceSum", "ReduceProd", "ReduceL1", "ReduceSumSquare"), Kernel(SINGLE | WHOLE, _FIRST, True)),
    **dict.fromkeys(("ReduceMean", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp"), Kernel(SINGLE, _FIRST)),
    **dict.fromkeys(("ReduceMax", "ReduceMin"), Kernel(SINGLE | WHOLE | BYTES | {BOOL}, _FIRST)),
    **dict.fromkeys(("ArgMax", "ArgMin"), Kernel(SINGLE | WHOLE | BYTES)),
    "CumSum": Kernel(SINGLE | WHOLE, _FIRST, True),
    **dict.fromkeys(("Softmax", "LogSoftmax", "LpNormalization"), Kernel(SINGLE)),
    # There is no kernel for f64 either, but two numbers that f32 rounds to one are to stay two.
    "Hardmax": Kernel(SINGLE),
    **dict.fromkeys(("LayerNormalization", "RMSNormalization", "BatchNormalization"), Kernel(SINGLE)),
    "LRN": Kernel(frozenset({F32})),
    **dict.fromkeys(("InstanceNormalization", "GroupNormalization"), Kernel(HALF)),
    **dict.fromkeys(("Conv", "ConvTranspose", "AveragePool", "GlobalAveragePool", "GlobalMaxPool"), Kernel(HALF)),
    "MatMul": Kernel(SINGLE | WHOLE | {U32, U64}, wraps=True),
    "Gemm": Kernel(SINGLE),
    "MaxPool": Kernel(SINGLE | BYTES),
}
