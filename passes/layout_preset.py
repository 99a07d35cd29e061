"""Transposes for the layouts that the hardware wants, region by region."""

from dataclasses import dataclass
from typing import Literal

from xdsl.dialects.builtin import ModuleOp

from ..targets import load
from .common.demands.target_layouts import TargetLayouts
from .placement.by_region import choose_cheapest_regions, choose_regions, choose_seed_plus
from .placement.layout_pass import BlockChoice, StrategyPass
from .placement.naive import choose_naive
from .placement.order_choice import OrderChoice


@dataclass(frozen=True)
class LayoutPreset(StrategyPass):
    """Give the ops the layouts that the hardware wants, with transposes where regions of ops meet.

    Ops of one class (`Feature`, `Weight`, `Tensor`) that are connected form a region, found with union-find. A region
    of features or weights with a layout requirement (demand) of the target is stored in the target's preferred layout;
    transposes are inserted where values enter and leave it. Signatures stay unchanged, up to layouts in their types,
    and so do transposes of the input program, calls and unknown ops. A program without layouts gets them from
    `layout-transmit` first.

    On a target that demands blocks of channels a region is stored in blocks if all of its ops can work on them, with
    packs and unpacks where it ends. Transposes of the program are views there, as for `layout-optimal`.

    The program computes the same with every strategy. Running the pass again changes nothing.
    """

    name = "layout-preset"

    strategy: Literal["naive", "regions", "regions-plus", "seed-plus"] = "regions-plus"
    """`naive` puts transposes around every op alone; `regions` decides once for each region; `seed-plus` also joins
    every region of tensors with the regions that it reads, where these have one layout and all its ops have a form in
    that layout; `regions-plus` joins them only where that moves fewer bytes, and likewise ends regions at values that
    are smaller than others of an op, such as gates, and stores constants as they are read."""
    all_regions: bool = False
    """Store every region of features or weights in the preferred layout, also those without a layout requirement."""
    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""

    def choose(self, module: ModuleOp) -> OrderChoice | BlockChoice:
        target_layouts = TargetLayouts(load(self.target))
        if target_layouts.target.blocks:
            # Imported late: few targets demand blocks.
            from .placement.blocks.choice import choose_by_rule

            return choose_by_rule(module, target_layouts, self.strategy, self.name, self.all_regions)
        if self.strategy == "naive":
            return choose_naive(module, target_layouts)
        choose = {"regions": choose_regions, "regions-plus": choose_cheapest_regions, "seed-plus": choose_seed_plus}
        return choose[self.strategy](module, target_layouts, self.all_regions)
