"""Files of ONNX for targets that say what a file may contain: each obeys, or is refused by name."""

from pathlib import Path

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.onnx.file_rules import Breaches, breaches, breaches_of_file
from npu_opt.dialects.settings.file_rules import FileRules
from npu_opt.targets import load
from npu_opt.tools.driver.pipeline.target_check import check_target
from npu_opt.tools.opt import run
from onnx import ModelProto, numpy_helper, parser, shape_inference
from support.closeness import SUMS, assert_close
from support.oracles.onnx_running import executed


def target(folder: Path, *rules: str) -> Path:
    """A target as `onnx` with these rules for files."""
    file = folder / "chip.toml"
    lines = ('name = "chip"', 'description = "Rules for files"', 'extends = "onnx"', "[file]", *rules)
    file.write_text("\n".join(lines))
    return file


def written(model: ModelProto, folder: Path, *rules: str, verdict: str = "proved") -> ModelProto:
    """The file of a model for such a target, and what the proof says of it."""
    file = folder / "out.onnx"
    npu_opt.optimize(model, target=target(folder, *rules)).save(file)
    assert npu_opt.check(model, file).word == verdict
    return ModelProto.FromString(file.read_bytes())


@pytest.mark.parametrize("axes", ["", "axes"])
@pytest.mark.parametrize("kind", ["ReduceMean", "ReduceMax", "ReduceSumSquare", "ReduceLogSumExp"])
def test_reductions_have_their_axes_as_attributes_again(kind: str, axes: str, tmp_path: Path):
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 18]>
    net (float[2,3,4] x) => (float[a,b,c] y) <int64[1] axes = {{-1}}>
    {{ y = {kind} <keepdims = 1, noop_with_empty_axes = 0> (x{axes and f", {axes}"}) }}""")
    found = written(model, tmp_path, "opset = 17")
    assert found.opset_import[0].version == 17
    (node,) = found.graph.node
    assert [list(each.ints) for each in node.attribute if each.name == "axes"] == ([[-1]] if axes else [])
    x = np.random.default_rng(0).standard_normal((2, 3, 4)).astype(np.float32)
    assert_close(executed(found, [x])[0], executed(model, [x])[0], SUMS)


def test_defaults_that_an_older_opset_lacks_are_left_out(tmp_path: Path):
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 19]>
    net (float[1,2,4,N] x, int64[4] s) => (float[a,b,c,d] y) {
    p = AveragePool <dilations = [1, 1], kernel_shape = [2, 2]> (x)
    y = Resize <antialias = 0, keep_aspect_ratio_policy = "stretch", mode = "cubic"> (p, , , s) }""")
    # The proof takes a Resize of 18 for another op.
    found = written(model, tmp_path, "opset = 17", verdict="undecided")
    assert [node.op_type for node in found.graph.node] == ["AveragePool", "Resize"]
    x = np.random.default_rng(0).standard_normal((1, 2, 4, 5)).astype(np.float32)
    given = [x, np.array([1, 2, 6, 8])]
    assert_close(executed(found, given)[0], executed(model, given)[0], SUMS)


