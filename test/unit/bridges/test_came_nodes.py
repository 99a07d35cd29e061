"""Nodes of ONNX models leave as they came where no pass has changed what they became."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from npu_opt.bridges import came_nodes as noting
from npu_opt.bridges.made_ops import MadeOps, made_ops
from npu_opt.bridges.onnx.exporting import to_onnx
from npu_opt.bridges.onnx.importing.importer import import_model
from npu_opt.dialects.npu.source import ConstantOp
from npu_opt.dialects.npu.values import shape_of
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run
from onnx import ModelProto, helper, numpy_helper
from support.generators.made_models import save
from support.oracles.same_nodes import differences
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType, f32
from xdsl.ir import Operation

OLD = '<ir_version: 8, opset_import: ["": 11]> '
NEW = '<ir_version: 10, opset_import: ["": 23]> '
PLACED = ("--target=onnx", "--layout-optimal", "--canonicalize")
VENDOR = '<ir_version: 8, opset_import: ["": 17, "com.microsoft": 1]> '


def written(text: str, folder: Path, *flags: str) -> tuple[ModelProto, ModelProto]:
    """A model of this text, and the file that npu-opt writes of it, which is proved."""
    given, found = save(text, folder), folder / "written.onnx"
    assert run([str(given), *flags, "--verify-layouts", "-o", str(found)]) == 0
    assert check([str(given), str(found)]) == 0
    return ModelProto.FromString(given.read_bytes()), ModelProto.FromString(found.read_bytes())


ONE_INPUT = (
    "y = Softmax (x)",
    "y = Softmax <axis = -2> (x)",
    "y = Transpose (x)",
    "y = Transpose <perm = [0, 2, 1]> (x)",
    "y = ReduceMean <axes = [-1]> (x)",
    "y = ReduceMean <axes = [2], keepdims = 0> (x)",
    "y = ReduceSum (x)",
    "y = LogSoftmax <axis = 2> (x)",
    "y = Flatten (x)",
    "y = Flatten <axis = -1> (x)",
    "y = Squeeze (x)",
    "y = Sum (x, x, x)",
    "y = Mean (x, x)",
    "y = ArgMax <axis = -1> (x)",
    "y, z = Split <axis = -1> (x)",
    "y = Elu (x)",
    "y = Elu <alpha = 1.0> (x)",
    "y = Max (x, x, x)",
    "y = Concat <axis = -1> (x, x)",
    "y = Cast <to = 10> (x)",
    "y = LpNormalization (x)",
    "y = Gather <axis = -1> (x, places)",
    "y = Slice (x, one, four, last)",
    "y = Unsqueeze (x, last)",
    "y = Reshape (x, rest)",
    "y = Reshape <allowzero = 0> (x, rest)",
    "y = Tile (x, times)",
    "y = Clip (x, low, high)",
    "y = Clip (x, , high)",
    "y = CumSum (x, zero)",
    "y = Pad (x, pads)",
    "y = MatMul (x, matrix)",
    "y = Einsum <equation = \"abc,cd->abd\"> (x, matrix)",
)  # fmt: skip
CONSTANTS = (
    "int64[2] places = {0, 2}, int64[1] one = {1}, int64[1] four = {4}, int64[1] last = {-1}, int64[2] rest = {0, -1},"
    " int64[3] times = {1, 1, 2}, float low = {-1}, float high = {1}, int64 zero = {0}, int64[6] pads = {0,0,1,0,0,0},"
    " float[4,2] matrix = {1,2,3,4,5,6,7,8}"
)


@pytest.mark.parametrize("node", ONE_INPUT)
def test_nodes_leave_as_they_came(tmp_path: Path, node: str):
    result = "int64[?,?,?] y" if "ArgMax" in node else "float16[?,?,?] y" if "Cast" in node else "float[?,?,?] y"
    ranks = {"Flatten": "?,?", "Squeeze": "?,?", "Unsqueeze": "?,?,?,?", "Reshape": "?,?", "keepdims = 0": "?,?"}
    shape = next((text for kind, text in ranks.items() if kind in node), "?,?,?")
    results = result.replace("?,?,?", shape) + (", float[?,?,?] z" if "Split" in node else "")
    given, found = written(f"net (float[2,1,4] x) => ({results}) <{CONSTANTS}> {{ {node} }}", tmp_path)
    assert [*differences(given, found)] == []
    assert [each.op_type for each in found.graph.node] == [node.split("= ")[1].split(" ")[0]]


PARTS = (
    "net (float[3,4] x) => (float[3,2] y) <float[2,4] w = {1,2,3,4,5,6,7,8}, float[2] b = {1,2}>"
    " { y = Gemm <alpha = 0.5, beta = 2.0, transB = 1> (x, w, b) }",
    "net (float[3,4] x, float[2,4] w) => (float[3,2] y) { y = Gemm <alpha = 1.0, transA = 0, transB = 1> (x, w) }",
    NEW + "net (float[1,2,4,8] q, float[1,2,4,8] k) => (float[1,2,4,8] y)"
    " { n = RMSNormalization <axis = -1> (q, k) y = Gelu <approximate = \"tanh\"> (n) }",
    VENDOR + "net (float[2,3,4] a, float[2,5,4] b) => (float[2,3,5] y)"
    " { y = com.microsoft.FusedMatMul <transA = 0, transB = 1> (a, b) }",
    "net (float[1,2,4,4] x) => (float[1,2,4,4] y, float[1,2,3,3] z) <float[2,1,1,1] w = {1, 2}>"
    " { y = Conv <auto_pad = \"SAME_UPPER\", group = 2> (x, w) z = MaxPool <kernel_shape = [2, 2]> (x) }",
    # Results of several ops.
    "net (float[2,3,4] x) => (float[2,3,4] y, float[2,3,1] m, float[2,3,1] d) <float[4] w = {1,2,3,4}>"
    " { y, m, d = LayerNormalization <axis = -1> (x, w) }",
    "net (float[2,3,4] x) => (float[2,3,4] y, float[2,3,1] d) <float[4] w = {1,2,3,4}>"
    " { y, , d = LayerNormalization (x, w) }",
    "net (float[2,3,4] x) => (float[2,3,4] y, float[2,3,1] m) <float[4] w = {1,2,3,4}>"
    " { y, m = LayerNormalization (x, w) }",
    VENDOR + "net (float[2,3,4] x, float[2,3,4] s) => (float[2,3,4] y, float[2,3,4] z) <float[4] w = {1,2,3,4}>"
    " { y, , , t = com.microsoft.SkipLayerNormalization (x, s, w) z = Relu (t) }",
    # A number that one node reads and another one has as an attribute.
    "net (float[2,4] x) => (float[2,4] y) <float one = {1}> { a = Add (x, one) y = Clip (a, , one) }",
)  # fmt: skip


@pytest.mark.parametrize("text", PARTS)
def test_nodes_that_become_several_ops_leave_as_they_came(tmp_path: Path, text: str):
    given, found = written(text, tmp_path)
    assert [*differences(given, found)] == []
    assert [each.op_type for each in found.graph.node] == [each.op_type for each in given.graph.node]


NORMALISED = """
net (float[2,8,4,3] x) => (float[2,8,4,3] y, float[2,8,4,1] z) <float[3] w = {1, 2, 3}> {
  [norm] n, m, d = LayerNormalization (x, w)
  a = Transpose <perm = [0, 2, 3, 1]> (n)
  s = Sigmoid (a)
  y = Transpose <perm = [0, 3, 1, 2]> (s)
  z = Relu (%USED%)
}
"""


@pytest.mark.parametrize("used", ["m", "d"])
def test_results_that_nothing_uses_may_be_gone(tmp_path: Path, used: str):
    given, found = written(NORMALISED.replace("%USED%", used), tmp_path, *PLACED)
    assert [*differences(given, found)] == []
    assert [each.op_type for each in found.graph.node] == ["LayerNormalization", "Sigmoid", "Relu"]


def test_a_node_of_which_one_result_is_another_now_is_written_by_its_ops(tmp_path: Path):
    imported = import_model(save(NORMALISED.replace("%USED%", "d"), tmp_path))
    (op,) = (each for each in imported.module.walk() if isinstance(each, ConstantOp) and not shape_of(each.result))
    op.properties["value"] = DenseIntOrFPElementsAttr.from_list(TensorType(f32, ()), [0.5])
    nodes = to_onnx(imported.module, came=imported.came).proto.graph.node
    assert [[*each.output] for each in nodes if each.op_type == "LayerNormalization"] == [["n"]]
    assert "Reciprocal" in [each.op_type for each in nodes]


def test_an_op_with_many_results_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    calls: list[Operation] = []

    def counted(op: Operation, parts: frozenset[str]) -> MadeOps | None:
        calls.append(op)
        return made_ops(op, parts)

    monkeypatch.setattr(noting, "made_ops", counted)
    names = [f"y{number}" for number in range(8)]
    results = ", ".join(f"float[1] {name}" for name in names)
    import_model(save(f"net (float[8] x) => ({results}) {{ {', '.join(names)} = Split (x) }}", tmp_path))
    assert len(calls) == 1


def test_axes_that_are_attributes_stay(tmp_path: Path):
    text = (
        OLD
        + "net (float[2,1,4] x) => (float[2,4,1] y) { s = Squeeze <axes = [1]> (x) y = Unsqueeze <axes = [-1]> (s) }"
    )
    _, found = written(text, tmp_path)
    assert [each.op_type for each in found.graph.node] == ["Squeeze", "Unsqueeze"]
    assert [each.attribute[0].ints for each in found.graph.node] == [[1], [-1]]
    assert found.opset_import[0].version == 11


PAIR = """
net (float[1,8,4,4] x) => (float[1,8,4,4] y) <float[8,8,1,1] w> {
  transpose_1 = Relu (x)
  a = Transpose <perm = [0, 2, 3, 1]> (transpose_1)
  s = Softmax <axis = %AXIS%> (a)
  b = Transpose <perm = [0, 3, 1, 2]> (s)
  y = LeakyRelu (b)
}
"""


@pytest.mark.parametrize(("axis", "kinds"), [(-1, ["Relu", "Softmax", "LeakyRelu"])])
def test_a_node_in_a_changed_region_is_that_of_the_plan(tmp_path: Path, axis: int, kinds: Sequence[str]):
    """The transposes cancel out around the softmax, whose axis is another one then."""
    text = PAIR.replace("%AXIS%", str(axis)).replace(" <float[8,8,1,1] w>", "")
    _, found = written(text, tmp_path, "--target=onnx", "--layout-optimal", "--canonicalize")
    assert [each.op_type for each in found.graph.node] == kinds
    (softmax,) = (each for each in found.graph.node if each.op_type == "Softmax")
    assert [helper.get_attribute_value(each) for each in softmax.attribute] == [1]


def test_new_names_are_none_of_the_model(tmp_path: Path):
    """Around a convolution of another target there are new transposes, and the model has a value of their name."""
    weights = ", ".join(map(str, range(16)))
    nodes = "transpose = Relu (x) c = Conv (transpose, w) transpose_1 = Relu (c) z = Conv (transpose_1, w)"
    text = f"net (float[1,4,4,4] x) => (float[1,4,4,4] z) <float[4,4,1,1] w = {{{weights}}}> {{ {nodes} }}"
    given, found = written(text, tmp_path, "--target=opu", "--layout-optimal")
    assert "Transpose" in [each.op_type for each in found.graph.node]
    for model in (given, found):
        kinds = {name: node.op_type for node in model.graph.node for name in node.output}
        assert [kinds["transpose"], kinds["transpose_1"]] == ["Relu", "Relu"]


def test_the_number_of_changed_nodes_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = PAIR.replace("%AXIS%", "-1").replace(" <float[8,8,1,1] w>", "")
    given, found = save(text, tmp_path), tmp_path / "written.onnx"
    assert run([str(given), "-o", str(found)]) == 0
    assert "; 0 of 5 nodes changed" in capsys.readouterr().err
    flags = ["--target=onnx", "--layout-optimal", "--canonicalize", "--stats=json"]
    assert run([str(given), *flags, "-o", str(found)]) == 0
    *_, figures, note = capsys.readouterr().err.splitlines()
    assert json.loads(figures)["nodes"] == {"changed": 4, "came": 5}
    assert note.endswith("; 4 of 5 nodes changed")


BRANCHES = (
    # Values of one name in both branches.
    "(bool b, float[2] x) => (float[2] y) { y = If (b) <then_branch = t () => (float[2] r) { r = Relu (x) },"
    " else_branch = e () => (float[2] r) { r = Neg (x) }> }",
    # Absent inputs and outputs at the end.
    '(float[2,3,4] x, float[4] w) => (float[2,3,4] y) { y, "", "" = LayerNormalization (x, w, "") }',
)


@pytest.mark.parametrize("text", BRANCHES)
def test_no_other_node_counts_as_changed(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]):
    assert run([str(save(f"net {text}", tmp_path)), "-o", str(tmp_path / "written.onnx")]) == 0
    assert "; 0 of " in capsys.readouterr().err


def test_operands_of_a_product_keep_one_rank(tmp_path: Path):
    """Without notes about nodes the unit axis of a node of its own stays as well."""
    nodes = "u = Unsqueeze (k, first) y = MatMul (q, u)"
    text = f"net (float[1,2,4,8] q, float[2,8,4] k) => (float[1,2,4,4] y) <int64[1] first = {{0}}> {{ {nodes} }}"
    given, program, found = save(text, tmp_path), tmp_path / "program.mlir", tmp_path / "written.onnx"
    assert run([str(given), "--print-debuginfo", "-o", str(program)]) == 0
    assert run([str(program), "-o", str(found)]) == 0
    model = ModelProto.FromString(found.read_bytes())
    assert [each.op_type for each in model.graph.node] == ["Reshape", "MatMul"]


def constants(name: str, shape: str, numbers: Iterable[float]) -> str:
    return f"{name.partition(' ')[0]}[{shape}] {name.partition(' ')[2]} = {{{', '.join(map(str, numbers))}}}"


MANY = 5000
"""More numbers than the arithmetic on constants knows."""
NUMBERS = (
    ("y = GatherND (x, p)", constants("int64 p", "100,2", (each % 2 for each in range(200))), "100,4"),
    ("u = Unsqueeze (p, last) y = GatherND (x, u)", constants("int64 p", str(MANY), [0] * MANY), f"{MANY},3,4"),
)


@pytest.mark.parametrize(("nodes", "places", "shape"), NUMBERS, ids=["known", "unknown"])
def test_nodes_with_many_constant_numbers_leave_as_they_came(tmp_path: Path, nodes: str, places: str, shape: str):
    ends = f"(float[2,3,4] x) => (float[{shape}] y) <{places}, int64[1] last = {{-1}}>"
    given, found = written(f"net {ends} {{ {nodes} }}", tmp_path)
    assert [*differences(given, found)] == []
    assert [each.op_type for each in found.graph.node] == [each.op_type for each in given.graph.node]


def test_a_view_for_a_layout_does_not_rename_what_it_views(tmp_path: Path):
    """The sigmoid is computed in the layout of the product, and a node that stays opaque is not."""
    nodes = "g = GatherElements <axis = 1> (x, places) [n] s_1 = Sigmoid (g) y = MatMul (s_1, w)"
    ends = "(float[1,6,4] x, int64[1,3,4] places, float[1,4,2] w) => (float[1,3,2] y)"
    given, found = written(f"net {ends} {{ {nodes} }}", tmp_path, *PLACED)
    assert [*differences(given, found)] == []


def test_a_constant_keeps_its_name_beside_one_that_reads_it_transposed(tmp_path: Path):
    text = "net (float[3,4] x, int64[2] i) => (float[3,5] y, float[2,4] z) <%> {"
    nodes = "z = Gather (w, i) t = Transpose (w) y = MatMul (x, t) }"
    given, found = written(text.replace("%", constants("float w", "5,4", range(20))) + nodes, tmp_path)
    assert [*differences(given, found)] == []
    assert {each.name: [*each.dims] for each in found.graph.initializer}["w"] == [5, 4]


@pytest.mark.parametrize(
    ("width", "other", "kinds"),
    [
        (1025, "z = Gather (w, i)", ["Gather", "Transpose", "MatMul"]),
        (1025, "z = Relu (x)", ["Relu", "MatMul"]),
        (1024, "z = Gather (w, i)", ["Gather", "MatMul"]),
    ],
)
def test_a_large_constant_is_in_the_file_once(
    tmp_path: Path, width: int, other: str, kinds: Sequence[str], capsys: pytest.CaptureFixture[str]
):
    """Weights that two ops share: the Transpose in front of one of them stays, and is executed once by an engine."""
    nodes = f"{other} t = Transpose <perm = [1, 0]> (w) y = MatMul (x, t)"
    text = f"net (float[3,{width}] x, int64[2] i) => (float[3,256] y, float[?,{width}] z) {{ {nodes} }}"
    given = save(text, tmp_path)
    model = ModelProto.FromString(given.read_bytes())
    values = np.arange(256 * width, dtype=np.float32).reshape(256, width)
    model.graph.initializer.append(numpy_helper.from_array(values, "w"))
    given.write_bytes(model.SerializeToString())
    assert run([str(given), "-O", "-o", str(tmp_path / "written.onnx")]) == 0
    found = ModelProto.FromString((tmp_path / "written.onnx").read_bytes())
    assert [each.op_type for each in found.graph.node] == kinds
    assert len(found.graph.initializer) == 1 + (kinds == ["Gather", "MatMul"])
    assert "note: 0 Transposes in the file;" in capsys.readouterr().err


def test_the_result_of_rows_that_are_split_again_keeps_its_name(tmp_path: Path):
    """A product of rows that a Reshape has merged from unknown sizes is one of the rows before that."""
    nodes = (
        "b = Shape <end = 2> (x) s = Concat <axis = 0> (b, last) r = Reshape (x, rows) g = Gemm (r, w, c)"
        " split_1 = Reshape (g, s) y = Softmax (split_1)"
    )
    ends = "(float[B,S,4] x) => (float[B,S,2] y)"
    numbers = "int64[1] last = {2}, int64[2] rows = {-1, 4}, float[4,2] w = {1,2,3,4,5,6,7,8}, float[2] c = {1,2}"
    _, found = written(f"{NEW}net {ends} <{numbers}> {{ {nodes} }}", tmp_path)
    (softmax,) = (each for each in found.graph.node if each.op_type == "Softmax")
    assert [*softmax.input] == ["split_1"]


VIEWS = (
    "(float[3,4] x) => (float[3,4] y) <int64[1] axis = {1}>"
    " { u = Unsqueeze (x, axis) s = Squeeze (u, axis) y = Relu (s) }",
    "(float[3,4] x) => (float[3,4] y) <int64[2] a = {4, 3}, int64[2] b = {3, 4}>"
    " { r = Reshape (x, a) s = Reshape (r, b) y = Relu (s) }",
    # A Transpose that moves nothing in front of a shape that nobody knows.
    "(float[1,1,1,3] x, int64[2] shape) => (float[?,?] y)"
    " { t = Transpose <perm = [0, 3, 1, 2]> (x) y = Reshape (t, shape) }",
)


@pytest.mark.parametrize("text", VIEWS)
@pytest.mark.parametrize("flags", [(), ("-O",)], ids=["plain", "placed"])
def test_views_of_views_leave_as_they_came(tmp_path: Path, text: str, flags: Sequence[str]):
    given, found = written(f"net {text}", tmp_path, *flags)
    assert [*differences(given, found)] == []
    assert [each.op_type for each in found.graph.node] == [each.op_type for each in given.graph.node]


TYPES_READ = (
    "(float[2,3] x, float16[N] like) => (float16[2,3] y) { y = CastLike (x, like) }",
    "(float[2,3] x, int64[2] shape) => (float[3,2] y) { r = Relu (x) y = Reshape (r, shape) }",
    "(int64[2] shape, float[3,4] x) => (float[3,4] y) { z = ConstantOfShape (shape) y = Add (x, z) }",
)


@pytest.mark.parametrize("text", TYPES_READ)
def test_inputs_of_which_the_ops_have_the_type_stay(tmp_path: Path, text: str):
    given, found = written(f"net {text}", tmp_path)
    assert [*differences(given, found)] == []
    assert [each.op_type for each in found.graph.node] == [each.op_type for each in given.graph.node]


def test_a_value_of_another_type_or_without_use_is_not_read_for_its_type(tmp_path: Path):
    """The transposes around the first input go, and with them the value that the others only have the type of."""
    text = (
        "(float[2,3,4] x, float16[2,3,4] z) => (float[2,3,4] y, float16[2,3,4] w) {"
        " t = Transpose <perm = [0, 2, 1]> (x)"
        " r = Relu (t) u = Transpose <perm = [0, 2, 1]> (z) a = CastLike (r, u) y = Transpose <perm = [0, 2, 1]> (r)"
        " w = Transpose <perm = [0, 2, 1]> (a) }"
    )
    _, found = written(f"net {text}", tmp_path, "-O")
    assert [each.op_type for each in found.graph.node] == ["Relu", "Cast"]


def test_a_transpose_in_front_of_one_that_moves_nothing_stays(tmp_path: Path):
    """The product needs the first one; the second one is of axes of one element. Behind it is a pair that goes."""
    nodes = (
        "h = Exp (x) t = Transpose <perm = [0, 2, 1, 3]> (h) r = Reshape (t, cut)"
        " u = Transpose <perm = [0, 2, 1, 3]> (r) m = Reshape (u, rows) z = MatMul (m, w)"
        " e = Transpose <perm = [0, 2, 1]> (z) f = Relu (e) y = Transpose <perm = [0, 2, 1]> (f)"
    )
    numbers = "int64[4] cut = {1, 1, 6, 4}, int64[3] rows = {1, 6, 4}"
    ends = f"(float[1,2,6,2] x, float[4,3] w) => (float[1,6,3] y) <{numbers}>"
    given, found = written(f"net {ends} {{ {nodes} }}", tmp_path, "-O")
    assert [*differences(given, found)] == []
    came = [[*each.output] for each in given.graph.node[:6]]
    assert [[*each.output] for each in found.graph.node] == [*came, ["y"]]
