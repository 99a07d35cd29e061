"""Arguments and results in other orders: their names, and the best program with some of them free."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import BlockArgument

from ....dialects.notes.interfaces import End
from ....dialects.npu.values import encoding
from ....layout import Layout
from ...common.graph.producers import Use
from ...common.plans.interface_choice import EVERYTHING_FREE, chosen_ends, unambiguous_names
from ...common.words.reasons import Names
from ..choice.mode_choice import ModeChoice


class ChangedEnds:
    """The arguments and results of a chosen program, and the orders that they could have."""

    def __init__(self, choice: ModeChoice, names: Names) -> None:
        self._choice = choice
        self._names = names
        self.with_flag = chosen_ends(choice.table.module, EVERYTHING_FREE, names)
        """The arguments and results that the option `interface` can change."""
        self._flags = unambiguous_names(choice.table.module, names)

    def may_change(self, end: End) -> bool:
        """True if an end has several orders, and is not free already."""
        decider = decider_of(end)
        if decider is None or decider in self._choice.modes:
            return False
        value = decider if isinstance(decider, BlockArgument) else decider.value
        if encoding(value.type) is None or self._choice.table.storage.root(value) not in self._choice.solved.weights:
            return False
        return len(self._choice.table.modes.of_end(decider)) > 1

    def text(self, end: End, layout: Layout | None) -> str:
        """The change in words; without a layout, to whatever other order."""
        subject = f"with {self._subject(end)} stored"
        if layout is None:
            return f"{subject} in another order"
        flag = f" (--interface={self._flags[end]}:{layout})" if layout.cls.is_cnn and end in self.with_flag else ""
        return f"{subject} as {layout}{flag}"

    def _subject(self, end: End) -> str:
        function = f" of @{end.function.sym_name.data}"
        if not end.is_argument:
            return f"output {end.index}{function}"
        is_shared = self._flags[end].startswith("@")
        return f"argument {self._names.of(end.function.body.block.args[end.index])}{function * is_shared}"

    def freed(self, ends: Iterable[End]) -> tuple[BlockArgument | Use, ...]:
        """The ends that become free, as what the modes are of."""
        deciders = map(decider_of, ends)
        return tuple(each for each in deciders if each is not None and each not in self._choice.modes)


def decider_of(end: End) -> BlockArgument | Use | None:
    """The argument, or the operand of the return; None for a function without either."""
    if end.is_argument:
        return end.function.body.block.args[end.index]
    returned = end.function.get_return_op()
    return None if returned is None else Use(returned, end.index)
