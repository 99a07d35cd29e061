"""Element types with signedness, which MLIR's integer types do not have here."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type
from xdsl.ir import Attribute

from ....dialects.npu.attrs import OpaqueType
from ....interpreter.elements import is_integer_type, is_unsigned
from ..bindings import Type, ir
from ..errors import NotLowerable


@dataclass(frozen=True, slots=True)
class Element:
    """An element type: a float, bf16, a signed or unsigned integer, a truth value, or all that is known of a value."""

    kind: Literal["f", "bf", "i", "u", "b", "whole"]
    width: int
    written: str = ""
    """The type of a tensor of unknown rank."""

    @property
    def is_float(self) -> bool:
        return self.kind in ("f", "bf")

    @property
    def type(self) -> Type:
        """The MLIR type; integers are signless."""
        if self.kind == "bf":
            return ir.BF16Type.get()
        if self.kind == "f":
            return {16: ir.F16Type, 32: ir.F32Type, 64: ir.F64Type}[self.width].get()
        return ir.IntegerType.get_signless(self.width)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of arrays in the interpreter's representation."""
        if self.kind == "b":
            return np.dtype(np.bool_)
        if self.is_float:
            return np.dtype(f"f{4 if self.kind == 'bf' else self.width // 8}")
        return np.dtype(f"{self.kind}{next(size for size in (1, 2, 4, 8) if 8 * size >= self.width)}")

    @property
    def computed(self) -> "Element":
        """The type of elementwise arithmetic: f32 for f16 and bf16."""
        return F32 if self.is_float and self.width == 16 else self

    @property
    def summed(self) -> "Element":
        """The type of accumulators."""
        if self.is_float:
            return self.computed
        return U64 if self.kind == "u" else I64

    @property
    def precise(self) -> "Element":
        """The type of averages, roots and exponentials."""
        if self == F32:
            return F32
        return F64 if self.is_float else self.summed

    @property
    def is_moved_by_tosa(self) -> bool:
        """True if TOSA's data movement ops support this type."""
        return self.width in ((16, 32) if self.is_float else (1, 4, 8, 16, 32, 64))

    @property
    def is_computed_by_tosa(self) -> bool:
        """True if TOSA's arithmetic on this type is ours: integers of 32 bits wrap, narrower ones may saturate."""
        return self in COMPUTED

    @property
    def range(self) -> tuple[int, int]:
        """The least and the largest value of an integer type."""
        if self.kind == "i":
            return -(1 << (self.width - 1)), (1 << (self.width - 1)) - 1
        return 0, (1 << self.width) - 1


F32, F64 = Element("f", 32), Element("f", 64)
I32, I64, U64 = Element("i", 32), Element("i", 64), Element("u", 64)
BOOL = Element("b", 1)
COMPUTED = (F32, I32)
"""The element types on which TOSA computes as we do."""

_FLOATS = {Float16Type: Element("f", 16), BFloat16Type: Element("bf", 16), Float32Type: F32, Float64Type: F64}


def element_of(type: Attribute) -> Element:
    """The element type for a type of the npu dialect."""
    if isinstance(type, OpaqueType) and type.written.data.startswith("tensor<"):
        return Element("whole", 0, type.written.data)
    if not is_integer_type(type):
        found = next((element for known, element in _FLOATS.items() if isinstance(type, known)), None)
        if found is None:
            raise NotLowerable(f"MLIR's ops have no element type {type}")
        return found
    if type.bitwidth == 1:
        return BOOL
    return Element("u" if is_unsigned(type) else "i", type.bitwidth)
