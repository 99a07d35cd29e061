"""Nodes whose meaning depends on the opset of the model, beside ONNX Runtime."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.onnx.exporting import versions
from npu_opt.bridges.onnx.exporting.opset import NeedsOpset, Opset
from npu_opt.equivalence.onnx_versions import meaning
from npu_opt.interpreter import run
from onnx import ModelProto, helper, parser
from support.closeness import FEW_STEPS, assert_close
from support.oracles.onnx_running import executed


@pytest.mark.parametrize("opset", [7, 11, 12, 13])
@pytest.mark.parametrize("axis", ["", "<axis = 0>", "<axis = 1>", "<axis = 2>"])
@pytest.mark.parametrize("kind", ["Softmax", "LogSoftmax", "Hardmax"])
def test_axes_that_are_merged_before_opset_13(kind: str, axis: str, opset: int):
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]>
    net (float[2,3,4] x) => (float[2,3,4] y) {{ y = {kind} {axis} (x) }}""")
    x = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32)
    (expected,), (found,) = executed(model, [x]), run(npu_opt.load(model).module, inputs=[x])
    assert_close(found, expected, FEW_STEPS)


@pytest.mark.parametrize("kind", ["Softmax", "LogSoftmax"])
@pytest.mark.parametrize("sizes", ["a,b,c", "2,b,c", "a,3,c", "a,b,4", "a,3,4"])
def test_merged_axes_of_unknown_sizes(kind: str, sizes: str):
    """Axes that no reshape could split again are reduced together."""
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 10]>
    net (float[{sizes}] x) => (float[{sizes}] y) {{ y = {kind} <axis = 1> (x) }}""")
    written = npu_opt.optimize(model, target="onnx").to_onnx(opset=13)
    x = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32)
    assert_close(executed(written, [x])[0], executed(model, [x])[0], FEW_STEPS)
    assert npu_opt.check(model, written).word == "proved"


HARDMAX = parser.parse_model("""<ir_version: 8, opset_import: ["": 10]>
net (float[a,b,c] x) => (float[a,b,c] y) { y = Hardmax <axis = 1> (x) }""")


def test_an_op_that_newer_files_cannot_say_is_refused():
    result = npu_opt.optimize(HARDMAX, target="onnx")
    assert result.to_onnx().opset_import[0].version == 10
    with pytest.raises(npu_opt.NpuOptError, match=r"Hardmax of ONNX 10 is another op in ONNX 13: the new file may say"):
        result.to_onnx(opset=13)


def test_the_proof_does_not_believe_the_exporter(monkeypatch: pytest.MonkeyPatch):
    """An exporter that takes the new op for the old one is found out."""
    monkeypatch.setattr(versions, "OTHER_MEANING", {})
    written = npu_opt.optimize(HARDMAX, target="onnx").to_onnx(opset=13)
    assert npu_opt.check(HARDMAX, written).word != "proved"


@pytest.mark.parametrize("opset", [10, 11, 13])
def test_a_resize_of_an_unknown_size_keeps_its_meaning(opset: int, tmp_path: Path):
    inputs = "(x, s)" if opset == 10 else "(x, r, s)"
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]>
    net (float[1,H,3,4] x) => (float[1,K,3,8] y)
    <float[4] s = {{1, 1.5, 1, 2}}, float[8] r = {{0, 0, 0, 0, 1, 1, 1, 1}}>
    {{ y = Resize {inputs} }}""")
    npu_opt.optimize(model, target="onnx").save(tmp_path / "out.onnx")
    x = np.random.default_rng(0).standard_normal((1, 4, 3, 4)).astype(np.float32)
    np.testing.assert_array_equal(
        executed(ModelProto.FromString((tmp_path / "out.onnx").read_bytes()), [x])[0], executed(model, [x])[0]
    )


