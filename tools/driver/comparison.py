"""Comparison of two programs: by a proof, then on random inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...equivalence.compare import Answer, Verdict, compare
from ...equivalence.numbers import CannotRun, difference
from ...text.diagnostics import Report
from ...text.printer import brief_text
from .contents import known_by_content
from .file_constants import runner_of
from .program import Program
from .versions import version_for


@dataclass(frozen=True)
class Comparison:
    """The answer for two programs, and the functions that were run."""

    answer: Answer
    equal: tuple[str, ...] = ()
    """The functions with equal results on all random inputs."""
    not_run: tuple[tuple[str, str], ...] = ()
    """The functions that could not be run, each with the reason."""

    @property
    def notes(self) -> Iterator[str]:
        """The functions that could not be run, in words."""
        for name, reason in self.not_run:
            yield f"@{name} was not run: {reason}"


def compare_programs(first: Program, second: Program, seeds: Sequence[int], *, always_run: bool) -> Comparison:
    """Compare by a proof; if that fails, or always, also on the random inputs of these seeds."""
    with known_by_content(first, second):
        answer = compare(first.module, second.module, version_for(first.module, second.module))
    if answer.verdict is Verdict.DIFFERENT or not (always_run or answer.verdict is Verdict.UNDECIDED):
        return Comparison(answer)
    return _with_numbers(answer, first, second, seeds)


def _with_numbers(answer: Answer, first: Program, second: Program, seeds: Sequence[int]) -> Comparison:
    """The answer, or a difference found by a random input."""
    equal: list[str] = []
    not_run: list[tuple[str, str]] = []
    with runner_of(first) as run_first, runner_of(second) as run_second:
        for function in _public_functions(first.module):
            name = function.sym_name.data
            try:
                found = difference(run_first, run_second, function, seeds)
            except CannotRun as error:
                not_run.append((name, str(error)))
                continue
            if found is None:
                equal.append(name)
                continue
            unmatched = answer.unmatched if answer.function == name else (None, None)
            answer = Answer(Verdict.DIFFERENT, str(found), name, unmatched)
            break
    return Comparison(answer, tuple(equal), tuple(not_run))


def _public_functions(module: ModuleOp) -> Iterator[FuncOp]:
    """The public functions with a body."""
    for op in module.ops:
        is_private = isinstance(op, FuncOp) and op.sym_visibility is not None and op.sym_visibility.data == "private"
        if isinstance(op, FuncOp) and op.body.blocks and not is_private:
            yield op


def unmatched_notes(answer: Answer, first: Program, second: Program) -> Iterator[Report]:
    """The first op of each program that has no equal in the other one."""
    for program, op, other in zip((first, second), answer.unmatched, ("second", "first"), strict=True):
        if op is not None:
            text = f"the {other} program has nothing equal to: {brief_text(op)}"
            yield Report(text, program.place(op), severity="note")
