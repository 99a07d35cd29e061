"""`--check-target`: the problems of a target, by itself and with a program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .... import targets
from ....dialects.settings.file_rules import ANYTHING, FileRules
from ....passes.describe_ops import describe
from ....passes.fusion.stages.target_use import TargetUse
from ....passes.transmit.apply import transmit
from ....targets.findings import Finding, findings
from ....targets.toml_lines import line_of
from ....targets.toml_table import TomlTable
from ..console.exit_codes import ERROR, NO, UNDECIDED
from ..console.output import write_stdout
from ..formats.model_formats import model_format
from ..formats.models import whole_ops
from ..formats.program import new_context, read_program


def check_target(name: str, program_file: str | None, frontend: str) -> int:
    """Print the problems of a target, and return the exit code: 1 if one of them is an error.

    If there is none, a model that breaks its rules for files is a no.
    """
    target = targets.load(name)
    shipped = targets.available().get(name)
    table = TomlTable.read(shipped or Path(name))
    title = shipped.name if shipped else name
    found, lines = findings(target), list[str]()
    if program_file is not None:
        program = read_program(program_file, new_context(), frontend, name, whole=whole_ops(name))
        lines += [f"{program.name}: note: {problem}" for problem in describe(program.module, target.vendor_ops)]
        transmit(program.module)
        use = TargetUse(program.module, target)
        found += use.findings()
        lines += [f"{program.place(each.op)}: note: {each.message}" for each in use.op_findings()]
        lines.append(f"{program.name}: {use.summary()}")
    errors = sum(each.is_error for each in found)
    notes = len(found) - errors + sum(": note: " in line for line in lines)
    summary = f"{title}: {_count(errors, 'error')}, {_count(notes, 'note')}"
    answer = 0
    if program_file is not None and model_format(program_file, frontend) == "onnx" and target.file_rules != ANYTHING:
        breaches, answer = _broken_rules(program_file, target.file_rules, title)
        lines += breaches
    text = "\n".join([*_in_order(found, table, title), *lines, summary, ""])
    return write_stdout(text) or (ERROR if errors else answer)


def _broken_rules(file: str, rules: FileRules, title: str) -> tuple[list[str], int]:
    """A line for each place where a model breaks the rules of the target, and the exit code."""
    # Imported late: the package onnx is an extra.
    from ....bridges.onnx.file_rules import breaches_of_file

    breaches = breaches_of_file(Path(file), rules)
    lines = [f"{file}: error: {each}" for each in breaches.found]
    lines += [f"{file}: note: not known: {each}" for each in breaches.unknown]
    places = _count(len(breaches.found), "place")
    if breaches.found:
        return [*lines, f"{file}: breaks the rules of {title} in {places}"], NO
    if breaches.unknown:
        return [*lines, f"{file}: may break the rules of {title}"], UNDECIDED
    return [f"{file}: obeys the rules of {title}"], 0


def _in_order(found: Sequence[Finding], table: TomlTable, title: str) -> list[str]:
    """A line for each finding, in the order of the file."""
    placed = [(line_of(table.lines, each.path), each) for each in found]
    placed.sort(key=lambda pair: pair[0])
    return [f"{title}:{line}: {'error' if each.is_error else 'note'}: {each.message}" for line, each in placed]


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
