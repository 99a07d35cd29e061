"""The least data that a program can move, with the proof that it cannot move less."""

import sys
from dataclasses import dataclass
from typing import Literal

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from ..dialects.npu.values import encoding
from ..targets import load
from .common.apply import apply_plan
from .common.producers import node_of
from .common.reasons import Names
from .common.target_layouts import TargetLayouts
from .common.transpose_cost import Cost, cost_of_program
from .optimal.conflicts import Chain, Conflicts
from .optimal.conversions import plan_of
from .optimal.mode_choice import ModeChoice, choose_modes
from .placement.layout_pass import LayoutPass


@dataclass(frozen=True)
class LayoutOptimal(LayoutPass):
    """Give the ops the layouts with which the whole program moves the least data, and prove it.

    Every op has a number of modes, the ways in which it can be written so that the demands of the target are met.
    Transposes, relabels and reshapes are no ops here but views: of all values that are views of one another only the
    sequences count in which they are stored, and storing them in another one costs their bytes once, however many read
    them. What is cheapest in sum is a linear program. Where its solution is integral, that is the minimum, and the
    prices that the solver gives prove it in exact arithmetic; otherwise branch and bound goes on.

    The minimum is over all layouts of all values, where every op may be written for any view of its data under which it
    means the same: in other orders, and over pieces of its axes, as a softmax over lines of an image can work on the
    image. An op that keeps its axes may have the parts of one in another sequence, as a product sums up in whatever
    sequence its data comes, if its matrix is stored to match. Ops on which the target makes a demand are only written
    in other orders, and letters are never cut. Not looked into are pieces of axes of unknown size, axes that are joined
    before they are cut, ops with more axes than the target re-orders, and programs in which an op is done twice,
    becomes another op or moves. Opaque ops, calls and signatures stay as they are, so that functions are problems of
    their own.

    Constants are stored as they are needed, and axes of one element cost nothing. A program that costs no more than it
    has to is left alone, to the byte. The pass works on programs without layouts (`layout-transmit` runs first), on
    those with, and behind every other strategy, whose transposes it takes away.
    """

    name = "layout-optimal"

    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""
    cost: Literal["bytes", "count"] = "bytes"
    """What is to be least: the bytes that transposes move, or how many transposes there are."""
    assume: int = 64
    """What a size counts as that only the run time knows. The first dimension of a tensor counts as 1."""
    time_limit: int = 60
    """How many seconds branch and bound may take."""
    report: bool = False
    """Print to stderr what is left and what is proved."""

    def place(self, module: ModuleOp, names: Names) -> None:
        choice = self.choose(module)
        if not choice.changes_nothing():
            conflicts = Conflicts(choice, names)
            apply_plan(plan_of(choice, conflicts.text), names)
            self._check(choice, cost_of_program(module, self.assume))
        if self.report or not choice.is_proved:
            print(f"layout-optimal: {self._account(choice, cost_of_program(module, self.assume))}", file=sys.stderr)

    def explain(self, module: ModuleOp, value: SSAValue, names: Names) -> list[str]:
        choice = self.choose(module)
        conflicts = Conflicts(choice, names)
        root = choice.storage.root(value)
        lines = [f"{names.of(value)} is stored {_stored(choice, value)}"]
        end, through = conflicts.chain(node_of(root))
        lines.append(f"  because {conflicts.side(Chain(end, through[1:]), None)}")
        for use in choice.uses:
            if use.root is root and use.is_converted:
                lines.append(f"  stored again, because {conflicts.text(use)}")
        lines.append(f"  in all: {self._account(choice, None)}")
        return lines

    def choose(self, module: ModuleOp) -> ModeChoice:
        """What the pass decides for a program in which every value has a layout. Changes nothing."""
        if self.assume < 1:
            raise PassFailedException(f"option assume: expected a size of at least 1, found {self.assume}")
        if self.time_limit < 0:
            raise PassFailedException(f"option time-limit: expected 0 seconds or more, found {self.time_limit}")
        return choose_modes(module, TargetLayouts(load(self.target)), self.cost, self.assume, self.time_limit)

    def _counted(self, cost: Cost) -> int:
        return cost.bytes if self.cost == "bytes" else cost.transposes

    def _check(self, choice: ModeChoice, realised: Cost) -> None:
        """What was put in has to cost what was said."""
        if self._counted(realised) != choice.solution.cost:
            expected = choice.solution.cost
            raise PassFailedException(
                f"the program costs {self._counted(realised)} instead of {expected}: please report this"
            )

    def _account(self, choice: ModeChoice, realised: Cost | None) -> str:
        unit = "bytes" if self.cost == "bytes" else "transposes"
        cost, bound = choice.solution.cost, choice.solution.bound
        left = (
            f"{cost} {unit}" if realised is None else f"{realised.transposes} transposes, {realised.bytes_text} bytes"
        )
        if choice.is_proved:
            return f"{left}: proved minimum"
        if not choice.is_complete:
            return f"{left}: best found, as not all ways to write the ops were tried"
        return f"{left}: best found, at least {bound} {unit} are needed (gap {cost - bound})"


def _stored(choice: ModeChoice, value: SSAValue) -> str:
    """In which layout a value is stored, or as what if it comes into being in a sequence that is no order of it."""
    root, layout = choice.storage.root(value), encoding(value.type)
    assert layout is not None
    order = choice.storage.order(value, choice.given(root)[1])
    if order is None:
        sizes = "x".join("?" if size.symbols else str(size.factor) for size in choice.given_sizes(root))
        return f"as {sizes}, which is no order of {layout}"
    stored = layout.with_order(order)
    return f"in {stored}" if stored == layout else f"in {stored} instead of {layout}"
