"""`--expect-transposes`, `--expect-bytes` and `--expect-cost`: upper bounds on the result."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ...dialects.settings.assumed_sizes import assumption
from ...passes.common.moves.transpose_cost import Cost, units_of, units_text
from ...passes.common.words.left_unchanged import left_unchanged
from ...text.diagnostics import Report, ReportedError
from ..driver.console.exit_codes import NO, UNDECIDED
from .base import Observer
from .seen_transposes import SeenTranspose, seen_transposes

if TYPE_CHECKING:
    from ...bridges.changed_nodes import ChangedNodes
    from ...targets import Target


class UnmetExpectation(ReportedError):
    """The result is not as expected, although no step has failed."""

    exit_code = NO


class UnknownExpectation(ReportedError):
    """The result is as expected as far as it is known."""

    exit_code = UNDECIDED


class Limits(NamedTuple):
    """The most that a result may have; None for anything."""

    transposes: int | None
    bytes: int | None
    ticks: int | None
    """The cost on the target, in thousandths of its unit."""


class Expectations(Observer):
    """Counts the transposes of all pieces of the file, and fails before anything is written."""

    wants_places = True

    def __init__(self, input_name: str, limits: Limits, target: Target | None, as_json: bool = False) -> None:
        if limits.ticks is not None and target is None:
            raise ReportedError(Report("argument --expect-cost: no target of this run has costs ([costs] in its file)"))
        self._input_name = input_name
        self._limits = limits
        self._target = target
        self._as_json = as_json
        self._left: list[SeenTranspose] = []
        self._unchanged: list[str] = []
        """The ops that no pass places."""
        self._on_target = Cost()
        """The cost of the program on the target."""
        self._in_file: Cost | None = None
        """The transposes of the file that will be written, if its format has others than the program."""

    def after_passes(self, module: ModuleOp) -> None:
        self._unchanged += left_unchanged(module)
        self._left += (seen for seen in seen_transposes(module, self._target) if not seen.not_counted)
        if self._limits.ticks is not None:
            # Imported late: few targets have costs.
            from ...passes.common.demands.target_cost import cost_on_target

            self._on_target += cost_on_target(module, self._target)

    def before_model(self, cost: Cost, nodes: ChangedNodes) -> None:
        self._in_file = cost if self._in_file is None else self._in_file + cost

    def at_end(self) -> None:
        problems = [*self._problems()]
        if self._as_json:
            print(self._json("exceeded" if problems else "undecided" if self._unchanged else "met"), file=sys.stderr)
        if problems:
            notes = (
                Report(f"{seen.kind} {seen.text_with_reasons}", seen.place, severity="note") for seen in self._left
            )
            raise UnmetExpectation(Report(f"expected {', and '.join(problems)}", self._input_name, notes=tuple(notes)))
        if self._unchanged:
            text = f"what moves data cannot be counted: {'; '.join(self._unchanged)}"
            raise UnknownExpectation(Report(text, self._input_name))

    def _json(self, verdict: str) -> str:
        limits, cost = self._limits, self._on_target
        found: dict[str, object] = {"transposes": self._found.transposes, **self._found.moved}
        known: dict[str, object] = {"transposes": limits.transposes, "bytes": limits.bytes}
        if limits.ticks is not None:
            found |= {"cost": cost.units, "unit": cost.unit}
            known["cost"] = units_of(limits.ticks)
        about = {"left_unchanged": self._unchanged} if self._unchanged else {}
        return json.dumps({"verdict": verdict, "expected": known, "found": found, **about})

    @property
    def _found(self) -> Cost:
        return sum((seen.cost for seen in self._left), Cost()) if self._in_file is None else self._in_file

    def _problems(self) -> Iterator[str]:
        found = self._found
        where = "" if self._in_file is None else " in the file"
        limits, cost, about = self._limits, self._on_target, assumption(found.is_assumed)
        if limits.transposes is not None and found.transposes > limits.transposes:
            yield f"at most {_counted(limits.transposes, 'transpose')}, found {found.transposes}{where}"
        if limits.bytes is not None and found.bytes > limits.bytes:
            yield f"at most {_counted(limits.bytes, 'byte')} moved, found {found.bytes_text}{where}{about}"
        if limits.ticks is not None and cost.ticks > limits.ticks:
            where = "" if self._in_file is None else " in the program"
            about = assumption(cost.is_assumed)
            yield f"a cost of at most {units_text(limits.ticks)} {cost.unit}, found {cost.ticks_text}{where}{about}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