def test_a_split_into_equal_parts_says_their_number(tmp_path: Path):
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 13]>
    net (float[2,a] x) => (float[2,b] y, float[2,b] z) { y, z = Split <axis = 1> (x) }""")
    result = npu_opt.optimize(model, target="onnx")
    x = np.arange(12, dtype=np.float32).reshape(2, 6)
    for opset in (13, 18):
        found = executed(result.to_onnx(opset=opset), [x])
        assert [each.tolist() for each in found] == [x[:, :3].tolist(), x[:, 3:].tolist()]


@pytest.mark.parametrize("sizes", ["a,3,4", "a,3,c", "a,b,c"])
@pytest.mark.parametrize("opset", [11, 13])
def test_a_hardmax_leaves_as_one_node(opset: int, sizes: str, tmp_path: Path):
    """Whatever the sizes are, and with the numbers that ONNX Runtime has for NaN."""
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]>
    net (float[{sizes}] x) => (float[{sizes}] y) {{ y = Hardmax <axis = {1 if sizes == "a,3,4" else 2}> (x) }}""")
    file = tmp_path / "out.onnx"
    npu_opt.optimize(model, target="onnx").save(file)
    written = ModelProto.FromString(file.read_bytes())
    assert [node.op_type for node in written.graph.node if node.op_type not in ("Reshape", "Flatten")] == ["Hardmax"]
    x = np.random.default_rng(0).integers(0, 3, (2, 3, 4)).astype(np.float32)
    x[0, 0, 0] = x[1, 2, 1] = np.nan
    assert np.array_equal(executed(written, [x])[0], executed(model, [x])[0])
    assert npu_opt.check(model, file).word == "proved"


def test_a_hardmax_in_litert(tmp_path: Path):
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 13]>
    net (float[2,3,4] x) => (float[2,3,4] y) { y = Hardmax <axis = 1> (x) }""")
    npu_opt.optimize(model, target="litert").save(tmp_path / "out.tflite")
    assert npu_opt.check(model, tmp_path / "out.tflite").word == "proved"


ATTRIBUTES_OF_OLD = {
    "TopK": (9, "float[a,b] y, int64[c,d] z", "y, z = TopK <axis = 0, k = 2> (x)", "proved"),
    "Pad": (10, "float[a,b] y", "y = Pad <pads = [0, -3, 0, 5], value = 0.5> (x)", "proved"),
    "edges": (10, "float[a,b] y", 'y = Pad <mode = "edge", pads = [0, 1, 0, 2]> (x)', "proved"),
    "scales": (7, "float[a,b] y", "y = Upsample <scales = [1.0, 1.5]> (x)", "proved"),
    "lines": (7, "float[a,b] y", 'y = Upsample <mode = "linear", scales = [1.0, 1.5]> (x)', "proved"),
    "scales of the run": (9, "float[a,b] y", "y = Upsample (x, s)", "proved"),
    "lines of the run": (9, "float[a,b] y", 'y = Upsample <mode = "linear"> (x, s)', "proved"),
}
"""The opset of a node, its results, the node, and the verdict on the file."""


@pytest.mark.parametrize("name", ATTRIBUTES_OF_OLD)
def test_attributes_that_became_inputs(name: str):
    opset, outputs, node, verdict = ATTRIBUTES_OF_OLD[name]
    numbers = ", float[2] s" if "s)" in node else ""
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]>
    net (float[A,B] x{numbers}) => ({outputs}) {{ {node} }}""")
    written = npu_opt.optimize(model, target="onnx").to_onnx(opset=13)
    given = [np.arange(6, dtype=np.float32).reshape(3, 2), np.array([1, 1.5], np.float32)][: 2 if numbers else 1]
    for expected, found in zip(executed(model, given), executed(written, given), strict=True):
        assert np.array_equal(found, expected)
    assert npu_opt.check(model, written).word == verdict


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("inputs", ["x, none, none, z", "x, none, s"])
def test_a_resize_to_sizes_has_no_empty_scales(inputs: str, mode: str):
    """Before opset 13 they could not be left out, and since then they may not be there."""
    numbers = "int64[4] z" if "z" in inputs else "float[4] s"
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 11]>
    net (float[A,B,C,D] x, {numbers}) => (float[a,b,c,d] y) <float[0] none = {{}}>
    {{ y = Resize <mode = "{mode}"> ({inputs}) }}""")
    written = npu_opt.optimize(model, target="onnx").to_onnx(opset=13)
    sizes = np.array([1, 2, 5, 9]) if "z" in inputs else np.array([1, 1, 2, 1.5], np.float32)
    given = [np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4), sizes]
    (node,) = written.graph.node
    assert (node.input[2] == "") == ("z" in inputs)
    assert_close(executed(written, given)[0], executed(model, given)[0], FEW_STEPS)


@pytest.mark.parametrize(
    ("node", "opsets"),
    [
        ("Dropout (x, r, t)", (12, 13)),
        ("RandomUniformLike (x)", (21, 22)),
        ("Bernoulli (x)", (21, 22)),
        ("Compress <axis = 1> (x, k)", (26, 28)),
    ],
)
def test_versions_that_add_types_only(node: str, opsets: tuple[int, int]):
    size = "k" if node.startswith("Compress") else "3"
    models = [
        parser.parse_model(f"""<ir_version: 8, opset_import: ["": {opset}]>
        net (float[2,3] x, bool[3] k, float r, bool t) => (float[2,{size}] y) {{ y = {node} }}""")
        for opset in opsets
    ]
    assert npu_opt.check(*models)


@pytest.mark.parametrize(
    ("kind", "opsets"), [("BitShift", (11, 28)), ("Mod", (13, 28)), ("Dropout", (10, 12)), ("Scan", (8, 9))]
)
def test_versions_with_another_meaning(kind: str, opsets: tuple[int, int]):
    assert len({meaning(kind, each) for each in opsets}) == len(opsets)


def test_a_batch_norm_that_fails_in_every_run_stays():
    """Its statistics are for another axis, and the attribute `spatial` is gone, whose default is the only value."""
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 8]>
    net (float[1,2,5] x) => (float[1,2,5] y) <float[5] s = {1, 2, 3, 4, 5}>
    { t = Neg (x) y = BatchNormalization (t, s, s, s, s) }""")
    written = npu_opt.optimize(model, target="onnx").to_onnx(opset=13)
    assert [node.op_type for node in written.graph.node] == ["Neg", "BatchNormalization"]
    model.graph.node[1].attribute.append(helper.make_attribute("spatial", 0))
    with pytest.raises(npu_opt.NpuOptError, match="BatchNormalization of ONNX 8 is another op"):
        npu_opt.optimize(model, target="onnx").to_onnx(opset=13)


