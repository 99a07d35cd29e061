"""The element types that LiteRT's kernels take.

A kernel that takes integers of 8 and 16 bits often takes them for quantised numbers, whose sums saturate; such are not
listed. Tensors without elements are never passed to a kernel, as some crash.
"""

from collections.abc import Mapping

from ..counterparts import ROWS
from ..element_types import ANY, BOOL, F16, F32, F64, FLOAT, I32, I64, MOVABLE, NARROW, NUMBERS, LiteElement

DATA = {"SPLIT": 1, "SELECT_V2": 1, "TRANSPOSE_CONV": 2}
"""The operand with the data, where it is not the first one."""

KEEPS_NUMBERS = frozenset(
    {
        "CONCATENATION",
        "DEPTH_TO_SPACE",
        "EXPAND_DIMS",
        "GATHER",
        "MAX_POOL_2D",
        "PACK",
        "REDUCE_MAX",
        "RESHAPE",
        "RESIZE_NEAREST_NEIGHBOR",
        "REVERSE_V2",
        "SLICE",
        "SPACE_TO_DEPTH",
        "SPLIT",
        "SPLIT_V",
        "SQUEEZE",
        "STRIDED_SLICE",
        "TILE",
        "TRANSPOSE",
        "UNPACK",
    }
)
"""The kinds whose results are some of the operand's elements, quantised likewise."""

TAKES_NUMBERS = KEEPS_NUMBERS | {"BROADCAST_TO", "CAST", "GATHER_ND", "MIRROR_PAD", "REDUCE_MIN", "SELECT_V2"}
"""The kinds that compute the same integers whatever numbers their result represents; PAD adds those for 0."""

MOVES = (TAKES_NUMBERS | {"PAD", "PADV2"}) - {"CAST"}
"""The kinds whose data and results have to represent the same numbers."""

READS_ANY_NUMBERS = frozenset({"ARG_MAX", "ARG_MIN", "CAST", "SHAPE"})
"""The kinds that read the same integers whatever numbers they represent."""

QUANTISED = frozenset(
    {
        "ADD",
        "AVERAGE_POOL_2D",
        "BATCH_MATMUL",
        "CONV_2D",
        "DEPTHWISE_CONV_2D",
        "DEQUANTIZE",
        "FULLY_CONNECTED",
        "MUL",
        "PAD",
    }
    | {"LOGISTIC", "MEAN", "QUANTIZE", "SOFTMAX", "TRANSPOSE_CONV"}
)
"""The kinds that compute with quantised numbers, too."""

KERNELS: Mapping[str, frozenset[LiteElement]] = {
    **{row.kind: row.types for row in ROWS},
    **dict.fromkeys(("CUMSUM", "FLOOR_MOD", "RANGE"), NUMBERS),
    **dict.fromkeys(("ARG_MAX", "ARG_MIN"), frozenset({F32, I32, LiteElement.I8, LiteElement.U8})),
    **dict.fromkeys(("DEPTH_TO_SPACE", "SPACE_TO_DEPTH"), NUMBERS | {LiteElement.U8, LiteElement.I8}),
    **dict.fromkeys(("GATHER", "REVERSE_V2"), ANY),
    **dict.fromkeys(("EXPAND_DIMS", "RESHAPE", "SHAPE", "SLICE", "SQUEEZE", "TILE", "TRANSPOSE"), ANY | {F64}),
    **dict.fromkeys(("CONCATENATION", "GATHER_ND"), MOVABLE),
    **dict.fromkeys(("BROADCAST_TO", "MIRROR_PAD", "SELECT_V2", "STRIDED_SLICE"), MOVABLE | {F64}),
    **dict.fromkeys(("PAD", "PADV2"), MOVABLE),
    **dict.fromkeys(("PACK", "SPLIT", "SPLIT_V"), NUMBERS | NARROW),
    "UNPACK": frozenset({F32, I32, BOOL, *NARROW}),
    **dict.fromkeys(("BROADCAST_ARGS",), frozenset({I32, I64})),
    "CAST": ANY | {F64, LiteElement.U16, LiteElement.U32},
    "DEQUANTIZE": frozenset({F16}),
    "MAX_POOL_2D": frozenset({F32, *NARROW}),
    "RESIZE_NEAREST_NEIGHBOR": frozenset({F32, I32, BOOL, *NARROW}),
    "REVERSE_SEQUENCE": NUMBERS | {LiteElement.I16, LiteElement.U8},
    "SCATTER_ND": NUMBERS,
    "TOPK_V2": NUMBERS | NARROW,
    "WHERE": frozenset({BOOL}),
}
"""All kinds that are not listed take f32 only."""


def takes(kind: str, element: LiteElement, is_quantised: bool = False) -> bool:
    if is_quantised and kind in QUANTISED:
        return element in NARROW
    return element in KERNELS.get(kind, FLOAT)


def makes(kind: str, element: LiteElement) -> bool:
    """True if a kernel computes elements of this type; all but CAST do if they take their operands."""
    return kind != "CAST" or element in KERNELS[kind]
