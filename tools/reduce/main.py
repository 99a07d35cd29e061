"""npu-reduce: the smallest part of a program for which a command still fails."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ...compat.process import exit_code_of
from ...text.diagnostics import Report, ReportedError
from ..driver.console.main import run_tool
from ..driver.console.output import open_streams, say, write_file, write_stdout
from ..driver.formats.program import new_context, read_program
from ..driver.options.arguments import JSON_HELP, count
from ..driver.options.tool_parser import ToolParser
from .command import Command, EndOfRun, candidate_file
from .reducer import Reducer, count_ops, program_text

DESCRIPTION = """\
Makes a program smaller while a command keeps failing on it: functions, ops, arguments, results and attributes are left
out, constants filled with one number, and dimensions made smaller. Every program that is tried is valid.

The command is run by a shell, with the program's file as its last argument, or in the place of {} if it has one:
  npu-reduce bad.mlir --test 'npu-opt --layout-optimal' --stderr 'please report this' -o small.mlir
  npu-reduce bad.mlir --test './interesting.sh' -o small.mlir
"""

EXIT_CODES = """\
exit codes:
  0    the smallest program found was written
  1    an error: nothing was written
  130  interrupted: the smallest program so far was written
"""

NOT_RUN = (126, 127)
"""The exit codes of a shell that cannot run a command."""
SECONDS = 60


def parse_arguments(args: Sequence[str]) -> argparse.Namespace:
    parser = ToolParser("npu-reduce", DESCRIPTION, EXIT_CODES)
    parser.add_argument("program", metavar="PROGRAM", help="a program or a model, or - for standard input")
    parser.add_argument("--test", metavar="COMMAND", required=True, help="the command that fails on the program")
    parser.add_argument(
        "--stderr", metavar="TEXT", help="it fails if its standard error has this text (default: by its exit code)"
    )
    parser.add_argument(
        "--exit-code",
        metavar="N",
        type=count,
        help="it fails with this exit code (default: that of the program, not 0)",
    )
    parser.add_argument(
        "--time-limit", metavar="SECONDS", type=count, default=SECONDS, help=f"time limit of a run (default {SECONDS})"
    )
    parser.add_argument(
        "-o", "--output-file", metavar="FILE", default="-", help="write the result to FILE, not to stdout"
    )
    parser.add_argument("--json", action="store_true", help=f"{JSON_HELP}, to stderr")
    parser.add_common_arguments()
    return parser.parse_args(args)


def run(args: Sequence[str]) -> int:
    """Run npu-reduce and return the exit code."""
    open_streams()
    return run_tool("npu-reduce", lambda: _reduce(parse_arguments(args)), debug="--debug" in args)


def _reduce(arguments: argparse.Namespace) -> int:
    program = read_program(arguments.program, new_context(arguments.allow_unregistered_dialect), arguments.frontend[0])
    near = Path(arguments.output_file if arguments.program == "-" else arguments.program)
    with candidate_file(near) as file:
        command = Command(arguments.test, file, arguments.time_limit)
        fails = _failure(arguments, command.run(program_text(program.module)))
        reducer = Reducer(program.module, lambda text: fails(command.run(text)))
        code = _until_interrupted(reducer)
    before, after = count_ops(program.module), count_ops(reducer.module)
    if arguments.json:
        programs = [arguments.program, arguments.output_file]
        say(json.dumps({"programs": programs, "ops": [before, after], "runs": command.runs}))
    else:
        counts = [f"{count} {noun}{'s' * (count != 1)}" for count, noun in ((before, "op"), (command.runs, "run"))]
        say(f"{arguments.program}: note: {counts[0]} became {after}, in {counts[1]} of the command")
    return _write(program_text(reducer.module), arguments.output_file) or code


def _until_interrupted(reducer: Reducer) -> int:
    """Reduce, and return the exit code."""
    try:
        reducer.reduce()
    except KeyboardInterrupt as stop:
        return exit_code_of(stop)
    return 0


def _failure(arguments: argparse.Namespace, first: EndOfRun) -> Callable[[EndOfRun], bool]:
    """The test whether a run has failed as the first one did; raises `ReportedError` if that has not failed."""
    text, code = arguments.stderr, arguments.exit_code
    if first.code is None:
        raise _error(f"it took more than {arguments.time_limit} s (--time-limit)")
    if first.code in NOT_RUN and code is None:
        raise _error(f"the shell cannot run it: exit code {first.code}: {first.stderr.strip()}")
    if text is not None and text not in first.stderr:
        raise _error(f"its standard error does not have '{text}'")
    if code is not None and code != first.code:
        raise _error(f"its exit code is {first.code}, not {code}")
    if text is None and code is None:
        if first.code == 0:
            raise _error("its exit code is 0")
        code = first.code
    return lambda run: (code is None or run.code == code) and (text is None or text in run.stderr)


def _error(reason: str) -> ReportedError:
    return ReportedError(
        Report(f"argument --test: the command does not fail on the program as npu-opt prints it: {reason}")
    )


def _write(text: str, file: str) -> int:
    if file == "-":
        return write_stdout(text)
    try:
        write_file(file, text)
    except OSError as error:
        raise ReportedError(Report(f"cannot write '{file}': {error.strerror}")) from error
    return 0


def main() -> int:
    return run(sys.argv[1:])
