"""Comparison of two programs: by a proof, then on random inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp

from ....bridges.torch.calls import ASSERTS, SYSTEMS
from ....dialects.npu.source import OpaqueOp
from ....dialects.program.symbols import is_private
from ....equivalence.compare import Answer, Verdict, compare
from ....equivalence.numbers import TOLERANCE, CannotRun, compare_numbers, with_interface_of
from ....equivalence.signatures import taken_sizes
from ....equivalence.symbols import public_functions
from ..console.output import Say, say
from ..execution.file_constants import runner_of
from ..formats.program import Program
from .assumptions import Assumptions
from .check_result import CheckResult, Trial, differing_constants
from .constant_digests import MOST_BYTES, MOST_BYTES_OF_MODELS, known_by_content

SECONDS = 600
"""The default limit of time of a proof."""


def compare_programs(
    first: Program,
    second: Program,
    seeds: Sequence[int],
    *,
    always_run: bool,
    tolerance: float = TOLERANCE,
    note: Say = say,
    target: str | None = None,
    in_real_numbers: bool = False,
    seconds: float = inf,
) -> CheckResult:
    """Compare by a proof; if that fails, or always, also on the random inputs of these seeds.

    What a `target` says about ops of other systems is believed, and written into both programs. With `in_real_numbers`,
    ops are also compared as the arithmetic that defines them, as those of LiteRT models are in any case.
    The proof ends after `seconds`. `note` gets a message for each constant that could not be read, and if ONNX Runtime
    does not run a model.
    """
    assumptions = Assumptions.of(first, second, target, note)
    # LiteRT has few ops, so its models have many ops of the dialect as arithmetic; weights are stored transposed.
    is_lite = any(each.imported and each.imported.format == "litert" for each in (first, second))
    is_written_out = in_real_numbers or is_lite or any(map(_has_blocks_of_onnx, (first, second)))
    most_bytes = MOST_BYTES_OF_MODELS if in_real_numbers or is_lite else MOST_BYTES
    with known_by_content(first, second, note=note, most_bytes=most_bytes):
        # The integers of MLIR have no sign in their types, those of models have.
        has_signs = first.imported is not None and second.imported is not None
        answer = compare(
            first.module, second.module, by_formulas=is_written_out, seconds=seconds, signs_count=has_signs
        )
    answer = _with_interfaces(first, second, answer)
    runs = answer.verdict is Verdict.UNDECIDED or (always_run and answer.verdict is Verdict.PROVED)
    tried = run_both(first, second, seeds, tolerance, note) if runs and seeds else []
    found = tried[-1].comparison if tried else None
    if found is not None and found.difference is not None:
        name = tried[-1].function
        unmatched = answer.unmatched if answer.function == name else (None, None)
        answer = Answer(Verdict.DIFFERENT, str(found.difference), name, unmatched)
    return CheckResult(first, second, answer, tried, differing_constants(answer, first, second), assumptions)


def _with_interfaces(first: Program, second: Program, answer: Answer) -> Answer:
    """The answer about two programs of PyTorch, whose interfaces say more than the types of their tensors."""
    both = [each.imported.came for each in (first, second) if each.imported and each.imported.format == "torch"]
    if len(both) < 2 or answer.verdict is Verdict.DIFFERENT:
        return answer
    # Imported late: the package torch is an extra.
    from ....bridges.torch.programs.interfaces import TorchInterface

    found = TorchInterface.of(both[0]).difference(TorchInterface.of(both[1]))
    if found is None:
        return answer
    return Answer(Verdict.DIFFERENT if found.is_sure else Verdict.UNDECIDED, found.text)


def run_both(
    first: Program, second: Program, seeds: Sequence[int], tolerance: float = TOLERANCE, note: Say = say
) -> list[Trial]:
    """The functions of two programs on the random inputs of these seeds, up to the first one with a difference."""
    tried: list[Trial] = []
    undetermined = _undetermined(first.module) or _undetermined(second.module)
    with runner_of(first, note) as run_first, runner_of(second, note) as run_stored:
        run_second = with_interface_of(first.module, second.module, run_stored)
        for function in _public_functions(first.module):
            name = function.sym_name.data
            if undetermined:
                tried.append(Trial(name, None, undetermined))
                continue
            try:
                sizes = taken_sizes(function, public_functions(second.module)[name])
                found = compare_numbers(run_first, run_second, function, seeds, tolerance, sizes)
            except CannotRun as error:
                tried.append(Trial(name, None, str(error)))
                continue
            tried.append(Trial(name, found))
            if found.difference is not None:
                break
    return tried


def _undetermined(module: ModuleOp) -> str:
    """The reason why a run of a program says nothing about another one; empty if there is none."""
    for op in module.walk():
        if not isinstance(op, OpaqueOp) or not op.op_name.data.startswith(("onnx.", *SYSTEMS)):
            continue
        if op.pure is None and not op.op_name.data.startswith(ASSERTS):
            return f"'{op.op_name.data}' may compute other numbers in each run"
        is_sorted = op.attributes.get("sorted") if op.op_name.data == "onnx.TopK" else None
        if isinstance(is_sorted, IntegerAttr) and not is_sorted.value.data:
            return f"'{op.op_name.data}' with sorted = 0 may return elements in any order"
    return ""


def _has_blocks_of_onnx(program: Program) -> bool:
    """True if a program is a model with blocks of ONNX Runtime, which have norms and means as other ops."""
    if program.imported is None or program.imported.format != "onnx":
        return False
    # Imported late: the package onnx is an extra.
    from ....bridges.onnx.nchwc import noted_in

    return noted_in(program.module) is not None


def _public_functions(module: ModuleOp) -> Iterator[FuncOp]:
    """The public functions with a body."""
    for op in module.ops:
        if isinstance(op, FuncOp) and op.body.blocks and not is_private(op):
            yield op
