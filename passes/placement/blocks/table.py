"""The modes of a program for strategies that choose among them by rules, on targets that demand blocks."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ....dialects.npu.values import encoding
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE
from ...common.demands.target_layouts import TargetLayouts
from ...common.storages.storage import ByteOrder
from ...optimal.choice.mode_choice import ModeChoice, ModeTable
from ...optimal.modes.modes import Chooser, Mode, uses_of
from ...optimal.solve.problem import Access, accesses_of, conversions_of, given_byte_order


class Moved(NamedTuple):
    """The cost of conversions; of two the smaller one is better."""

    impossible: int = 0
    """The number of conversions that no single op does."""
    bytes: int = 0

    def plus(self, other: Moved) -> Moved:
        return Moved(self.impossible + other.impossible, self.bytes + other.bytes)


class Place(NamedTuple):
    """A storage in a byte order."""

    storage: int
    byte_order: Hashable


class RuleTable:
    """The modes of all ops, in numbers: a choice has the number of a mode for each op."""

    def __init__(self, module: ModuleOp, target_layouts: TargetLayouts) -> None:
        self.target_layouts = target_layouts
        self.table = ModeTable.of(module, target_layouts, "bytes", ASSUMED_SIZE)
        self.choosers: list[Chooser] = [*self.table.modes.of]
        self.modes: list[Sequence[Mode]] = [*self.table.modes.of.values()]
        self.numbers = {chooser: number for number, chooser in enumerate(self.choosers)}
        self.problem = self.table.problem.chosen(self.present()).problem
        self._touched: dict[int, list[int]] = {}
        """The storages that each op reads and produces."""
        places = {root: place for place, root in enumerate(self.table.problem.roots)}
        self._reads = [
            [(places[root], index) for index, root in self.roots_read(chooser) if root in places]
            for chooser in self.choosers
        ]
        """The storages that each op reads, with the number of the operand."""
        for place, storage in enumerate(self.problem.storages):
            for op in dict.fromkeys(access.op for access in accesses_of(storage)):
                self._touched.setdefault(op, []).append(place)

    def present(self) -> list[int]:
        """The first mode of each op: the present one, or else the one that demands ask for first."""
        return [0] * len(self.modes)

    @property
    def meets_demands(self) -> bool:
        """True if each op meets the demands on it as it is, as far as it can."""
        return all(modes[0].relayout is None for modes in self.modes)

    def choice(self, chosen: list[int]) -> ModeChoice:
        """The choice with these modes."""
        return self.table.choice(self.table.problem.chosen(chosen))

    def touched(self, ops: Iterable[int]) -> Collection[int]:
        """The storages that some ops read and produce."""
        return dict.fromkeys(place for op in ops for place in self._touched.get(op, ()))

    def moved(self, chosen: Sequence[int], storages: Iterable[int] | None = None) -> Moved:
        """The cost of a choice, or of the conversions of some storages in it."""
        total = Moved()
        for place in range(len(self.problem.storages)) if storages is None else storages:
            total = total.plus(self._moved(place, chosen))
        return total

    def _moved(self, storage: int, chosen: Sequence[int]) -> Moved:
        term = self.problem.storages[storage]
        given, total = Place(storage, given_byte_order(term, chosen)), Moved()
        for wanted in conversions_of(term, chosen):
            total = total.plus(self.conversion(given, Place(storage, wanted)))
        return total

    def conversion(self, given: Place, wanted: Place) -> Moved:
        """The cost of converting a storage from one byte order to another."""
        if given == wanted:
            return Moved()
        root, term = self.table.problem.roots[given.storage], self.problem.storages[given.storage]
        orders = cast("ByteOrder", given.byte_order), cast("ByteOrder", wanted.byte_order)
        is_possible = self.table.problem.is_one_conversion(root, *orders)
        return Moved(int(not is_possible), term.price(*orders))

    def given(self, op: int, chosen: Sequence[int]) -> list[Place]:
        """The storages that an op reads at run time, as they are produced, in the order of its operands."""
        storages = self.problem.storages
        return [Place(place, given_byte_order(storages[place], chosen)) for place, _ in self._reads[op]]

    def read(self, op: int, mode: Mode) -> list[Place]:
        """The storages that an op reads at run time, as it reads them in a mode."""
        return [Place(place, mode.reads[index]) for place, index in self._reads[op]]

    def roots_read(self, chooser: Chooser) -> Iterator[tuple[int, SSAValue]]:
        """The operands with a layout, with the roots of their storages."""
        for index, use in enumerate(uses_of(chooser)):
            if encoding(use.value.type) is not None:
                yield index, self.table.storage.root(use.value)

    def producers_of_impossible(self, chosen: Sequence[int]) -> set[int]:
        """The ops that produce storages which no single op converts as they are read."""
        storages = enumerate(self.problem.storages)
        return {
            storage.producer.op
            for place, storage in storages
            if isinstance(storage.producer, Access) and self._moved(place, chosen).impossible
        }

    def keeps_axes(self, op: int, mode: Mode) -> bool:
        """True if all that an op produces in a mode is in orders of its axes."""
        chooser, storage = self.choosers[op], self.table.storage
        results = chooser.results if isinstance(chooser, Operation) else ()
        produced = zip(results, mode.produces, strict=False)
        return all(each is None or storage.order(value, each) is not None for value, each in produced)
