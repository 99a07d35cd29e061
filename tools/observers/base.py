"""Base class of observers, and their choice by the arguments."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...text.diagnostics import Report, ReportedError
from ..driver.arguments import WITH_JSON
from ..driver.timing import Timings

if TYPE_CHECKING:
    from ...bridges.changed_nodes import ChangedNodes
    from ...passes.common.transpose_cost import Cost
    from ...targets import Target
    from ...text.parser import SourceMap


class Observer:
    """Observes the passes of a run without changing the program."""

    wants_places = False
    """True if ops need locations from the text, because the observer reports them."""

    def check(self, passes: Sequence[ModulePass]) -> None:
        """Called with the pipeline, before anything is read."""

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        """Called with a verified program; `source` is its text."""

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        """Called before a pass."""

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        """Called after a pass, with a verified program."""

    def after_passes(self, module: ModuleOp) -> None:
        """Called after all passes."""

    def before_model(self, cost: Cost, nodes: ChangedNodes) -> None:
        """Called with the cost of the transposes in each model or module of TOSA that will be written."""

    def at_end(self) -> None:
        """Called after all pieces of the file, before anything is written."""


class Observers(Observer):
    """Several observers, called in order."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers
        self.wants_places = any(observer.wants_places for observer in observers)

    def check(self, passes: Sequence[ModulePass]) -> None:
        for observer in self._observers:
            observer.check(passes)

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        for observer in self._observers:
            observer.before_passes(module, source)

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        for observer in self._observers:
            observer.before_pass(module_pass, module)

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        for observer in self._observers:
            observer.after_pass(module_pass, module)

    def after_passes(self, module: ModuleOp) -> None:
        for observer in self._observers:
            observer.after_passes(module)

    def before_model(self, cost: Cost, nodes: ChangedNodes) -> None:
        for observer in self._observers:
            observer.before_model(cost, nodes)

    def at_end(self) -> None:
        for observer in self._observers:
            observer.at_end()


class ChangedProgram(Exception):
    """A pass changed the results of the program."""

    def __init__(self, reason: str, notes: tuple[Report | str, ...]) -> None:
        super().__init__(reason)
        self.notes = notes


def _expects(args: argparse.Namespace) -> bool:
    return any(limit is not None for limit in (args.expect_transposes, args.expect_bytes, args.expect_cost))


def _choose_json(args: argparse.Namespace) -> None:
    """Let all flags answer in JSON, as `--json` says."""
    with_format = [name for name in ("stats", "remarks", "what_if") if getattr(args, name) is not None]
    if not (with_format or args.why or args.why_not_fused or _expects(args)):
        raise ReportedError(Report(f"argument --json: expected one of {', '.join(WITH_JSON)} beside it"))
    for name in with_format:
        setattr(args, name, "json")


def chosen_observers(args: argparse.Namespace, target: Target | None, input_name: str, timings: Timings) -> Observers:
    """The observers for the arguments, imported on demand; they count the costs of a target that has some."""
    chosen: list[Observer] = []
    if args.json:
        _choose_json(args)
    if args.print_ir_before_all or args.print_ir_after_all or args.print_ir_after_change:
        from .print_ir import PrintIr

        chosen.append(PrintIr(args))
    if args.print_ir_diff:
        from .print_ir_diff import PrintIrDiff

        chosen.append(PrintIrDiff(args))
    if args.remarks is not None:
        from .remarks import Remarks

        chosen.append(Remarks(args.remarks, target))
    if args.why:
        from .why import Why

        chosen += (Why(name, args.json) for name in args.why)
    if args.what_if is not None:
        from .what_if import WhatIf

        chosen.append(WhatIf(args.what_if))
    if args.why_not_fused:
        from .why_not_fused import WhyNotFused

        chosen.append(WhyNotFused(args.json))
    if args.stats is not None:
        from .stats import Stats

        chosen.append(Stats(args.stats, target))
    if _expects(args):
        from .expectations import Expectations, Limits

        limits = Limits(args.expect_transposes, args.expect_bytes, args.expect_cost)
        chosen.append(Expectations(input_name, limits, target, args.json))
    if target is not None:
        from .impossible_transposes import ImpossibleTransposes, may_be_impossible

        chosen += [ImpossibleTransposes(target)] * may_be_impossible(target)
    if args.save_plan is not None:
        from .save_plan import SavePlan

        chosen.append(SavePlan(args.save_plan, input_name))
    if args.times is not None and args.report is None:
        raise ReportedError(Report("argument --times: expected --report FILE beside it"))
    if args.report is not None:
        from .report_page import ReportPage

        chosen.append(ReportPage(args.report, input_name, args.command, target, args.times))
    if args.verify_layouts:
        from .verify_layouts import VerifyLayouts

        chosen.append(VerifyLayouts(input_name, timings, args.remarks is not None))
    return Observers(chosen)
