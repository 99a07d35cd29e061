"""The table of readers: one function per op of upstream MLIR, which builds npu ops that compute the same.

A reader gets the op, as a `Node`, and then its operands. It returns a value for each result, or raises `NotExpressible`
where the npu dialect has no ops for what the op does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import SSAValue

from ....dialects.op_table import NameTable

if TYPE_CHECKING:
    from .node import Operand

Read: TypeAlias = "SSAValue | Operand"
Reader: TypeAlias = "Callable[..., Read | Sequence[Read]]"

READERS: NameTable[Reader] = NameTable(f"{__package__}.ops")
"""How each op is read, by its name. Those that are not here become `npu.opaque`."""

reads = READERS.enter