def test_version_0_of_a_domain_that_has_another_is_none():
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 0, "ai.onnx": 13]>
    net (float[2,3] x) => (float[2,3] y) { y = Softmax <axis = 0> (x) }""")
    result = npu_opt.optimize(model, target="onnx")
    assert [each.version for each in result.to_onnx().opset_import] == [13]
    assert npu_opt.check(model, result).word == "proved"


def test_a_scatter_leaves_under_its_new_name():
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 9]>
    net (float[3,4] x, int64[3,2] i, float[3,2] u) => (float[3,4] y) { y = Scatter <axis = 1> (x, i, u) }""")
    result = npu_opt.optimize(model, target="onnx")
    written = result.to_onnx(opset=13)
    assert [node.op_type for node in written.graph.node] == ["ScatterElements"]
    assert npu_opt.check(model, written).word == "proved"
    x, u = (np.arange(size, dtype=np.float32) for size in (12, 6))
    inputs = [x.reshape(3, 4), np.array([[0, 3], [1, -2], [2, 0]]), -u.reshape(3, 2)]
    np.testing.assert_array_equal(executed(written, inputs)[0], executed(model, inputs)[0])


@pytest.mark.parametrize(
    ("text", "opset"),
    [
        (
            "(float[1,4,16] q, float[1,4,16] k) => (float[1,4,16] y)"
            ' { y, s = LinearAttention <q_num_heads = 2, kv_num_heads = 2, update_rule = "linear"> (q, k, k) }',
            27,
        ),
        ("(float16 a, float16 b, float16 c) => (float16[N] y) { y = Range (a, b, c) }", 26),
        ("(float a, float b, float c) => (float[N] y) { y = Range (a, b, c) }", 26),
        ("(float[2] a) => (float[N] y) { y = Neg (a) }", 26),
    ],
    ids=["LinearAttention", "Range of float16", "Range", "Neg"],
)
def test_a_model_newer_than_the_runtime_keeps_its_opset_if_it_needs_it(text: str, opset: int):
    """LinearAttention is of ONNX 27; Range takes float16 since then, but its numbers are those of float32."""
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["": 27]> net {text}')
    result = npu_opt.optimize(model, target="onnx")
    assert result.to_onnx().opset_import[0].version == opset
    assert npu_opt.check(model, result).word == "proved"
    assert result.to_onnx(opset=27).opset_import[0].version == 27


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("kind", ["Softmax", "LogSoftmax", "Hardmax"])
def test_axes_that_are_merged_leave_as_they_came(kind: str, axis: int):
    """The op of the merged axes, which only a newer opset has, is in the file where the node is not."""
    model = parser.parse_model(f"""<ir_version: 6, opset_import: ["": 11]>
    net (float[2,3,4,5] x) => (float[2,3,4,5] y) {{
        r = Relu (x)
        s = {kind} <axis = {axis}> (r)
        y = Add (s, x)
    }}""")
    result = npu_opt.optimize(model, target="onnx")
    kept, newer = result.to_onnx(), result.to_onnx(opset=13)
    assert kept.opset_import[0].version == 11
    assert [(node.op_type, *node.attribute) for node in kept.graph.node] == [
        (node.op_type, *node.attribute) for node in model.graph.node
    ]
    assert [node.op_type for node in newer.graph.node] == ["Relu", "Reshape", kind, "Reshape", "Add"]
    x = np.random.default_rng(0).standard_normal((2, 3, 4, 5)).astype(np.float32)
    (expected,) = executed(model, [x])
    for each in (kept, newer):
        assert_close(executed(each, [x])[0], expected, FEW_STEPS)


