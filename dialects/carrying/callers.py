"""The number of times that code runs, which costs count.

A function runs as often as its note says, a private one for each op that calls it, and code in a loop for each step.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ...compat.context import holding
from ..notes.calls import calls_of
from ..program.symbols import Symbols, is_private, symbols_in
from ..settings.assumed_sizes import size_of_run
from .handed_over import handover


class Calls(NamedTuple):
    """A number of runs."""

    runs: int
    is_assumed: bool
    """True if the number of steps of a loop was assumed."""

    def times(self, other: Calls) -> Calls:
        return Calls(self.runs * other.runs, self.is_assumed or other.is_assumed)


ONCE = Calls(1, False)


class Callers:
    """The ops that run each private function of a program that does not change meanwhile."""

    def __init__(self) -> None:
        self._symbols = Symbols()
        self._of: dict[Operation, dict[FuncOp, list[Operation]]] = {}
        self._calls: dict[FuncOp, Calls] = {}

    def calls_around(self, where: Operation | SSAValue) -> Calls:
        owner = where if isinstance(where, Operation) else where.owner
        op = owner.parent_op()
        found = ONCE
        while op is not None and not isinstance(op, FuncOp):
            found = found.times(self._runs(op))
            op = op.parent_op()
        return found if op is None else found.times(self._calls_in_all(op))

    def entry_around(self, where: Operation | SSAValue) -> FuncOp | None:
        """The public function that runs the code around an op or a value; of several the first one."""
        seen: set[FuncOp] = set()
        owner = where if isinstance(where, Operation) else where.owner
        op = owner.parent_op()
        while op is not None:
            while op is not None and not isinstance(op, FuncOp):
                op = op.parent_op()
            if op is None or op in seen or not is_private(op) or not (callers := self._callers(op)):
                return op
            seen.add(op)
            op = callers[0]
        return None

    def _calls_in_all(self, function: FuncOp) -> Calls:
        """The runs of a function, those of all calls together."""
        own = Calls(calls_of(function), False)
        if not is_private(function):
            return own
        if function not in self._calls:
            # A function that calls itself runs once.
            self._calls[function] = ONCE
            each = [self._runs(op).times(self.calls_around(op)) for op in self._callers(function)]
            whole = Calls(sum(one.runs for one in each), any(one.is_assumed for one in each)) if each else ONCE
            self._calls[function] = own.times(whole)
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

    def _runs(self, op: Operation) -> Calls:
        """The number of times that an op runs the code in it or the functions that it names.

        A loop of an unknown number of steps has as many as an unknown size is assumed to be.
        """
        found = handover(op, self._symbols)
        if found is None:
            return ONCE
        return Calls(size_of_run(), True) if found.runs is None else Calls(max(found.runs, 1), False)


_KNOWN: ContextVar[Callers | None] = ContextVar("callers", default=None)


def counting_calls() -> AbstractContextManager[Callers | None]:
    """Inside this, the ops that run a function are looked up once: none may be added or lose its place."""
    return holding(_KNOWN, _KNOWN.get() or Callers())


def calls_around(where: Operation | SSAValue) -> int:
    """The runs of the code around an op or a value, in all calls."""
    return known_calls_around(where).runs


def known_calls_around(where: Operation | SSAValue) -> Calls:
    """The runs of the code around an op or a value, and whether they are assumed."""
    return (_KNOWN.get() or Callers()).calls_around(where)


def entry_around(where: Operation | SSAValue) -> FuncOp | None:
    """The public function that runs the code around an op or a value; of several the first one."""
    return (_KNOWN.get() or Callers()).entry_around(where)


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
