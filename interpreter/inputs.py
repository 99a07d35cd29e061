"""Numbers to try a function with."""

from collections.abc import Mapping
from typing import cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from ..dialects.npu.movement import integer_range
from ..layout import DYNAMIC
from .elements import Array, is_integer_type, store
from .errors import InterpreterError

UNKNOWN_SIZE = 4
"""The size of all dynamic dimensions: which of them are equal is not written down, so that all are."""

_FEW = 100


def random_inputs(function: func.FuncOp, seed: int, dims: Mapping[tuple[int, int], int] | None = None) -> list[Array]:
    """Inputs for a function, the same for the same seed.

    A dynamic dimension has the size that `dims` gives for (argument, physical axis), else `UNKNOWN_SIZE`. Floats are
    normally distributed, integers of up to 8 bits are all equally likely, larger ones lie between -100 and 100.
    """
    return [_random_input(type_, index, seed, dims or {}) for index, type_ in enumerate(function.function_type.inputs)]


def _random_input(type_: Attribute, index: int, seed: int, dims: Mapping[tuple[int, int], int]) -> Array:
    if not isinstance(type_, TensorType):
        raise InterpreterError(f"input {index}: expected a tensor in the signature, found {type_}")
    shape = tuple(
        dims.get((index, axis), UNKNOWN_SIZE) if size == DYNAMIC else size
        for axis, size in enumerate(type_.get_shape())
    )
    generator = np.random.default_rng((seed, index))
    element_type = cast(TensorType, type_).element_type
    return store(_random_numbers(generator, shape, element_type), element_type)


def _random_numbers(generator: np.random.Generator, shape: tuple[int, ...], element_type: Attribute) -> Array:
    if not is_integer_type(element_type):
        return np.asarray(generator.standard_normal(shape))
    low, high = integer_range(element_type)
    if element_type.bitwidth > 8:
        low, high = max(low, -_FEW), min(high, _FEW)
    return np.asarray(generator.integers(low, high, shape, endpoint=True))
