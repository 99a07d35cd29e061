"""What may watch a run of npu-opt."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...text.diagnostics import Report
from ...text.parser import SourceMap
from ..driver.timing import Timings


class Observer:
    """Watches the passes of a run without changing the program."""

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        """A program was read, and is good; `source` is its text."""

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        """A pass will run."""

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        """The pass has run, and the program is good."""

    def after_passes(self, module: ModuleOp) -> None:
        """All passes have run."""

    def at_end(self) -> None:
        """All pieces of the file have been dealt with; nothing is written yet."""


class Observers(Observer):
    """Several observers, in sequence."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers

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

    def at_end(self) -> None:
        for observer in self._observers:
            observer.at_end()


class ChangedProgram(Exception):
    """A pass after which the program computes something else."""

    def __init__(self, reason: str, notes: tuple[Report | str, ...]) -> None:
        super().__init__(reason)
        self.notes = notes


def wants_places(args: argparse.Namespace) -> bool:
    """Whether ops should say where they stand in the text, since what a pass makes of them will be told."""
    return args.remarks or args.expect_transposes is not None or args.expect_bytes is not None


def chosen_observers(args: argparse.Namespace, input_name: str, timings: Timings) -> Observers:
    """The observers that the arguments ask for; each is imported only then."""
    chosen: list[Observer] = []
    if args.remarks:
        from .remarks import Remarks

        chosen.append(Remarks())
    if args.why:
        from .why import Why

        chosen += (Why(name) for name in args.why)
    if args.why_not_fused:
        from .why_not_fused import WhyNotFused

        chosen.append(WhyNotFused())
    if args.stats is not None:
        from .stats import Stats

        chosen.append(Stats(args.stats))
    if args.expect_transposes is not None or args.expect_bytes is not None:
        from .expectations import Expectations

        chosen.append(Expectations(input_name, args.expect_transposes, args.expect_bytes))
    if args.verify_layouts:
        from .verify_layouts import VerifyLayouts

        chosen.append(VerifyLayouts(input_name, timings, args.remarks))
    return Observers(chosen)
