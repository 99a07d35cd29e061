"""Representation of element types in numpy arrays.

Types that numpy lacks are kept in the next larger one and normalised after every op: integers of odd widths wrap, bf16
is an f32 rounded to 8 significant bits, and a float of 8 bits or fewer is an f32 that is one of its numbers.
"""

from typing import Any, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType, Signedness
from xdsl.ir import Attribute

from ..dialects.npu.attrs import OpaqueType, StringType
from ..dialects.npu.values import integer_range, is_narrow_float
from .errors import InterpreterError
from .narrow_floats import from_codes, to_codes

Array: TypeAlias = npt.NDArray[Any]

_FLOATS: dict[type[Attribute], type[np.floating[Any]]] = {
    Float16Type: np.float16,
    BFloat16Type: np.float32,
    Float32Type: np.float32,
    Float64Type: np.float64,
}


def is_integer_type(element_type: Attribute) -> TypeGuard[IntegerType]:
    """True for an integer type, including i1."""
    return isinstance(element_type, IntegerType)


def is_unsigned(element_type: IntegerType) -> bool:
    """True for an unsigned type; signless ones are signed."""
    return element_type.signedness.data is Signedness.UNSIGNED


def numpy_dtype(element_type: Attribute) -> np.dtype[Any]:
    """The dtype of arrays with elements of this type."""
    if known := _FLOATS.get(type(element_type)):
        return np.dtype(known)
    if is_narrow_float(element_type):
        return np.dtype(np.float32)
    if not is_integer_type(element_type) or element_type.bitwidth > 64:
        raise InterpreterError(f"unsupported element type {element_type}")
    if element_type.bitwidth == 1:
        return np.dtype(np.bool_)
    size = next(size for size in (1, 2, 4, 8) if 8 * size >= element_type.bitwidth)
    return np.dtype(f"{'u' if is_unsigned(element_type) else 'i'}{size}")


def store(array: Array, element_type: Attribute) -> Array:
    """The numbers as elements of this type: integers wrap, floats are rounded to nearest even.

    Texts, and values of other systems, are in arrays of objects as those systems return them.
    """
    if is_of_others(element_type):
        return array
    # Not as a decorator, whose state numpy 1 shares between threads.
    with np.errstate(all="ignore"):
        if is_narrow_float(element_type):
            return from_codes(to_codes(np.asarray(array, np.float64), element_type), element_type)
        stored = array.astype(numpy_dtype(element_type), copy=False)
        if isinstance(element_type, BFloat16Type):
            return round_to_bf16(stored)
        if is_integer_type(element_type):
            return _wrap(stored, element_type)
        return stored


def is_of_others(element_type: Attribute) -> bool:
    """True for elements that only ops of other systems compute with."""
    return isinstance(element_type, StringType | OpaqueType)


def garbage(dtype: np.dtype[Any]) -> Any:
    """An element that nothing should read: NaN, or the largest number of a type without one."""
    if dtype.kind == "f":
        return dtype.type("nan")
    return dtype.type(1) if dtype.kind == "b" else np.iinfo(dtype).max


def holds(array: Array, element_type: Attribute) -> bool:
    """True if `store` would not change an array."""
    if is_of_others(element_type):
        return True
    return array.dtype == numpy_dtype(element_type) and np.array_equal(
        array, store(array, element_type), equal_nan=array.dtype.kind == "f"
    )


def saturate(array: Array, element_type: IntegerType) -> Array:
    """Whole numbers in 64 bits, clamped to the range of an integer type."""
    low, high = integer_range(element_type)
    dtype = numpy_dtype(element_type)
    # Not np.clip: as an f64 the largest number of 64 bits is one too large.
    inside = np.where((array > low) & (array < high), array, 0).astype(dtype)
    return np.where(array >= high, dtype.type(high), np.where(array <= low, dtype.type(low), inside))


def round_to_bf16(array: Array) -> Array:
    """The nearest f32 that a bf16 can represent; ties go to the even last bit."""
    bits = array.view(np.uint32)
    rounded = (bits + (((bits >> 16) & 1) + 0x7FFF).astype(np.uint32)) & np.uint32(0xFFFF0000)
    # Rounding could turn the bits of a NaN into those of an infinity.
    return np.where(np.isnan(array), array, rounded.view(np.float32))


def _wrap(array: Array, element_type: IntegerType) -> Array:
    leftover = 8 * array.dtype.itemsize - element_type.bitwidth
    if array.dtype == np.bool_ or not leftover:
        return array
    # The right shift repeats the sign of a signed number.
    return np.asarray((array << leftover) >> leftover)


def accumulator(array: Array) -> Array:
    """The numbers in the type for sums: f32 or f64, or an integer of 64 bits, which wraps."""
    match array.dtype.kind:
        case "f":
            return array.astype(np.promote_types(array.dtype, np.float32), copy=False)
        case "u":
            return array.astype(np.uint64)
        case _:
            return array.astype(np.int64)


def precise(array: Array) -> Array:
    """The numbers in the type for averages, roots and exponentials."""
    return array.astype(np.float64) if array.dtype.kind == "f" else accumulator(array)
