"""The modules that a run of npu-opt loads: start-up is most of the time of a small one."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.source_tree import ROOT

CODE = """
import sys
from npu_opt.tools.opt import run
code = run(sys.argv[1:])
print("", *sys.modules, sep="\\n")
sys.exit(code)
"""
HEAVY = {
    *("google.protobuf", "numpy", "onnx", "onnxruntime", "rich", "safetensors", "scipy", "torch_mlir"),
    *("npu_opt.bridges.mlir", "npu_opt.bridges.onnx", "npu_opt.equivalence", "npu_opt.interpreter"),
    *("difflib", "hashlib", "mmap", "shlex", "traceback"),
}
"""Modules for numbers, models, proofs and errors."""
OBSERVERS = ("expectations", "match_transposes", "remarks", "seen_transposes", "stats", "verify_layouts")


def loaded(*arguments: str) -> set[str]:
    """The modules that a run has loaded."""
    command = [sys.executable, "-c", CODE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines())


def test_help_loads_neither_the_parser_nor_the_dialect():
    modules = loaded("--help")
    assert "npu_opt.tools.opt" in modules
    assert sorted(modules & HEAVY) == []
    assert not modules & {f"npu_opt.{name}" for name in ("compat.xdsl", "dialects", "layout", "targets")}
    assert not modules & {"npu_opt.text.parser", "npu_opt.text.printer", "xdsl.irdl.declarative_assembly_format"}


@pytest.mark.parametrize("command", ["--layout-preset", "--layout-preset-npu", "--layout-transmit", "--canonicalize"])
def test_a_layout_pass_loads_nothing_for_numbers(command: str, tmp_path: Path):
    modules = loaded(str(ROOT / "examples" / "two_branches.mlir"), command, "-o", str(tmp_path / "out.mlir"))
    assert "npu_opt.dialects.npu" in modules
    assert sorted(modules & HEAVY) == []


def test_nothing_is_loaded_that_is_not_asked_for(tmp_path: Path):
    file = tmp_path / "in.mlir"
    file.write_text("func.func @main() {\n  func.return\n}")
    modules = loaded(str(file), "--cse", "-o", str(tmp_path / "out.mlir"))
    assert "npu_opt.tools.observers.base" in modules
    assert sorted(modules & HEAVY) == []
    assert not modules & {f"npu_opt.tools.observers.{name}" for name in OBSERVERS}
    assert "npu_opt.dialects.npu" not in modules
