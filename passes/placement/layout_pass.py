"""The base classes of passes that assign a layout to every value."""

import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, Protocol

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ...dialects.program.dominance import verify_dominance
from ...layout import Layout
from ..common.debug_counter import first_changes, limit_of
from ..common.demands.target_layouts import TargetLayouts
from ..common.demands.unmet_demands import unmet_demands
from ..common.hints import command_with
from ..common.moves.conversion_ops import counted_conversions
from ..common.plans.apply import apply_plan
from ..common.plans.interface_choice import Freedom, Interface, InterfaceChoice, chosen_interface
from ..common.plans.interfaces import absorb_border_transposes, join_named_values, noted_interfaces, store_as_named
from ..common.plans.plan import LayoutPlan
from ..common.same_meaning import PreservesMeaning
from ..common.words.left_unchanged import left_unchanged
from ..common.words.reasons import Names
from ..transmit.apply import is_coloured, is_nothing_known, parsed_default, transmit
from ..transmit.known_layouts import TENSOR
from .conversions import plan_of
from .explain import explain
from .order_choice import OrderChoice

NOTHING_KNOWN: Final = (
    "no op in this program fixes a layout such as NCHW, so there is nothing to optimise;"
    " if the inputs are images, pass default=NCHW"
)


FREE_BORDER: Final = "  interface=free: transposes behind arguments and before results become part of the signature"


class BlockChoice(Protocol):
    """A choice of forms of ops on values in blocks, or in any other order."""

    @property
    def target_layouts(self) -> TargetLayouts: ...

    def plan(self, names: Names) -> LayoutPlan | None:
        """The changes that make the choice; None if the program stays unchanged."""
        ...

    def explain(self, value: SSAValue, names: Names) -> list[str]:
        """The reason for the chosen layout of a value, as lines of text."""
        ...


@dataclass(frozen=True)
class LayoutPass(PreservesMeaning, ModulePass, ABC):
    """A pass that chooses the order of each value, and can explain it."""

    default: str | None = None
    """The layout of arguments and constants that no op determines, if the program has no layouts; Tensor by default."""

    interface: str = "keep"
    """The layouts of arguments and results: `keep`, `free` (npu-opt chooses), a layout such as `NHWC` for all that have
    its axes, or `x:NHWC` for one of them; several with commas between."""

    def __post_init__(self) -> None:
        self.default_layout()
        parsed_interface(self.interface)

    @abstractmethod
    def place(self, module: ModuleOp, names: Names, interface: Interface) -> None:
        """Change a coloured program; reasons quote these names. Free arguments and results may change as well."""

    @abstractmethod
    def explain(self, module: ModuleOp, value: SSAValue, names: Names, interface: Interface) -> list[str]:
        """The reason for the layout that a value would get. Changes nothing."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Plans rely on dominance, which xDSL's verifier does not check.
        verify_dominance(op)
        has_nothing = self.default is None and is_nothing_known(op) and not counted_conversions(op)
        names = colour(op, self.default_layout())
        with noted_interfaces(op):
            self.place(op, names, self.chosen_interface(op, names))
        # A program in which transposes were found needs no advice.
        if has_nothing and not counted_conversions(op):
            command = command_with(self.name, "default=NCHW")
            hint = f" (run: {command})" if command else ""
            print(f"note: {self.name}: {NOTHING_KNOWN}{hint}", file=sys.stderr)
        if unseen := left_unchanged(op):
            print(f"note: {self.name}: {'; '.join(unseen)}", file=sys.stderr)

    def note_unmet(self, module: ModuleOp, target_layouts: TargetLayouts, names: Names) -> None:
        """Say which ops stay unchanged because no form of them meets their demands."""
        for text in unmet_demands(module, target_layouts, names):
            print(f"note: {self.name}: {text}", file=sys.stderr)

    def chosen_interface(self, module: ModuleOp, names: Names) -> Interface:
        """Store arguments and results of a coloured program in the layouts named for them, and return all choices."""
        interface = chosen_interface(module, parsed_interface(self.interface), names)
        store_as_named(interface, self.name)
        return interface

    def default_layout(self) -> Layout:
        return TENSOR if self.default is None else parsed_default(self.default)


@dataclass(frozen=True)
class StrategyPass(LayoutPass, ABC):
    """A pass whose strategy chooses the orders of all ops; conversions follow from the choice."""

    @abstractmethod
    def choose(self, module: ModuleOp) -> OrderChoice | BlockChoice:
        """Choose orders for a coloured program, or modes on a target that demands blocks. Changes nothing."""

    def place(self, module: ModuleOp, names: Names, interface: Interface) -> None:
        choice = self.choose(module)
        self.note_unmet(module, choice.target_layouts, names)
        if isinstance(choice, OrderChoice):
            self._limit(choice, names)
            apply_plan(plan_of(choice), names)
        elif (plan := choice.plan(names)) is not None:
            apply_plan(plan, names)
        join_named_values(interface)
        absorb_border_transposes(interface, self.name, choice.target_layouts.may_have)

    def _limit(self, choice: OrderChoice, names: Names) -> None:
        """Leave only the first rewritten ops, as many as a debug counter says."""
        if limit_of(self.name) is not None:
            rewritten = [op for op in choice.module.walk() if op in choice.relayouts]
            choice.relayouts = {op: choice.relayouts[op] for op in first_changes(self.name, rewritten, names.of)}

    def explain(self, module: ModuleOp, value: SSAValue, names: Names, interface: Interface) -> list[str]:
        choice = self.choose(module)
        lines = explain(choice, value, names) if isinstance(choice, OrderChoice) else choice.explain(value, names)
        return [*lines, FREE_BORDER] if Freedom.FREE in interface.values() else lines


def parsed_interface(text: str) -> InterfaceChoice:
    """The choice in an option `interface`; raises `ValueError`."""
    try:
        return InterfaceChoice.parse(text)
    except ValueError as error:
        raise ValueError(f"option interface: {error}") from error


def colour(module: ModuleOp, default: Layout = TENSOR) -> Names:
    """Assign a layout to every value without one, and return the names of the values before."""
    names = Names(module)
    if not is_coloured(module):
        names.read()
        transmit(module, default)
    return names
