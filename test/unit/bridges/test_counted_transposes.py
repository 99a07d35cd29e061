"""Transposes that the layout pass counts are those in the file, and the note says which others there are and why."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.bridges.litert.importing.file import read_file
from npu_opt.tools.opt import run
from onnx import ModelProto, NodeProto, TensorProto, helper, parser
from support.closeness import Room, assert_close
from support.oracles.onnx_running import unoptimised

SIZES = {"q": [1, 4, 5, 16], "k": [1, 2, 12, 16], "y": [1, 4, 5, 12]}


def grouped_scores(repeated: str) -> ModelProto:
    """Scores of attention whose keys are repeated for several heads, by an Expand or a Tile, and then transposed."""
    nodes: list[NodeProto] = [
        helper.make_node("Unsqueeze", ["k", "two"], ["u"]),
        helper.make_node(repeated, ["u", "times"], ["e"]),
        helper.make_node("Reshape", ["e", "heads"], ["r"]),
        helper.make_node("Transpose", ["r"], ["t"], perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", ["q", "t"], ["y"]),
    ]
    times = [1, 2, 2, 12, 16] if repeated == "Expand" else [1, 1, 2, 1, 1]
    numbers = {"two": [2], "times": times, "heads": [1, 4, 12, 16]}
    constants = [helper.make_tensor(name, TensorProto.INT64, [len(of)], of) for name, of in numbers.items()]
    q, k, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, of) for name, of in SIZES.items())
    graph = helper.make_graph(nodes, "g", [q, k], [y], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


@pytest.mark.parametrize("repeated", ["Expand", "Tile"])
def test_repeated_keys_are_transposed_once_in_the_file_as_in_the_count(tmp_path: Path, repeated: str):
    proto, file = grouped_scores(repeated), tmp_path / "model.onnx"
    result = npu_opt.optimize(proto, target="onnx")
    result.save(file)
    written = [node.op_type for node in ModelProto.FromString(file.read_bytes()).graph.node]
    assert result.transposes == written.count("Transpose") == 1
    assert npu_opt.check(proto, file)


@pytest.mark.parametrize(("order", "said"), [("0, 2, 1", "0 Transposes"), ("2, 0, 1", "1 Transpose")])
def test_transposes_of_axes_of_one_element_are_named(
    order: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    given, file = tmp_path / "model.onnx", tmp_path / "out.onnx"
    text = f"""<ir_version: 8, opset_import: ["": 17]> g (float[3,1,4] x) => (float[a,b,c] y)
    {{ z = Relu (x) y = Transpose <perm = [{order}]> (z) }}"""
    given.write_bytes(parser.parse_model(text).SerializeToString())
    assert run([str(given), "--layout-optimal", "--target=onnx", "-o", str(file)]) == 0
    kinds = [node.op_type for node in ModelProto.FromString(file.read_bytes()).graph.node]
    assert kinds == ["Relu", "Transpose"]
    idle = "; 1 more moves nothing" if said.startswith("0") else ", of 48 bytes"
    assert f"{said} in the file{idle}; 0 of 2 nodes changed\n" in capsys.readouterr().err


def test_convolutions_of_integers_are_placed_for_litert(tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[dev]'")
    kernel = helper.make_tensor("k", TensorProto.INT8, [5, 4, 3, 3], [index % 7 - 3 for index in range(180)])
    x = helper.make_tensor_value_info("x", TensorProto.UINT8, [1, 4, 8, 8])
    y = helper.make_tensor_value_info("y", TensorProto.INT32, [1, 5, 6, 6])
    graph = helper.make_graph([helper.make_node("ConvInteger", ["x", "k"], ["y"])], "g", [x], [y], [kernel])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    result = npu_opt.optimize(proto, target="litert")
    result.save(file := tmp_path / "model.tflite")
    written = [node.kind for node in read_file(file).graphs[0].operators]
    assert result.transposes == written.count("TRANSPOSE") == 2


PROGRAM = """
func.func @main(%a: tensor<2x3x4xbf16>, %b: tensor<2x5x4xbf16>) -> tensor<2x3x5xbf16> {
  %y = npu.matmul %a, %b trans_b : (tensor<2x3x4xbf16>, tensor<2x5x4xbf16>) -> tensor<2x3x5xbf16>
  return %y : tensor<2x3x5xbf16>
}
"""
"""A product whose operand ONNX does not transpose."""


@pytest.mark.parametrize("target", ["onnx", "opu"])
def test_the_note_names_the_ops_whose_nodes_transpose(tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str):
    program, file = tmp_path / "program.mlir", tmp_path / "model.onnx"
    program.write_text(PROGRAM)
    assert run([str(program), f"--target={target}", "--layout-optimal", "-o", str(file)]) == 0
    (note,) = capsys.readouterr().err.splitlines()
    beginning = f"{file}: note: 1 Transpose in the file, of 80 bytes; 1 of them "
    if target == "onnx":
        assert note == f"{beginning}in what ONNX has for npu.matmul"
    else:
        advice = f"(run: npu-opt -O --target=onnx {program} -o {file})"
        assert note.startswith(f"{beginning}only because ONNX lacks the layouts of these ops {advice}")


def test_transposes_of_axes_of_one_element_that_cancel_out_are_dropped():
    """Engines do both of them, though they move nothing; one of them alone stays as it came."""
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
    net (float[N,3,4,4] x) => (float[N,3,1,1] y, float[N,1,1,3] z) {
    p = GlobalAveragePool (x) t = Transpose <perm = [0, 2, 3, 1]> (p)
    y = Transpose <perm = [0, 3, 1, 2]> (t) z = Neg (t) }""")
    result = npu_opt.optimize(model, target="onnx", strategy="optimal", passes="")
    kinds = [node.op_type for node in result.to_onnx().graph.node]
    assert sorted(kinds) == ["GlobalAveragePool", "Neg", "Transpose"]
    assert npu_opt.check(model, result.to_onnx()).word == "proved"


