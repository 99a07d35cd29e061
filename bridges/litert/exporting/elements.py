"""Element types of LiteRT for those of MLIR."""

from typing import cast

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType, Signedness
from xdsl.ir import Attribute

from ....dialects.npu.attrs import OpaqueType, StringType
from ..element_types import OPAQUE, LiteElement
from ..errors import NotExportable

_FLOATS: dict[type[Attribute], LiteElement] = {
    Float16Type: LiteElement.F16,
    Float32Type: LiteElement.F32,
    Float64Type: LiteElement.F64,
}
_SIGNED = {1: "BOOL", 2: "I2", 4: "I4", 8: "I8", 16: "I16", 32: "I32", 64: "I64"}
_UNSIGNED = {1: "BOOL", 4: "U4", 8: "U8", 16: "U16", 32: "U32", 64: "U64"}
_OPAQUE = {name: element for element, name in OPAQUE.items()}


def element_of(type_: Attribute) -> LiteElement:
    """The element type of LiteRT for one of MLIR."""
    if isinstance(type_, IntegerType):
        found = cast("IntegerType", type_)
        known = _UNSIGNED if found.signedness.data is Signedness.UNSIGNED else _SIGNED
        if found.bitwidth in known:
            return LiteElement[known[found.bitwidth]]
    elif not isinstance(type_, BFloat16Type) and type(type_) in _FLOATS:
        return _FLOATS[type(type_)]
    elif isinstance(type_, StringType):
        return LiteElement.STRING
    elif isinstance(type_, OpaqueType) and type_.written.data in _OPAQUE:
        return _OPAQUE[type_.written.data]
    raise NotExportable(f"LiteRT has no element type {type_}")
