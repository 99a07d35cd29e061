"""The number of times that a function runs for each run of the others: `npu.calls = 512 : i64`. Costs count it.

A private function runs as often as the ops that call it, and code in a loop once for each step.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from contextvars import ContextVar

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ...compat.context import holding
from ..program.handed_over import handover, symbols_in
from ..program.symbols import Symbols
from ..settings.assumed_sizes import size_of_run

CALLS = "npu.calls"


class Callers:
    """The ops that run each private function of a program that does not change meanwhile."""

    def __init__(self) -> None:
        self._symbols = Symbols()
        self._of: dict[Operation, dict[FuncOp, list[Operation]]] = {}
        self._calls: dict[FuncOp, int] = {}

    def calls_around(self, where: Operation | SSAValue) -> int:
        owner = where if isinstance(where, Operation) else where.owner
        op = owner.parent_op()
        count = 1
        while op is not None and not isinstance(op, FuncOp):
            count *= self._runs(op)
            op = op.parent_op()
        return count if op is None else count * self._calls_in_all(op)

    def _calls_in_all(self, function: FuncOp) -> int:
        """The runs of a function, those of all calls together."""
        if not is_private(function):
            return calls_of(function)
        if function not in self._calls:
            # A function that calls itself runs once.
            self._calls[function] = 1
            callers = self._callers(function)
            count = sum(self._runs(op) * self.calls_around(op) for op in callers)
            self._calls[function] = calls_of(function) * (count or 1)
        return self._calls[function]

    def _callers(self, function: FuncOp) -> list[Operation]:
        top = _outermost(function)
        if top not in self._of:
            found: dict[FuncOp, list[Operation]] = {}
            for op in top.walk():
                for symbol in symbols_in(op):
                    callee = self._symbols.lookup(op, symbol)
                    if isinstance(callee, FuncOp):
                        found.setdefault(callee, []).append(op)
            self._of[top] = found
        return self._of[top].get(function, [])

    def _runs(self, op: Operation) -> int:
        """The number of times that an op runs the code in it or the functions that it names.

        A loop of an unknown number of steps has as many as an unknown size is assumed to be.
        """
        found = handover(op, self._symbols)
        if found is None:
            return 1
        return size_of_run() if found.runs is None else max(found.runs, 1)


_KNOWN: ContextVar[Callers | None] = ContextVar("callers", default=None)


def counting_calls() -> AbstractContextManager[Callers | None]:
    """Inside this, the ops that run a function are looked up once: none may be added or lose its place."""
    return holding(_KNOWN, _KNOWN.get() or Callers())


def is_private(function: FuncOp) -> bool:
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def calls_of(function: FuncOp) -> int:
    """The calls that are noted at a function; 1 by default."""
    noted = function.attributes.get(CALLS)
    return noted.value.data if isinstance(noted, IntegerAttr) else 1


def note_calls(function: FuncOp, calls: int) -> None:
    function.attributes[CALLS] = IntegerAttr(calls, i64)


def calls_around(where: Operation | SSAValue) -> int:
    """The runs of the code around an op or a value, in all calls."""
    return (_KNOWN.get() or Callers()).calls_around(where)


def runs_as_often(one: Operation | SSAValue, other: Operation | SSAValue) -> bool:
    """True if the code around one op or value runs as often as that around another."""
    blocks = [where.parent if isinstance(where, Operation) else _block(where) for where in (one, other)]
    return blocks[0] is blocks[1] or calls_around(one) == calls_around(other)


def _block(value: SSAValue) -> Block | None:
    return value.owner if isinstance(value.owner, Block) else value.owner.parent


def _outermost(op: Operation) -> Operation:
    while (around := op.parent_op()) is not None:
        op = around
    return op
