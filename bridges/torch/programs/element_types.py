"""Element types of PyTorch."""

from collections.abc import Mapping
from functools import cache

import torch
from xdsl.dialects.builtin import IntegerType, Signedness, StringAttr, bf16, f16, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Attribute

from ....dialects.npu.attrs import OpaqueType

ELEMENTS: Mapping[torch.dtype, Attribute] = {
    torch.bool: i1,
    torch.int8: i8,
    torch.int16: i16,
    torch.int32: i32,
    torch.int64: i64,
    torch.uint8: IntegerType(8, Signedness.UNSIGNED),
    torch.uint16: IntegerType(16, Signedness.UNSIGNED),
    torch.uint32: IntegerType(32, Signedness.UNSIGNED),
    torch.uint64: IntegerType(64, Signedness.UNSIGNED),
    torch.float16: f16,
    torch.bfloat16: bf16,
    torch.float32: f32,
    torch.float64: f64,
}
SAFETENSORS_NAMES: Mapping[torch.dtype, str] = {
    torch.bool: "BOOL",
    torch.int8: "I8",
    torch.int16: "I16",
    torch.int32: "I32",
    torch.int64: "I64",
    torch.uint8: "U8",
    torch.uint16: "U16",
    torch.uint32: "U32",
    torch.uint64: "U64",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.float32: "F32",
    torch.float64: "F64",
}
DTYPES: Mapping[Attribute, torch.dtype] = {element: dtype for dtype, element in ELEMENTS.items()}


@cache
def element_of(dtype: torch.dtype) -> Attribute:
    """The element type; one that the dialect lacks is opaque."""
    return ELEMENTS.get(dtype) or OpaqueType(StringAttr(str(dtype)))
