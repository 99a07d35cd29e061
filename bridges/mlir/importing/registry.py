"""The table of readers: one function per op of MLIR, which builds equivalent npu ops.

A reader takes an `ImportedOp` and its operands. It returns one value per result, or raises `UnsupportedOp`
if the npu dialect has no equivalent.
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
"""The readers by op name. Ops without one become `npu.opaque`."""

reads = READERS.enter
