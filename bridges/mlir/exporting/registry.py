"""The table of lowerings: one function per op of the dialect, which builds ops of upstream MLIR that compute the same.

A lowering gets the op and then one argument per operand of its definition: a tensor, None for an optional operand that
is absent, or a tuple for a variadic one. It builds ops where the bindings' insertion point stands, and returns a tensor
per result, of any element type: whoever calls it converts them. Tensors are physical, like the arrays of the
interpreter: their axes stand as they are stored.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from ....dialects.npu.base import NpuOp
from .tensors import Tensor

Lowering: TypeAlias = Callable[..., Tensor | tuple[Tensor, ...]]

F = TypeVar("F", bound=Callable[..., Any])

LOWERINGS: dict[type[NpuOp], Lowering] = {}
"""How each op is written in upstream MLIR. `npu.opaque` is not here, since nothing is known of it."""


def lowers(*ops: type[NpuOp]) -> Callable[[F], F]:
    """Enter a function as the lowering of these ops."""

    def enter(function: F) -> F:
        for op in ops:
            if op in LOWERINGS:
                raise ValueError(f"{op.name} has two lowerings")
            LOWERINGS[op] = function
        return function

    return enter
