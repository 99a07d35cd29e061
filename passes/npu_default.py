"""The pipeline for most networks as one pass."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass

from .common.same_meaning import PreservesMeaning
from .fuse_ops_hw import FuseOpsHw
from .layout_preset import LayoutPreset
from .split_quantised import SplitQuantised


@dataclass(frozen=True)
class NpuDefault(PreservesMeaning, ModulePass):
    """Place transposes, canonicalize, and fuse for the hardware: the pipeline for most networks.

    1. `split-quantised` writes quantised ops as their steps, where the target has a stage for each.
    2. `layout-preset` gives every value a layout and inserts transposes where regions of ops meet.
    3. `canonicalize` composes adjacent transposes and folds them into constants.
    4. `fuse-ops-hw` outlines the ops that one pass through the hardware executes, transposes included if a stage runs
       them.
    """

    name = "npu-default"

    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""
    default: str | None = None
    """The layout of arguments and constants for which none can be inferred, if the program has no layouts."""

    interface: str = "keep"
    """The layouts of arguments and results, as for `layout-preset`."""

    def __post_init__(self) -> None:
        self.steps()

    def steps(self) -> tuple[ModulePass, ModulePass, ModulePass, FuseOpsHw]:
        place = LayoutPreset(target=self.target, default=self.default, interface=self.interface)
        return SplitQuantised(target=self.target), place, CanonicalizePass(), FuseOpsHw(target=self.target)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for step in self.steps():
            step.apply(ctx, op)
