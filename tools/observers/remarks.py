"""`--remarks`: the origin of each transpose, and the pass that removed it."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.common.moves.conversion_ops import ConversionOp
from ...passes.common.moves.transpose_cost import NotCounted
from ...text.diagnostics import Report
from .base import Observer
from .match_transposes import match_transposes
from .seen_transposes import SeenTranspose, seen_transposes

if TYPE_CHECKING:
    from ...targets import Target
    from ...text.parser import SourceMap

_NUMBERED_NAME = re.compile(r"%[\w$.-]+")
_DIGITS = re.compile(r"[_.]?\d+")


@dataclass(frozen=True)
class Remark:
    """A transpose, and what happened to it."""

    seen: SeenTranspose
    action: str
    """`inserted`, `cancelled`, `folded` or `kept`."""
    text: str
    pass_name: str | None = None

    @property
    def key(self) -> str:
        """The text, in which the numbers in names are left out: it is that of the same op in another block."""
        return _NUMBERED_NAME.sub(lambda match: _DIGITS.sub("", match[0]), self.text)

    def as_json(self) -> str:
        seen = self.seen
        known = {
            "action": self.action,
            "pass": self.pass_name,
            "place": seen.place,
            **({"kind": seen.kind} if seen.kind != "transpose" else {}),
            "transpose": seen.move,
            "shape": seen.shape,
            **seen.cost.moved,
            **({"cost": seen.cost.units, "unit": seen.cost.unit} if seen.cost.unit else {}),
            "not_counted": seen.not_counted and seen.not_counted.value,
            "reasons": seen.reasons,
        }
        return json.dumps(known)


class Remarks(Observer):
    """Reports each transpose as inserted, cancelled or folded by a pass, or kept from the input to the end.

    It compares the program before and after each pass. A new op that matches an erased one counts as the same.
    """

    wants_places = True

    def __init__(self, format: str, target: Target | None = None) -> None:
        """With a target that has costs, each transpose is reported with its own."""
        self._target = target
        self._format = format
        """`text`, which counts what is repeated and omits constants; `all`, or `json`, which do neither; or `none`."""
        self._seen: dict[ConversionOp, SeenTranspose] = {}
        self._present: set[ConversionOp] = set()
        """The transposes that were in the input."""

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        self._seen = self._transposes_of(module)
        self._present = set(self._seen)

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        before, after = self._seen, self._transposes_of(module)
        gone = [seen for op, seen in before.items() if op not in after]
        new = [seen for op, seen in after.items() if op not in before]
        found = match_transposes(gone, new)
        name = module_pass.name
        remarks = [_gone(seen, name, seen.op in found.composed) for seen in gone if seen.op not in found.successors]
        known = set(found.successors.values())
        remarks += (_new(seen, name, seen.op in found.compositions) for seen in new if seen.op not in known)
        self._print(remarks)
        self._present |= {found.successors[op] for op in self._present & found.successors.keys()}
        self._seen = after

    def after_passes(self, module: ModuleOp) -> None:
        kept = (seen for seen in self._seen.values() if seen.op in self._present)
        self._print([Remark(seen, "kept", f"kept {seen.kind} {seen.text_with_reasons}") for seen in kept])

    @property
    def inserted(self) -> list[SeenTranspose]:
        """The transposes that passes have inserted and none has removed, in program order."""
        return [seen for op, seen in self._seen.items() if op not in self._present]

    def _transposes_of(self, module: ModuleOp) -> dict[ConversionOp, SeenTranspose]:
        return {seen.op: seen for seen in seen_transposes(module, self._target)}

    def _print(self, remarks: list[Remark]) -> None:
        if self._format == "none":
            return
        if self._format == "json":
            lines = [remark.as_json() for remark in remarks]
        elif self._format == "all":
            lines = [str(_report(remark)) for remark in remarks]
        else:
            lines = _summary(remarks)
        for line in lines:
            print(line, file=sys.stderr)


def _summary(remarks: list[Remark]) -> list[str]:
    """The remarks without those about constants; equal ones are counted, at the place of the first."""
    groups: dict[str, list[Remark]] = {}
    for remark in remarks:
        if remark.seen.not_counted is not NotCounted.CONSTANT:
            groups.setdefault(remark.key, []).append(remark)
    return [str(_report(group[0], len(group))) for group in groups.values()]


def _report(remark: Remark, count: int = 1) -> Report:
    return Report(remark.text + f" (x{count})" * (count > 1), remark.seen.place, severity="remark")


def _gone(seen: SeenTranspose, pass_name: str, is_composed: bool) -> Remark:
    action = "folded" if seen.not_counted is NotCounted.CONSTANT else "cancelled"
    where = ": composed into another one" if is_composed else ""
    return Remark(seen, action, f"{action} {seen.kind} {seen.text} by {pass_name}{where}", pass_name)


def _new(seen: SeenTranspose, pass_name: str, is_composition: bool) -> Remark:
    reasons = seen.reasons
    if is_composition:
        reason = f"composed of several ({'; '.join(reasons)})" if reasons else "composed of several"
    else:
        reason = next(iter(reasons), "")
    # The reasons of a pass begin with its name.
    by = pass_name if not reason else reason if reason.startswith(pass_name) else f"{pass_name}: {reason}"
    return Remark(seen, "inserted", f"inserted {seen.kind} {seen.text} by {by}", pass_name)
