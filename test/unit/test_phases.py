"""The folders of passes/: phases are independent, and shared code is in passes/common."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from npu_opt.passes import PASS_TABLE
from support.source_tree import ROOT

PASSES = ROOT / "passes"
PHASES = sorted(folder.name for folder in PASSES.iterdir() if (folder / "__init__.py").exists())

ALLOWED = {
    ("placement/layout_pass.py", "transmit"),
    ("placement/blocks", "optimal"),
    ("fusion/stages/operand_layouts.py", "transmit"),
    ("cover", "fusion"),
    ("optimal/choice/mode_choice.py", "cover"),
    ("optimal/traffic", "cover"),
    ("optimal/traffic", "fusion"),
}
"""The exceptions, by files and folders: what decides by layouts colours the program first, bytes that travel do so
between groups, and where blocks are demanded rules choose among modes."""


def imported_modules(file: Path) -> Iterator[str]:
    """The modules of passes/ that a file imports, as `phase` or `phase.module`."""
    depth = len(file.relative_to(PASSES).parts)
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            inside = file.relative_to(PASSES).parts[:-1][: depth - node.level] if node.level <= depth else None
            if inside is not None:
                yield ".".join((*inside, *(node.module or "").split("."))).strip(".")


def is_allowed(file: Path, other: str) -> bool:
    places = (place for place in (file, *file.parents) if PASSES in place.parents)
    return any((str(place.relative_to(PASSES)), other) in ALLOWED for place in places)


def test_passes_holds_passes_and_nine_phases():
    phases = "common cover fusion loops optimal patterns pins placement transmit"
    assert phases.split() == PHASES
    modules = {file.stem for file in PASSES.glob("*.py")} - {"__init__"}
    registered = {entry.module for entry in PASS_TABLE.values() if not entry.module.startswith(".")}
    assert modules == registered, "passes/ holds passes; helpers go into a phase"


@pytest.mark.parametrize("phase", PHASES)
def test_phases_import_common_only(phase: str):
    others = {
        (str(file.relative_to(PASSES)), module)
        for file in (PASSES / phase).rglob("*.py")
        for module in imported_modules(file)
        if (other := module.split(".")[0]) not in ("", phase, "common") and not is_allowed(file, other)
    }
    assert others == set(), f"move what {phase} shares with others to passes/common"


def test_every_exception_is_needed():
    needed = {
        (place, other)
        for place, other in ALLOWED
        for file in ([PASSES / place] if place.endswith(".py") else (PASSES / place).rglob("*.py"))
        if any(module.split(".")[0] == other for module in imported_modules(file))
    }
    assert needed == ALLOWED
