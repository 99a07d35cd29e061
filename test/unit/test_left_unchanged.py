"""Programs with ops that no pass places: no minimum, and no gate that passes."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import pytest
from npu_opt.passes.common.words.left_unchanged import left_unchanged
from npu_opt.tools.opt import run as run_opt
from npu_opt.tools.report.main import run as run_report
from onnx import GraphProto, TensorProto, helper
from support.ir_text import parse
from support.report_page import data_of

ONNX: Any = import_module("onnx")
UNDECIDED, NO = 2, 3
SCOPE = ", not counting ops left unchanged"
TURNED = "tensor<3x2xf32>) -> tensor<2x3xf32>"
MAIN = """func.func @main(%x: tensor<3x2xf32>, %p: i1, %m: memref<3x2xf32>) -> tensor<2x3xf32> {{
{}
  return %y : tensor<2x3xf32>
}}
"""
LINALG = """\
  %e = tensor.empty() : tensor<2x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x2xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    linalg.yield %a : f32
  } -> tensor<2x3xf32>"""
REGION = f"""\
  %y = scf.if %p -> (tensor<2x3xf32>) {{
    %t = "stablehlo.transpose"(%x) : ({TURNED}
    scf.yield %t : tensor<2x3xf32>
  }} else {{
    %s = "stablehlo.reshape"(%x) : ({TURNED}
    scf.yield %s : tensor<2x3xf32>
  }}"""
HOLDER = f'%y = npu.opaque "onnx.Loop"(%x) pure {{npu.hidden = {{convolutions = 0, ops = 2}}}} : ({TURNED}'
HIDING = [
    (LINALG, "linalg.generic"),
    (f'  %y = "stablehlo.transpose"(%x) {{permutation = array<i64: 1, 0>}} : ({TURNED}', "stablehlo.transpose"),
    (REGION, "stablehlo.transpose"),
    (f"  %y = func.call @elsewhere(%x) : ({TURNED}", "@elsewhere"),
    (f'  %y = npu.opaque "com.acme.Permute"(%x) pure : ({TURNED}', "com.acme.Permute"),
    (f'  %y = npu.opaque "permute"(%x) pure : ({TURNED}', "permute"),
    (f'  %y = npu.opaque "onnx.Transpose"(%x) pure : ({TURNED}', "onnx.Transpose"),
    (f'  %y = npu.opaque "litert.TRANSPOSE"(%x) pure : ({TURNED}', "litert.TRANSPOSE"),
    (f'  %y = npu.opaque "litert.custom.Cell"(%x) pure : ({TURNED}', "litert.custom.Cell"),
    (f'  %y = npu.opaque "tosa.custom"(%x) pure : ({TURNED}', "tosa.custom"),
    (f'  "vendor.store"(%x, %m) : (tensor<3x2xf32>, memref<3x2xf32>) -> ()\n{LINALG}', "vendor.store"),
    (f"  {HOLDER}", "1 Loop left unchanged: 2 ops inside were not placed"),
]
"""Bodies of a function, and what is said of each."""
KNOWN = [
    f'%y = npu.opaque "onnx.GridSample"(%x) pure : ({TURNED}',
    f'%y = npu.opaque "litert.ATAN2"(%x) pure : ({TURNED}',
    f'%y = npu.opaque "com.acme.Known"(%x) pure fusion = "opaque" : ({TURNED}',
    'npu.opaque "print"(%x) : (tensor<3x2xf32>) -> ()\n  %y = npu.constant dense<0.0> : tensor<2x3xf32>',
    "%c = arith.constant 1 : i32\n  %d = arith.addi %c, %c : i32\n  %y = arith.constant dense<0.0> : tensor<2x3xf32>",
    "%y = func.call @here(%p) : (i1) -> tensor<2x3xf32>",
]
CALLED = """
func.func private @elsewhere(tensor<3x2xf32>) -> tensor<2x3xf32>
func.func private @here(%p: i1) -> tensor<2x3xf32> {
  %y = npu.constant dense<0.0> : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
"""
FLAGS = ["--allow-unregistered-dialect", "--target=opu", "--layout-optimal"]


def written(body: str, folder: Path) -> Path:
    file = folder / "program.mlir"
    file.write_text(MAIN.format(body) + CALLED)
    return file


@pytest.mark.parametrize(("body", "said"), HIDING)
@pytest.mark.parametrize("gate", ["--expect-transposes=0", "--expect-bytes=1000000"])
def test_there_is_no_minimum_and_no_gate_passes(
    body: str, said: str, gate: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    output = tmp_path / "out.mlir"
    assert run_opt([str(written(body, tmp_path)), *FLAGS, "--stats", gate, "-o", str(output)]) == UNDECIDED
    printed = capsys.readouterr().err
    assert "layout-optimal: 0 transposes, 0 bytes: the least for the ops that were placed\n" in printed
    assert "proved minimum" not in printed
    notes = [line for line in printed.splitlines() if said in line]
    assert [line.split(":")[0] for line in (notes[0], notes[-1])] == ["note", str(tmp_path / "program.mlir")]
    assert len(notes) == 3
    assert not output.exists()


@pytest.mark.parametrize("body", KNOWN)
def test_ops_without_data_to_transpose_and_ops_of_a_standard_are_no_obstacle(
    body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    output = tmp_path / "out.mlir"
    assert run_opt([str(written(body, tmp_path)), *FLAGS, "--stats", "--expect-transposes=0", "-o", str(output)]) == 0
    assert "layout-optimal: 0 transposes, 0 bytes: proved minimum\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "whole", "said"),
    [
        ("onnx.Transpose", "tensor(float)", 1),
        ("onnx.Transpose", "tensor<*xf32>", 1),
        ("onnx.Relu", "tensor(float)", 0),
        ("onnx.SequenceAt", "seq(tensor(float))", 0),
        ("com.acme.Turn", "seq(tensor(float))", 1),
    ],
)
def test_values_of_unknown_rank_and_sequences_may_hold_data_to_transpose(kind: str, whole: str, said: int):
    type_ = f'tensor<!npu.opaque<"{whole}">>'
    text = f"""func.func @main(%x: {type_}) -> {type_} {{
      %y = npu.opaque "{kind}"(%x) pure : ({type_}) -> {type_}
      return %y : {type_}
    }}"""
    assert left_unchanged(parse(text)) == [f"1 op of other dialects left unchanged: {kind}"] * said


def test_ops_are_counted_by_name():
    twice = "\n".join(f'  %{name} = npu.opaque "a.b"(%x) : ({TURNED}' for name in "zy")
    module = parse(MAIN.format(twice))
    assert left_unchanged(module) == ["2 ops of other dialects left unchanged: a.b (2)"]


def test_a_gate_that_fails_anyway_says_no(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    turned = f"  %z = npu.transpose %x permutation = [1, 0] : ({TURNED}"
    body = f'{turned}\n  %y = "a.b"(%z) : (tensor<2x3xf32>) -> tensor<2x3xf32>'
    assert run_opt([str(written(body, tmp_path)), *FLAGS[:1], "--expect-transposes=0"]) == NO
    assert "expected at most 0 transposes, found 1\n" in capsys.readouterr().err


def test_what_is_read_by_scripts_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = written(HIDING[1][0], tmp_path)
    assert run_opt([str(file), *FLAGS, "--stats=json", "--what-if=json", "-o", str(tmp_path / "out.mlir")]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    unseen = ["1 op of other dialects left unchanged: stablehlo.transpose"]
    assert [each["left_unchanged"] for each in objects] == [unseen, unseen]


def test_reports_name_them(tmp_path: Path):
    file, page = written(HIDING[0][0], tmp_path), tmp_path / "page.html"
    assert run_opt([str(file), "--layout-optimal", "--report", str(page), "-o", str(tmp_path / "out.mlir")]) == 0
    text = "1 op of other dialects left unchanged: linalg.generic"
    facts = dict(data_of(page.read_text())["facts"])
    assert facts["left unchanged"] == text
    assert "minimum" not in facts
    assert run_report([str(file), "-o", str(page)]) == 0
    assert dict(data_of(page.read_text())["facts"])["left unchanged"] == text


def test_subgraphs_that_are_kept_and_custom_ops_of_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    nodes = [
        helper.make_node("If", ["p"], ["a"], then_branch=branch("t"), else_branch=branch("e")),
        helper.make_node("Permute", ["a"], ["y"], domain="com.acme"),
    ]
    ends = [("p", TensorProto.BOOL, list[int]()), ("x", TensorProto.FLOAT, [3, 2]), ("y", TensorProto.FLOAT, [2, 3])]
    condition, data, result = (helper.make_tensor_value_info(*each) for each in ends)
    graph = helper.make_graph(nodes, "g", [condition, data], [result])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.acme", 1)])
    ONNX.save(model, tmp_path / "model.onnx")
    found = npu_opt.optimize(tmp_path / "model.onnx")
    assert found.left_unchanged == ("3 ops of other dialects left unchanged: com.acme.Permute (3)",)
    assert (found.proved, str(found)) == (False, f"0 transposes, 0 bytes{SCOPE}")
    output = tmp_path / "out.onnx"
    assert run_opt([str(tmp_path / "model.onnx"), "-o", str(output)]) == 0
    unseen = "; ".join(found.left_unchanged)
    assert f"{output}: note: 0 Transposes in the file; {unseen}; 0 of 8 nodes changed\n" in capsys.readouterr().err


def branch(name: str) -> GraphProto:
    """A subgraph with an op of another system, and with a sequence."""
    nodes = [
        helper.make_node("Permute", ["x"], [f"{name}_p"], domain="com.acme"),
        helper.make_node("SequenceConstruct", [f"{name}_p"], [f"{name}_q"]),
        helper.make_node("ConcatFromSequence", [f"{name}_q"], [f"{name}_r"], axis=0),
    ]
    return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(f"{name}_r", TensorProto.FLOAT, [2, 3])])
