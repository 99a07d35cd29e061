"""What the passes share that decide by a plan."""

from abc import ABC, abstractmethod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .apply_plan import apply_plan
from .layout_plan import LayoutPlan
from .layout_transmit import is_coloured, transmit
from .moves_layouts import MovesLayouts
from .reasons import Names


class PlannedPass(MovesLayouts, ModulePass, ABC):
    """A pass that looks at the whole program, decides on the orders of all ops, and then changes them in one step."""

    @abstractmethod
    def plan(self, module: ModuleOp) -> LayoutPlan:
        """What the pass decides for a program in which every value has a layout. Changes nothing."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        names = colour(op)
        apply_plan(self.plan(op), names)


def colour(module: ModuleOp) -> Names:
    """Give every value a layout that has none yet; the answer is the names of the values before."""
    names = Names(module)
    if not is_coloured(module):
        names.read()
        transmit(module)
    return names
