"""The numbers that ONNX has for element types, and sets of types that kernels of ONNX Runtime take."""

from onnx import TensorProto

BOOL = TensorProto.BOOL
I4, I8, I16, I32, I64 = TensorProto.INT4, TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64
U4, U8, U16 = TensorProto.UINT4, TensorProto.UINT8, TensorProto.UINT16
U32, U64 = TensorProto.UINT32, TensorProto.UINT64
F16, BF16, F32, F64 = TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.FLOAT, TensorProto.DOUBLE

HALF, SINGLE = frozenset({F16, F32}), frozenset({F16, F32, F64})
WHOLE = frozenset({I32, I64})
BYTES = frozenset({I8, U8})
ANY = frozenset({BOOL, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64})
