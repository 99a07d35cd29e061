"""The number of times that a function runs for each run of the others: `npu.calls = 512 : i64`. Costs count it."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.dialects.func import FuncOp

CALLS = "npu.calls"


def calls_of(function: FuncOp) -> int:
    """The calls that are noted at a function; 1 by default."""
    noted = function.attributes.get(CALLS)
    return noted.value.data if isinstance(noted, IntegerAttr) else 1


def note_calls(function: FuncOp, calls: int) -> None:
    function.attributes[CALLS] = IntegerAttr(calls, i64)
