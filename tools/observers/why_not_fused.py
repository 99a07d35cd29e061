"""`--why-not-fused`: what keeps ops apart that hand data to each other."""

from __future__ import annotations

import sys

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.common.reasons import Names
from ...passes.fusion.fusion_pass import FusionPass
from ...passes.npu_default import NpuDefault
from ...text.diagnostics import Report, ReportedError
from .base import Observer


class WhyNotFused(Observer):
    """Asks each fusion pass about all pairs of ops that it leaves apart."""

    def __init__(self) -> None:
        self._was_asked = False

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        if isinstance(module_pass, NpuDefault):
            *before, fusion_pass = module_pass.steps()
            module = module.clone()
            for each in before:
                each.apply(Context(), module)
            self._tell(fusion_pass, module)
        elif isinstance(module_pass, FusionPass):
            self._tell(module_pass, module)

    def _tell(self, fusion_pass: FusionPass, module: ModuleOp) -> None:
        self._was_asked = True
        names = Names(module)
        for fusion in fusion_pass.fusions(module, names):
            for line in fusion.apart():
                print(f"{fusion_pass.name}: {line}", file=sys.stderr)

    def at_end(self) -> None:
        if not self._was_asked:
            raise ReportedError(
                Report("argument --why-not-fused: no pass was asked for that fuses (--fuse-ops, --fuse-ops-hw)")
            )
