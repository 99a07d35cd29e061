"""Sizes that are not known: one assumption for all figures of a run, and the words that say it."""

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import pytest
from npu_opt.tools.opt import run as run_opt
from npu_opt.tools.report.main import run as run_report
from onnx import TensorProto, helper
from support.report_page import data_of

ONNX: Any = import_module("onnx")
NO = 3
PROGRAM = """\
func.func @main(%x: tensor<?x16x?x8xf32>, %y: tensor<3x?x5xf32>) -> (tensor<?x8x16xf32>, tensor<?x3x5xf32>) {
  %t = npu.transpose %x permutation = [2, 0, 3, 1] : (tensor<?x16x?x8xf32>) -> tensor<?x?x8x16xf32>
  %a = npu.tanh %t : tensor<?x?x8x16xf32>
  %r = npu.reshape %a dims = [?, 8, 16] : (tensor<?x?x8x16xf32>) -> tensor<?x8x16xf32>
  %v = npu.transpose %r permutation = [0, 2, 1] : (tensor<?x8x16xf32>) -> tensor<?x16x8xf32>
  %w = npu.softmax %v axis = 1 : tensor<?x16x8xf32>
  %b = npu.transpose %w permutation = [0, 2, 1] : (tensor<?x16x8xf32>) -> tensor<?x8x16xf32>
  %c = npu.transpose %y permutation = [1, 0, 2] : (tensor<3x?x5xf32>) -> tensor<?x3x5xf32>
  func.return %b, %c : tensor<?x8x16xf32>, tensor<?x3x5xf32>
}
"""
BYTES = re.compile(r"~(\d+)(?: bytes)?(?: in the file)? \(unknown sizes count as (\d+), first ones as 1\)")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.mlir"
    file.write_text(PROGRAM)
    return file


PLACED, ASSUMING_10 = ["--layout-optimal"], ["--layout-optimal=assume=10"]


