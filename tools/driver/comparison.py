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
from .output import Say, say
from .program import Program
from .versions import version_for


@dataclass(frozen=True)
class Comparison:
    """The answer for two programs, and the functions that were run for it."""

    answer: Answer
    equal: tuple[str, ...] = ()
    """The functions with equal results on all random inputs."""


def compare_programs(
    first: Program, second: Program, seeds: Sequence[int], *, always_run: bool, note: Say = say
) -> Comparison:
    """Compare by a proof; if that fails, or always, also on the random inputs of these seeds.

    `note` gets a message for each constant that could not be read and each function that could not be run.
    """
    with known_by_content(first, second, note=note):
        answer = compare(first.module, second.module, version_for(first.module, second.module))
    if answer.verdict is Verdict.DIFFERENT or not (always_run or answer.verdict is Verdict.UNDECIDED):
        return Comparison(answer)
    return _with_numbers(answer, first, second, seeds, note)


def _with_numbers(answer: Answer, first: Program, second: Program, seeds: Sequence[int], note: Say) -> Comparison:
    """The answer, or a difference found by a random input."""
    equal: list[str] = []
    with runner_of(first, note) as run_first, runner_of(second, note) as run_second:
        for function in _public_functions(first.module):
            name = function.sym_name.data
            try:
                found = difference(run_first, run_second, function, seeds)
            except CannotRun as error:
                note(f"note: @{name} was not run: {error}")
                continue
            if found is None:
                equal.append(name)
                continue
            unmatched = answer.unmatched if answer.function == name else (None, None)
            answer = Answer(Verdict.DIFFERENT, str(found), name, unmatched)
            break
    return Comparison(answer, tuple(equal))


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
