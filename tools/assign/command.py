"""`npu-opt --assign problem.json`."""

from __future__ import annotations

import argparse

from ...text.diagnostics import Report, ReportedError
from ..driver.console.exit_codes import NO, UNDECIDED
from ..driver.console.output import say, write_file, write_stdout
from ..driver.console.progress import Progress
from ..observers.certificate_file import checked_name, write_certificate
from .assignment import Assignment, Status, solved
from .reading import read_problem_file

TIME_LIMIT = 60.0
"""Seconds in which a choice is looked for and proved."""
EXIT_CODES = {Status.PROVED: 0, Status.NOT_PROVED: UNDECIDED, Status.INFEASIBLE: NO}


def run_assign(args: argparse.Namespace) -> int:
    """Write the answer to a problem, and return the exit code."""
    if args.passes or args.input_file is not None:
        raise ReportedError(Report("argument --assign: expected no program and no passes, as it reads a problem only"))
    if args.certificate is not None:
        checked_name(args.certificate)
    problem = read_problem_file(args.assign)
    with Progress().step("assigning") as step:
        limit = TIME_LIMIT if args.time_limit is None else args.time_limit
        answer = solved(problem, limit, step.update)
    name = "<stdin>" if args.assign == "-" else args.assign
    code = _write(answer.as_json(), args.output_file)
    say(_report(answer, name))
    if args.certificate is not None and answer.solution is not None:
        write_certificate(answer.certificate(limit).of_program(name), args.certificate)
    return code or EXIT_CODES[answer.status]


def _report(answer: Assignment, name: str) -> str:
    if answer.status is Status.INFEASIBLE:
        return str(Report("no choice of layouts is possible", name).with_notes(*answer.contradiction))
    return f"{name}: {answer}"


def _write(text: str, file: str | None) -> int:
    if file in (None, "-"):
        return write_stdout(text)
    try:
        write_file(file, text)
    except OSError as error:
        raise ReportedError(Report(f"cannot write '{file}': {error.strerror}")) from error
    return 0
