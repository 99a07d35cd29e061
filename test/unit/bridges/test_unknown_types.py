"""Values of which nothing is known: the nodes that read and compute them stay, all else is placed and proved."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.tools.opt import run
from onnx import ModelProto, ValueInfoProto
from onnx.parser import parse_model
from support.oracles.onnx_running import executed

UNKNOWN = 'tensor<!npu.opaque<"?">>'
TWIST = """g (float[2,3] x) => (float[2,3] z, float[3,2] v) {
    y, w = com.acme.Twist (x)
    a = Neg (y)
    b = Add (a, x)
    z = Abs (b)
    t = Transpose <perm = [1, 0]> (x)
    u = Relu (t)
    r = Transpose <perm = [1, 0]> (u)
    s = com.acme.Twist (r, w)
    v = Transpose <perm = [1, 0]> (r)
}"""


def model(text: str, imports: str = '"": 17, "com.acme": 1') -> ModelProto:
    return parse_model(f"<ir_version: 8, opset_import: [{imports}]> {text}")


def without_types(proto: ModelProto) -> ModelProto:
    """The model with outputs of which it says the names only."""
    names = [value.name for value in proto.graph.output]
    del proto.graph.output[:]
    proto.graph.output.extend(ValueInfoProto(name=name) for name in names)
    return proto


def test_what_is_around_is_placed(tmp_path: Path):
    given = model(TWIST)
    result = npu_opt.optimize(given, target="onnx")
    written = result.to_onnx()
    assert [node.op_type for node in written.graph.node].count("Transpose") == 1
    assert [value.type for value in written.graph.output] == [value.type for value in given.graph.output]
    for name in ("out.mlir", "out.onnx"):
        result.save(tmp_path / name)
        assert npu_opt.check(given, tmp_path / name).word == "proved"
    other = model(TWIST.replace("Neg (y)", "Neg (w)"))
    assert npu_opt.check(given, other).word in ("undecided", "different")


def test_results_of_which_the_model_says_the_names_only(tmp_path: Path):
    given = without_types(model("g (float[2,3] x) => (float z, float w) { y, w = com.acme.Twist (x) z = Neg (y) }"))
    text = str(npu_opt.load(given).module)
    assert f'-> ({UNKNOWN} {{onnx.name = "z"}}, {UNKNOWN} {{onnx.name = "w"}})' in text
    npu_opt.optimize(given, target="onnx").save(tmp_path / "out.onnx")
    assert npu_opt.check(given, tmp_path / "out.onnx").word == "proved"


def test_a_note_names_the_values_and_their_ops(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "model.onnx"
    file.write_bytes(model(TWIST).SerializeToString())
    assert run([str(file)]) == 0
    note = "nodes that read or compute values of unknown type stay unchanged (y, w, a, s): add types to the model"
    assert f"{note}, or a --target that describes 'com.acme.Twist'" in capsys.readouterr().err


def test_types_that_contradict_what_is_known_are_no_proof():
    """A value of unknown type may be the one that another program has."""
    given = without_types(model("g (float[2,3] x) => (float z) { z = com.acme.Twist (x) }"))
    other = model("g (float[2,3] x) => (float[2,3] z) { z = com.acme.Twist (x) }")
    assert npu_opt.check(given, other).word == "undecided"


def test_a_transpose_says_the_rank_of_a_value_without_a_type():
    """ONNX infers no types of ai.onnx.ml.Scaler, whose domain ONNX Runtime takes as imported."""
    body = "y = ai.onnx.ml.Scaler <offset = [0.5], scale = [2.0]> (x) a = Transpose <perm = [1, 0]> (y) b = Relu (a)"
    given = model(f"g (float[2,3] x) => (float z) {{ {body} z = Transpose <perm = [1, 0]> (b) }}", '"": 13')
    result = npu_opt.optimize(without_types(given), target="onnx")
    assert "npu.relu" in str(result.module)
    written = result.to_onnx()
    assert [node.op_type for node in written.graph.node] == ["Scaler", "Relu"]
    assert {each.domain for each in written.opset_import} == {"", "ai.onnx.ml"}


def test_domains_that_a_model_does_not_import(tmp_path: Path):
    given = model("g (float[2,3] x) => (float[2,3] y) { a = com.microsoft.QuickGelu (x) y = Relu (a) }", '"other": 1')
    npu_opt.optimize(given, target="onnx").save(tmp_path / "out.onnx")
    assert npu_opt.check(given, tmp_path / "out.onnx").word == "proved"


@pytest.mark.parametrize(
    ("call", "opset"),
    [
        ("SimplifiedLayerNormalization <axis = -1, epsilon = 1e-5, stash_type = 1> (t, s)", 13),
        ("ThresholdedRelu <alpha = 0.5> (t)", 7),
    ],
)
def test_ops_that_onnx_runtime_has_in_older_models(call: str, opset: int, tmp_path: Path):
    """ONNX has them since a later version, or not at all; they leave as they came."""
    text = f"g (float[3,2] x, float[3] s) => (float[2,3] y) {{ t = Transpose <perm = [1, 0]> (x) y = {call} }}"
    given = model(text, f'"": {opset}')
    result = npu_opt.optimize(given, target="onnx")
    written = result.to_onnx()
    assert [list(node.attribute) for node in written.graph.node] == [list(node.attribute) for node in given.graph.node]
    inputs = [np.arange(6, dtype=np.float32).reshape(3, 2), np.array([1, 2, 3], np.float32)]
    assert executed(written, inputs)[0].tolist() == executed(given, inputs)[0].tolist()
    result.save(tmp_path / "out.onnx")
    assert npu_opt.check(given, tmp_path / "out.onnx").word == "proved"


@pytest.mark.parametrize(
    ("squeezed", "kinds"), [("Squeeze (r, a)", ["Relu", "Squeeze", "Sigmoid"]), ("Neg (r)", ["Relu", "Shape", "If"])]
)
def test_a_condition_that_is_known_decides_where_branches_have_other_ranks(squeezed: str, kinds: list[str]):
    """torch.squeeze is such an If. One whose branches have the same rank stays."""
    other = "else_branch = e () => (float[2,4,1] p) { p = Identity (r) }"
    branches = f"then_branch = t () => (float[] o) {{ o = {squeezed} }}, {other}"
    shape = "s = Shape (x) i = Constant <value = int64 {2}> () d = Gather (s, i) n = Constant <value = int64 {1}> ()"
    axes = "a = Constant <value = int64[1] {2}> ()"
    nodes = f"r = Relu (x) {shape} c = Equal (d, n) {axes} q = If (c) <{branches}> y = Sigmoid (q)"
    given = model(f"g (float[2,4,1] x) => (float y) {{ {nodes} }}")
    del given.graph.output[0].type.tensor_type.shape.dim[:]
    given.graph.output[0].type.tensor_type.ClearField("shape")
    result = npu_opt.optimize(given, target="onnx")
    found = [node.op_type for node in result.to_onnx().graph.node]
    assert [kind for kind in kinds if kind not in found] == []
    assert ("If" in found) == ("If" in kinds)
    assert npu_opt.check(given, result).word == "proved"


def test_a_value_of_known_rank_and_unknown_elements(tmp_path: Path):
    """ONNX's shape inference refuses a Transpose of a tensor without an element type."""
    given = model(
        "g (float[2,3] x) => (float z) { y = com.acme.Twist (x) t = Transpose <perm = [1, 0]> (y) z = Abs (t) }"
    )
    result = npu_opt.optimize(without_types(given), target="onnx")
    assert '"onnx.Transpose"(%y)' in str(result.module)
    result.save(tmp_path / "out.onnx")
    assert npu_opt.check(given, tmp_path / "out.onnx").word == "proved"
