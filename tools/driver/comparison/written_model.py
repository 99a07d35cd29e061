"""The proof of `--verify-layouts` about a model as it is written, read back by its own reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.passes import ModulePass

from ....bridges.files import is_special
from ....compat.process import temporary_folder
from ....dialects.npu.dynamic import ShapeOfOp
from ....equivalence.values import element_type
from ....text.diagnostics import Report, ReportedError
from ..console.output import say
from ..execution.file_constants import has_engine
from ..execution.tosa_texts import elements_in
from ..formats.models import cannot_write, whole_ops

if TYPE_CHECKING:
    from ....bridges.fixed_sizes import FixedSizes
    from ....equivalence.numbers import Comparison
    from ..formats.output_format import ModelFile
    from ..formats.program import Program
    from .check_result import CheckResult

SEEDS = range(3)
"""The seeds of the random inputs that are tried if the proof fails."""
MOST_ELEMENTS = 1 << 26
"""The elements of all values of a program that is run although it is proved, which takes about a second."""
ENDINGS = {"litert": ".tflite", "onnx": ".onnx", "torch": ".pt2"}


def verify_written(
    file: ModelFile,
    original: Program,
    fixed: FixedSizes | None,
    passes: Sequence[ModulePass],
    hardware: str | None,
    is_talkative: bool,
) -> None:
    """Prove that a file computes what the original program does; raises `ReportedError` if it does not.

    If it is not proved as it is, both are read again, with what they compute from their weights alone computed; `fixed`
    are the sizes with which the original is read, or None if that was done. The proof is about a copy, because a file
    is only replaced by one that is right.
    """
    # Imported late: most runs prove nothing.
    from ....equivalence.compare import Verdict
    from ..formats.program import read_model_program
    from .comparison import compare_programs

    targets = [hardware, *(getattr(each, "target", None) for each in passes if each.name == "describe-ops")]
    target = next((each for each in reversed(targets) if isinstance(each, str)), None)
    in_real_numbers = any(getattr(each, "is_compared_as_arithmetic", False) for each in passes)
    path = Path(file.path)
    with cannot_write(path), temporary_folder(None if is_special(path) else path) as temporary:
        copy = temporary / (path.stem + ENDINGS[file.format_name])
        file.write_to(copy)
        try:
            whole = whole_ops(target) if file.format_name == "onnx" else frozenset[str]()
            read = partial(read_model_program, str(copy), target=target, format=file.format_name, whole=whole)
            written = read()
        except ReportedError as error:
            say(Report(f"the file is not verified: {error.report.message}", file.path, severity="warning"))
            return
        compared = partial(compare_programs, always_run=False, target=target, in_real_numbers=in_real_numbers)
        result = compared(original, written, SEEDS)
        if fixed is not None and result.may_be_read_again and original.imported is not None:
            folded = partial(read_model_program, original.name, target=target, format=original.imported.format)
            other = compared(folded(folds_weights=True, fixed=fixed, whole=whole), read(folds_weights=True), ())
            result = replace(other, folds_weights=True) if other.answer.verdict is Verdict.PROVED else result
        if not _is_as_it_came(file, original, written):
            _run_proved(result, file.path)
    _judge(replace(result, second=replace(written, name=file.path)), is_talkative)


def _is_as_it_came(file: ModelFile, original: Program, written: Program) -> bool:
    """True if the file has all nodes of the original model, in the same versions of their meanings."""
    before, after = (each.module.attributes.get("onnx.opsets") for each in (original, written))
    return file.nodes.came > 0 and file.nodes.changed == 0 and before == after


def _run_proved(result: CheckResult, place: str) -> None:
    """Run two programs that are proved equal by what reads their formats otherwise; raises `ReportedError`.

    The proof is about both files as npu-opt reads them: an op that is read as another one on both sides is equal. Only
    programs that differ on all inputs are different.
    """
    # Imported late: most runs prove nothing.
    from ....equivalence.compare import Verdict
    from .comparison import run_both

    programs = result.first, result.second
    are_run = any(map(has_engine, programs)) and max(map(elements_in, programs)) <= MOST_ELEMENTS
    if result.answer.verdict is not Verdict.PROVED or result.answer.rounds_once or not are_run:
        return
    has_steps, texts = any(map(_has_steps, programs)), list[str]()
    for seed in SEEDS:
        trials = run_both(*programs, [seed], note=_ignore)
        found = trials[-1].comparison if trials else None
        if found is None or found.difference is None or (has_steps and not _is_of_steps(found)):
            return
        texts.append(f"@{trials[-1].function}: {found.difference}")
    raise ReportedError(
        Report(f"the file does not compute what {programs[0].name} does: {texts[0]}", place).with_notes(
            "the proof has not found it, since npu-opt reads or writes an op as another one: please report it"
        )
    )


def _has_steps(program: Program) -> bool:
    """True if a program makes integers of floats, or rounds floats to 16 bits: a last digit makes another number."""
    for op in program.module.walk():
        given, made = ([element_type(value.type) for value in values] for values in (op.operands, op.results))
        is_step = any(isinstance(each, AnyFloat) for each in given) and not isinstance(op, ShapeOfOp)
        if is_step and any(isinstance(each, IntegerType) for each in made):
            return True
        if any(isinstance(each, AnyFloat) and each.bitwidth < 32 for each in made):
            return True
    return False


def _is_of_steps(found: Comparison) -> bool:
    """True if integers of 8 bits, such as those that quantise numbers, differ by more than one step."""
    assert found.difference is not None
    return np.asarray(found.difference.first).dtype.name in ("int8", "uint8") and found.largest > 1


def _ignore(_: object) -> None:
    """Say nothing of an engine that does not run a file: it is proved."""


def _judge(result: CheckResult, is_talkative: bool) -> None:
    # Imported late: most runs prove nothing.
    from ....equivalence.compare import Verdict

    original, place, doubt = result.first.name, result.second.name, result.answer.text
    notes: list[Report | str] = [*result.unmatched()]
    has_difference = any(trial.comparison and trial.comparison.difference for trial in result.tried)
    if result.answer.verdict is Verdict.DIFFERENT and (has_difference or result.first.imported is not None):
        raise ReportedError(
            Report(f"the file does not compute what {original} does: {doubt}", place, notes=tuple(notes))
        )
    not_run = [trial.reason for trial in result.tried if trial.comparison is None]
    if result.answer.verdict is Verdict.PROVED:
        notes = [*result.conditions(), *result.assumptions.when_proved()]
        report = Report(f"the file is proved to compute what {original} does", place, severity="remark")
    elif not_run or result.answer.verdict is Verdict.DIFFERENT:
        # An interface that the format of the file cannot say, such as integers of 5 bits.
        reason = f", and it was not run: {not_run[0]}" if not_run else ""
        report = Report(f"the file is not verified: {doubt}{reason}", place, severity="warning")
    else:
        report = Report(f"the file is verified by random inputs only: {doubt}", place, severity="remark")
    if is_talkative or report.severity == "warning":
        say(report.with_notes(*notes))
