"""The table of readers: one function per op of upstream MLIR, which builds npu ops that compute the same.

A reader gets the op, as a `Node`, and then its operands. It returns a value for each result, or raises `NotExpressible`
where the npu dialect has no ops for what the op does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from xdsl.ir import SSAValue

if TYPE_CHECKING:
    from .node import Operand

Read: TypeAlias = "SSAValue | Operand"
Reader: TypeAlias = "Callable[..., Read | Sequence[Read]]"

F = TypeVar("F", bound=Callable[..., Any])

READERS: dict[str, Reader] = {}
"""How each op is read, by its name. Those that are not here become `npu.opaque`."""


def reads(*names: str) -> Callable[[F], F]:
    """Enter a function as the reader of the ops with these names."""

    def enter(function: F) -> F:
        for name in names:
            if name in READERS:
                raise ValueError(f"{name} has two readers")
            READERS[name] = function
        return function

    return enter
