"""Values that are no tensors of numbers, as arrays of objects: texts, and what other systems have in lists or maps.

A list is an array with one axis; what is neither a list nor an array, such as a map or nothing, is one without axes.
"""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from .elements import Array


def as_array(found: Any) -> Array:
    """A value of another system as an array; texts are objects."""
    if isinstance(found, np.ndarray | np.generic | bool | int | float):
        array = np.asarray(found)
        return array.astype(np.object_) if array.dtype.kind in "UT" else array
    array = np.empty(len(cast("list[Any]", found)) if isinstance(found, list) else (), np.object_)
    if isinstance(found, list):
        for place, each in enumerate(cast("list[Any]", found)):
            array[place] = each
    else:
        array[()] = found
    return array


def from_array(array: Array) -> Any:
    """The value of another system that is an array here."""
    if array.dtype != np.object_ or any(isinstance(each, str) for each in array.flat):
        return array
    return [*array] if array.ndim else array.item()


def same_elements(left: Array, right: Array, tolerance: float) -> npt.NDArray[np.bool_]:
    """True at each position where two arrays of objects of one shape hold the same."""
    same = [are_same(*pair, tolerance) for pair in zip(left.flat, right.flat, strict=True)]
    return np.array(same, np.bool_).reshape(left.shape)


def are_same(one: Any, other: Any, tolerance: float) -> bool:
    """True if two values are the same, up to a tolerance of floats, relative to the largest one of an array."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        left, right = cast("Mapping[Any, Any]", one), cast("Mapping[Any, Any]", other)
        return left.keys() == right.keys() and all(are_same(left[key], right[key], tolerance) for key in left)
    left, right = as_array(one), as_array(other)
    if left.shape != right.shape or left.dtype.kind != right.dtype.kind:
        return False
    if left.dtype == np.object_:
        return bool(same_elements(left, right, tolerance).all()) if left.ndim else left.item() == right.item()
    if left.dtype.kind not in "fc":
        return bool((left == right).all())
    allowed = tolerance * float(np.abs(left[np.isfinite(left)]).max(initial=0.0))
    return np.allclose(left, right, rtol=0.0, atol=allowed, equal_nan=True)