REFUSED = {
    "Split": "float[b] y, float[b] z = Split <axis = 0, num_outputs = 2> (x)",
    "Resize": 'float[b] y = Resize <mode = "cubic", antialias = 1> (x, , s)',
    "Pad": 'float[b] y = Pad <mode = "wrap"> (x, p)',
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_node_that_the_opset_lacks_is_refused_by_name(kind: str, tmp_path: Path):
    outputs, _, node = REFUSED[kind].partition(" = ")
    names = ", ".join(each.split()[-1] for each in outputs.split(", "))
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 19]>
    net (float[N] x, float[1] s, int64[2] p) => ({outputs}) {{ {names} = {node} }}""")
    with pytest.raises(npu_opt.NpuOptError, match=rf"{kind} of ONNX 19 is another op in ONNX 17"):
        written(model, tmp_path, "opset = 17")
    assert not (tmp_path / "out.onnx").exists()


LACKS = 'lacks = ["Gelu", "IsNaN", "Mish", "Tan"]'


def of_nodes(nodes: str) -> ModelProto:
    return parser.parse_model(f"""<ir_version: 8, opset_import: ["": 20, "own": 1]>
    net (float[2,3] x) => (float[2,3] y) {{ {nodes} }}
    <domain: "own", opset_import: ["": 20]> Twice (a) => (c) {{ c = Tan (a) }}""")


@pytest.mark.parametrize(
    ("node", "kinds", "verdict"),
    [
        ("n = IsNaN (x)", ["Equal", "Not"], "proved"),
        # npu-check --arithmetic proves it.
        ("m = Mish (x) n = Cast <to = 9> (m)", ["Cast", "Mul", "Softplus", "Tanh"], "undecided"),
        ("m = Gelu (x) n = Cast <to = 9> (m)", ["Cast", "Div", "Erf", "Add", "Mul", "Mul"], "undecided"),
    ],
)
def test_ops_that_the_target_lacks_leave_as_others(node: str, kinds: list[str], verdict: str, tmp_path: Path):
    model = of_nodes(f"{node} s = Neg (x) y = Where (n, s, x)")
    found = written(model, tmp_path, LACKS, verdict=verdict)
    assert sorted(each.op_type for each in found.graph.node) == sorted([*kinds, "Neg", "Where"])
    x = np.array([[1, np.nan, -2], [np.inf, 0, -np.inf]], np.float32)
    assert_close(executed(found, [x])[0], executed(model, [x])[0], SUMS)
    assert not breaches(found, FileRules(lacks=frozenset(["Gelu", "IsNaN", "Mish"]))).found


def test_an_instance_norm_that_the_target_lacks_is_the_layer_norm_that_compilers_know(tmp_path: Path):
    """In this order, by a square, and with the axis counted from the last one."""
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
    net (float[1,8,6,5] x) => (float[1,8,6,5] y)
    <float[2] s = {0.5, 2}, float[2] b = {1, -1}, int64[3] g = {1, 2, -1}, int64[4] w = {1, 8, 6, 5}>
    { p = Reshape (x, g) i = InstanceNormalization <epsilon = 0.001> (p, s, b) y = Reshape (i, w) }""")
    found = written(model, tmp_path, 'lacks = ["InstanceNormalization"]', verdict="undecided")
    steps = ("ReduceMean", "Sub", "Pow", "ReduceMean", "Add", "Sqrt", "Div", "Mul", "Add")
    assert [node.op_type for node in found.graph.node] == ["Reshape", *steps, "Reshape"]
    axes = [list(each.ints) for node in found.graph.node for each in node.attribute if each.name == "axes"]
    assert axes == [[-1], [-1]]
    x = np.random.default_rng(0).standard_normal((1, 8, 6, 5)).astype(np.float32)
    assert_close(executed(found, [x])[0], executed(model, [x])[0], SUMS)


@pytest.mark.parametrize(("domain", "node"), [("", "Tan 'y'"), ("own.", "Tan 'c'")])
def test_a_node_that_the_target_lacks_and_nothing_defines_is_refused(domain: str, node: str, tmp_path: Path):
    model = of_nodes(f"y = {domain}{'Twice' if domain else 'Tan'} (x)")
    found = breaches(model, FileRules(lacks=frozenset(["Tan"]))).found
    assert found[-1] == "Tan 'c': the target lacks this op"
    assert [each.partition(":")[0] for each in found] == ([node] if domain else [node, "Tan 'c'"])
    with pytest.raises(npu_opt.NpuOptError, match=r"Tan '\w+': the target lacks this op"):
        written(model, tmp_path, LACKS)
    assert not (tmp_path / "out.onnx").exists()


MATRICES = """<ir_version: 8, opset_import: ["": 17]>
net (float[{}] x, float[{}] z) => (float[{}] y) {{ y = MatMul (x, z) }}"""


def answer(model: ModelProto, folder: Path, *rules: str) -> tuple[int, Breaches]:
    """The exit code of `--check-target`, and what a model breaks."""
    file = folder / "model.onnx"
    file.write_bytes(model.SerializeToString())
    chip = target(folder, *rules)
    return check_target(str(chip), str(file), ""), breaches_of_file(file, load(chip).file_rules)


