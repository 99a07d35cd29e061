"""The table of meanings: one pure function per op, from the arrays of its operands to those of its results.

A function takes the op and one argument per operand of its definition: an array, None for an absent optional operand,
or a tuple for a variadic one. The axes of arrays are in stored order. The caller converts the returned numbers to the
element types of the results.
"""

from collections.abc import Callable
from typing import TypeAlias

from ..dialects.op_table import OpTable
from .elements import Array
from .errors import InterpreterError

Meaning: TypeAlias = Callable[..., Array | tuple[Array, ...]]

MEANINGS: OpTable[Meaning] = OpTable(
    f"{__package__}.ops", lambda name: InterpreterError(f"'{name}' cannot be evaluated")
)
"""The meaning of each op, except `npu.opaque`, which has none of its own."""

meaning = MEANINGS.enter
