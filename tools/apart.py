"""`--why-not-fused`: what keeps ops apart that hand data to each other."""

from __future__ import annotations

import sys

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..passes.fusion_pass import FusionPass
from ..passes.reasons import Names
from .observer import Observer


class WhyNotFused(Observer):
    """Asks each fusion pass about all pairs of ops that it leaves apart."""

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        if isinstance(module_pass, FusionPass):
            names = Names(module)
            for fusion in module_pass.fusions(module, names):
                for line in fusion.apart(names):
                    print(f"{module_pass.name}: {line}", file=sys.stderr)
