"""Products of matrices."""

import numpy as np

from .elements import Array

_EXACT = 2**53
"""Whole numbers below this are exact as f64."""


def product(lhs: Array, rhs: Array) -> Array:
    """The product of batches of matrices of floats, or of integers of 64 bits, which wrap."""
    if lhs.dtype.kind == "f" or not _is_exact_in_f64(lhs, rhs):
        return lhs @ rhs
    # Much faster with equal results: numpy multiplies matrices of floats by BLAS, but not those of integers.
    return (lhs.astype(np.float64) @ rhs.astype(np.float64)).astype(lhs.dtype)


def _is_exact_in_f64(lhs: Array, rhs: Array) -> bool:
    if not lhs.size or not rhs.size:
        return False
    return lhs.shape[-1] * _largest(lhs) * _largest(rhs) < _EXACT


def _largest(array: Array) -> int:
    return max(-int(array.min()), int(array.max()))
