"""Constants, written out or kept in a file."""

from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, DenseIntOrFPElementsAttr, f8E4M3FN, f8E5M2, f8E8M0FNU
from xdsl.ir import Attribute

from ...dialects.npu.attrs import Reference
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import element_type_of, is_boolean, is_narrow_float
from ...dialects.program.written import is_kept_once
from ..bits import from_bits
from ..elements import Array, numpy_dtype, store
from ..errors import InterpreterError
from ..files import file_of
from ..registry import meaning
from ..safetensors_file import read_tensor

OF_NARROW_FLOATS: Mapping[Attribute, str] = {f8E4M3FN: "F8_E4M3", f8E5M2: "F8_E5M2", f8E8M0FNU: "F8_E8M0"}
"""The names of narrow floats in safetensors files; all may be bytes with their codes."""


@meaning(ConstantOp)
def constant(op: ConstantOp, directory: Path = Path()) -> Array:
    """The numbers of a constant; file names are resolved in `directory` and have to be below it."""
    if isinstance(op.value, DenseIntOrFPElementsAttr):
        shape = op.value.get_shape()
        numbers = _from_bytes(op.value.data.data, op.value.get_element_type())
        return np.broadcast_to(numbers, shape) if is_kept_once(op.value) else numbers.reshape(shape)
    array = in_file(op, op.value.data, directory)
    element_type = element_type_of(op.result)
    if isinstance(element_type, BFloat16Type) or is_narrow_float(element_type):
        array = from_bits(array, element_type)
    for step in op.steps:
        array = array.reshape(step.shape).transpose(step.permutation)
    return array


def _from_bytes(data: bytes, element_type: Attribute) -> Array:
    """The elements as xDSL packs them: each in whole bytes, i1 in one."""
    if isinstance(element_type, BFloat16Type):
        return from_bits(np.frombuffer(data, "<u2"), element_type)
    if is_narrow_float(element_type) or is_boolean(element_type):
        return from_bits(np.frombuffer(data, np.uint8), element_type)
    return store(np.frombuffer(data, numpy_dtype(element_type).newbyteorder("<")), element_type)


def in_file(op: ConstantOp, reference: Reference, directory: Path) -> Array:
    """The tensor in a file that a constant is read from; bf16 as 16 bit integers, narrower floats as their codes.

    Raises `InterpreterError` if it is missing or does not match the constant.
    """
    path, element_type = file_of(directory, reference.file), element_type_of(op.result)
    name, array = read_tensor(path, reference.key)
    if name not in names_in_files(element_type):
        raise InterpreterError(f"{path}: '{reference.key}' is of type {name} and not {element_type}")
    wanted = op.steps[0].shape
    if array.size != prod(wanted):
        raise InterpreterError(f"{path}: '{reference.key}' has {array.size} elements, not {prod(wanted)}")
    if not reference.is_reshaped and array.shape != wanted:
        raise InterpreterError(f"{path}: '{reference.key}' has shape {list(array.shape)}, not {list(wanted)}")
    return array


def names_in_files(element_type: Attribute) -> Sequence[str]:
    """The names that a type may have in a safetensors file, where narrow elements take a byte each."""
    if isinstance(element_type, BFloat16Type):
        return ("BF16",)
    if is_narrow_float(element_type):
        known = OF_NARROW_FLOATS.get(element_type)
        return ("U8",) if known is None else (known, "U8")
    dtype = numpy_dtype(element_type)
    return ("BOOL",) if dtype.kind == "b" else (f"{dtype.kind.upper()}{8 * dtype.itemsize}",)
