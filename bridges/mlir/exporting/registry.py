"""The table of lowerings: one function per op of the dialect, which builds ops of upstream MLIR that compute the same.

A lowering gets the op and then one argument per operand of its definition: a tensor, None for an optional operand that
is absent, or a tuple for a variadic one. It builds ops where the bindings' insertion point stands, and returns a tensor
per result, of any element type: whoever calls it converts them. Tensors are physical, like the arrays of the
interpreter: their axes stand as they are stored.
"""

from collections.abc import Callable
from typing import TypeAlias

from ....dialects.op_table import OpTable
from ..errors import NotLowerable
from .tensors import Tensor

Lowering: TypeAlias = Callable[..., Tensor | tuple[Tensor, ...]]

LOWERINGS: OpTable[Lowering] = OpTable(
    f"{__package__}.ops", lambda name: NotLowerable(f"'{name}' has no counterpart in upstream MLIR")
)
"""How each op is written in upstream MLIR. `npu.opaque` is not here, since nothing is known of it."""

lowers = LOWERINGS.enter
