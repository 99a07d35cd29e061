"""The numbers that ONNX has for element types, and sets of types that kernels of ONNX Runtime take."""

from collections.abc import Mapping

from onnx import TensorProto
from xdsl.dialects.builtin import (
    Float6E2M3FNType,
    Float6E3M2FNType,
    f4E2M1FN,
    f8E4M3FN,
    f8E4M3FNUZ,
    f8E5M2,
    f8E5M2FNUZ,
    f8E8M0FNU,
)
from xdsl.ir import Attribute

BOOL = TensorProto.BOOL
I2, I4, I8 = TensorProto.INT2, TensorProto.INT4, TensorProto.INT8
I16, I32, I64 = TensorProto.INT16, TensorProto.INT32, TensorProto.INT64
U2, U4, U8 = TensorProto.UINT2, TensorProto.UINT4, TensorProto.UINT8
U16, U32, U64 = TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64
F16, BF16, F32, F64 = TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.FLOAT, TensorProto.DOUBLE

NARROW_FLOATS: Mapping[int, Attribute] = {
    TensorProto.FLOAT8E4M3FN: f8E4M3FN,
    TensorProto.FLOAT8E4M3FNUZ: f8E4M3FNUZ,
    TensorProto.FLOAT8E5M2: f8E5M2,
    TensorProto.FLOAT8E5M2FNUZ: f8E5M2FNUZ,
    TensorProto.FLOAT8E8M0: f8E8M0FNU,
    TensorProto.FLOAT4E2M1: f4E2M1FN,
    TensorProto.FLOAT6E2M3: Float6E2M3FNType(),
    TensorProto.FLOAT6E3M2: Float6E3M2FNType(),
}
"""The floats of 8 bits or fewer, with their types in MLIR."""
NARROW_INTEGERS = frozenset({I2, U2, I4, U4})
BITS: Mapping[int, int] = {
    I2: 2,
    U2: 2,
    I4: 4,
    U4: 4,
    TensorProto.FLOAT4E2M1: 4,
    TensorProto.FLOAT6E2M3: 6,
    TensorProto.FLOAT6E3M2: 6,
}
"""The element types narrower than a byte, with their width in bits. ONNX packs them from the lowest bit on."""

HALF, SINGLE = frozenset({F16, F32}), frozenset({F16, F32, F64})
WHOLE = frozenset({I32, I64})
BYTES = frozenset({I8, U8})
ANY = frozenset({BOOL, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64})
NARROW = NARROW_INTEGERS | {*NARROW_FLOATS}
