"""Constants of equal elements: what takes up much is kept once, and means the same everywhere."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import pytest
from npu_opt.bridges.onnx.exporting.ops import source
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.dialects.npu.attrs import ReferenceAttr
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.program.written import SPLAT_LIMIT, Dense, is_kept_once
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import run as interpret
from npu_opt.text.parser import NpuParser
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from support import optional_tools
from support.ir_text import context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

HUGE = "tensor<1000000x1000000xf32>"
PROGRAM = f"""func.func @main(%x: {HUGE}) -> ({HUGE}, {HUGE}) {{
  %c = npu.constant dense<-0.0> : {HUGE}
  %h = npu.constant dense<"0x0000803F"> : {HUGE}
  %t = npu.transpose %c permutation = [1, 0] : {HUGE}
  %y = npu.div %x, %t : {HUGE}
  return %y, %h : {HUGE}, {HUGE}
}}
"""


def values(module: ModuleOp) -> list[Dense]:
    constants = [op for op in module.walk() if isinstance(op, ConstantOp)]
    return [op.value for op in constants if not isinstance(op.value, ReferenceAttr)]


def read(text: str) -> ModuleOp:
    return NpuParser(context(), text).parse_module()


@pytest.mark.parametrize(
    ("literal", "element"),
    [
        ("-0.0", "f32"),
        ("1.5", "f64"),
        ("2", "bf16"),
        ('"0x0000C07F"', "f32"),
        ("0x7FC00000", "f32"),
        ("-3", "i8"),
        ("200", "ui8"),
        ("true", "i1"),
        ("-8", "i4"),
        ("7", "i64"),
    ],
)
def test_elements_are_those_that_xdsl_reads(literal: str, element: str):
    (small,), (whole,) = (
        values(read(f"%c = npu.constant dense<{literal}> : tensor<{size}x{element}>")) for size in ("2x2", "3000x3000")
    )
    assert not is_kept_once(small)
    assert is_kept_once(whole)
    assert whole.data.data * 4 == small.data.data
    # Not every element of NaN is equal to xDSL.
    assert str(whole) == str(small).replace("2x2", "3000x3000") or "0x" in literal
    assert values(read(f"%c = npu.constant {whole}")) == [whole]


def test_only_what_takes_up_much_is_kept_once():
    sizes = SPLAT_LIMIT // 4, SPLAT_LIMIT // 4 + 1
    few, many = (values(read(f"%c = npu.constant dense<1.0> : tensor<{size}xf32>"))[0] for size in sizes)
    assert not is_kept_once(few)
    assert len(few.data.data) == SPLAT_LIMIT
    assert is_kept_once(many)


@pytest.mark.parametrize(
    ("literal", "type_", "problem"),
    [
        ('"0x00000000000000"', "3000x3000xf32", "Shape mismatch in dense literal. Expected 9000000 elements"),
        ("1.0", "3000x?xf32", "Dense literal attribute should have a static shape."),
        ("300", "3000x3000xi8", "Integer value 300 is out of range"),
        ("[1.0]", "3000x3000xf32", "Shape mismatch in dense literal. Expected [3000, 3000] shape"),
    ],
)
def test_bad_literals(literal: str, type_: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "p.mlir"
    file.write_text(f"%c = npu.constant dense<{literal}> : tensor<{type_}>")
    assert npu_opt([str(file)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"{file}:1:")
    assert problem in error


def test_they_are_equal_to_elements_that_are_written_each():
    type_ = "tensor<600x600xf32>"
    text = f"func.func @main() -> {type_} {{{{ %c = npu.constant dense<{{}}> : {type_} return %c : {type_} }}}}"
    once, each = read(text.format("2.5")), Parser(context(), text.format("2.5")).parse_module()
    assert is_kept_once(values(once)[0])
    assert not is_kept_once(values(each)[0])
    assert compare(once, each).verdict is Verdict.PROVED
    assert compare(each, read(text.format("2.0"))).verdict is not Verdict.PROVED
    (left,), (right,) = interpret(once), interpret(each)
    assert np.array_equal(left, right)
    assert left.dtype == right.dtype


SMALL = """func.func @main(%x: tensor<600x700xf32>) -> tensor<600x700xf32> {
  %c = npu.constant dense<2.5> : tensor<700x600xf32>
  %t = npu.transpose %c permutation = [1, 0] : (tensor<700x600xf32>) -> tensor<600x700xf32>
  %y = npu.add %x, %t : tensor<600x700xf32>
  return %y : tensor<600x700xf32>
}
"""


@pytest.mark.parametrize("limit", [0, 1 << 30])
def test_they_are_exported(limit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "FOLD_LIMIT", limit)
    program, model = tmp_path / "p.mlir", tmp_path / "m.onnx"
    program.write_text(SMALL)
    assert npu_opt([str(program), "-o", str(model)]) == 0
    kinds = [node.op_type for node in cast("Any", onnx).load(str(model)).graph.node]
    assert ("ConstantOfShape" in kinds) == (limit == 0)
    (array,) = (np.arange(420000, dtype=np.float32).reshape(600, 700),)
    evaluator: Any = import_module("onnx.reference").ReferenceEvaluator(str(model))
    assert np.array_equal(evaluator.run(None, {evaluator.input_names[0]: array})[0], array + 2.5)
    module = import_model(model, Options("w.safetensors", None, needs_data=True)).module
    assert np.array_equal(interpret(module, "main", [array])[0], array + 2.5)


@pytest.mark.skipif(optional_tools.mlir_bindings().location is None, reason=optional_tools.mlir_bindings().note)
def test_they_go_through_tosa(tmp_path: Path):
    program, tosa, again = tmp_path / "p.mlir", tmp_path / "p.tosa.mlir", tmp_path / "q.mlir"
    program.write_text(SMALL)
    assert npu_opt([str(program), "-t", "tosa", "-o", str(tosa)]) == 0
    assert "dense<2.500000e+00> : tensor<600x700xf32>" in tosa.read_text()
    assert npu_opt(["-f", "tosa", str(tosa), "-o", str(again)]) == 0
    assert npu_check([str(program), str(again)]) == 0


LIMITED = """
import resource, sys
from npu_opt.tools import check, opt, run
file, folder = sys.argv[1:]
import npu_opt.dialects.npu, npu_opt.interpreter, npu_opt.bridges.mlir.exporting.program, onnx
# What is there now, and half a gigabyte: one of the tensors would take four thousand.
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 29), used + (1 << 29)))
for flags in (
    ["--canonicalize", "--stats", "-o", f"{folder}/clean.mlir"],
    ["--layout-preset", "--verify-layouts", "-o", f"{folder}/placed.mlir"],
    ["--npu-default", "--print-op-generic", "-o", f"{folder}/fused.mlir"],
    ["--layout-transmit", "--strip-layouts", "-o", f"{folder}/stripped.mlir"],
    ["-t", "tosa", "-o", f"{folder}/p.tosa.mlir"],
    ["-t", "mermaid", "-o", f"{folder}/p.mmd"],
    ["-o", f"{folder}/p.onnx"],
):
    assert opt.run([file, *flags]) == 0, flags
assert opt.run(["-f", "tosa", f"{folder}/p.tosa.mlir", "-o", f"{folder}/again.mlir"]) == 0
assert check.run([file, f"{folder}/clean.mlir"]) == 0
assert check.run([file, file, "--numeric"]) == 0
assert run.run([file, "--engine=numpy"]) == 1
"""


@pytest.mark.skipif(optional_tools.mlir_bindings().location is None, reason=optional_tools.mlir_bindings().note)
@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_a_line_of_text_does_not_take_any_amount_of_memory(tmp_path: Path):
    file = tmp_path / "huge.mlir"
    file.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(file), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1].startswith(f"{file}: error: @main: no inputs can be made up: ")
    assert f"dense<-0.000000e+00> : {HUGE}" in (tmp_path / "clean.mlir").read_text()
    assert (tmp_path / "p.onnx").stat().st_size < 1000
