"""Layouts of tensors that are names, for other compilers: `assign`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..tools.assign.assignment import Assignment, solved
from ..tools.assign.command import TIME_LIMIT
from ..tools.assign.fields import FieldError
from ..tools.assign.problem import read_problem
from ..tools.assign.reading import read_problem_file
from .errors import NpuOptError, raised_as_own
from .paths import StrPath, path_text


def assign(problem: Mapping[str, Any] | StrPath, *, time_limit: float = TIME_LIMIT) -> Assignment:
    """The cheapest layouts of the tensors of a problem, with the proof that no others cost less.

    The problem is the path of a JSON file, or what such a file holds: docs/assign.md describes it. Behind `time_limit`
    seconds the answer is the best one so far, with a bound.
    """
    if not time_limit >= 0:
        raise NpuOptError(f"argument time_limit: expected a number of at least 0, found {time_limit}")
    if (path := path_text(problem)) is not None:
        # A file, and not standard input, which is the tools' meaning of a dash.
        with raised_as_own(path):
            read = read_problem_file(os.path.join(os.curdir, path) if path == "-" else path)
    else:
        try:
            read = read_problem(problem)
        except FieldError as error:
            raise NpuOptError(f"argument problem: {error}") from error
    return solved(read, time_limit, lambda _bound, _cost: None)
