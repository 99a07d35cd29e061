"""Transposes for the layouts that the hardware demands, op by op."""

from dataclasses import dataclass
from typing import Literal

from xdsl.dialects.builtin import ModuleOp

from ..targets import load
from .common.demands.target_layouts import TargetLayouts
from .placement.greedy import choose_greedy
from .placement.layout_pass import BlockChoice, StrategyPass
from .placement.order_choice import OrderChoice
from .placement.record import choose_record


@dataclass(frozen=True)
class LayoutPresetNpu(StrategyPass):
    """Put transposes in front of the ops that demand a layout which they do not get, and never re-order a tensor.

    The ops are visited in program order. An op with a layout requirement (demand) gets that layout; one whose operands
    disagree reads all of them in one layout; one that turns features or weights into a tensor reads these as in the
    input program, so that the layout of the tensor does not change. All others take the layout that they read. A path
    without requirements gets no transpose. Signatures stay unchanged, up to layouts in their types. A program without
    layouts gets them from `layout-transmit` first.

    On a target that demands blocks of channels an op takes the form for which the fewest bytes move, and of several one
    that reads its first operand as it is stored; `record` stores all regions in blocks that can be.

    The program computes the same. Running the pass again changes nothing.
    """

    name = "layout-preset-npu"

    strategy: Literal["greedy", "record"] = "greedy"
    """`greedy` decides at each op; `record` converts at inputs, outputs, transposes of the input program and wherever
    features or weights are made of tensors, also if no layout requirement is between these."""
    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""

    def choose(self, module: ModuleOp) -> OrderChoice | BlockChoice:
        target_layouts = TargetLayouts(load(self.target))
        if target_layouts.target.blocks:
            # Imported late: few targets demand blocks.
            from .placement.blocks.choice import choose_by_rule

            return choose_by_rule(module, target_layouts, self.strategy, self.name)
        choose = choose_greedy if self.strategy == "greedy" else choose_record
        return choose(module, target_layouts)
