"""`--check-target`: the problems of a target, by itself and with a program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ... import targets
from ...passes.describe_ops import describe
from ...passes.fusion.target_use import TargetUse
from ...passes.transmit.apply import transmit
from ...targets.findings import Finding, findings
from ...targets.toml_lines import line_of
from ...targets.toml_table import TomlTable
from .output import write_stdout
from .program import new_context, read_program


def check_target(name: str, program_file: str | None, frontend: str) -> int:
    """Print the problems of a target, and return the exit code: 1 if one of them is an error."""
    target = targets.load(name)
    shipped = targets.available().get(name)
    table = TomlTable.read(shipped or Path(name))
    title = shipped.name if shipped else name
    found, lines = findings(target), list[str]()
    if program_file is not None:
        program = read_program(program_file, new_context(), frontend, name)
        lines += [f"{program.name}: note: {problem}" for problem in describe(program.module, target.vendor_ops)]
        transmit(program.module)
        use = TargetUse(program.module, target)
        found += use.findings()
        lines += [f"{program.place(each.op)}: note: {each.message}" for each in use.op_findings()]
        lines.append(f"{program.name}: {use.summary()}")
    errors = sum(each.is_error for each in found)
    notes = len(found) - errors + sum(": note: " in line for line in lines)
    summary = f"{title}: {_count(errors, 'error')}, {_count(notes, 'note')}"
    return write_stdout("\n".join([*_in_order(found, table, title), *lines, summary, ""])) or int(errors > 0)


def _in_order(found: Sequence[Finding], table: TomlTable, title: str) -> list[str]:
    """A line for each finding, in the order of the file."""
    placed = [(line_of(table.lines, each.path), each) for each in found]
    placed.sort(key=lambda pair: pair[0])
    return [f"{title}:{line}: {'error' if each.is_error else 'note'}: {each.message}" for line, each in placed]


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
