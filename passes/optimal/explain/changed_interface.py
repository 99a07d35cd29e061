"""Arguments and results in other orders: their names, and the best program with some of them free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....dialects.notes.interfaces import InterfaceValue
from ....dialects.notes.ties import TIE
from ....dialects.npu.values import encoding
from ....layout import Layout
from ...common.plans.interface_choice import EVERYTHING_FREE, chosen_interface, unambiguous_names
from ...common.plans.state_ties import states_of
from ...common.words.reasons import Names
from ..choice.mode_choice import ModeChoice
from ..modes.free_interface import FreeEnd, TiedEnd, end_of, value_of


class ChangedInterface:
    """The arguments and results of a chosen program, and the orders that they could have."""

    def __init__(self, choice: ModeChoice, names: Names) -> None:
        self._choice = choice
        self._names = names
        self.with_flag = chosen_interface(choice.table.module, EVERYTHING_FREE, names)
        """The arguments and results that the option `interface` can change."""
        self._flags = unambiguous_names(choice.table.module, names)

    def may_change(self, end: InterfaceValue) -> bool:
        """True if an end has several orders, and is not free already."""
        decider = end_of(end)
        # What is tied and not free may not change alone.
        if decider is None or decider in self._choice.modes or TIE in end.attributes.data:
            return False
        value = value_of(decider)
        if encoding(value.type) is None or self._choice.table.storage.root(value) not in self._choice.solved.weights:
            return False
        return len(self._choice.table.modes.of_interface(decider)) > 1

    def text(self, value: InterfaceValue, layout: Layout | None) -> str:
        """The change in words; without a layout, to any other order."""
        subject = f"with {self._subject(value)} stored"
        if layout is None:
            return f"{subject} in another layout"
        flag = f" (--interface={self._flags[value]}:{layout})" if layout.cls.is_cnn and value in self.with_flag else ""
        return f"{subject} as {layout}{flag}"

    def _subject(self, value: InterfaceValue) -> str:
        function = f" of @{value.function.sym_name.data}"
        if not value.is_argument:
            return f"output {value.index}{function}"
        is_shared = self._flags[value].startswith("@")
        return f"argument {self._names.of(value.function.body.block.args[value.index])}{function * is_shared}"

    def states(self) -> list[Sequence[TiedEnd]]:
        """The ends of state that the option `interface=free` ties."""
        free = [pair for pair in states_of(self._choice.table.module) if all(end in self.with_flag for end in pair)]
        ends = ([each for end in pair if (each := TiedEnd.of(end)) is not None] for pair in free)
        return [each for each in ends if len(each) == 2 and not any(end.end in self._choice.modes for end in each)]

    def freed(self, interface: Iterable[InterfaceValue]) -> tuple[FreeEnd, ...]:
        """The deciders of arguments and results that become free."""
        deciders = map(end_of, interface)
        return tuple(each for each in deciders if each is not None and each not in self._choice.modes)