def test_a_product_of_operands_of_other_ranks(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    for left, right, code in (("2,3,4", "1,2,4,5", 3), ("2,3,4", "4,5", 0), ("4,5", "2,5,3", 3), ("2,3,4", "2,4,5", 0)):
        found = answer(parser.parse_model(MATRICES.format(left, right, "a,b,c")), tmp_path, "equal-ranks = true")
        assert (found[0], len(found[1].found)) == (code, int(code > 0)), (left, right)
        assert answer(parser.parse_model(MATRICES.format(left, right, "a,b,c")), tmp_path)[0] == 0
    assert "MatMul 'y': the operands have ranks 3 and 4\n" in capfd.readouterr().out


def test_unknown_ranks_leave_the_answer_open(tmp_path: Path):
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 17, "com.microsoft": 1]>
    net (float[3,3] x) => (float[a,b] y) { v = com.microsoft.Gelu (x) w = Abs (x) y = MatMul (w, v) }""")
    code, found = answer(model, tmp_path, "max-rank = 4", "equal-ranks = true")
    assert (code, found.found, len(found.unknown)) == (2, [], 2)
    assert answer(model, tmp_path, "max-rank = 1")[0] == 3


def test_subgraphs_and_functions_obey_as_well(tmp_path: Path):
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 17, "own": 1]>
    net (bool c, float[2,3,4] x) => (float[a,b,d] y) <float[3,2] w = {1, 2, 3, 4, 5, 6}> {
      z = own.turn (x)
      y = If (c) <then_branch = one () => (float[a,b,d] o) { o = MatMul (w, x) },
                  else_branch = two () => (float[a,b,d] o) { o = Identity (z) }>
    }
    <domain: "own", opset_import: ["": 17]> turn (x) => (t) { t = Transpose <perm = [0, 2, 1]> (x) }""")
    _, found = answer(model, tmp_path, "max-rank = 2", "no-constant-lhs = true")
    assert [each for each in found.found if "constant" in each] == ["MatMul 'o': the left operand 'w' is constant"]
    assert "MatMul 'o' has rank 3, and the target allows 2 at most" in found.found
    assert len(breaches(model, FileRules(transposed=2)).found) == 1


def test_a_product_of_constants_is_a_constant(tmp_path: Path):
    text = """<ir_version: 8, opset_import: ["": 17]>
    net (float[2] x) => (float[1,2] y) <float[1,2] v = {{1, 2}}, float[2,2] w = {{3, 4, 5, 6}}, float[2] b = {{7, 8}}>
    {{ y = Gemm (v, w, {}) }}"""
    code, found = answer(parser.parse_model(text.format("b")), tmp_path, "no-constant-lhs = true")
    assert (code, found.found) == (0, [])
    _, found = answer(parser.parse_model(text.format("x")), tmp_path, "no-constant-lhs = true")
    assert found.found == ["Gemm 'y': the left operand 'v' is constant"]


def test_a_file_that_cannot_obey_is_refused(tmp_path: Path):
    model = parser.parse_model(MATRICES.format("2,3,4", "2,4,5", "2,3,5"))
    with pytest.raises(npu_opt.NpuOptError, match="refuses the file: input: 'x' has rank 3, and the target"):
        written(model, tmp_path, "max-rank = 2")
    assert not (tmp_path / "out.onnx").exists()


WINDOWS = """<ir_version: 8, opset_import: ["": 17]>
net (float[{n},8,8,6] x) => (float[{m},16,6] y, float[{n},2,2,4,4,6] z)
<int64[6] s = {{{k},2,4,2,4,6}}, int64[3] t = {{-1,16,6}}, float one = {{1}}> {{
  r = Relu (x)
  a = Reshape (r, s)
  b = Transpose <perm = [0, 1, 3, 2, 4, 5]> (a)
  y = Reshape (b, t)
  {end}
}}"""


