"""npu-check: proves that two programs compute the same."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from ..compat.terminal import one_line
from ..equivalence.compare import Verdict
from ..equivalence.numbers import TOLERANCE
from ..interpreter.files import outside_allowed
from .driver.comparison.certificate import CERTIFICATE_HELP, CertificateAction
from .driver.comparison.check_result import CheckResult
from .driver.comparison.comparison import SECONDS, compare_programs
from .driver.console.main import run_tool
from .driver.console.output import open_streams
from .driver.console.progress import Progress
from .driver.formats.program import Program, new_context, read_both, read_program, with_same_whole_ops
from .driver.options.arguments import JSON_HELP, add_size_arguments, count, fixed_sizes, tolerance
from .driver.options.tool_parser import ToolParser, check_standard_input
from .driver.pipeline.pipeline import check_hardware

DESCRIPTION = """\
Proves that two programs compute the same, independent of the layouts of their values.

Arguments and results are compared in their stored layouts. In between, layouts may differ, and ops may be reordered,
merged or dropped. Ops that are not known to be pure are compared in program order.
"""

EXIT_CODES = """\
exit codes:
  0  proved: the programs compute the same
  1  the input or the arguments are invalid
  2  undecided: neither could be proved
  3  different: they do not compute the same, and a witness is printed
"""


Rereader: TypeAlias = Callable[[bool, frozenset[str]], tuple[Program, Program]]
"""Reads two programs again: with what they compute from their weights as constants, or with these ops of ONNX whole."""


def parse_arguments(args: Sequence[str]) -> argparse.Namespace:
    parser = ToolParser("npu-check", DESCRIPTION, EXIT_CODES)
    parser.add_argument("first", metavar="FIRST", help="a program or a model, or - for standard input")
    parser.add_argument("second", metavar="SECOND", help="the program to compare with")
    parser.add_argument("--numeric", action="store_true", help="also run both programs on random inputs")
    parser.add_argument("--seed", type=count, default=0, help="the seed of the first random input (default 0)")
    parser.add_argument("--trials", type=count, default=3, help="the number of random inputs of --numeric (default 3)")
    parser.add_argument(
        "--tolerance",
        metavar="T",
        type=tolerance,
        default=TOLERANCE,
        help=f"the largest difference of floats on random inputs, relative to the largest number (default {TOLERANCE})",
    )
    parser.add_argument(
        "--target",
        metavar="NAME|FILE",
        help="assume what the table [ops] of this hardware target says about ops of other systems",
    )
    parser.add_argument(
        "--fold-weights",
        action="store_true",
        help="compute at compile time what depends on the weights of a model alone",
    )
    parser.add_argument(
        "--arithmetic",
        action="store_true",
        help="also compare ops by the arithmetic that defines them, which rounds at each step",
    )
    parser.add_argument(
        "--time-limit",
        metavar="SECONDS",
        type=count,
        default=SECONDS,
        help=f"the time limit of the proof; what is not proved by then is undecided (default {SECONDS})",
    )
    parser.add_argument(
        "--tie",
        action="append",
        default=[],
        metavar="FIRST:NAME=SECOND:NAME",
        help="compare only the layouts in which arguments and results of two different programs are stored, as in"
        " --tie 'prefill:present_*=decode:past_*'",
    )
    parser.add_argument("--certificate", action=CertificateAction, metavar="FILE", help=CERTIFICATE_HELP)
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="write the proof about two ONNX models as claims that checkers/check_equal.py follows (.json or .json.gz)",
    )
    add_size_arguments(parser)
    parser.add_argument("--json", action="store_true", help=JSON_HELP)
    parser.add_common_arguments()
    found = parser.parse_args(args)
    check_standard_input(parser, [found.first, found.second])
    return found


def run(args: Sequence[str]) -> int:
    """Run npu-check and return the exit code."""
    open_streams()

    def body() -> int:
        arguments = parse_arguments(args)
        context = new_context(arguments.allow_unregistered_dialect)
        check_hardware(arguments.target)
        own, others = arguments.frontend
        fixed = fixed_sizes(arguments)
        there = fixed.if_there()

        def programs(folds_weights: bool, whole: frozenset[str] = frozenset()) -> tuple[Program, Program]:
            known = arguments.target, folds_weights
            read = partial(read_program, arguments.first, context, own, *known)
            read_other = partial(read_program, arguments.second, context, others, *known)
            if whole:
                return read_both(partial(read, whole=whole), partial(read_other, whole=whole), fixed)
            return with_same_whole_ops(
                *read_both(read, read_other, fixed), partial(read, there), partial(read_other, there)
            )

        first, second = programs(arguments.fold_weights)
        if arguments.trace:
            # Imported late: few runs write a trace.
            from .driver.comparison.trace import check_traced

            check_traced([first, second], arguments.trace)
        if arguments.tie:
            # Imported late: most runs compare what is computed.
            from .driver.comparison.ties import check_ties

            return check_ties(first, second, arguments.tie)
        with outside_allowed() if arguments.allow_outside else nullcontext():
            return check(first, second, arguments, programs)

    return run_tool("npu-check", body, debug="--debug" in args)


def check(first: Program, second: Program, arguments: argparse.Namespace, again: Rereader) -> int:
    """Compare two programs, print the verdict, and return the exit code."""
    # If the proof fails, try one input: a witness is better than `undecided`.
    trials = arguments.trials if arguments.numeric else 1
    seeds, end = range(arguments.seed, arguments.seed + trials), time.monotonic() + arguments.time_limit

    def compared(first: Program, second: Program, seeds: Sequence[int]) -> CheckResult:
        return compare_programs(
            first,
            second,
            seeds,
            always_run=arguments.numeric,
            tolerance=arguments.tolerance,
            target=arguments.target,
            in_real_numbers=arguments.arithmetic,
            seconds=max(0, end - time.monotonic()),
        )

    with Progress().step("comparing"):
        result = compared(first, second, seeds)
        # A proof of ops as they came, or of folded weights, takes longer than most proofs.
        for folds, whole in _other_readings(result, arguments):
            other = compared(*again(folds, whole), seeds if arguments.numeric else ())
            if other.answer.verdict is Verdict.PROVED:
                result = replace(other, folds_weights=folds and not arguments.fold_weights)
                break
    result = replace(result, untried=_untried(result, arguments))
    if arguments.trace and result.answer.verdict is Verdict.PROVED:
        # Imported late: few runs write a trace.
        from .driver.comparison.trace import write_trace

        write_trace(result, arguments.trace)
    print(result.as_json() if arguments.json else "\n".join(map(one_line, result.lines())))
    return result.answer.verdict.value


def _other_readings(result: CheckResult, arguments: argparse.Namespace) -> Iterator[tuple[bool, frozenset[str]]]:
    """The ways of reading ONNX models again after a proof that has failed."""
    if not result.may_be_read_again:
        return
    # Imported late: the package onnx is an extra.
    from ..bridges.onnx.importing.expanded import MAY_BE_WHOLE

    yield arguments.fold_weights, MAY_BE_WHOLE
    if not arguments.fold_weights:
        yield True, frozenset[str]()


def _untried(result: CheckResult, arguments: argparse.Namespace) -> list[str]:
    """The flags that compare more, and were not given. LiteRT models are compared as arithmetic in any case."""
    imported = [each.imported for each in (result.first, result.second) if each.imported is not None]
    is_arithmetic = arguments.arithmetic or any(each.format == "litert" for each in imported)
    return ["--arithmetic"] * (not is_arithmetic)


def main() -> int:
    return run(sys.argv[1:])
