"""`--report`: the run as a page of HTML."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...passes.common.demands.target_layouts import TargetLayouts
from ...passes.common.words.reasons import Names
from ...passes.fusion.fusion_pass import listening
from ...passes.layout_optimal import LayoutOptimal
from ...passes.optimal.explain.account import Account, collected_accounts
from ...targets import load
from ...text.diagnostics import Report, ReportedError
from ..driver.console.output import write_file
from ..report.coordinates import graphviz
from ..report.facts import ChangeRow, ReportFacts, RunFacts, versions
from ..report.groups import SeenGroups
from ..report.model_names import model_names, with_model_names
from ..report.page import NamedProgram, page_text
from ..report.times import read_times
from .base import Observer
from .what_if import WhatIfAnswers, what_if
from .why import deciding_pass

if TYPE_CHECKING:
    from ...bridges.changed_nodes import ChangedNodes
    from ...passes.common.moves.transpose_cost import Cost
    from ...targets import Target
    from ...text.parser import SourceMap


class ReportPage(Observer):
    """Collects the program before and after the passes, and writes the page at the end."""

    wants_places = True

    def __init__(
        self, file: str, input_name: str, command: Sequence[str], priced: Target | None, times: str | None
    ) -> None:
        """With a target that has costs, these are shown as well."""
        self._file = file
        self._name = Path(input_name).name
        self._priced = priced
        self._command = shlex.join(command)
        self._run: RunFacts | None = None
        self._after: ModuleOp | None = None
        self._written: list[tuple[str, str]] = []
        """The fact of the written model."""
        self._notes: Sequence[tuple[str, str]] = ()
        """The facts about the model that was read."""
        self._target: str | None = None
        self._accounts: list[Account] = []
        self._answers: WhatIfAnswers | None = None
        self._seen = SeenGroups()
        self._stack = ExitStack()
        self._start = 0.0
        # Before the program is read, because the page cannot be made without them.
        graphviz()
        self._times = None if times is None else read_times(times)

    def after_import(self, notes: Sequence[str], unchanged: Sequence[str]) -> None:
        self._notes = [*(("note", each) for each in notes), *(("stays", each) for each in unchanged)]

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        if self._run is not None:
            raise ReportedError(
                Report("argument --report: a report has one program, but --split-input-file makes several")
            )
        self._run = RunFacts.of(module, self._priced)

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        self._target = getattr(module_pass, "target", self._target)
        layout_pass = deciding_pass(module_pass)
        # Where bytes travel, each change would take as long as the choice.
        if isinstance(layout_pass, LayoutOptimal) and layout_pass.cost != "traffic":
            self._seen.model_names = model_names(module, Names(module))
            self._answers = what_if(layout_pass, module)
            self._seen.removal |= _removal(layout_pass.name, self._answers)
            self._seen.staying |= {op: f"{layout_pass.name}: {why}" for op, why in self._answers.staying.items()}
        self._accounts = self._stack.enter_context(collected_accounts())
        self._seen.target = self._target_layouts
        self._stack.enter_context(listening(self._seen.listen))
        self._start = time.perf_counter()

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        assert self._run is not None
        seconds = time.perf_counter() - self._start
        self._stack.close()
        self._run.add(module_pass, module, seconds, self._accounts)

    def after_passes(self, module: ModuleOp) -> None:
        self._after = module

    def before_model(self, cost: Cost, nodes: ChangedNodes) -> None:
        figures = [f"{cost.transposes} transpose{'s' * (cost.transposes != 1)}", *([nodes.text] if nodes.came else [])]
        self._written = [("written model", ", ".join(figures))]

    def at_end(self) -> None:
        if self._run is None or self._after is None:
            return
        programs = self._programs(self._run.before, self._after)
        text = page_text(self._facts(self._run, self._after), programs, self._times)
        try:
            write_file(self._file, text)
        except OSError as error:
            raise ReportedError(Report(f"cannot write '{self._file}': {error.strerror}")) from error

    def _facts(self, run: RunFacts, after: ModuleOp) -> ReportFacts:
        title = self._name if self._target is None else f"{self._name} for {load(self._target).name}"
        facts = [*run.texts(after), *self._notes, *self._written, ("command", self._command), versions()]
        return ReportFacts(title, facts, run.rows, [*self._rows()])

    def _rows(self) -> Iterator[ChangeRow]:
        """The program as it is, and the changes."""
        found = self._answers
        if found is not None:
            for change, cost in [("as it is", found.before), *((each.change, each.cost) for each in found.answers)]:
                text = with_model_names(change, self._seen.model_names)
                is_assumed = found.before.is_assumed
                yield ChangeRow(text, cost.transposes, cost.bytes, cost.units, is_assumed, found.saved(cost))

    @property
    def _target_layouts(self) -> TargetLayouts | None:
        return None if self._target is None else TargetLayouts(load(self._target))

    def _programs(self, before: ModuleOp, after: ModuleOp) -> list[NamedProgram]:
        last = NamedProgram("after", after, self._target_layouts, self._seen)
        has_passes = self._run is not None and len(self._run.rows) > 1
        return [NamedProgram("before", before, None), last] if has_passes else [NamedProgram("program", after, None)]


def _removal(pass_name: str, found: WhatIfAnswers) -> dict[str, list[str]]:
    """For the reason of each transpose, as its location says it, what would remove it."""
    return {
        f"{pass_name}: {reason}": [f"{each.change}: {found.before.reduced_to(each.cost)}" for each in changes]
        for reason in found.at_conflict
        if (changes := found.removing(reason))
    }
