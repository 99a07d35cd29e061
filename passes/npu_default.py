"""The passes that most networks need, in one."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass

from .common.same_meaning import PreservesMeaning
from .fuse_ops_hw import FuseOpsHw
from .layout_preset import LayoutPreset


@dataclass(frozen=True)
class NpuDefault(PreservesMeaning, ModulePass):
    """Place transposes, clean up, and fuse for the hardware: what most networks need.

    1. `layout-preset` gives every value a layout and inserts transposes between regions of ops.
    2. `canonicalize` composes transposes that met, and stores constants in the order in which they are read.
    3. `fuse-ops-hw` puts what one pass through the hardware executes into functions, transposes as well where the
       hardware can do them on the way.
    """

    name = "npu-default"

    target: str = "opu"
    """The hardware: a name that `npu-opt --list-targets` prints, or the path of a file."""
    default: str | None = None
    """The layout of arguments and constants that nothing is known about, if the program has no layouts."""

    def steps(self) -> tuple[ModulePass, ModulePass, FuseOpsHw]:
        return LayoutPreset(target=self.target, default=self.default), CanonicalizePass(), FuseOpsHw(target=self.target)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for step in self.steps():
            step.apply(ctx, op)
