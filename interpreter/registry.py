"""The table of meanings: one pure function per op, from the arrays of its operands to those of its results.

A function gets the op and then one argument per operand of its definition: an array, None for an optional operand that
is absent, or a tuple for a variadic one. Arrays are physical: their axes stand as they are stored. The numbers that it
returns are brought to the element types of the results by whoever calls it.
"""

from collections.abc import Callable
from typing import TypeAlias

from ..dialects.op_table import OpTable
from .elements import Array
from .errors import InterpreterError

Meaning: TypeAlias = Callable[..., Array | tuple[Array, ...]]

MEANINGS: OpTable[Meaning] = OpTable(
    f"{__package__}.ops", lambda name: InterpreterError(f"'{name}' has no meaning in numbers")
)
"""What each op computes. `npu.opaque` is not here, since nothing is known of it."""

meaning = MEANINGS.enter
