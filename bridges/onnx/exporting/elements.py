"""Element types of ONNX for those of MLIR, and wider ones for ops without a kernel."""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from onnx import TensorProto, TypeProto
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType, Signedness
from xdsl.ir import Attribute

from ....dialects.npu.attrs import OpaqueType, StringType
from ..element_types import (
    BF16,
    BOOL,
    F16,
    F32,
    F64,
    I2,
    I4,
    I8,
    I16,
    I32,
    I64,
    NARROW_FLOATS,
    U2,
    U4,
    U8,
    U16,
    U32,
    U64,
)
from ..errors import NotExportable

_OF_NARROW = {element: number for number, element in NARROW_FLOATS.items()}
_FLOATS: dict[type[Attribute], int] = {Float16Type: F16, BFloat16Type: BF16, Float32Type: F32, Float64Type: F64}
_SIGNED = {2: I2, 4: I4, 8: I8, 16: I16, 32: I32, 64: I64}
_UNSIGNED = {2: U2, 4: U4, 8: U8, 16: U16, 32: U32, 64: U64}

FLOATS = frozenset(_FLOATS.values())
SIGNED, UNSIGNED = frozenset(_SIGNED.values()), frozenset(_UNSIGNED.values())

DTYPES: Mapping[int, np.dtype[Any]] = {
    BOOL: np.dtype(np.bool_),
    **{number: np.dtype(f"i{bits // 8}") for bits, number in _SIGNED.items() if bits > 4},
    **{number: np.dtype(f"u{bits // 8}") for bits, number in _UNSIGNED.items() if bits > 4},
    F16: np.dtype(np.float16),
    F32: np.dtype(np.float32),
    F64: np.dtype(np.float64),
}
"""The numpy types of element types, as far as numpy has them."""

NUMBERS = {dtype: number for number, dtype in DTYPES.items()}

WIDER: Mapping[int, tuple[int, ...]] = {
    BOOL: (U8, I32),
    I2: (I8, I32, F32),
    U2: (U8, I32, F32),
    I4: (I8, I32, F32),
    U4: (U8, I32, F32),
    I8: (I32, I64, F32),
    U8: (I32, I64, F32),
    I16: (I32, I64, F32),
    U16: (I32, I64, F32),
    I32: (I64, F64),
    U32: (I64, F64),
    BF16: (F32,),
    F16: (F32,),
    F64: (F32,),
    **dict.fromkeys(NARROW_FLOATS, (F32,)),
}
"""The types in which an element type is computed if an op has no kernel for it, best first.

All are exact, except that f64 becomes f32 if ONNX Runtime has no wider kernel.
"""


def carrier(element_type: Attribute) -> int:
    """The ONNX element type for one of MLIR: the same, or the next wider one for integers of odd widths."""
    if known := _FLOATS.get(type(element_type)) or _OF_NARROW.get(element_type):
        return known
    if isinstance(element_type, IntegerType) and element_type.bitwidth <= 64:
        if element_type.bitwidth == 1:
            return BOOL
        known_as = cast("IntegerType", element_type)
        sizes = _UNSIGNED if known_as.signedness.data is Signedness.UNSIGNED else _SIGNED
        return next(sizes[bits] for bits in sorted(sizes) if bits >= element_type.bitwidth)
    if isinstance(element_type, StringType):
        return TensorProto.STRING
    if isinstance(element_type, OpaqueType):
        return TensorProto.UNDEFINED if element_type.is_whole else _number_of(element_type.written.data)
    raise NotExportable(f"ONNX has no element type {element_type}")


def whole_type(text: str) -> TypeProto:
    """The type of a value that is no tensor, or whose rank is not known, from ONNX's text for it."""
    result = TypeProto()
    _read_type(text, result)
    return result


def _read_type(text: str, type_: TypeProto) -> None:
    kind, _, inner = text.removesuffix(")").partition("(")
    match kind:
        case "tensor":
            type_.tensor_type.elem_type = _number_of(inner)
        case "sparse_tensor":
            type_.sparse_tensor_type.elem_type = _number_of(inner)
        case "seq":
            _read_type(inner, type_.sequence_type.elem_type)
        case "optional":
            _read_type(inner, type_.optional_type.elem_type)
        case "map":
            key, _, value = inner.partition(",")
            type_.map_type.key_type = _number_of(key)
            _read_type(value, type_.map_type.value_type)
        case "?":
            pass
        case _:
            raise NotExportable(f"ONNX has no type {text}")


def _number_of(name: str) -> int:
    """The element type of this name in ONNX's texts."""
    if name.upper() not in TensorProto.DataType.keys():
        raise NotExportable(f"ONNX has no element type {name}")
    return TensorProto.DataType.Value(name.upper())


def leftover_bits(element_type: Attribute) -> int:
    """The number of bits of the carrier that an integer of odd width does not use."""
    if not isinstance(element_type, IntegerType) or element_type.bitwidth == 1:
        return 0
    return next(bits for bits in _SIGNED if bits >= element_type.bitwidth) - element_type.bitwidth


def type_name(number: int) -> str:
    """The name of an element type in ONNX."""
    return TensorProto.DataType.Name(cast("TensorProto.DataType", number))
