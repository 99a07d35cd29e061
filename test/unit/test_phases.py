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
    ("fusion/stages/operand_layouts.py", "transmit"),
    ("optimal/traffic/choice.py", "fusion"),
    ("optimal/traffic/bound.py", "fusion"),
    ("optimal/traffic/placed_copy.py", "fusion"),
    ("cover/traffic_value.py", "fusion"),
}
"""The exceptions: what decides by layouts colours the program first, and bytes that travel do so between groups."""


def imported_modules(file: Path) -> Iterator[str]:
    """The modules of passes/ that a file imports, as `phase` or `phase.module`."""
    depth = len(file.relative_to(PASSES).parts)
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            inside = file.relative_to(PASSES).parts[:-1][: depth - node.level] if node.level <= depth else None
            if inside is not None:
                yield ".".join((*inside, *(node.module or "").split("."))).strip(".")


def test_passes_holds_passes_and_ten_phases():
    phases = "common fusion norms optimal pins placement quantised shuffles transmit windows"
    assert phases.split() == PHASES
    modules = {file.stem for file in PASSES.glob("*.py")} - {"__init__"}
    assert modules == {entry.module for entry in PASS_TABLE.values()}, "passes/ holds passes; helpers go into a phase"


@pytest.mark.parametrize("phase", PHASES)
def test_phases_import_common_only(phase: str):
    found = {
        (str(file.relative_to(PASSES)), module.split(".")[0])
        for file in (PASSES / phase).glob("*.py")
        for module in imported_modules(file)
    }
    others = {(file, other) for file, other in found if other not in ("", phase, "common")}
    assert others <= ALLOWED, f"move what {phase} shares with others to passes/common"
