"""npu-check: proves that two programs compute the same."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import nullcontext

from xdsl.dialects.func import FuncOp

from ..equivalence.compare import Answer, Verdict, compare
from ..equivalence.numbers import TOLERANCE, CannotRun, compare_numbers
from ..interpreter.files import outside_allowed
from .driver.arguments import count, tolerance
from .driver.check_result import CheckResult, Trial, differing_constants
from .driver.contents import known_by_content
from .driver.file_constants import runner_of
from .driver.main import run_tool
from .driver.output import open_streams
from .driver.program import Program, new_context, read_program
from .driver.tool_parser import ToolParser
from .driver.versions import version_for

BAD_INPUT_EXIT_CODE = 3

DESCRIPTION = """\
Proves that two programs compute the same, independent of the layouts of their values.

Arguments and results are compared as they are stored. In between, layouts may differ, and ops may be reordered, merged
or dropped. Ops that are not known to be pure are compared in program order.
"""

EXIT_CODES = """\
exit codes:
  0  proved: the programs compute the same
  1  different: they do not, and a witness is printed
  2  undecided: neither could be proved
  3  the input or the arguments are invalid
"""


def parse_arguments(args: Sequence[str]) -> argparse.Namespace:
    parser = ToolParser("npu-check", DESCRIPTION, EXIT_CODES, BAD_INPUT_EXIT_CODE)
    parser.add_argument("first", metavar="FIRST", help="a program or an ONNX model, or - for standard input")
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
    parser.add_argument("--json", action="store_true", help="print the verdict as one line of JSON")
    parser.add_common_arguments()
    return parser.parse_args(args)


def run(args: Sequence[str]) -> int:
    """Run npu-check and return the exit code."""
    open_streams()

    def body() -> int:
        arguments = parse_arguments(args)
        context = new_context()
        files = zip((arguments.first, arguments.second), arguments.frontend, strict=True)
        first, second = (read_program(file, context, frontend) for file, frontend in files)
        with outside_allowed() if arguments.allow_outside else nullcontext():
            return check(first, second, arguments)

    return run_tool("npu-check", body, debug="--debug" in args, failure=BAD_INPUT_EXIT_CODE)


def check(first: Program, second: Program, arguments: argparse.Namespace) -> int:
    """Compare two programs, print the verdict, and return the exit code."""
    with known_by_content(first, second):
        answer = compare(first.module, second.module, version_for(first.module, second.module))
    tried: list[Trial] = []
    if answer.verdict is not Verdict.DIFFERENT:
        # If the proof fails, try one input: a witness is better than `undecided`.
        trials = arguments.trials if arguments.numeric else 1
        seeds = range(arguments.seed, arguments.seed + trials)
        if arguments.numeric or answer.verdict is Verdict.UNDECIDED:
            answer, tried = with_numbers(answer, first, second, seeds, arguments.tolerance)
    result = CheckResult(first, second, answer, tried, differing_constants(answer, first, second))
    print(result.as_json() if arguments.json else "\n".join(result.lines()))
    return answer.verdict.value


def with_numbers(
    answer: Answer, first: Program, second: Program, seeds: Sequence[int], tolerance: float
) -> tuple[Answer, list[Trial]]:
    """The answer, or a difference found by a random input; and what was tried."""
    functions = [op for op in first.module.ops if isinstance(op, FuncOp) and op.body.blocks]
    public = [op for op in functions if not (op.sym_visibility and op.sym_visibility.data == "private")]
    tried: list[Trial] = []
    if not seeds:
        return answer, tried
    with runner_of(first) as run_first, runner_of(second) as run_second:
        for function in public:
            name = function.sym_name.data
            try:
                comparison = compare_numbers(run_first, run_second, function, seeds, tolerance)
            except CannotRun as error:
                tried.append(Trial(name, None, str(error)))
                continue
            tried.append(Trial(name, comparison))
            if comparison.difference is not None:
                unmatched = answer.unmatched if answer.function == name else (None, None)
                return Answer(Verdict.DIFFERENT, str(comparison.difference), name, unmatched), tried
    return answer, tried


def main() -> int:
    return run(sys.argv[1:])
