"""The table of lowerings: one function per op of the dialect, which builds equivalent ops of MLIR.

A lowering takes the op and one argument per operand definition: a tensor, None for an absent optional operand, or a
tuple for a variadic one. It builds ops at the bindings' insertion point, and returns one tensor per result, of any
element type; the caller casts them. Tensors are physical, like the arrays of the interpreter: their axes are in stored
order.
"""

from collections.abc import Callable
from typing import TypeAlias

from ....dialects.op_table import OpTable
from ..errors import NotLowerable
from .tensors import Tensor

Lowering: TypeAlias = Callable[..., Tensor | tuple[Tensor, ...]]

LOWERINGS: OpTable[Lowering] = OpTable(
    f"{__package__}.ops", lambda name: NotLowerable(f"'{name}' has no counterpart in MLIR")
)
"""The lowering of each op except `npu.opaque` (foreign.py)."""

lowers, lowers_rest = LOWERINGS.enter, LOWERINGS.enter_rest
