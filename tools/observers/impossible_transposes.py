"""Notes about the transposes that are left although neither the hardware nor a fallback can do them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ...text.diagnostics import Report
from .base import Observer

if TYPE_CHECKING:
    from ...targets import Target


def may_be_impossible(target: Target) -> bool:
    """True if there are transposes that a target cannot do."""
    return target.costs is not None and target.costs.rules.can is not None and target.costs.rules.fallback is None


class ImpossibleTransposes(Observer):
    """Names each of them behind all passes."""

    wants_places = True

    def __init__(self, target: Target) -> None:
        self._target = target

    def after_passes(self, module: ModuleOp) -> None:
        # Imported late: few targets have costs.
        from ...passes.common.demands.target_cost import TargetCost
        from .seen_transposes import seen_transposes

        impossible = set(TargetCost(self._target).impossible(module))
        for seen in seen_transposes(module, self._target) if impossible else ():
            if seen.op in impossible:
                text = f"{self._target.name} cannot do this {seen.kind}: {seen.text_with_reasons}"
                print(Report(text, seen.place, severity="note"), file=sys.stderr)