@pytest.mark.parametrize(
    ("passes", "ending"),
    [([], "onnx"), (PLACED, "onnx"), (ASSUMING_10, "onnx"), (PLACED, "tflite"), (ASSUMING_10, "tflite")],
)
def test_the_program_and_its_file_have_the_same_figures(
    passes: list[str], ending: str, program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    output = tmp_path / f"out.{ending}"
    flags = [*passes, "--stats=json", "--target=opu"]
    assert run_opt([str(program), *flags, "-o", str(output)]) == 0
    printed = capsys.readouterr().err
    (figures,) = (json.loads(line) for line in printed.splitlines() if line.startswith("{"))
    assert figures["after"]["assumed_size"] == (10 if "assume" in "".join(passes) else 64)
    after, size = figures["after"]["bytes"], "10" if "assume" in "".join(passes) else "64"
    found = BYTES.findall(printed)
    assert found == [(str(after), size)], printed
    assert run_opt([str(program), *flags, "-o", str(output), "--expect-bytes=1"]) == NO
    assert BYTES.findall(capsys.readouterr().err) == [(str(after), size)]


def test_a_result_says_what_it_assumes(program: Path):
    found = npu_opt.optimize(program, passes="layout-optimal{assume=10}")
    assert found.assumed_size == 10
    assert f"~{found.bytes} bytes (unknown sizes count as 10, first ones as 1)" in str(found)
    assert npu_opt.optimize(program).bytes > found.bytes


def test_a_table_says_what_it_assumes(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    output = str(tmp_path / "out.mlir")
    assert run_opt([str(program), "--layout-optimal", "--what-if", "--stats", "-o", output]) == 0
    printed = capsys.readouterr().err
    words = "(unknown sizes count as 64, first ones as 1)"
    assert f"transposes and the bytes they move {words}:\n" in printed
    assert re.search(rf"^what if: .* bytes {re.escape(words)}$", printed, re.MULTILINE)


def test_a_page_says_which_figures_rest_on_what_it_assumes(program: Path, tmp_path: Path):
    placed, made, read = (tmp_path / name for name in ("out.mlir", "made.html", "read.html"))
    assert run_opt([str(program), "--layout-optimal", f"--report={made}", "-o", str(placed)]) == 0
    assert run_report([str(placed), "-o", str(read)]) == 0
    both = [data_of(page.read_text(encoding="utf-8")) for page in (made, read)]
    assert [data["passes"][-1]["assumed_size"] for data in both] == [64, 64]
    ops = [[op for op in data["programs"][-1]["ops"] if "move" in op] for data in both]
    assert ops[0]
    assert all(op["is_estimate"] for each in ops for op in each)
    moved = [sum(op["bytes"] for op in each) for each in ops]
    assert moved == [data["passes"][-1]["bytes"] for data in both]


def test_a_transpose_of_unknown_sizes_that_moves_nothing_is_counted_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """It stays: a Reshape has one unknown size at most."""
    nodes = [
        helper.make_node("Transpose", ["x"], ["t"], perm=[0, 2, 1]),
        helper.make_node("Softmax", ["t"], ["s"], axis=2),
        helper.make_node("Transpose", ["s"], ["y"], perm=[1, 0, 2]),
    ]
    ends = [
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)]
        for name, shape in (("x", ["n", "s", 1]), ("y", [1, "n", "s"]))
    ]
    nodes.insert(2, helper.make_node("Transpose", ["s"], ["z"], perm=[2, 1, 0]))
    ends[1].append(helper.make_tensor_value_info("z", TensorProto.FLOAT, ["s", 1, "n"]))
    model, copy = tmp_path / "model.onnx", tmp_path / "copy.onnx"
    graph = helper.make_graph(nodes, "g", ends[0], ends[1])
    ONNX.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), model)
    assert run_opt([str(model), "--stats=json", "-o", str(copy), "--expect-transposes=1"]) == 0
    printed = capsys.readouterr().err
    assert [node.op_type for node in ONNX.load(copy).graph.node].count("Transpose") == 3
    (figures,) = (json.loads(line) for line in printed.splitlines() if line.startswith("{"))
    assert figures["after"] == {"transposes": 1, "bytes": 256, "assumed_size": 64}
    assert (
        f"{copy}: note: 1 Transpose in the file, of ~256 bytes (unknown sizes count as 64, first ones as 1);" in printed
    )


FOLLOWED = """\
func.func @main(%x: tensor<?x3x4xf32>, %y: tensor<4x?xf32>) -> (tensor<3x4x?xf32>, tensor<?x4xf32>, tensor<4x?xf32>) {
  %t = npu.transpose %x permutation = [1, 0, 2] : (tensor<?x3x4xf32>) -> tensor<3x?x4xf32>
  %a = npu.tanh %t : tensor<3x?x4xf32>
  %u = npu.transpose %a permutation = [0, 2, 1] : (tensor<3x?x4xf32>) -> tensor<3x4x?xf32>
  %v = npu.transpose %y permutation = [1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  %b = npu.tanh %v : tensor<?x4xf32>
  %r = npu.reshape %b dims = [@in0, 2, 2] : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
  %c = npu.tanh %r : tensor<?x2x2xf32>
  %s = npu.reshape %c : (tensor<?x2x2xf32>) -> tensor<?x4xf32>
  %w = npu.transpose %s permutation = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  func.return %u, %s, %w : tensor<3x4x?xf32>, tensor<?x4xf32>, tensor<4x?xf32>
}
"""


def test_an_unknown_axis_counts_alike_wherever_ops_put_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Else one order of axes would move less than another for no reason."""
    program = tmp_path / "program.mlir"
    program.write_text(FOLLOWED)
    assert run_opt([str(program), "--stats=json", "-o", str(tmp_path / "out.onnx")]) == 0
    printed = capsys.readouterr().err
    (figures,) = (json.loads(line) for line in printed.splitlines() if line.startswith("{"))
    moved = 2 * 3 * 4 * 4 + 2 * 4 * 64 * 4
    assert figures["after"] == {"transposes": 4, "bytes": moved, "assumed_size": 64}
    assert f"4 Transposes in the file, of ~{moved} bytes" in printed
