"""`--what-if`: the single changes that would save a program transposes, each solved again."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from ...dialects.carrying.callers import counting_calls
from ...dialects.npu.source import OpaqueOp
from ...dialects.settings.assumed_sizes import assumption
from ...passes.common.moves.transpose_cost import Cost
from ...passes.common.plans.interface_choice import Interface
from ...passes.common.words.left_unchanged import left_unchanged, scope_text
from ...passes.common.words.reasons import Names
from ...passes.describe_ops import describe
from ...passes.layout_optimal import LayoutOptimal
from ...passes.optimal.choice.mode_choice import ModeChoice
from ...passes.optimal.choice.plan import PlanDraft
from ...passes.optimal.explain.changes import Changes
from ...passes.optimal.explain.conflicts import Conflicts
from ...passes.placement.layout_pass import colour
from ...targets import CostUnit, DescribedOp, Likeness
from ...text.diagnostics import Report, ReportedError
from ..driver.console.progress import Progress
from .base import Observer
from .tied_orders import SetOfTies, orders_of_ties
from .why import deciding_pass

LIKENESSES = (Likeness.ELEMENTWISE, Likeness.ANY_ORDER)
"""The statements that are tried for an opaque op, the first one that its shapes allow."""


@dataclass(frozen=True)
class WhatIfAnswer:
    """A change, and the cost of the best program with it."""

    change: str
    cost: Cost
    asked: str = ""
    """The change before it was solved, where the best layout is not known yet."""


@dataclass(frozen=True)
class WhatIfAnswers:
    """The answers for a program, the best ones first."""

    before: Cost
    unit: CostUnit
    """The figure that is minimised: `bytes`, `count`, `traffic`, or `target` for the costs of the target."""
    answers: list[WhatIfAnswer]
    at_conflict: Mapping[str, Sequence[str]]
    """For the reason of each conversion the changes (`asked`) of the two ends that conflict."""
    staying: Mapping[Operation, str]
    """The transposes of the program that are such a conversion, with its reason."""
    left_unchanged: Sequence[str] = ()
    """The ops that the costs do not cover."""
    ties: Sequence[SetOfTies] = ()
    """The orders of tied arguments and results."""

    def lines(self) -> list[str]:
        """A line for each change that saves something, and one for all others."""
        saving = [each for each in self.answers if self.saved(each.cost)]
        others = [each.change for each in self.answers if not self.saved(each.cost)]
        about = assumption(self.before.is_assumed) + scope_text(self.left_unchanged)
        found = [f"what if: {self.before.text}{about}{self._ranking}"]
        found += [f"  {each.change}: {self.before.reduced_to(each.cost)}" for each in saving]
        if others:
            found.append(f"  nothing is saved {', nor '.join(others)}")
        return [*found, *(line for each in self.ties for line in each.lines())]

    def as_json(self) -> str:
        """One line with all answers."""
        answers = [{"change": each.change, **self._numbers(each.cost)} for each in self.answers]
        found = {"minimises": self.unit, "before": self._numbers(self.before), "changes": answers}
        unchanged = {"left_unchanged": self.left_unchanged} if self.left_unchanged else {}
        ties = {"ties": [each.as_json() for each in self.ties]} if self.ties else {}
        return json.dumps({**found, **unchanged, **ties})

    def _numbers(self, cost: Cost) -> dict[str, int | float]:
        known: dict[str, int | float] = {"transposes": cost.transposes, **cost.moved}
        if cost.travelling is not None:
            return {**known, "travelling": cost.travelling}
        return {**known, "cost": cost.units} if self.unit == "target" else known

    def removing(self, reason: str) -> list[WhatIfAnswer]:
        """The changes that save something at the ends of the conflict behind a conversion, the best ones first."""
        asked = self.at_conflict.get(reason, ())
        return [each for each in self.answers if each.asked in asked and self.saved(each.cost)]

    @property
    def _ranking(self) -> str:
        """The figure by which the answers are ranked, where there is more than the usual one."""
        if self.unit == "traffic":
            return "; the changes are ranked by the bytes that travel"
        return f"; the changes are ranked by {self.before.unit}" if self.unit == "target" else ""

    def saved(self, cost: Cost) -> bool:
        """True if a cost is less than that of the program as it is."""
        return cost.counted(self.unit) < self.before.counted(self.unit)


class WhatIf(Observer):
    """Prints the answers for the input of each `layout-optimal`."""

    def __init__(self, format: str) -> None:
        self._format = format

    def check(self, passes: Sequence[ModulePass]) -> None:
        if not any(isinstance(deciding_pass(each), LayoutOptimal) for each in passes):
            raise ReportedError(Report("argument --what-if: no pass in the pipeline solves layouts (--layout-optimal)"))

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        layout_pass = deciding_pass(module_pass)
        if not isinstance(layout_pass, LayoutOptimal):
            return
        with counting_calls():
            found = what_if(layout_pass, module)
        with Progress().step("orders of ties") as step:
            found = replace(found, ties=orders_of_ties(layout_pass, module, step.update))
        print(found.as_json() if self._format == "json" else "\n".join(found.lines()), file=sys.stderr)


def what_if(layout_pass: LayoutOptimal, module: ModuleOp) -> WhatIfAnswers:
    """Solve a program again with each single change. The module is not changed."""
    copies: dict[SSAValue, SSAValue] = {}
    copy = module.clone(copies)
    names = colour(copy, layout_pass.default_layout())
    interface = layout_pass.chosen_interface(copy, names)
    choice = layout_pass.choose(copy, interface)
    changes = layout_pass.changes(choice, names, interface)
    found = [WhatIfAnswer(*solved) for solved in changes.everywhere()]
    if layout_pass.keeps_interface:
        cost = changes.with_free_interface()
        found.append(WhatIfAnswer("with the best layouts of all arguments and results (--interface=free)", cost))
    found += _described(layout_pass, copy, interface)
    unit = choice.table.cost_unit
    found.sort(key=lambda each: (each.cost.counted(unit), each.cost.transposes, each.cost.bytes))
    at_conflict: dict[str, Sequence[str]] = {}
    staying: dict[SSAValue, str] = {}
    for transpose, reason, asked in _conversions(choice, names, changes):
        at_conflict[reason] = asked
        if transpose is not None:
            staying.setdefault(transpose, reason)
    reasons = {
        value.owner: staying[seen] for value, seen in copies.items() if seen in staying and isinstance(value, OpResult)
    }
    return WhatIfAnswers(choice.cost, unit, found, at_conflict, reasons, left_unchanged(copy))


def _conversions(
    choice: ModeChoice, names: Names, changes: Changes
) -> Iterator[tuple[SSAValue | None, str, Sequence[str]]]:
    """For each use that is converted the transpose that stays for it, the reason, and the changes at the two ends."""
    conflicts, draft = Conflicts(choice, names), PlanDraft(choice)
    for use in choice.uses:
        if use.is_converted:
            conflict = conflicts.of(use)
            ends = (end for end in (conflict.wanted, conflict.given) if end is not None)
            yield draft.stays_for(use), conflicts.text(use), [asked for end in ends for asked in changes.asked_at(end)]


def _described(layout_pass: LayoutOptimal, module: ModuleOp, interface: Interface) -> Iterator[WhatIfAnswer]:
    """The opaque ops of a name as ops that the target describes."""
    for name in dict.fromkeys(op.op_name.data for op in module.walk() if isinstance(op, OpaqueOp)):
        for like in LIKENESSES:
            copy = module.clone()
            if describe(copy, {name: DescribedOp(name, like, "")}):
                continue
            names = Names(copy)
            cost = layout_pass.choose(copy, layout_pass.chosen_interface(copy, names)).cost
            yield WhatIfAnswer(f'with [ops."{name}"] like = "{like}" in the target', cost)
            break