@pytest.mark.parametrize("sizes", [{"n": "2", "m": "8", "k": "2"}, {"n": "N", "m": "M", "k": "0"}])
@pytest.mark.parametrize("rule", ["max-rank = 6", "max-rank = 5"])
def test_transposes_of_many_axes_are_joined(rule: str, sizes: dict[str, str], tmp_path: Path):
    """A value of a higher rank is between two Reshapes at most; another use of it keeps one."""
    has_values = rule == "max-rank = 6"
    model = parser.parse_model(WINDOWS.format(**sizes, end="z = Add (b, one)" if has_values else "z = Relu (x)"))
    if not has_values:
        del model.graph.output[1], model.graph.node[4]
    found = written(model, tmp_path, rule, "[ranks]", "transpose = 4")
    (transpose,) = [node for node in found.graph.node if node.op_type == "Transpose"]
    assert len(transpose.attribute[0].ints) == 4
    kinds = [node.op_type for node in found.graph.node if node.op_type != "Constant"]
    assert kinds.count("Reshape") == (3 if has_values else 2)
    x = np.random.default_rng(0).standard_normal((2, 8, 8, 6)).astype(np.float32)
    for one, other in zip(executed(found, [x]), executed(model, [x]), strict=True):
        np.testing.assert_array_equal(one, other)


UNARY = """<ir_version: 8, opset_import: ["": 17]>
net (float[{n},2,4,2,4,6] x, float[1] s) => (float[] y{outputs})
{{
  [negative] a = Neg (x)
  [leaky] b = LeakyRelu <alpha = 0.5> (a)
  y = Transpose <perm = [0, 1, 3, 2, 4, 5]> (b)
  {end}
}}"""