@pytest.mark.parametrize(
    ("sizes", "first", "middle", "second", "left"),
    [
        ("1,1,4,5", "1,0,2,3", "Relu(t)", "1,0,2,3", "Relu"),
        ("1,1,4,5", "1,0,2,3", "Softmax<axis=2>(t)", "1,0,2,3", "Softmax"),
        ("1,1,4,5", "1,0,2,3", "ReduceLogSum<keepdims=1>(t, two)", "1,0,2,3", "ReduceLogSum"),
        ("1,1,4,5", "0,3,1,2", "ReduceMax<keepdims=1>(t, three)", "0,2,3,1", "ReduceMax"),
        ("1,1,4,5", "1,0,2,3", "Unsqueeze(t, ends)", "0,2,1,3,4,5", "Unsqueeze"),
        ("N,1,1,5", "0,2,1,3", "Clip(t, half)", "0,2,1,3", "Clip"),
        ("1,2,4,5", "1,0,2,3", "Mul(t, t)", "1,0,2,3", "Mul"),
        # What is not undone stays.
        ("1,1,4,5", "1,0,2,3", "Relu(t)", "0,1,3,2", "Relu Transpose"),
    ],
)
def test_transposes_of_axes_of_one_element_around_an_op_are_dropped(
    sizes: str, first: str, middle: str, second: str, left: str, tmp_path: Path
):
    """Ops between them compute along other axes."""
    made = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 18]> g (float[{sizes}] x) => (float[] y) {{
    two = Constant<value = int64[1] {{2}}>() three = Constant<value = int64[1] {{3}}>()
    ends = Constant<value = int64[2] {{-1, 0}}>() half = Constant<value = float {{0.5}}>()
    t = Transpose <perm = [{first}]> (x) n = {middle} y = Transpose <perm = [{second}]> (n) }}""")
    made.graph.output[0].type.tensor_type.ClearField("shape")
    given, file = tmp_path / "model.onnx", tmp_path / "out.onnx"
    given.write_bytes(made.SerializeToString())
    npu_opt.optimize(given, target="onnx").save(file)
    written = ModelProto.FromString(file.read_bytes())
    assert sorted(node.op_type for node in written.graph.node if node.op_type != "Constant") == sorted(left.split())
    assert npu_opt.check(given, file).proved
    x = np.random.default_rng(0).random([2 if size == "N" else int(size) for size in sizes.split(",")], np.float32)
    (expected,), (found,) = (unoptimised(each).run(None, {"x": x}) for each in (made, written))
    assert_close(found, expected, Room("sums of a few f32 in another order, and exp and log of them", 1e-5))
