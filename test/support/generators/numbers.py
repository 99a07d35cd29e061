"""Comparison of two arrays up to the rounding that depends on the order of additions."""

from collections.abc import Mapping, Sequence

import numpy as np
from npu_opt.interpreter.elements import Array
from xdsl.dialects.builtin import BFloat16Type, Float16Type
from xdsl.ir import Attribute

TOLERANCE = 1e-5
"""The tolerance of f32 and f64."""
LAST_BITS: Mapping[type[Attribute], float] = {Float16Type: 2.0**-9, BFloat16Type: 2.0**-6}
"""Two units in the last place of the narrow floats: a difference in f32 may round to the next number."""


def magnitude(arrays: Sequence[Array]) -> float:
    """The largest finite absolute value, and at least 1."""
    finite = [np.abs(array[np.isfinite(array)].astype(np.float64)) for array in arrays if array.dtype.kind == "f"]
    return max([1.0, *(float(each.max()) for each in finite if each.size)])


def close(found: Array, expected: Array, element: Attribute, scale: float) -> bool:
    """True if arrays are equal: exactly if they are no floats, else within the tolerance times the scale.

    The scale bounds the summands: for a sum of products it is the product of the largest elements.
    """
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return False
    if found.dtype.kind != "f":
        return bool(np.array_equal(found, expected))
    with np.errstate(all="ignore"):
        relative = max(TOLERANCE, LAST_BITS.get(type(element), 0.0))
        return bool(
            np.allclose(
                found.astype(np.float64),
                expected.astype(np.float64),
                rtol=relative,
                atol=TOLERANCE * scale,
                equal_nan=True,
            )
        )
