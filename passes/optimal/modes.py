"""The ways in which the ops of a program can be written: enough of them to contain the best program."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.npu.axes import Orders, Relayout
from ...dialects.npu.base import NpuOp, encoding
from ...layout import MAX_RANK, Order
from ..common.demands import Demands, Wishes
from ..common.op_kinds import is_fixed, order_of
from .regrouping import regrouped
from .storage import Sequence_, Storage

MOST_SEQUENCES = 128
"""How many sequences are tried for one family of values."""
MOST_MODES = 128
"""How many ways to write one op are tried."""


class Mode(NamedTuple):
    """One way to write an op, and the sequences in which the families that it reads and gives are stored for it."""

    relayout: Relayout | None
    """None if the op stays as it is."""
    reads: tuple[Sequence_ | None, ...]
    gives: tuple[Sequence_ | None, ...]


class Modes:
    """All modes that follow from the demanded and the present orders, to closure.

    A sequence in which one op can read or give a family is tried with all other ops that touch the family, and what
    these can do then with their other values, until nothing new comes up. Where a sequence leaves an op more than one
    way, as axes of one element or axes that are reduced may stand anywhere, all of them are tried; values that do not
    follow each other are tried in every two sequences that are known of them.

    What is proved is proved for these modes. A sequence that no demand and no value leads to could only help where two
    values can be reached by it alone: none was found by trying all orders on thousands of small programs.
    """

    def __init__(self, module: ModuleOp, wishes: Wishes, storage: Storage, live: set[Operation]) -> None:
        self.of: dict[Operation, list[Mode]] = {}
        """The modes of all ops that read or give data and are no views, the one that they have now first."""
        self.is_complete = True
        """Whether all modes were tried."""
        self._wishes = wishes
        self._storage = storage
        self._touching: dict[SSAValue, list[tuple[Operation, int]]] = {}
        """The ops that read or give a family, and which of their operands and results, counted in one, is of it."""
        self._sequences: dict[SSAValue, set[Sequence_]] = {}
        self._new: deque[tuple[SSAValue, Sequence_]] = deque()
        self._demands: dict[Operation, Demands | None] = {}
        for op in module.walk():
            if op in live and not _is_view(op, storage):
                self._begin(op)
        while self._new:
            self._spread(*self._new.popleft())

    def _begin(self, op: Operation) -> None:
        for place, value in enumerate((*op.operands, *op.results)):
            if encoding(value.type) is not None:
                root = self._storage.root(value)
                self._touching.setdefault(root, []).append((op, place))
                if not isinstance(root, OpResult):
                    self._note_present(root)
        self.of[op] = []
        present = [order_of(value) for value in op.operands], [order_of(value) for value in op.results]
        if not isinstance(op, NpuOp) or is_fixed(op):
            self._add(op, None, *present)
            return
        demands = self._demands[op] = self._wishes.demands(op)
        if demands is None or _are_met(demands, *present):
            self._add(op, None, *present)
        self._try(op, {})
        if not self.of[op]:
            # A demand that nobody can meet does not stop a program from being stored well otherwise.
            self._add(op, None, *present)

    def _spread(self, root: SSAValue, sequence: Sequence_) -> None:
        """Let all ops that touch a family try a sequence."""
        for op, place in self._touching.get(root, ()):
            if op in self._demands:
                order = self._storage.order(_values(op)[place], sequence)
                if order is not None:
                    self._try_at(op, place, order)
                elif place < len(op.operands):
                    self._try_regrouped(op, place, sequence)

    def _try_at(self, op: Operation, place: int, order: Order) -> None:
        """Store one value in an order; those that do not follow may be stored in any of theirs."""
        values = _values(op)
        if order == order_of(values[place]):
            # What the others can do beside this one they can do alone.
            return
        found = self._try(op, {place: order})
        for same in self._with_unit_axes_elsewhere(op, values[place], order, everywhere=not found):
            found += self._try(op, {place: same})
        for relayout in found:
            if relayout.sequence is not None:
                continue
            given = (*relayout.operands, *relayout.results)
            for other, value in enumerate(values):
                if other != place and len(given[other]) > 1 and given[other] == order_of(value):
                    for free in self._orders(value):
                        if free != given[other]:
                            self._try(op, {place: order, other: free})

    def _try_regrouped(self, op: Operation, operand: int, sequence: Sequence_) -> None:
        """Read an operand in a sequence that is no order of it, with constants that are stored accordingly."""
        assert isinstance(op, NpuOp)
        if self._demands[op] is not None:
            return
        reads = regrouped(op, operand, sequence, self._storage)
        present = [order_of(value) for value in op.operands], [order_of(value) for value in op.results]
        for relayout in self._wishes.all_written(op, *present, None) if reads is not None else ():
            if relayout.sequence is None:
                self._add(op, relayout, *present, reads)
                return

    def _with_unit_axes_elsewhere(
        self, op: Operation, value: SSAValue, order: Order, everywhere: bool
    ) -> Iterator[Order]:
        """The other orders in which a value is stored in the same sequence, as far as they are others to the op.

        That is where another value has more than one element along such an axis, or `everywhere` where the op does not
        take the order as it is.
        """
        if len(order) > MAX_RANK:
            return
        shapes = [self._storage.view(each).sizes for each in _values(op) if encoding(each.type) is not None]
        shapes = [sizes for sizes in shapes if len(sizes) == len(order)]
        own = self._storage.view(value).sizes
        units = [
            axis
            for axis in order
            if own[axis].is_unit and (everywhere or not all(sizes[axis].is_unit for sizes in shapes))
        ]
        for places in permutations(range(len(order)), len(units)) if units else ():
            at = dict(zip(places, units, strict=True))
            rest = (axis for axis in order if axis not in units)
            same = tuple(at[place] if place in at else next(rest) for place in range(len(order)))
            if same != order:
                yield same

    def _orders(self, value: SSAValue) -> Iterator[Order]:
        """The orders of a value in the sequences that are known of its family."""
        for sequence in tuple(self._sequences.get(self._storage.root(value), ())):
            if (order := self._storage.order(value, sequence)) is not None:
                yield order

    def _try(self, op: Operation, asked: Mapping[int, Order]) -> list[Relayout]:
        """Note all ways to write an op in which these operands and results are stored in these orders."""
        assert isinstance(op, NpuOp)
        border = len(op.operands)
        orders = [asked.get(place) for place in range(border + len(op.results))]
        found = self._wishes.all_written(op, orders[:border], orders[border:], self._demands[op])
        for relayout in found:
            if relayout.sequence is None:
                read: Orders = relayout.operands
            else:
                read = [relayout.operands[relayout.sequence.index(index)] for index in range(border)]
            self._add(op, relayout, read, relayout.results)
        return found

    def _add(
        self,
        op: Operation,
        relayout: Relayout | None,
        operands: Orders,
        results: Orders,
        torn: Mapping[int, Sequence_] | None = None,
    ) -> None:
        """Note a mode, and the sequences that come up with it."""
        by_order = map(self._sequence, op.operands, operands)
        reads = tuple((torn or {}).get(index, sequence) for index, sequence in enumerate(by_order))
        gives = tuple(map(self._sequence, op.results, results))
        modes = self.of[op]
        if any(mode.reads == reads and mode.gives == gives for mode in modes):
            return
        if len(modes) >= MOST_MODES:
            self.is_complete = False
            return
        modes.append(Mode(relayout, reads, gives))
        for value, sequence in zip((*op.operands, *op.results), (*reads, *gives), strict=True):
            if sequence is not None:
                self._note(self._storage.root(value), sequence)

    def _sequence(self, value: SSAValue, order: Order | None) -> Sequence_ | None:
        return None if order is None else self._storage.sequence(value, order)

    def _note_present(self, argument: SSAValue) -> None:
        """Note the sequence in which an argument comes in."""
        if (sequence := self._sequence(argument, order_of(argument))) is not None:
            self._note(argument, sequence)

    def _note(self, root: SSAValue, sequence: Sequence_) -> None:
        if self._storage.is_constant(root):
            # A constant is stored for each of its readers as that one needs it.
            return
        known = self._sequences.setdefault(root, set())
        if sequence in known:
            return
        if len(known) >= MOST_SEQUENCES:
            self.is_complete = False
            return
        known.add(sequence)
        self._new.append((root, sequence))


def _values(op: Operation) -> tuple[SSAValue, ...]:
    return (*op.operands, *op.results)


def _is_view(op: Operation, storage: Storage) -> bool:
    return any(encoding(result.type) is not None and storage.is_view(result) for result in op.results)


def _are_met(demands: Demands, operands: Orders, results: Orders) -> bool:
    wanted = zip((*demands.operands, *demands.results), (*operands, *results), strict=True)
    return all(layout is None or layout.order == order for layout, order in wanted)
