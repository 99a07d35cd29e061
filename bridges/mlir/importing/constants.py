"""Conversion of types and constants of MLIR."""

import re
from collections.abc import Sequence
from functools import cache
from typing import cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyDenseElement,
    BFloat16Type,
    Builtin,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    Signedness,
    StringAttr,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser

from ....dialects.npu.attrs import OpaqueType
from ....dialects.npu.source import ConstantOp
from ....dialects.npu.values import is_boolean, is_supported
from ....dialects.program.written import splat
from ....interpreter.bits import bits_of_bf16, from_bits_of_bf16
from ....interpreter.elements import Array, is_integer_type, numpy_dtype, store
from ....interpreter.ops.source import constant
from ....layout import DYNAMIC
from ..bindings import Attribute as MlirAttribute
from ..bindings import Type, ir
from .places import Source

_FLOATS = {"f16": f16, "bf16": bf16, "f32": f32, "f64": f64}
_SIGNS = {"": Signedness.SIGNLESS, "s": Signedness.SIGNED, "u": Signedness.UNSIGNED}
_RESOURCE = re.compile(r'dense_resource<("(?:[^"\\]|\\.)*"|[^>]*)>')
_BYTES = re.compile(r'dense<"0x([0-9a-fA-F]*)">')
_ALIGNMENT_BYTES = 4
"""Size in bytes of the alignment prefix of a resource."""


def element_type(type: Type) -> Attribute | None:
    """The element type, or None if the npu dialect does not support it."""
    return _element_type(str(type))


@cache
def _element_type(text: str) -> Attribute | None:
    if (found := re.fullmatch(r"([su]?)i(\d+)", text)) is None:
        return _FLOATS.get(text)
    element = IntegerType(int(found[2]), _SIGNS[found[1]])
    return element if is_supported(element) else None


def shaped(type: Type) -> tuple[tuple[int, ...], Attribute] | None:
    """Shape and element type of a tensor type, or None if the npu dialect does not support it.

    A tensor of unknown rank is a single element, which only `npu.opaque` takes.
    """
    if isinstance(type, ir.UnrankedTensorType):
        return (), OpaqueType(StringAttr(str(type)))
    if not isinstance(type, ir.RankedTensorType) or type.encoding is not None:
        return None
    if (element := element_type(type.element_type)) is None:
        return None
    sizes = (DYNAMIC if type.is_dynamic_dim(axis) else type.get_dim_size(axis) for axis in range(type.rank))
    return tuple(sizes), element


@cache
def tensor_type(shape: tuple[int, ...], element: Attribute) -> TensorType:
    # Cached: verifying a type is slow, and a network has few.
    return TensorType(element, shape)


def numbers_of(attribute: MlirAttribute, source: Source) -> Array | None:
    """The data of a constant in the interpreter's representation, or None if it is missing in the module."""
    known = shaped(attribute.type)
    if known is None:
        # A `tosa.const_shape`.
        return np.array(attribute)
    shape, element = known
    if found := _RESOURCE.match(str(attribute)):
        data = source.resource(found[1])
        return None if data is None else _of_bytes(data[_ALIGNMENT_BYTES:], shape, element)
    if isinstance(element, BFloat16Type) or (is_integer_type(element) and element.bitwidth not in _WHOLE):
        if not isinstance(attribute, ir.DenseElementsAttr) or not attribute.is_splat:
            return _parsed(str(attribute), shape, element)
        # Parse one element, and broadcast it.
        one_type = ir.RankedTensorType.get([1], attribute.type.element_type, loc=ir.Location.unknown(attribute.context))
        one = ir.DenseElementsAttr.get_splat(one_type, attribute.get_splat_value())
        return np.broadcast_to(_parsed(str(one), (1,), element), shape)
    numbers = np.asarray(attribute)
    if numbers.size > 1 and not any(numbers.strides):
        # A splat, which may be very large.
        one = np.ascontiguousarray(numbers[(slice(1),) * numbers.ndim]).astype(numpy_dtype(element), copy=False)
        return np.broadcast_to(one, shape)
    return np.ascontiguousarray(numbers).astype(numpy_dtype(element), copy=False).reshape(shape)


_WHOLE = (1, 8, 16, 32, 64)
"""The integer widths that the bindings can convert to numpy."""


def _parsed(text: str, shape: Sequence[int], element: Attribute) -> Array:
    """Parse the text of a dense attribute: decimal, or hexadecimal if it is long."""
    if found := _BYTES.match(text):
        return _of_bytes(bytes.fromhex(found[1]), shape, element)
    context = Context()
    context.load_dialect(Builtin)
    attribute = Parser(context, text).parse_attribute()
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    whole = cast("DenseIntOrFPElementsAttr[AnyDenseElement]", attribute)
    return constant(ConstantOp(whole))


def _of_bytes(data: bytes, shape: Sequence[int], element: Attribute) -> Array:
    """Decode little-endian elements in whole bytes; a single element is a splat."""
    if isinstance(element, BFloat16Type):
        numbers = from_bits_of_bf16(np.frombuffer(data, "<u2"))
    elif is_integer_type(element) and element.bitwidth not in _WHOLE:
        width = -(-element.bitwidth // 8)
        wide = np.zeros((len(data) // width, numpy_dtype(element).itemsize), np.uint8)
        wide[:, :width] = np.frombuffer(data, np.uint8).reshape(-1, width)
        numbers = store(wide.view(numpy_dtype(element).newbyteorder("<"))[:, 0], element)
    else:
        numbers = np.frombuffer(data, numpy_dtype(element).newbyteorder("<")).astype(numpy_dtype(element))
    return np.broadcast_to(numbers, shape) if numbers.size == 1 else numbers.reshape(shape)


def dense(numbers: Array, element: Attribute) -> DenseIntOrFPElementsAttr:
    """A dense attribute of an array in the interpreter's representation."""
    type = cast("TensorType[AnyDenseElement]", tensor_type(numbers.shape, element))
    if numbers.size > 1 and not any(numbers.strides):
        return splat(type, _packed(numbers[(slice(1),) * numbers.ndim], element))
    return DenseIntOrFPElementsAttr(type, BytesAttr(_packed(numbers, element)))


def _packed(numbers: Array, element: Attribute) -> bytes:
    """The elements as xDSL packs them: little-endian, each in whole bytes, true as 255."""
    if is_boolean(element):
        return np.where(numbers, 0xFF, 0).astype(np.uint8).tobytes()
    if isinstance(element, BFloat16Type):
        return bits_of_bf16(numbers).astype("<u2").tobytes()
    return np.ascontiguousarray(numbers, numpy_dtype(element).newbyteorder("<")).tobytes()
