"""`--why-not-fused`: the reasons why adjacent ops are not fused."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.common.words.reasons import Names
from ...passes.fusion.fusion_pass import FusionPass
from ...passes.npu_default import NpuDefault
from ...text.diagnostics import Report, ReportedError
from .base import Observer


class WhyNotFused(Observer):
    """Prints the reasons of each fusion pass for all pairs of adjacent ops in different groups."""

    def __init__(self, as_json: bool = False) -> None:
        self._as_json = as_json

    def check(self, passes: Sequence[ModulePass]) -> None:
        if not any(isinstance(each, NpuDefault | FusionPass) for each in passes):
            raise ReportedError(
                Report("argument --why-not-fused: no pass in the pipeline fuses ops (--fuse-ops, --fuse-ops-hw)")
            )

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        if isinstance(module_pass, NpuDefault):
            *before, fusion_pass = module_pass.steps()
            module = module.clone()
            for each in before:
                each.apply(Context(), module)
            self._print(fusion_pass, module)
        elif isinstance(module_pass, FusionPass):
            self._print(module_pass, module)

    def _print(self, fusion_pass: FusionPass, module: ModuleOp) -> None:
        names = Names(module)
        for fusion in fusion_pass.fusions(module, names):
            for line in fusion.apart():
                known = {"pass": fusion_pass.name, "reasons": [line]}
                print(json.dumps(known) if self._as_json else f"{fusion_pass.name}: {line}", file=sys.stderr)
