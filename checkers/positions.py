"""The elements of a root that a value of an ONNX model shows, for check_equal.py.

The numbers of elements are those of their row-major order. The positions of a value are a list: the number of its first
element in its root, and for each axis what each position adds to it.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import math
from collections.abc import Sequence
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Lines: TypeAlias = list[Array]


def whole(shape: Sequence[int]) -> Lines:
    """All elements, by their numbers."""
    return [np.zeros(1, int), *(np.arange(size) * math.prod(shape[axis + 1 :]) for axis, size in enumerate(shape))]


def cut(line: Array, inner: int) -> tuple[Array, Array]:
    """An axis as two axes; raises `ValueError` if what one of them adds depends on the other one."""
    rows = line.reshape(-1, inner)
    found = rows[:, 0], rows[0] - rows[0, 0]
    if (rows != np.add.outer(*found)).any():
        raise ValueError("the axes of a shape mix those of its operand")
    return found


def reshaped(at: Sequence[Array], shape: Sequence[int]) -> Lines:
    """The elements of a value with other axes; raises `ValueError` if what one of them adds depends on another one."""
    rest, found = [*at], list[Array]()
    for size in shape[::-1]:
        line = np.zeros(1, int)
        while len(line) < size:
            top = rest.pop()
            while (inner := math.gcd(len(top), size // len(line))) == 1:
                top = np.add.outer(rest.pop(), top).reshape(-1)
            outer, top = cut(top, inner)
            rest.append(outer)
            line = np.add.outer(top, line).reshape(-1)
        found.insert(0, line)
    return [reduce(np.add.outer, rest).reshape(1), *found]
