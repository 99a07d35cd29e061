"""Values that calls, branches and loops hand over, in places that may take another order together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.carrying.handed_over import End, Handed, Handover, handover
from ....dialects.notes.interfaces import interface_of
from ....dialects.notes.ties import TIE
from ....dialects.npu.values import encoding, shape_of
from ....dialects.program.symbols import Symbols, is_private, symbols_in
from ....layout import MAX_RANK
from .call_graph import cycles, function_around, recursive_in
from .producers import Use

CarriedEnd: TypeAlias = SSAValue | Use
"""An argument of code, a result of the op that runs it, or what one hands over to the other as an operand."""


def carried_ends(module: ModuleOp, live: Collection[Operation]) -> list[Sequence[CarriedEnd]]:
    """The ends of each value that calls, branches and loops carry, where all of them are understood.

    Those of a function count if it is private, and all that refers to it are calls, branches and loops.
    """
    symbols = Symbols()
    known: dict[Operation, Handover] = {}
    open_functions = set[Operation]()
    callees: dict[Operation, list[FuncOp]] = {}
    for op in module.walk():
        found = handover(op, symbols)
        referred = [symbols.lookup(op, symbol) for symbol in symbols_in(op)]
        callees[op] = [each for each in referred if isinstance(each, FuncOp)]
        if found is None:
            open_functions.update(callees[op])
        else:
            known[op] = found
    functions = dict.fromkeys(each for found in callees.values() for each in found)
    open_functions.update(each for each in functions if not _may_change(each))
    open_functions.update(_recursive(callees))
    groups = _Groups()
    for op, found in known.items():
        is_open = not open_functions.isdisjoint(callees[op])
        for same in found.same:
            groups.join(same, is_open)
        for end in found.kept:
            groups.join([end], True)
    return [ends for same in groups.free() if len(ends := [*_live(same, live)]) > 1 and _are_alike(same)]


def functions_of(ties: Sequence[Sequence[CarriedEnd]]) -> list[FuncOp]:
    """The functions of which arguments or results are among some ends."""
    around = dict.fromkeys(_function_of(end) for ends in ties for end in ends)
    return [each for each in around if each is not None]


def _function_of(end: CarriedEnd) -> FuncOp | None:
    """The function of an argument or returned value; None for other ends."""
    if isinstance(end, SSAValue):
        op = end.owner.parent_op() if isinstance(end.owner, Block) else None
    else:
        op = end.op.parent_op()
    return op if isinstance(op, FuncOp) else None


def _may_change(function: FuncOp) -> bool:
    """True for a private function whose ends nobody ties."""
    return is_private(function) and not any(TIE in end.attributes.data for end in interface_of(function))


def _recursive(callees: dict[Operation, list[FuncOp]]) -> set[FuncOp]:
    """The functions that run themselves, directly or through others."""
    runs: dict[FuncOp, dict[FuncOp, None]] = {each: {} for called in callees.values() for each in called}
    for op, called in callees.items():
        if called and (function := function_around(op)) is not None:
            runs.setdefault(function, {}).update(dict.fromkeys(called))
    return recursive_in(runs, cycles(runs))


class _Groups:
    """Ends that are one value, by union and find."""

    def __init__(self) -> None:
        self._of: dict[End, list[End]] = {}
        self._kept: set[End] = set()

    def join(self, ends: Sequence[End], is_kept: bool) -> None:
        whole: list[End] = []
        for end in ends:
            own = self._of.setdefault(end, [end])
            if own is not whole:
                whole, small = (own, whole) if len(whole) < len(own) else (whole, own)
                whole += small
                self._of.update(dict.fromkeys((*small, end), whole))
        if is_kept:
            self._kept.update(ends)

    def free(self) -> Iterator[list[End]]:
        """The groups of which no end keeps its order."""
        for end, group in self._of.items():
            if end is group[0] and self._kept.isdisjoint(group):
                yield group


def _are_alike(ends: Sequence[End]) -> bool:
    """True for tensors of one rank of which all have a layout without blocks, and elements."""
    values = [end.value if isinstance(end, Handed) else end for end in ends]
    layouts = [encoding(value.type) for value in values]
    if any(layout is None or layout.tiles for layout in layouts):
        return False
    ranks = {len(shape_of(value)) for value in values}
    return len(ranks) == 1 and 1 < max(ranks) <= MAX_RANK and not any(0 in shape_of(value) for value in values)


def _live(ends: Sequence[End], live: Collection[Operation]) -> Iterator[CarriedEnd]:
    """The ends of ops that stay."""
    for end in ends:
        if isinstance(end, Handed):
            if end.op in live:
                yield Use(end.op, end.place)
        elif isinstance(end.owner, Block) or end.owner in live:
            yield end
