"""Numbers that are written out in a program.

xDSL keeps every element of `dense<0.0> : tensor<1000000x1000000xf32>`, so that a line of text can take any amount of
memory. Here equal elements that take up much are kept once: the attribute holds the bytes of one element then, and is
printed as it was read.
"""

from math import prod
from typing import TypeAlias, cast

from xdsl.dialects.builtin import AnyDenseElement, BytesAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute

Dense: TypeAlias = DenseIntOrFPElementsAttr[AnyDenseElement]

SPLAT_LIMIT = 1 << 20
"""Up to how many bytes equal elements are kept one by one, as xDSL keeps all."""


def size_in_bytes(value: Dense) -> int:
    """What all elements take where each is kept."""
    return prod(value.get_shape()) * value.get_element_type().compile_time_size


def is_kept_once(value: Dense) -> bool:
    """Whether the attribute holds one element that stands for all."""
    return len(value.data.data) < size_in_bytes(value)


def splat(type_: Attribute, element: bytes) -> Dense:
    """A constant whose elements are all the same."""
    tensor = cast("TensorType[AnyDenseElement]", type_)
    count = prod(tensor.get_shape())
    data = element if count * len(element) > SPLAT_LIMIT else element * count
    return DenseIntOrFPElementsAttr(tensor, BytesAttr(data))
