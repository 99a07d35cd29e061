"""`--verify-layouts`: the proof that passes which change layouts preserve the results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.npu.base import NpuOp
from ...equivalence.compare import Answer, Verdict, compare_each
from ...equivalence.interfaces import with_stored_interface
from ...equivalence.numbers import CannotRun, Runner, difference, with_interface_of
from ...equivalence.symbols import public_functions
from ...passes.common.same_meaning import PreservesMeaning
from ...text.diagnostics import Report
from ...text.locations import file_place
from ...text.printer import brief_text
from ..driver.console.timing import Timings
from .base import ChangedProgram, Observer

if TYPE_CHECKING:
    from ...bridges.imported import Imported
    from ...text.parser import SourceMap

ImportedAs: TypeAlias = "Callable[[], Imported | None]"
"""The import of the model that is read, None if the program is a text: it has the weights of the program."""
SEEDS = range(3)
"""The seeds of the random inputs that are tried if the proof fails."""


class VerifyLayouts(Observer):
    """Compares the program before and after each pass that changes layouts."""

    PROVES = True

    def __init__(self, input_name: str, timings: Timings, is_talkative: bool, imported: ImportedAs) -> None:
        self._input_name = input_name
        self._timings = timings
        self._is_talkative = is_talkative
        self._imported = imported
        self._source: SourceMap | None = None
        self._ops: Sequence[Operation] = ()
        """The ops of the program before the pass."""
        self._before: ModuleOp | None = None
        """A copy of the program, if the pass is to be verified."""

    def before_passes(self, module: ModuleOp, source: SourceMap | None) -> None:
        self._source = source

    def before_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        self._before = None
        if not moves_layouts(module_pass) or not any(map(_may_be_placed, module.walk())):
            return
        with self._timings.step("verify layouts"):
            self._ops = tuple(module.walk())
            self._before = module.clone()

    def after_pass(self, module_pass: ModulePass, module: ModuleOp) -> None:
        if self._before is None:
            return
        with self._timings.step("verify layouts"):
            self._verify(module_pass, self._before, module)

    def _verify(self, module_pass: ModulePass, before: ModuleOp, after: ModuleOp) -> None:
        if isinstance(module_pass, PreservesMeaning) and module_pass.MAKES_INTERFACE_LOGICAL:
            after = with_stored_interface(after, before)
        by_formulas = isinstance(module_pass, PreservesMeaning) and module_pass.is_compared_as_arithmetic
        for answer in compare_each(before, after, by_formulas=by_formulas):
            if answer.verdict is Verdict.PROVED:
                continue
            problem: str | None = answer.text
            # A foreign pass may rightly drop effects, such as those of a loop that never runs.
            if answer.verdict is not Verdict.DIFFERENT or not isinstance(module_pass, PreservesMeaning):
                problem = self._difference_by_inputs(answer, before, after, f"pass '{module_pass.name}'", problem)
            if problem is not None:
                raise ChangedProgram(problem, tuple(self._notes(answer, before)))

    def _difference_by_inputs(
        self, answer: Answer, before: ModuleOp, after: ModuleOp, subject: str, doubt: str
    ) -> str | None:
        """A difference found by random inputs, or None; prints a warning or remark if none is found."""
        function = public_functions(before).get(answer.function)
        if function is None:
            self._say("warning", f"{subject} is not verified: {doubt}")
            return None
        try:
            with self._runner(before) as run_before, self._runner(after) as run_after:
                found = difference(run_before, with_interface_of(before, after, run_after), function, SEEDS)
        except CannotRun as error:
            self._say("warning", f"{subject} is not verified: {doubt}, and it was not run: {error}")
            return None
        if found is not None:
            return f"@{answer.function}: {found}"
        if self._is_talkative:
            self._say("remark", f"{subject} is verified by random inputs only: {doubt}")
        return None

    def _runner(self, module: ModuleOp) -> AbstractContextManager[Runner]:
        """A runner of a state of the program, with the constants that are in files."""
        # Imported late: few proofs need a run.
        from ..driver.execution.file_constants import runner_of
        from ..driver.formats.program import Program

        return runner_of(Program(self._input_name, module, None, self._imported(), is_file=False))

    def _notes(self, answer: Answer, before: ModuleOp) -> Iterator[Report | str]:
        """Notes at the ops where the two programs differ."""
        yield "the first program is the one before the pass, the second the one after it"
        originals = dict(zip(before.walk(), self._ops, strict=True))
        for op, other in zip(answer.unmatched, ("after", "before"), strict=True):
            if op is not None:
                place = self._place(originals.get(op, op))
                yield Report(f"nothing {other} the pass is equal to: {brief_text(op)}", place, severity="note")

    def _place(self, op: Operation) -> str:
        span = self._source.span_of(op) if self._source else None
        return file_place(op.location) or (str(span.get_location()) if span else self._input_name)

    def _say(self, severity: str, text: str) -> None:
        print(Report(text, self._input_name, severity=severity), file=sys.stderr)


def _may_be_placed(op: Operation) -> bool:
    return isinstance(op, NpuOp) or op.name.startswith("linalg.")


def moves_layouts(module_pass: ModulePass) -> bool:
    """True if a pass may change layouts: a marked pass, or canonicalization, which runs the patterns of npu ops."""
    return isinstance(module_pass, PreservesMeaning) or module_pass.name == "canonicalize"
