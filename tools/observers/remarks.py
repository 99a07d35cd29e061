"""`--remarks`: the origin of each transpose, and the pass that removed it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects.npu.shape import AnyTransposeOp
from ...passes.common.transpose_cost import NotCounted
from ...text.diagnostics import Report
from .base import Observer
from .match_transposes import match_transposes
from .seen_transposes import SeenTranspose, seen_transposes

if TYPE_CHECKING:
    from ...text.parser import SourceMap


class Remarks(Observer):
    """Reports each transpose as inserted, cancelled or folded by a pass, or kept from the input to the end.

    It compares the program before and after each pass. A new op that matches an erased one counts as the same.
    """

    def __init__(self, say: Callable[[SeenTranspose, str], None] | None = None) -> None:
        """`say` gets each remark; by default it is printed to stderr."""
        self._say = _say if say is None else say
        self._seen: dict[AnyTransposeOp, SeenTranspose] = {}
        self._present: set[AnyTransposeOp] = set()
        """The transposes that were in the input."""

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        self._seen = _transposes_of(module)
        self._present = set(self._seen)

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        before, after = self._seen, _transposes_of(module)
        gone = [seen for op, seen in before.items() if op not in after]
        new = [seen for op, seen in after.items() if op not in before]
        found = match_transposes(gone, new)
        for seen in gone:
            if seen.op not in found.successors:
                self._say(seen, _gone_text(seen, module_pass.name, seen.op in found.composed))
        known = set(found.successors.values())
        for seen in new:
            if seen.op not in known:
                self._say(seen, _new_text(seen, module_pass.name, seen.op in found.compositions))
        self._present |= {found.successors[op] for op in self._present & found.successors.keys()}
        self._seen = after

    def after_passes(self, module: ModuleOp) -> None:
        for seen in self._seen.values():
            if seen.op in self._present:
                self._say(seen, f"kept transpose {seen.text_with_reasons}")

    @property
    def inserted(self) -> list[SeenTranspose]:
        """The transposes that passes have inserted and none has removed, in program order."""
        return [seen for op, seen in self._seen.items() if op not in self._present]


def _transposes_of(module: ModuleOp) -> dict[AnyTransposeOp, SeenTranspose]:
    return {seen.op: seen for seen in seen_transposes(module)}


def _say(seen: SeenTranspose, text: str) -> None:
    print(Report(text, seen.place, severity="remark"), file=sys.stderr)


def _gone_text(seen: SeenTranspose, pass_name: str, is_composed: bool) -> str:
    word = "folded" if seen.not_counted is NotCounted.CONSTANT else "cancelled"
    where = ": composed into another one" if is_composed else ""
    return f"{word} transpose {seen.text} by {pass_name}{where}"


def _new_text(seen: SeenTranspose, pass_name: str, is_composition: bool) -> str:
    reasons = seen.reasons
    if is_composition:
        reason = f"composed of several ({'; '.join(reasons)})" if reasons else "composed of several"
    else:
        reason = next(iter(reasons), "")
    # The reasons of a pass begin with its name.
    by = pass_name if not reason else reason if reason.startswith(pass_name) else f"{pass_name}: {reason}"
    return f"inserted transpose {seen.text} by {by}"
