"""The number of times that a function runs for each run of the others: `npu.calls = 512 : i64`. Costs count it."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

CALLS = "npu.calls"


def calls_of(function: FuncOp) -> int:
    """The calls of a function; 1 by default."""
    noted = function.attributes.get(CALLS)
    return noted.value.data if isinstance(noted, IntegerAttr) else 1


def note_calls(function: FuncOp, calls: int) -> None:
    function.attributes[CALLS] = IntegerAttr(calls, i64)


def calls_around(where: Operation | SSAValue) -> int:
    """The calls of the function around an op or a value."""
    function = function_around(where)
    return 1 if function is None else calls_of(function)


def function_around(where: Operation | SSAValue) -> FuncOp | None:
    """The function around an op or a value."""
    owner = where if isinstance(where, Operation) else where.owner
    op = owner.parent_op() if isinstance(owner, Block) else owner
    while op is not None and not isinstance(op, FuncOp):
        op = op.parent_op()
    return op
