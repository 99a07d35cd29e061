"""Values of an ONNX model for check_equal.py, and the elements of others that they show.

The numbers of elements are those of their row-major order. The positions of a value are a list: the number of its first
element in its root, and for each axis what each position adds to it.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import onnx
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .onnx_steps import OnnxStep

Array: TypeAlias = NDArray[Any]
Lines: TypeAlias = list[Array]


class SizesDiffer(Exception):
    """Two sizes of one axis of a node of the first model, which therefore computes nothing."""


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


@dataclass(eq=False)
class OnnxValue:
    """A value of a model: a constant, or the elements that it shows of its root, if its sizes are known."""

    name: str
    type: onnx.TypeProto
    node: "OnnxStep | None" = None
    array: Array | None = None
    is_computed: bool = False
    came: list[int] = field(default_factory=list[int])
    """The sizes of an input, in the order of the model that came."""

    def __post_init__(self) -> None:
        dims, self.root = self.type.tensor_type.shape.dim, self
        self.is_sized = self.type.tensor_type.HasField("shape") and all(each.HasField("dim_value") for each in dims)
        self.is_known = self.is_sized and all(each.dim_value > 0 for each in dims)
        self.shape = tuple(each.dim_value for each in dims)
        self.at = whole(self.shape) if self.is_known else []

    def as_came(self, stored: Sequence[int]) -> "OnnxValue":
        """The value with the axes in order that are stored in this one."""
        found, order = copy.copy(self), [int(each) for each in np.argsort(stored)]
        found.shape = tuple(self.shape[axis] for axis in order)
        found.array = self.array if self.array is None else self.array.transpose(order)
        found.at = [*self.at[:1], *(self.at[1 + axis] for axis in order if self.at)]
        return found

    def equals(self, other: "OnnxValue") -> bool:
        types = [(each.type.tensor_type.elem_type, each.shape) for each in (self, other)]
        if self.is_sized and other.is_sized and 0 in self.shape and types[0] == types[1]:
            return True  # Neither has an element.
        if self.array is None or other.array is None:
            if self.root is not other.root or len(self.at) != len(other.at):
                return False
            # A value of unknown sizes shows all of its root.
            pairs = zip(self.at, other.at, strict=True)
            return not self.at or (self.shape == other.shape and all(np.array_equal(*each) for each in pairs))
        one, two = self.array, other.array
        return (one.dtype, one.shape) == (two.dtype, two.shape) and (one is two or one.tobytes() == two.tobytes())
