"""The base classes of passes that assign a layout to every value."""

import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ...dialects.dominance import verify_dominance
from ...layout import Layout
from ..common.apply import apply_plan
from ..common.hidden_ops import not_looked_into
from ..common.reasons import Names
from ..common.same_meaning import PreservesMeaning
from ..transmit.apply import is_coloured, is_nothing_known, parsed_default, transmit
from ..transmit.known_layouts import TENSOR
from .conversions import plan_of
from .explain import explain
from .order_choice import OrderChoice

NOTHING_KNOWN: Final = (
    "no op and no type of the program says a layout, so all values are tensors without letters, of which "
    "hardware demands no layout; default=NCHW or another layout says what arguments are"
)


@dataclass(frozen=True)
class LayoutPass(PreservesMeaning, ModulePass, ABC):
    """A pass that chooses the order of each value, and can explain it."""

    default: str | None = None
    """The layout of arguments and constants that no op determines, if the program has no layouts; Tensor by default."""

    def __post_init__(self) -> None:
        self.default_layout()

    @abstractmethod
    def place(self, module: ModuleOp, names: Names) -> None:
        """Change a coloured program; reasons quote these names."""

    @abstractmethod
    def explain(self, module: ModuleOp, value: SSAValue, names: Names) -> list[str]:
        """The reason for the layout that a value would get. Changes nothing."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Plans rely on dominance, which xDSL's verifier does not check.
        verify_dominance(op)
        default = self.default_layout()
        if self.default is None and is_nothing_known(op):
            print(f"note: {self.name}: {NOTHING_KNOWN}", file=sys.stderr)
        self.place(op, colour(op, default))
        if unseen := not_looked_into(op):
            print(f"note: {self.name}: {'; '.join(unseen)}", file=sys.stderr)

    def default_layout(self) -> Layout:
        return TENSOR if self.default is None else parsed_default(self.default)


@dataclass(frozen=True)
class StrategyPass(LayoutPass, ABC):
    """A pass whose strategy chooses the orders of all ops; conversions follow from the choice."""

    @abstractmethod
    def choose(self, module: ModuleOp) -> OrderChoice:
        """Choose orders for a coloured program. Changes nothing."""

    def place(self, module: ModuleOp, names: Names) -> None:
        apply_plan(plan_of(self.choose(module)), names)

    def explain(self, module: ModuleOp, value: SSAValue, names: Names) -> list[str]:
        return explain(self.choose(module), value, names)


def colour(module: ModuleOp, default: Layout = TENSOR) -> Names:
    """Assign a layout to every value without one, and return the names of the values before."""
    names = Names(module)
    if not is_coloured(module):
        names.read()
        transmit(module, default)
    return names
