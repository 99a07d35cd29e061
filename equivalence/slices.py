"""Slices of constants by their numbers, also of constants that moves of elements make of others."""

from collections.abc import Callable, Hashable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ..dialects.npu.base import NpuOp
from ..dialects.npu.values import shape_of
from ..layout import DYNAMIC
from .constants import Constants
from .moved import MovedElements, OfNode
from .values import NumberedValue

MOST_ELEMENTS = 1 << 22
"""The number of elements of a constant up to which its slices are compared."""


class Sliced(NamedTuple):
    """The slices of a constant at each position along some axes."""

    rows: NDArray[np.uint8]
    """The bytes of each slice, along the last axis; bytes of zeros are elements of zero."""
    key: Hashable
    """The meaning of the bytes: slices are equal if this and their bytes are."""


class Slices:
    """The slices of the constants of two programs."""

    def __init__(self, number: Callable[[Hashable], int], constants: Constants) -> None:
        self._number = number
        self._constants = constants
        self._moved = MovedElements(number, constants)
        self._nodes = set[int]()
        """The nodes of constants, and of what moves make of them."""

    def enter(self, value: NumberedValue) -> None:
        """Note a constant."""
        self._nodes.add(value.node)

    def are_constants(self, values: Sequence[NumberedValue]) -> bool:
        """True if all values are constants."""
        return all(each.node in self._nodes for each in values)

    def moved(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The constant that an op makes by moving elements of others; None if it does something else."""
        found = self._moved.value(op, operands)
        if found is not None:
            self.enter(found)
        return found

    def along(self, value: SSAValue, operand: NumberedValue, axes: Sequence[int]) -> Sliced | None:
        """The slices of a constant at each position along these stored axes; None if it is none."""
        sizes = shape_of(value)
        if operand.node not in self._nodes or DYNAMIC in sizes or not 0 < prod(sizes) <= MOST_ELEMENTS:
            return None
        found = self._rows(operand)
        if found is None:
            return None
        rows, kind = found
        rows = rows.reshape(*sizes, rows.shape[-1])
        others = [axis for axis in range(len(sizes)) if axis not in axes]
        shape = tuple(sizes[axis] for axis in others)
        each = np.ascontiguousarray(rows.transpose(*axes, *others, len(sizes)))
        return Sliced(each.reshape(*(sizes[axis] for axis in axes), -1), (kind, shape))

    def numbers(self, value: SSAValue, operand: NumberedValue, axis: int) -> NDArray[np.int64] | None:
        """A number for the slice of a constant at each position along a stored axis; None if it is none."""
        found = self.along(value, operand, (axis,))
        if found is None:
            return None
        return np.array([self._number(("slice", found.key, row.tobytes())) for row in found.rows], np.int64)

    def _rows(self, operand: NumberedValue) -> tuple[NDArray[np.uint8], Hashable] | None:
        """The elements of a constant as it is stored: their bytes, or their places in data that is not known."""
        found = self._moved.sources_of(operand)
        if found is None:
            return None
        known = [
            self._constants.rows_of(key[0], count) if isinstance(key, OfNode) else None for key, count in found.keys
        ]
        tables = [each for each in known if each is not None]
        if len(tables) == len(known) and len({each.shape[1] for each in tables}) == 1:
            counts = [count for _, count in found.keys]
            pairs = zip(tables, counts, strict=True)
            whole = [np.broadcast_to(each, (count, each.shape[1])) for each, count in pairs]
            table = np.concatenate([np.zeros((1, tables[0].shape[1]), np.uint8), *whole])
            return table[found.places.reshape(-1)], "numbers"
        places = np.ascontiguousarray(found.places.reshape(-1, 1)).view(np.uint8)
        return places, found.keys
