"""Numbers of constants, as attributes of MLIR have them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import AnyDenseElement, BytesAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute

from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import is_boolean
from ...interpreter.bits import bits_of
from ...interpreter.elements import store
from ...interpreter.ops.source import constant

TRUE = 0xFF
"""A truth value takes a byte."""


def dense(numbers: NDArray[Any], element: Attribute) -> DenseIntOrFPElementsAttr:
    """Numbers, which are rounded to this type."""
    data = bits_of(store(np.asarray(numbers), element), element).tobytes()
    return dense_of_bytes(data, element, numbers.shape)


def dense_of_bytes(data: bytes, element: Attribute, shape: tuple[int, ...]) -> DenseIntOrFPElementsAttr:
    """Elements as memory has them: a truth value is a byte of any number but 0."""
    type_ = cast("TensorType[AnyDenseElement]", TensorType(element, shape))
    if is_boolean(element):
        data = np.where(np.frombuffer(data, np.uint8), TRUE, 0).astype(np.uint8).tobytes()
    return DenseIntOrFPElementsAttr(type_, BytesAttr(data))


def numbers_of(op: ConstantOp) -> NDArray[Any]:
    """The numbers of a constant that is written out."""
    return constant(op)


def bytes_of(op: ConstantOp) -> bytes:
    """The elements of a constant that is written out, as memory has them."""
    value = cast("DenseIntOrFPElementsAttr", op.value)
    element = value.get_element_type()
    numbers = np.ascontiguousarray(constant(op))
    return numbers.astype(np.uint8).tobytes() if is_boolean(element) else bits_of(numbers, element).tobytes()
