"""npu-check: proves that two programs compute the same."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import nullcontext

from xdsl.dialects.func import FuncOp

from .. import __version__
from ..equivalence.compare import Answer, Verdict, compare
from ..equivalence.numbers import CannotRun, difference
from ..interpreter.files import outside_allowed
from ..text.printer import brief_text
from .driver.arguments import ALLOW_OUTSIDE, ALLOW_OUTSIDE_HELP, count
from .driver.contents import known_by_content
from .driver.file_constants import runner_of
from .driver.main import run_tool
from .driver.output import open_streams
from .driver.program import Program, new_context, read_program
from .driver.versions import version_for

BAD_INPUT_EXIT_CODE = 3

DESCRIPTION = """\
Proves that two programs compute the same, whatever the order in which they store their values.

Arguments and results are compared as they are stored. What lies between may be re-laid, re-ordered, merged or dropped;
ops that are not known to be pure are compared in sequence.
"""

EXIT_CODES = """\
exit codes:
  0  proved: the programs compute the same
  1  different: they do not, and there is a witness
  2  undecided: neither could be shown
  3  the input or the arguments are wrong
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> "None":  # pyright: ignore[reportIncompatibleMethodOverride]  # argparse says NoReturn; so does exit().
        self.exit(BAD_INPUT_EXIT_CODE, f"npu-check: error: {message}\n")


def parse_arguments(args: Sequence[str]) -> argparse.Namespace:
    parser = _Parser(
        "npu-check",
        description=DESCRIPTION,
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("first", metavar="FIRST", help="a program or an ONNX model, or - for standard input")
    parser.add_argument("second", metavar="SECOND", help="the program to compare it with")
    parser.add_argument("--numeric", action="store_true", help="also run both programs on random inputs")
    parser.add_argument("--seed", type=count, default=0, help="the seed of the first random input (default 0)")
    parser.add_argument("--trials", type=count, default=3, help="how many random inputs --numeric tries (default 3)")
    parser.add_argument(ALLOW_OUTSIDE, action="store_true", help=ALLOW_OUTSIDE_HELP)
    parser.add_argument("--debug", action="store_true", help="show Python's own account of an error")
    parser.add_argument("--version", action="version", version=f"npu-check {__version__}")
    return parser.parse_args(args)


def run(args: Sequence[str]) -> int:
    """Run npu-check; the exit code."""
    open_streams()
    arguments = parse_arguments(args)

    def body() -> int:
        context = new_context()
        first, second = (read_program(file, context) for file in (arguments.first, arguments.second))
        with outside_allowed() if arguments.allow_outside else nullcontext():
            return check(first, second, arguments)

    return run_tool("npu-check", body, debug=arguments.debug, failure=BAD_INPUT_EXIT_CODE)


def check(first: Program, second: Program, arguments: argparse.Namespace) -> int:
    """Compare two programs, say what is known of them, and return the exit code."""
    with known_by_content(first, second):
        answer = compare(first.module, second.module, version_for(first.module, second.module))
    if answer.verdict is not Verdict.DIFFERENT:
        # One input is tried wherever the proof fails: a difference that shows is worth more than a doubt.
        trials = arguments.trials if arguments.numeric else 1
        seeds = range(arguments.seed, arguments.seed + trials)
        if arguments.numeric or answer.verdict is Verdict.UNDECIDED:
            answer = with_numbers(answer, first, second, seeds)
    print("\n".join(lines(answer, first, second)))
    return answer.verdict.value


def with_numbers(answer: Answer, first: Program, second: Program, seeds: Sequence[int]) -> Answer:
    """The answer, or the difference that shows on a random input."""
    functions = [op for op in first.module.ops if isinstance(op, FuncOp) and op.body.blocks]
    public = [op for op in functions if not (op.sym_visibility and op.sym_visibility.data == "private")]
    with runner_of(first) as run_first, runner_of(second) as run_second:
        for function in public:
            try:
                found = difference(run_first, run_second, function, seeds)
            except CannotRun as error:
                print(f"note: @{function.sym_name.data} was not run: {error}", file=sys.stderr)
                continue
            if found is None:
                continue
            name = function.sym_name.data
            unmatched = answer.unmatched if answer.function == name else (None, None)
            return Answer(Verdict.DIFFERENT, str(found), name, unmatched)
    return answer


def lines(answer: Answer, first: Program, second: Program) -> list[str]:
    """What is printed of an answer."""
    if answer.verdict is Verdict.PROVED:
        return [f"proved: {first.name} and {second.name} compute the same"]
    word = "different" if answer.verdict is Verdict.DIFFERENT else "undecided"
    found = [f"{word}: {answer.text}"]
    for program, op, other in zip((first, second), answer.unmatched, ("second", "first"), strict=True):
        if op is not None:
            found.append(f"{program.place(op)}: note: the {other} program has nothing equal to: {brief_text(op)}")
    return found


def main() -> int:
    return run(sys.argv[1:])