STEPS = """
t = Transpose <perm = [0, 2, 3, 1]> (x)
e = Exp (t)
u = Unsqueeze <axes = [0]> (e)
q = Squeeze <axes = [0]> (u)
s = ReduceSum <axes = [-1], keepdims = 0> (q)
v, w = Split <axis = -1, split = [1, 3]> (q)
y = Transpose <perm = [0, 3, 1, 2]> (w)
"""
"""Nodes whose axes and sizes are inputs since opset 13."""


@pytest.mark.parametrize("opset", [11, 12, 13])
def test_a_model_leaves_in_its_opset(opset: int, tmp_path: Path):
    """Nodes that are new say it as that opset does."""
    nodes = STEPS if opset < 13 else "y = Exp (x)  s = ReduceMax <axes = [1], keepdims = 0> (x)"
    model = parser.parse_model(f"""<ir_version: 6, opset_import: ["": {opset}]>
    net (float[2,4,3,5] x) => (float[A,B,C,D] y, float[E,F,G] s) {{ {nodes} }}""")
    file = tmp_path / "out.onnx"
    npu_opt.optimize(model, target="onnx").save(file)
    found = ModelProto.FromString(file.read_bytes())
    assert found.opset_import[0].version == opset
    assert found.ir_version == max(6, helper.find_min_ir_version_for(found.opset_import[:1]))
    assert all(node.op_type != "Transpose" for node in found.graph.node)
    x = np.random.default_rng(0).standard_normal((2, 4, 3, 5)).astype(np.float32)
    for expected, each in zip(executed(model, [x]), executed(found, [x]), strict=True):
        assert_close(each, expected, FEW_STEPS)
    assert npu_opt.check(model, file).word == "proved"


@pytest.mark.parametrize(
    ("node", "opset", "written"),
    [
        *((f"{kind} <axis = 3> (t)", 12, 13) for kind in ("Softmax", "LogSoftmax", "Hardmax")),
        ("Resize (t, none, scales)", 12, 13),
        ("BatchNormalization (t, scale, scale, scale, scale)", 8, 8),
    ],
)
def test_ops_that_a_pass_moves(node: str, opset: int, written: int):
    """Before opset 13 a Softmax merges all axes from its own one on, and a Resize has other inputs."""
    model = parser.parse_model(f"""<ir_version: 6, opset_import: ["": {opset}]>
    net (float[2,4,3,5] x) => (float[a,b,c,d] y)
    <float[0] none = {{}}, float[4] scales = {{1, 2, 2, 1}}, float[3] scale = {{1, 2, 3}}> {{
        t = Transpose <perm = [0, 2, 3, 1]> (x)
        s = {node}
        y = Transpose <perm = [0, 3, 1, 2]> (s)
    }}""")
    found = npu_opt.optimize(model, target="onnx").to_onnx()
    assert node.partition(" ")[0] in [each.op_type for each in found.graph.node]
    assert found.opset_import[0].version == written
    x = np.random.default_rng(0).standard_normal((2, 4, 3, 5)).astype(np.float32)
    assert_close(executed(found, [x])[0], executed(model, [x])[0], FEW_STEPS)


GEMM = """t = Transpose <perm = [1, 0]> (x)
w = Transpose <perm = [1, 0]> (z)
y = MatMul (t, w)"""


@pytest.mark.parametrize(
    ("opset", "written", "nodes"),
    [
        # Nodes that are new count axes from the first one, and a Gemm has a third input before 11.
        (7, 7, "t = Transpose <perm = [1, 0]> (x)  e = Exp (t)  y = Transpose <perm = [1, 0]> (e)"),
        (10, 10, "t = Transpose <perm = [1, 0]> (x)  e = Exp (t)  y = Transpose <perm = [1, 0]> (e)"),
        (10, 11, GEMM),
        (11, 11, GEMM),
    ],
)
def test_a_model_of_an_old_opset(opset: int, written: int, nodes: str):
    model = parser.parse_model(f"""<ir_version: 4, opset_import: ["": {opset}]>
    net (float[4,4] x, float[4,4] z) => (float[4,4] y) {{ {nodes} }}""")
    found = npu_opt.optimize(model, target="onnx").to_onnx()
    assert found.opset_import[0].version == written
    assert [node.op_type for node in found.graph.node] == ["Gemm" if nodes == GEMM else "Exp"]
    x, z = np.random.default_rng(0).standard_normal((2, 4, 4)).astype(np.float32)
    assert_close(executed(found, [x, z])[0], executed(model, [x, z])[0], FEW_STEPS)


