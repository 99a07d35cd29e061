"""Properties of a value: shape, element type, layout and order."""

from collections.abc import Mapping, Sequence
from typing import TypeGuard, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    FixedBitwidthType,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    NoneAttr,
    ReducedPrecisionFloatType,
    Signedness,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.comparisons import signed_value_range, unsigned_value_range

from ...layout import DYNAMIC, Layout, Order, identity
from .attrs import LayoutAttr, OpaqueType

Shape = tuple[int, ...]
LARGEST: Mapping[Attribute, float] = {
    f16: 65504.0,
    bf16: float.fromhex("0x1.fep127"),
    f32: float.fromhex("0x1.fffffep127"),
    f64: float.fromhex("0x1.fffffffffffffp1023"),
}
"""The largest finite numbers of floats."""
_FLOATS = {Float16Type, BFloat16Type, Float32Type, Float64Type}


def tensor_type(value: SSAValue) -> TensorType:
    """The type of a value that is known to be a tensor."""
    # A call of `cast` would take longer than all else here.
    return value.type  # pyright: ignore[reportReturnType]  # The caller knows.


def shape_of(value: SSAValue) -> Shape:
    """The physical shape of a value; dynamic dimensions are `DYNAMIC`."""
    return tuple([size.data for size in tensor_type(value).shape.data])


def rank_of(value: SSAValue) -> int:
    """The number of axes of a value."""
    return len(tensor_type(value).shape.data)


def element_type_of(value: SSAValue) -> Attribute:
    """The element type of a value."""
    return tensor_type(value).element_type


def with_element(value: SSAValue, element: Attribute) -> TensorType:
    """The type of a value, with another element type."""
    type_ = tensor_type(value)
    return TensorType(element, type_.get_shape(), type_.encoding)


def is_whole(value: SSAValue) -> bool:
    """True for a value that is no tensor, or whose rank is not known: only its type as a whole has a name."""
    element = element_type_of(value)
    return isinstance(element, OpaqueType) and element.is_whole


def is_rankless(type_: Attribute) -> bool:
    """True for the type of tensors of unknown rank."""
    if not isinstance(type_, TensorType):
        return False
    element = cast("TensorType[Attribute]", type_).element_type
    return isinstance(element, OpaqueType) and element.is_rankless


def is_unknown(type_: Attribute) -> bool:
    """True for the type of values of which nothing is known."""
    if not isinstance(type_, TensorType):
        return False
    element = cast("TensorType[Attribute]", type_).element_type
    return isinstance(element, OpaqueType) and element.is_unknown


def layout_of(value: SSAValue) -> Layout | None:
    """The layout of a value, or None if it is uncoloured."""
    return encoding(value.type)


def order_of_value(value: SSAValue) -> Order:
    """The order of a value; the identity for an uncoloured one."""
    return order_of_type(tensor_type(value))


def order_of_type(type: TensorType) -> Order:
    """The order of the values of a type."""
    encoding, rank = type.encoding, len(type.shape.data)
    return encoding.data.order_for(rank) if isinstance(encoding, LayoutAttr) else identity(rank)


def encoding(type_: Attribute) -> Layout | None:
    """The layout in a type, or None."""
    return type_.encoding.data if isinstance(type_, TensorType) and isinstance(type_.encoding, LayoutAttr) else None


def is_identity(layout: Layout) -> bool:
    return layout.order is None or layout.order == identity(len(layout.order))


def is_tensor(value: SSAValue) -> bool:
    return may_have_layout(value.type)


def may_have_layout(type_: Attribute) -> bool:
    """True if this is a tensor type without an encoding other than a layout."""
    return isinstance(type_, TensorType) and isinstance(type_.encoding, NoneAttr | LayoutAttr)


def is_float(element_type: Attribute) -> bool:
    # It is asked for most values, and `isinstance` is slow for classes that may be abstract.
    return type(element_type) in _FLOATS


def is_narrow_float(element_type: Attribute) -> TypeGuard[ReducedPrecisionFloatType]:
    """True for a float of 8 bits or fewer: data are stored in it, and no arithmetic is done."""
    return isinstance(element_type, ReducedPrecisionFloatType)


def has_zero(element_type: Attribute) -> bool:
    """False for a type of powers of two."""
    return not is_narrow_float(element_type) or element_type.SEMANTICS.has_zero


def bits_in_memory(element_type: Attribute) -> int:
    """The bits of an element; a truth value takes a byte."""
    return 8 if is_boolean(element_type) else cast("FixedBitwidthType", element_type).bitwidth


def is_integer(element_type: Attribute) -> bool:
    """True if this is a number without fraction; i1 is not a number."""
    return isinstance(element_type, IntegerType) and element_type.bitwidth > 1


def integer_range(element_type: IntegerType) -> tuple[int, int]:
    """The least and the largest number of a type; signless types are signed, and i1 has 0 and 1."""
    bits = element_type.bitwidth
    is_unsigned = bits == 1 or element_type.signedness.data is Signedness.UNSIGNED
    least, end = unsigned_value_range(bits) if is_unsigned else signed_value_range(bits)
    return least, end - 1


def is_boolean(element_type: Attribute) -> bool:
    return isinstance(element_type, IntegerType) and element_type.bitwidth == 1


def is_supported(element_type: Attribute) -> bool:
    if isinstance(element_type, IntegerType):
        return 1 <= element_type.bitwidth <= 64
    return is_float(element_type) or is_narrow_float(element_type)


def has_one_element(value: SSAValue) -> bool:
    for size in tensor_type(value).shape.data:
        if size.data != 1:
            return False
    return True


def dims_agree(found: int, expected: int) -> bool:
    """True if two sizes are equal as far as is known at compile time."""
    return found == expected or DYNAMIC in (found, expected)


def shapes_agree(found: Sequence[int], expected: Sequence[int]) -> bool:
    return len(found) == len(expected) and all(map(dims_agree, found, expected))


def repeats_to(found: Sequence[int], whole: Sequence[int]) -> bool:
    """True if a shape is the other one after repeating unit axes, as far as is known at compile time."""
    return len(found) == len(whole) and all(
        size == 1 or dims_agree(size, full) for size, full in zip(found, whole, strict=True)
    )


def shape_text(shape: Sequence[int]) -> str:
    """A shape as types print it; `scalar` for rank 0."""
    return "x".join("?" if size == DYNAMIC else str(size) for size in shape) or "scalar"


def logical_shape(value: SSAValue, layout: Layout | None = None) -> Shape:
    """The sizes of the logical axes without padding, for classes with letters in the order N, C, spatial...

    `layout` is that of a value without a layout in its type.
    """
    layout = layout_of(value) if layout is None else layout
    return shape_of(value) if layout is None else layout.logical_shape(shape_of(value))