@pytest.mark.parametrize("n", ["2", "N"])
@pytest.mark.parametrize(
    ("outputs", "end", "kinds"),
    [
        ("", "", ["Reshape", "Neg", "LeakyRelu", "Transpose", "Reshape"]),
        (", float[] z", "z = Mul (a, s)", ["Neg", "Reshape", "Neg", "LeakyRelu", "Transpose", "Reshape", "Mul"]),
        (", float[] b", "", ["Neg", "LeakyRelu", "Reshape", "Neg", "LeakyRelu", "Transpose", "Reshape"]),
    ],
)
def test_unary_ops_between_an_input_and_a_transpose_have_joined_axes(
    n: str, outputs: str, end: str, kinds: list[str], tmp_path: Path
):
    """A compiler that takes the Reshape behind the Transpose again would make one of six axes."""
    model = parser.parse_model(UNARY.format(n=n, outputs=outputs, end=end))
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    code, broken = answer(model, tmp_path, "unary-rank = 4")
    assert (code, broken.found) == (
        3,
        ["LeakyRelu 'leaky' has rank 6 between an input and a Transpose, and the target allows 4 at most"],
    )
    found = written(model, tmp_path, "unary-rank = 4")
    assert answer(found, tmp_path, "unary-rank = 4")[0] == 0
    assert [node.op_type for node in found.graph.node if node.op_type != "Constant"] == kinds
    assert {node.name for node in found.graph.node} >= {"negative", "leaky"}
    given = [np.arange(2 * 384, dtype=np.float32).reshape(2, 2, 4, 2, 4, 6) - 300, np.ones(1, np.float32)]
    for one, other in zip(executed(found, given), executed(model, given), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "text",
    [
        "a = Relu (x) y = Transpose <perm = [0, 1, 2, 4, 3, 5]> (a)",
        "r = Reshape (x, s) a = Relu (r) y = Transpose <perm = [0, 1, 3, 2, 4, 5]> (a)",
        "r = Add (x, x) a = Relu (r) y = Transpose <perm = [0, 1, 2, 4, 3, 5]> (a)",
        "y = Transpose <perm = [0, 1, 2, 4, 3, 5]> (x)",
    ],
    ids=["few axes", "behind a Reshape", "behind another op", "an input"],
)
def test_other_transposes_of_many_axes_stay_as_they_came(text: str, tmp_path: Path):
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 17]>
    net (float[1,2,4,2,4,6] x) => (float[a,b,c,d,e,f] y) <int64[6] s = {{2, 2, 2, 4, 2, 6}}> {{ {text} }}""")
    rule = f"unary-rank = {6 if text.startswith('a = ') else 4}"
    assert answer(model, tmp_path, rule)[0] == 0
    found = written(model, tmp_path, rule)
    assert [(node.op_type, *node.attribute) for node in found.graph.node] == [
        (node.op_type, *node.attribute) for node in model.graph.node
    ]


def test_a_unary_op_of_unknown_sizes_is_refused(tmp_path: Path):
    model = parser.parse_model(UNARY.format(n="A", outputs="", end=""))
    model.graph.output[0].type.tensor_type.ClearField("shape")
    model.graph.input[0].type.tensor_type.shape.dim[1].dim_param = "B"
    refused = r"LeakyRelu 'leaky' has rank 6 between an input and a Transpose, and the target allows 4 at most"
    with pytest.raises(npu_opt.NpuOptError, match=refused):
        written(model, tmp_path, "unary-rank = 4")
    model.graph.input[0].type.tensor_type.ClearField("shape")
    code, broken = answer(model, tmp_path, "unary-rank = 4")
    assert (code, broken.unknown) == (2, ["LeakyRelu 'leaky': the operand has an unknown rank"])


def test_a_transpose_of_too_many_axes_is_several(tmp_path: Path):
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
    net (float[2,3,4,5,6] x) => (float[a,b,c,d,e] y) { [turn] y = Transpose <perm = [4, 3, 2, 1, 0]> (x) }""")
    found = written(model, tmp_path, "[ranks]", "transpose = 4")
    assert [len(node.attribute[0].ints) for node in found.graph.node if node.op_type == "Transpose"] == [3, 4]
    x = np.arange(720, dtype=np.float32).reshape(2, 3, 4, 5, 6)
    np.testing.assert_array_equal(executed(found, [x])[0], x.transpose())
    unknown = parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
    net (float[A,B,4,5,6] x) => (float[a,b,c,d,e] y) { [turn] y = Transpose <perm = [4, 3, 2, 1, 0]> (x) }""")
    with pytest.raises(npu_opt.NpuOptError, match=r"Transpose '\w+' is of rank 5, and the target allows 4"):
        written(unknown, tmp_path, "[ranks]", "transpose = 4")


PRODUCTS = {
    "left of lower rank": ("float[2,3,4] x", "float[1,2,4,5] z", "MatMul (x, z)"),
    "left of a lower unknown size": ("float[B,3,4] x", "float[1,B,4,5] z", "MatMul (x, z)"),
    "right of lower rank": ("float[1,2,3,4] x", "float[2,4,5] z", "MatMul (x, z)"),
    "matrix on the left": ("float[3,4] x", "float[2,4,5] z", "MatMul (x, z)"),
    "vector on the right": ("float[2,3,4] x", "float[4] z", "MatMul (x, z)"),
    "constant": ("float[2,4,5] x", "float[2] z", "MatMul (w, x)"),
    "constant matrix": ("float[4,5] x", "float[2] z", "MatMul (w, x)"),
    "constant of Gemm": ("float[4,5] x", "float[5] z", "Gemm (w, x, z)"),
    "constant that is transposed": (
        "float[5,3] x",
        "float[5] z",
        "Gemm <transA = 1, transB = 1> (w, x, z)",
    ),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_obey(name: str, tmp_path: Path):
    left, right, node = PRODUCTS[name]
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 17]>
    net ({left}, {right}) => (float[] y)
    <float[3,4] w = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}> {{ y = {node} }}""")
    model.graph.output[0].type.tensor_type.ClearField("shape")
    rules = "equal-ranks = true", "no-constant-lhs = true"
    assert answer(model, tmp_path, *rules)[0] == 3
    found = written(model, tmp_path, *rules)
    assert answer(found, tmp_path, *rules)[0] == 0
    rng = np.random.default_rng(0)
    shapes = [[dim.dim_value or 2 for dim in each.type.tensor_type.shape.dim] for each in model.graph.input]
    given = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    assert_close(executed(found, given)[0], executed(model, given)[0], SUMS)


