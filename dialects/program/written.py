"""Numbers written out in a program.

xDSL keeps every element of `dense<0.0> : tensor<1000000x1000000xf32>`, so that one line of text can take any amount of
memory. Large splats are kept as one element here: the attribute holds the bytes of one element, and is printed as it
was read.
"""

from math import prod
from typing import TypeAlias, cast

from xdsl.dialects.builtin import AnyDenseElement, BytesAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute

Dense: TypeAlias = DenseIntOrFPElementsAttr[AnyDenseElement]

SPLAT_LIMIT = 1 << 20
"""The size in bytes up to which the elements of a splat are kept one by one, as in xDSL."""


def size_in_bytes(value: Dense) -> int:
    """The size of all elements, also if only one is kept."""
    return prod(value.get_shape()) * value.get_element_type().compile_time_size


def is_kept_once(value: Dense) -> bool:
    """True if the attribute holds one element for all."""
    return len(value.data.data) < size_in_bytes(value)


def splat(type_: Attribute, element: bytes) -> Dense:
    """A constant whose elements are all equal."""
    tensor = cast("TensorType[AnyDenseElement]", type_)
    count = prod(tensor.get_shape())
    data = element if count * len(element) > SPLAT_LIMIT else element * count
    return DenseIntOrFPElementsAttr(tensor, BytesAttr(data))