def test_constants_that_are_inputs():
    """Before IR version 4 they had to be."""
    model = parser.parse_model("""<ir_version: 3, opset_import: ["": 7]>
    net (float[4,4] x, float[4] c) => (float[4,4] y) <float[4] c = {1, 2, 3, 4}> {
        t = Transpose <perm = [1, 0]> (x)
        a = Mul (t, c)
        y = Transpose <perm = [1, 0]> (a)
    }""")
    found = npu_opt.optimize(model, target="onnx").to_onnx()
    assert (found.ir_version, found.opset_import[0].version) == (4, 7)
    assert [each.name for each in found.graph.input] == ["x"]
    x = np.random.default_rng(0).standard_normal((4, 4)).astype(np.float32)
    assert_close(executed(found, [x])[0], x * np.arange(1, 5, dtype=np.float32)[:, None], FEW_STEPS)


def test_axes_are_counted_from_the_first_one_before_opset_11():
    chosen = Opset(10)
    chosen.check("Concat", [1, 1], 1, {"axis": 1})
    with pytest.raises(NeedsOpset, match="this form of Concat needs opset 11"):
        chosen.check("Concat", [1, 1], 1, {"axis": -1})
    with pytest.raises(NeedsOpset, match="this form of ArgMin needs opset 11"):
        chosen.check("ArgMin", [1], 7, {"axis": helper.make_attribute("axis", -5)})


@pytest.mark.parametrize("element", ["float", "double"])
def test_a_mod_of_floats_is_written_for_a_runtime_that_knows_older_ones(element: str, tmp_path: Path):
    """ONNX has it without `fmod` since 28; the numbers are those of ONNX's definition."""
    model = parser.parse_model(f"""<ir_version: 10, opset_import: ["": 28]>
    net ({element}[4] x, {element}[4] z) => ({element}[4] y) {{ y = Mod(x, z) }}""")
    file = tmp_path / "out.onnx"
    npu_opt.optimize(model, target="onnx").save(file)
    written = ModelProto.FromString(file.read_bytes())
    dtype = np.float32 if element == "float" else np.float64
    given = [np.array(numbers, dtype) for numbers in ([-5, 5, -4.5, 7], [3, -3, 2, np.inf])]
    assert executed(written, given)[0].tolist() == [1, -1, 1.5, 7]
    assert npu_opt.check(model, file).word != "different"


@pytest.mark.parametrize("fmod", [0, 1])
def test_a_mod_of_integers_leaves_as_it_came_in_an_older_opset(fmod: int):
    model = parser.parse_model(f"""<ir_version: 10, opset_import: ["": 28]>
    net (int32[4] x, int32[4] z) => (int32[4] y) {{ y = Mod<fmod={fmod}>(x, z) }}""")
    written = npu_opt.optimize(model, target="onnx").to_onnx()
    assert [node.op_type for node in written.graph.node] == ["Mod"]
    assert written.opset_import[0].version < 28


@pytest.mark.parametrize("direction", ["LEFT", "RIGHT"])
def test_a_shift_of_signed_numbers_leaves_as_it_came(direction: str):
    model = parser.parse_model(f"""<ir_version: 10, opset_import: ["": 28]>
    net (int32[4] x, int32[4] z) => (int32[4] y) {{ y = BitShift<direction="{direction}">(x, z) }}""")
    written = npu_opt.optimize(model, target="onnx").to_onnx()
    assert [node.op_type for node in written.graph.node] == ["BitShift"]
    assert written.opset_import[0].version == 28


@pytest.mark.parametrize(("direction", "expected"), [("LEFT", [-6, -(2**31), 0, 0]), ("RIGHT", [-2, -1, 0, -1])])
def test_a_shift_of_signed_numbers_in_an_older_opset(direction: str, expected: list[int]):
    """A shift to the right keeps the sign, and shifts by less than 0 or by the width leave nothing else."""
    model = parser.parse_model(f"""<ir_version: 10, opset_import: ["": 28]>
    net (int32[4] x, int32[4] z) => (int32[4] y) {{ y = BitShift<direction="{direction}">(x, z) }}""")
    written = npu_opt.optimize(model, target="onnx").to_onnx(opset=21)
    given = [np.array([-3, -3, 3, -3], np.int32), np.array([1, 31, 32, -1], np.int32)]
    assert executed(written, given)[0].tolist() == expected
