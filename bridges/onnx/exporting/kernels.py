"""Element types for which ONNX Runtime has CPU kernels.

Determined by experiment: a model whose ops have no kernel is valid, but does not load. Those of ops with a row are in
`counterparts.py`; ops that are in neither take any type. For a missing type, the operands are cast to a wider one
(elements.py), and the result back.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..counterparts import ACTIVATIONS, BINARY, NUMBERS, REDUCTIONS, SOFTMAX, UNARY
from ..element_types import (
    ANY,
    BF16,
    BOOL,
    BYTES,
    F16,
    F32,
    F64,
    HALF,
    I8,
    I32,
    I64,
    NARROW,
    NARROW_FLOATS,
    SINGLE,
    U8,
    U32,
    U64,
    WHOLE,
)


class Kernel(NamedTuple):
    """The element types with a kernel of an op."""

    types: frozenset[int]
    operands: Sequence[int] | None = None
    """The operands that have such a type; None: all."""
    wraps: bool = False
    """True if u64 may be cast to i64, because the op moves elements or computes modulo 2**64."""


_FIRST = (0,)

KERNELS: Mapping[str, Kernel] = {
    **{row.kind: Kernel(row.types, wraps=row.wraps) for row in (*UNARY, *ACTIVATIONS, *BINARY, *SOFTMAX)},
    **{row.kind: Kernel(row.types, _FIRST, row.wraps) for row in REDUCTIONS},
    **dict.fromkeys(("Concat",), Kernel(ANY, wraps=True)),
    "Reshape": Kernel(ANY | {*NARROW_FLOATS}, _FIRST, True),
    **dict.fromkeys(("Slice", "Split", "Unsqueeze", "Squeeze", "Gather"), Kernel(ANY, _FIRST, True)),
    **dict.fromkeys(("Expand", "Tile"), Kernel(ANY - {BF16}, _FIRST, True)),
    "Transpose": Kernel(ANY | NARROW),
    "Shape": Kernel(ANY),
    "Pad": Kernel(SINGLE | WHOLE | BYTES | {BOOL, U32, U64}, (0, 2), True),
    "Where": Kernel(SINGLE | WHOLE | BYTES | {U32}, (1, 2), True),
    **dict.fromkeys(("DepthToSpace", "SpaceToDepth"), Kernel(SINGLE | BYTES)),
    "Resize": Kernel(HALF | BYTES | {I32}, _FIRST),
    "Gelu": Kernel(HALF),
    "Mod": Kernel(NUMBERS),
    "Pow": Kernel(SINGLE),
    "Clip": Kernel(NUMBERS | BYTES),
    "PRelu": Kernel(HALF),
    "ReduceLogSum": Kernel(SINGLE, _FIRST),
    **dict.fromkeys(("ArgMax", "ArgMin"), Kernel(SINGLE | WHOLE | BYTES)),
    **dict.fromkeys(("CumSum", "CumProd"), Kernel(SINGLE | WHOLE, _FIRST, True)),
    **dict.fromkeys(("GatherElements", "Compress", "ReverseSequence"), Kernel(ANY - {BF16}, _FIRST, True)),
    **dict.fromkeys(("ScatterElements", "ScatterND"), Kernel(ANY, (0, 2))),
    "TopK": Kernel(SINGLE | WHOLE | BYTES, _FIRST),
    "Range": Kernel(SINGLE - {F16} | WHOLE),
    "NonZero": Kernel(HALF | WHOLE | {BOOL, U8}),
    "Unique": Kernel(SINGLE | {I8, I64}),
    "LpNormalization": Kernel(SINGLE),
    **dict.fromkeys(("LayerNormalization", "RMSNormalization", "BatchNormalization"), Kernel(SINGLE)),
    "LRN": Kernel(frozenset({F32})),
    **dict.fromkeys(("InstanceNormalization", "GroupNormalization"), Kernel(HALF)),
    **dict.fromkeys(("Conv", "ConvTranspose", "AveragePool", "GlobalAveragePool", "GlobalMaxPool"), Kernel(HALF)),
    "MatMul": Kernel(SINGLE | WHOLE | {U32, U64}, wraps=True),
    "Gemm": Kernel(SINGLE),
    "MaxPool": Kernel(SINGLE | BYTES),
    **dict.fromkeys(("GridSample", "RoiAlign"), Kernel(frozenset({F32, F64}), (0, 1))),
    "DFT": Kernel(frozenset({F32, F64}), _FIRST),
    "DeformConv": Kernel(frozenset({F32, F64})),
    **dict.fromkeys(("RNN", "GRU", "LSTM"), Kernel(frozenset({F32}), (0, 1, 2, 3, 5, 6, 7))),
}
