"""The page of HTML of a result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..passes.common.target_layouts import TargetLayouts
from ..targets import load
from ..tools.driver.output import write_file
from ..tools.report.facts import ReportFacts, cost_text, proof_text, row_of, versions
from ..tools.report.page import NamedProgram, page_text
from ..tools.report.times import read_times
from .errors import NpuOptError, raised_as_own
from .inputs import StrPath

if TYPE_CHECKING:
    from .results import Result


def write_report(result: Result, path: StrPath, times: StrPath | None) -> None:
    """Write a page about a program, and about its difference to the input of the first layout pass, if one ran."""
    name = Path(result.program.name).name
    facts = [("transposes", str(result))]
    target = next((getattr(choice, "target", None) for choice, _ in result.choices), None)
    demands = None if target is None else TargetLayouts(load(target))
    programs = [NamedProgram("after" if result.choices else "program", result.module, demands, result.groups)]
    hardware = None if target is None else load(target)
    priced = hardware if hardware is not None and hardware.costs is not None else None
    rows = [row_of("after", result.module, priced)]
    if result.choices:
        before = result.choices[0][1]
        facts.append(("proof", proof_text(before, result.module)))
        rows.insert(0, row_of("before", before, priced))
        facts.append(("before", cost_text(rows[0])))
        programs.insert(0, NamedProgram("before", before, None))
    facts += [("left unchanged", text) for text in result.left_unchanged]
    with raised_as_own():
        measured = None if times is None else read_times(str(times))
        text = page_text(ReportFacts(f"{name} for {target}", [*facts, versions()], rows), programs, measured)
    try:
        write_file(str(path), text)
    except OSError as error:
        raise NpuOptError(f"cannot write '{path}': {error.strerror}") from error