@pytest.mark.parametrize("sizes", ["2,4,1,8", "A,B,1,8"])
def test_a_squeeze_in_a_changed_region_stays_one(sizes: str, tmp_path: Path):
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 17]>
    net (float[{sizes}] x) => (float[] y) <int64[1] last = {{3}}, int64[1] one = {{1}}> {{
      a = Transpose <perm = [0, 3, 1, 2]> (x)
      s = Squeeze (a, last)
      r = Relu (s)
      u = Unsqueeze (r, one)
      y = Transpose <perm = [0, 3, 1, 2]> (u)
    }}""")
    model.graph.output[0].type.tensor_type.ClearField("shape")
    found = written(model, tmp_path, 'squeeze = "keep"')
    kinds = [node.op_type for node in found.graph.node]
    assert sorted(kinds) == ["Relu", "Squeeze", "Unsqueeze"]
    x = np.random.default_rng(0).standard_normal((2, 4, 1, 8)).astype(np.float32)
    np.testing.assert_array_equal(executed(found, [x])[0], executed(model, [x])[0])


def test_new_reshapes_of_unit_axes_are_squeezes(tmp_path: Path):
    text = """func.func @main(%x: tensor<2x1x?x1x3xf32>) -> (tensor<2x?x1x3xf32>, tensor<2x1x?x3x1x1xf32>) {
      %y = npu.reshape %x dims = [2, @in2, 1, 3] : (tensor<2x1x?x1x3xf32>) -> tensor<2x?x1x3xf32>
      %z = npu.reshape %x dims = [2, 1, @in2, 3, 1, 1] : (tensor<2x1x?x1x3xf32>) -> tensor<2x1x?x3x1x1xf32>
      func.return %y, %z : tensor<2x?x1x3xf32>, tensor<2x1x?x3x1x1xf32>
    }"""
    file = tmp_path / "in.mlir"
    file.write_text(text)
    chip = target(tmp_path, 'squeeze = "keep"')
    graph = npu_opt.optimize(file, target=chip, strategy=None).to_onnx().graph
    assert [node.op_type for node in graph.node] == ["Squeeze", "Reshape"]


HEADS = """<ir_version: 8, opset_import: ["": 17]>
net (float[6,48] x, float[1,2,6,6] p) => (float[1,2,6,8] y, float[1,2,6,8] z)
<int64 first = {0}, int64 last = {2}, int64[3] parts = {6,3,16}, int64[3] heads = {6,2,8}, int64[4] batch = {1,2,6,8}> {
  split = Reshape (x, parts)
  turned = Transpose <perm = [1, 0, 2]> (split)
  k = Gather (turned, first)
  v = Gather (turned, last)
  kh = Reshape (k, heads)
  vh = Reshape (v, heads)
  kt = Transpose <perm = [1, 0, 2]> (kh)
  vt = Transpose <perm = [1, 0, 2]> (vh)
  kb = Reshape (kt, batch)
  vb = Reshape (vt, batch)
  y = MatMul (p, kb)
  z = MatMul (p, vb)
}"""


def test_a_product_that_came_with_equal_ranks_has_them_behind_other_views(tmp_path: Path):
    """The Gather gives what the product reads, but for the batch of one."""
    model = parser.parse_model(HEADS)
    found = written(model, tmp_path)
    assert sum(node.op_type == "Transpose" for node in found.graph.node) == 1
    known = shape_inference.infer_shapes(found, strict_mode=True).graph
    ranks = {each.name: len(each.type.tensor_type.shape.dim) for each in (*known.value_info, *known.input)}
    products = [node for node in found.graph.node if node.op_type == "MatMul"]
    assert [[ranks[name] for name in node.input] for node in products] == [[4, 4], [4, 4]]


def test_a_file_that_the_target_refuses_says_each_place_and_what_to_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "model.onnx"
    text = MATRICES.format("2,3,4", "2,4,5", "2,3,5")
    file.write_bytes(parser.parse_model(text).SerializeToString())
    output = tmp_path / "out.onnx"
    chip = target(tmp_path, "max-rank = 2")
    assert run([str(file), "-O", f"--target={chip}", "-o", str(output)]) == 1
    printed = capsys.readouterr().err.splitlines()
    assert [line for line in printed if "error" in line] == [
        f"{file}: error: the target refuses the file: input: 'x' has rank 3, and the target allows 2 at most"
    ]
    assert printed[-1] == "note: change the model there, or the table [file] of the target"
    assert sum(line.startswith("note: ") and "has rank 3" in line for line in printed) == 2
    assert not output.exists()


@pytest.mark.parametrize(
    ("sizes", "given", "limit", "joined"),
    [
        ("2,5,7,4", (2, 5, 7, 4), 3, [2, 35, 4]),
        ("2,5,7,4", (2, 5, 7, 4), 2, [70, 4]),
        ("2,5,7,4", (2, 5, 7, 4), 4, None),
        ("2,3,5,7,4", (2, 3, 5, 7, 4), 3, [2, 105, 4]),
        ("2,3,5,7,4", (2, 3, 5, 7, 4), 4, [2, 3, 35, 4]),
        ("1,1,1,4", (1, 1, 1, 4), 3, [1, 1, 4]),
        ("N,5,7,4", (2, 5, 7, 4), 3, [-1, 35, 4]),
        ("2,5,N,4", (2, 5, 7, 4), 3, [2, -1, 4]),
    ],
)
def test_a_product_by_a_matrix_has_joined_axes(
    sizes: str, given: tuple[int, ...], limit: int, joined: list[int] | None, tmp_path: Path
):
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 17]>
    net (float[{sizes}] x) => (float[] y, float[] z)
    <float[4,2] v = {{1, 2, 3, 4, 5, 6, 7, 8}}, float[2] b = {{1, 2}}, float[1,1,1,2] c = {{3, 4}}> {{
      p = MatMul (x, v) a = Add (p, b) y = Tanh (a) z = Mul (a, c) }}""")
    for each in model.graph.output:
        each.type.tensor_type.ClearField("shape")
    rule = f"product-rank = {limit}"
    assert answer(model, tmp_path, rule)[0] == (3 if joined else 0)
    found = written(model, tmp_path, rule)
    assert answer(found, tmp_path, rule)[0] == 0
    kinds = [node.op_type for node in found.graph.node]
    assert kinds.count("Reshape") == (3 if joined else 0)
    constants = {each.name: [*numpy_helper.to_array(each)] for each in found.graph.initializer}
    shapes = [constants[node.input[1]] for node in found.graph.node if node.op_type == "Reshape"]
    assert shapes[:1] == ([joined] if joined else [])
    x = np.random.default_rng(0).standard_normal(given).astype(np.float32)
    for ours, theirs in zip(executed(found, [x]), executed(model, [x]), strict=True):
        assert_close(ours, theirs, SUMS)


@pytest.mark.parametrize("sizes", ["N,M,7,4", "0,5,7,4"])
def test_a_product_that_cannot_be_joined_is_refused(sizes: str, tmp_path: Path):
    model = parser.parse_model(f"""<ir_version: 8, opset_import: ["": 17]>
    net (float[{sizes}] x, float[4,2] v) => (float[a,b,c,d] y) {{ y = MatMul (x, v) }}""")
    with pytest.raises(npu_opt.NpuOptError, match="refuses the file: MatMul 'y': the left operand has rank 4"):
        written(model, tmp_path, "product-rank = 3")


def test_a_product_in_a_branch_has_joined_axes(tmp_path: Path):
    model = parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
    net (bool c, float[2,3,5,4] x, float[4,6] w) => (float[2,3,5,6] y) {
      y = If (c) <then_branch = one () => (float[2,3,5,6] o) { o = MatMul (x, w) },
                  else_branch = two () => (float[2,3,5,6] o) { m = MatMul (x, w) o = Relu (m) }>
    }""")
    assert len(answer(model, tmp_path, "product-rank = 3")[1].found) == 2
    found = written(model, tmp_path, "product-rank = 3")
    assert answer(found, tmp_path, "product-rank = 3")[0] == 0
