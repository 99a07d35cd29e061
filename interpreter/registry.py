"""The table of meanings: one pure function per op, from the arrays of its operands to those of its results.

A function gets the op and then one argument per operand of its definition: an array, None for an optional operand that
is absent, or a tuple for a variadic one. Arrays are physical: their axes stand as they are stored. The numbers that it
returns are brought to the element types of the results by whoever calls it.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from ..dialects.npu.base import NpuOp
from .elements import Array

Meaning: TypeAlias = Callable[..., Array | tuple[Array, ...]]

F = TypeVar("F", bound=Callable[..., Any])

MEANINGS: dict[type[NpuOp], Meaning] = {}
"""What each op computes. `npu.opaque` is not here, since nothing is known of it."""


def meaning(*ops: type[NpuOp]) -> Callable[[F], F]:
    """Enter a function as the meaning of these ops."""

    def enter(function: F) -> F:
        for op in ops:
            if op in MEANINGS:
                raise ValueError(f"{op.name} has two meanings")
            MEANINGS[op] = function
        return function

    return enter
