"""The generic format survives a round trip through MLIR.

MLIR does not know the dialect; it reads the ops as unregistered ones and has to keep every attribute,
property, type and layout. One known gap is xDSL's: dense i1 data of more than 100 elements is written in
hexadecimal with one byte per element, where MLIR packs bits.
"""

import importlib
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support import optional_tools
from support.ir_text import CASE_SEPARATOR, parse, print_generic, split_cases
from support.source_tree import ROOT
from xdsl.dialects.builtin import ModuleOp

DIALECT_TESTS = ROOT / "test" / "dialects" / "npu"
BINDINGS = optional_tools.mlir_bindings()
MLIR_OPT = optional_tools.mlir_opt()
FILES = [
    pytest.param(file, id=str(file.relative_to(DIALECT_TESTS))) for file in sorted(DIALECT_TESTS.rglob("ops*.mlir"))
]


def through_bindings(cases: list[str]) -> list[str]:
    ir: Any = importlib.import_module(f"{BINDINGS.location}.ir")
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        return [ir.Module.parse(case).operation.get_asm(print_generic_op_form=True) for case in cases]


def through_mlir_opt(cases: list[str]) -> list[str]:
    options = ("--allow-unregistered-dialect", "--mlir-print-op-generic", "--split-input-file")
    done = subprocess.run(
        [str(MLIR_OPT.location), *options],
        input=f"\n{CASE_SEPARATOR}\n".join(cases),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return split_cases(done.stdout)


def read_cases(file: Path) -> list[ModuleOp]:
    return [parse(case) for case in split_cases(file.read_text())]


def settled(module: ModuleOp) -> str:
    """The custom format without the names of values and the order of extra attributes, which MLIR does not keep."""
    for op in module.walk():
        op.attributes = dict(sorted(op.attributes.items()))
        arguments = [arg for region in op.regions for block in region.blocks for arg in block.args]
        for value in (*op.results, *arguments):
            value.name_hint = None
    return str(module)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.skipif(BINDINGS.location is None, reason=BINDINGS.note)
def test_bindings_keep_our_text(file: Path):
    cases = read_cases(file)
    returned = through_bindings([print_generic(case) for case in cases])
    assert [settled(parse(text)) for text in returned] == [settled(case) for case in cases]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.skipif(MLIR_OPT.location is None, reason=MLIR_OPT.note)
def test_mlir_opt_keeps_our_text(file: Path):
    cases = read_cases(file)
    returned = through_mlir_opt([print_generic(case) for case in cases])
    assert [settled(parse(text)) for text in returned] == [settled(case) for case in cases]
