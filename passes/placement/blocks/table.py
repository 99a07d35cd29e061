"""The modes of a program for strategies that choose among them by rules, on targets that demand blocks."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ....dialects.npu.values import encoding
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE
from ...common.demands.target_layouts import TargetLayouts
from ...optimal.choice.mode_choice import ModeChoice, ModeTable
from ...optimal.modes.modes import Decider, uses_of
from ...optimal.modes.rewrites import Mode
from ...optimal.solve.problem import Access, accesses_of, cost_of_conversions, given_byte_order


class Place(NamedTuple):
    """A storage in a byte order."""

    storage: int
    byte_order: Hashable


class RuleTable:
    """The modes of all ops, in numbers: a choice has the number of a mode for each op."""

    def __init__(self, module: ModuleOp, target_layouts: TargetLayouts) -> None:
        self.target_layouts = target_layouts
        self.table = ModeTable.of(module, target_layouts, "bytes", ASSUMED_SIZE, may_carry=False)
        self.deciders: list[Decider] = [*self.table.modes.of]
        self.modes: list[Sequence[Mode]] = [*self.table.modes.of.values()]
        self.numbers = {decider: number for number, decider in enumerate(self.deciders)}
        self.problem, self._impossible = self.table.problem.with_impossible()
        self._touched: dict[int, list[int]] = {}
        """The storages that each op reads and produces."""
        places = {root: place for place, root in enumerate(self.table.problem.roots)}
        self._reads = [
            [(places[root], index) for index, root in self.roots_read(decider) if root in places]
            for decider in self.deciders
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

    def cost(self, chosen: Sequence[int], storages: Iterable[int] | None = None) -> int:
        """The bytes that a choice converts, or those of some storages; an impossible conversion costs more than all."""
        terms = self.problem.storages
        places = range(len(terms)) if storages is None else storages
        return sum(cost_of_conversions(terms[place], chosen) for place in places)

    def is_possible(self, cost: int) -> bool:
        """True if single ops do all conversions that cost so much."""
        return cost < self._impossible

    def price(self, given: Place, wanted: Place) -> int:
        """The cost of converting a storage from one byte order to another."""
        return self.problem.storages[given.storage].price(given.byte_order, wanted.byte_order)

    def given(self, op: int, chosen: Sequence[int]) -> list[Place]:
        """The storages that an op reads at run time, as they are produced, in the order of its operands."""
        storages = self.problem.storages
        return [Place(place, given_byte_order(storages[place], chosen)) for place, _ in self._reads[op]]

    def read(self, op: int, mode: Mode) -> list[Place]:
        """The storages that an op reads at run time, as it reads them in a mode."""
        return [Place(place, mode.reads[index]) for place, index in self._reads[op]]

    def roots_read(self, decider: Decider) -> Iterator[tuple[int, SSAValue]]:
        """The operands with a layout, with the roots of their storages."""
        for index, use in enumerate(uses_of(decider)):
            if encoding(use.value.type) is not None:
                yield index, self.table.storage.root(use.value)

    def producers_of_impossible(self, chosen: Sequence[int]) -> set[int]:
        """The ops that produce storages which no single op converts as they are read."""
        storages = enumerate(self.problem.storages)
        return {
            storage.producer.op
            for place, storage in storages
            if isinstance(storage.producer, Access) and not self.is_possible(self.cost(chosen, [place]))
        }

    def keeps_axes(self, op: int, mode: Mode) -> bool:
        """True if all that an op produces in a mode is in orders of its axes."""
        decider, storage = self.deciders[op], self.table.storage
        results = decider.results if isinstance(decider, Operation) else ()
        produced = zip(results, mode.produces, strict=False)
        return all(each is None or storage.order(value, each) is not None for value, each in produced)
