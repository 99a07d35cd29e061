"""The difference of two constants in words."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ....dialects.npu.source import ConstantOp
from ....dialects.npu.values import element_type_of, shape_of, shape_text
from ....equivalence.numbers import differences, element_text
from ....interpreter import InterpreterError
from ....interpreter.ops.source import constant


class ConstantDifference(NamedTuple):
    """The number of elements that differ, and where they do by most."""

    elements: int
    of: int
    largest: float
    place: list[int]
    first: object
    second: object

    def __str__(self) -> str:
        differs = f"{self.elements} of {self.of} elements differ, by up to {self.largest:.6g}"
        where = f"{element_text(self.place)} is {self.first} in the first program and {self.second} in the second"
        return f"{differs}: {where}"

    def as_json(self) -> dict[str, Any]:
        """The fields; numbers that JSON does not have are texts."""
        return {key: json_number(value) for key, value in self._asdict().items()}


def json_number(value: object) -> object:
    """A value for JSON, which has no infinite numbers and no NaN: these are texts."""
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def type_words(value: SSAValue) -> str:
    """The stored shape and the element type of a value."""
    return f"{shape_text(shape_of(value))} of {element_type_of(value)}"


def constant_difference(ops: tuple[ConstantOp, ConstantOp], folders: tuple[Path, Path]) -> ConstantDifference | str:
    """The difference of the constants of two programs: of their numbers if their types agree, else of their types."""
    types = [type_words(op.result) for op in ops]
    if types[0] != types[1]:
        return f"the constant is {types[0]} in the first program and {types[1]} in the second"
    try:
        left, right = (constant(op, folder) for op, folder in zip(ops, folders, strict=True))
    except InterpreterError as error:
        return f"the constants are not compared: {error}"
    return _of_numbers(left, right)


def _of_numbers(left: NDArray[Any], right: NDArray[Any]) -> ConstantDifference | str:
    differs = (left != right) & ~((left != left) & (right != right))
    if not np.any(differs):
        # Numbers are compared bit by bit: -0.0 is another number than 0.0, and NaNs have a payload.
        return "the constants differ in the signs of zeros or in the bits of NaNs only"
    apart = np.where(differs, differences(left, right), -1.0)
    place = tuple(map(int, np.unravel_index(np.argmax(apart), left.shape)))
    count = int(np.count_nonzero(differs))
    return ConstantDifference(
        count, left.size, float(apart[place]), list(place), left[place].item(), right[place].item()
    )
