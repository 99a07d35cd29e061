"""Samplers of ops without operands."""

from math import ceil, floor, prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from npu_opt.dialects.npu import source
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import is_float
from npu_opt.interpreter import numpy_dtype
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute

from ..sample_source import ANY, F16, F32, F64, I1, I8, I32, I64, Range, SampleSource, Want
from ..samplers import constant_data, made, sampler

Array: TypeAlias = npt.NDArray[Any]


@sampler(source.ConstantOp)
def _constant(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return random_constant(samples, samples.type_for(Want((F32, F64, F16, I8, I32, I64))))


def random_constant(samples: SampleSource, type_: TensorType, values: Range | None = None) -> source.ConstantOp:
    """A constant of this type; sometimes all its elements are equal, or it is symmetric."""
    low, high = (values.low, values.high) if values else (-4, 4)
    count = prod(type_.get_shape())
    element = type_.get_element_type()
    if is_float(element):
        # Eighths are exact in every element type.
        numbers = [samples.rng.randint(ceil(low * 8), floor(high * 8)) / 8 for _ in range(count)]
    else:
        numbers = [samples.rng.randint(ceil(low), floor(high)) for _ in range(count)]
    if samples.chance(0.1):
        numbers = numbers[:1] * count
    dtype = numpy_dtype(element)
    return source.ConstantOp(constant_data(type_, packed(np.array(numbers).astype(dtype), element)))


def packed_number(number: float, type_: TensorType) -> DenseIntOrFPElementsAttr:
    """The value of a constant whose elements are all this number."""
    array = np.full(type_.get_shape(), number, numpy_dtype(type_.get_element_type()))
    return constant_data(type_, packed(array, type_.get_element_type()))


def packed(array: Array, element: Attribute) -> bytes:
    """The elements in xDSL's packing: truth values are 0xFF."""
    return (array.astype(np.uint8) * 255).tobytes() if element == I1 else array.tobytes()


@sampler(source.OpaqueOp)
def _opaque(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    operands = [samples.some(Want(ANY)) for _ in range(samples.rng.randint(0, 3))]
    results = [samples.type_for(Want(ANY)) for _ in range(samples.rng.randint(1, 2))]
    return made(op, [operands], [results], op_name=f"fuzz.op{samples.rng.randrange(3)}", pure=samples.chance(0.5))
