"""The page of HTML of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ..passes.common.demands.target_layouts import TargetLayouts
from ..passes.placement.layout_pass import LayoutPass
from ..targets import load
from ..tools.driver.console.output import write_file
from ..tools.driver.formats.program import Program
from ..tools.report.facts import ReportFacts, proof_text, row_of, versions
from ..tools.report.groups import SeenGroups
from ..tools.report.page import NamedProgram, page_text
from ..tools.report.times import read_times
from .errors import NpuOptError, raised_as_own
from .paths import StrPath


class ReportedRun(NamedTuple):
    """A program, and how it was made."""

    program: Program
    choices: Sequence[tuple[LayoutPass, ModuleOp]]
    """The layout passes that ran, with their inputs."""
    left_unchanged: Sequence[str]
    groups: SeenGroups | None
    summary: str
    """The figures in a line."""


def write_report(run: ReportedRun, path: StrPath, times: StrPath | None) -> None:
    """Write a page about a program, and about its difference to the input of the first layout pass, if one ran."""
    name = Path(run.program.name).name
    facts = [("result", run.summary)]
    target = next((getattr(choice, "target", None) for choice, _ in run.choices), None)
    demands = None if target is None else TargetLayouts(load(target))
    programs = [NamedProgram("after" if run.choices else "program", run.program.module, demands, run.groups)]
    hardware = None if target is None else load(target)
    priced = hardware if hardware is not None and hardware.costs is not None else None
    rows = [row_of("after", run.program.module, priced)]
    if run.choices:
        before = run.choices[0][1]
        facts.append(("proof", proof_text(before, run.program.module)))
        rows.insert(0, row_of("before", before, priced))
        programs.insert(0, NamedProgram("before", before, None))
    facts += [("left unchanged", text) for text in run.left_unchanged]
    with raised_as_own():
        measured = None if times is None else read_times(str(times))
        text = page_text(ReportFacts(f"{name} for {target}", [*facts, versions()], rows), programs, measured)
    try:
        write_file(str(path), text)
    except OSError as error:
        raise NpuOptError(f"cannot write '{path}': {error.strerror}") from error
