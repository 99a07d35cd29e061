"""Constant folding of nodes, for the arithmetic that models do on shapes.

Values are numpy arrays. If an array contains dynamic sizes, its dtype is `object` and its elements are those of
sizes.py. The result is None if it cannot be folded.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import cast

import numpy as np

from ..errors import UNEXPECTED, UnsupportedNode
from .graph import LARGEST_KNOWN
from .node import ImportedNode
from .registry import FOLDERS, key_of
from .sizes import Size, Unknown, divide
from .types import Array

MOST_FRACTIONS = 16
"""Floats are folded only in small arrays, such as scales. Larger ones are parameters."""


def fold(node: ImportedNode) -> Array | None:
    """The folded value of the single output of a node, or None."""
    folder = FOLDERS.get(key_of(node.proto.domain, node.proto.op_type))
    if folder is None or node.output_count != 1:
        return None
    try:
        with np.errstate(all="ignore"):
            result = folder(node)
    except UNEXPECTED:
        # numpy rejects the operands; the error is left to run time.
        return None
    if result is None or node.unread():
        return None
    # Indexing an array of objects yields an element, not an array.
    found = np.asarray(result)
    if found.size > (MOST_FRACTIONS if found.dtype.kind == "f" else LARGEST_KNOWN):
        return None
    found = as_integers(found)
    if found.dtype == np.object_ and any(isinstance(each, int) and abs(each) >= 1 << 63 for each in found.flat):
        return None
    return found


def as_integers(array: Array) -> Array:
    """The array as int64 if all sizes in it are known."""
    if array.dtype == np.object_ and not any(isinstance(each, Unknown) for each in array.flat):
        return array.astype(np.int64)
    return array


def size_array(elements: Sequence[Size]) -> Array:
    """The sizes as an array."""
    array = np.empty(len(elements), np.object_)
    array[:] = list(elements)
    return as_integers(array)


def required(node: ImportedNode, index: int) -> Array:
    """The folded value of an input, which may contain unknown sizes."""
    found = node.known(index)
    if found is None:
        raise UnsupportedNode(f"input {index} is not known")
    return found


def check_count(count: int) -> None:
    """Check that a result is no larger than a shape can be, before it is computed."""
    if count > LARGEST_KNOWN:
        raise UnsupportedNode(f"{count} numbers")


def broadcast_pair(node: ImportedNode) -> tuple[Array, Array]:
    """The folded values of the two inputs of an elementwise op."""
    first, second = required(node, 0), required(node, 1)
    check_count(prod(np.broadcast_shapes(first.shape, second.shape)))
    return first, second


def elementwise(compute: Callable[[Size, Size], object | None], first: Array, second: Array) -> Array:
    """Apply a function of two sizes elementwise. It returns None if the result is unknown."""
    pairs = np.broadcast(first, second)
    result = np.empty(pairs.shape, np.object_)
    for place, (left, right) in zip(np.ndindex(pairs.shape), pairs, strict=True):
        found = compute(_size(left), _size(right))
        if found is None:
            raise UnsupportedNode("the sizes are not known")
        result[place] = found
    return result


def _size(number: object) -> Size:
    return number if isinstance(number, Unknown) else int(cast(int, number))


def quotient(dividend: Size, divisor: Size) -> Size | None:
    """The quotient, truncated toward zero."""
    if isinstance(dividend, int) and isinstance(divisor, int):
        if divisor == 0:
            return None
        positive = (dividend < 0) == (divisor < 0)
        return abs(dividend) // abs(divisor) * (1 if positive else -1)
    return divide(dividend, divisor)


def equal(first: Size, second: Size) -> bool | None:
    """True if two sizes are equal, None if unknown. Sizes are not negative."""
    if isinstance(first, int) and isinstance(second, int):
        return first == second
    difference = first - second
    if isinstance(difference, int):
        return difference == 0
    factors = [factor for names, factor in difference.terms if names]
    constant = next((factor for names, factor in difference.terms if not names), 0)
    if constant and all((factor > 0) == (constant > 0) for factor in factors):
        return False
    return None
