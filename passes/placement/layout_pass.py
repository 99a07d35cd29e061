"""What the passes share that give all values their layouts."""

from abc import ABC, abstractmethod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ..common.reasons import Names
from ..common.same_meaning import MovesLayouts
from ..transmit.apply import is_coloured, transmit
from .apply import apply_plan
from .explain import explain
from .plan import LayoutPlan


class LayoutPass(MovesLayouts, ModulePass, ABC):
    """A pass that decides in which order each value is stored, and can say why."""

    @abstractmethod
    def place(self, module: ModuleOp, names: Names) -> None:
        """Change a program in which every value has a layout; reasons call the values by these names."""

    @abstractmethod
    def explain(self, module: ModuleOp, value: SSAValue, names: Names) -> list[str]:
        """Why a value of such a program would get its layout. Changes nothing."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.place(op, colour(op))


class PlannedPass(LayoutPass, ABC):
    """A pass that decides on the orders of all ops, and then changes them in one step."""

    @abstractmethod
    def plan(self, module: ModuleOp) -> LayoutPlan:
        """What the pass decides for a program in which every value has a layout. Changes nothing."""

    def place(self, module: ModuleOp, names: Names) -> None:
        apply_plan(self.plan(module), names)

    def explain(self, module: ModuleOp, value: SSAValue, names: Names) -> list[str]:
        return explain(self.plan(module), value, names)


def colour(module: ModuleOp) -> Names:
    """Give every value a layout that has none yet; the answer is the names of the values before."""
    names = Names(module)
    if not is_coloured(module):
        names.read()
        transmit(module)
    return names
