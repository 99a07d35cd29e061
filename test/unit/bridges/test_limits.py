"""Models that are small as files and ask for very much: what is left undone, what is refused, and what is said."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from npu_opt.bridges.onnx.importing import functions
from npu_opt.tools.opt import run
from onnx import ModelProto, TensorProto, helper
from support.generators.made_models import save

HEADER = '<ir_version: 8, opset_import: ["": 17]>\n'


def imported(path: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[str, str]:
    """The program that a model becomes, and what is said about it."""
    assert run([str(path), *flags]) == 0
    captured = capsys.readouterr()
    return captured.out, captured.err


LARGE = [
    pytest.param("y = EyeLike (x)", "float[1048576,1048576] x", 4 << 40, id="EyeLike"),
    pytest.param("y = Trilu (x)", "float[262144,262144] x", 64 << 30, id="Trilu"),
    pytest.param(
        "d = Constant <value = int64[1] {1099511627776}> () v = Constant <value = float[2] {0, 1}> ()"
        " y = OneHot (x, d, v)",
        "int64[1] x",
        8 << 40,
        id="OneHot",
    ),
    pytest.param(
        's = Constant <value = float[4] {1, 1, 1, 68719476736}> () y = Resize <mode = "nearest"> (x, , s)',
        "float[1,1,1,2] x",
        4 << 40,
        id="Resize to copies",
    ),
    pytest.param(
        's = Constant <value = float[2] {1, 17179869184.5}> () y = Resize <mode = "nearest"> (x, , s)',
        "float[1,2] x",
        256 << 30,
        id="Resize",
    ),
]


@pytest.mark.parametrize(("body", "inputs", "length"), LARGE)
def test_numbers_beyond_the_limit_are_not_made_up(
    body: str, inputs: str, length: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = save(f"net ({inputs}) => (float[?,?] y) {{ {body} }}", tmp_path)
    out, said = imported(path, capsys)
    op = body.split("y = ")[1].split()[0]
    assert f'npu.opaque "onnx.{op}"' in out
    # Nobody has so much memory, so no command raises the limit.
    assert said == f"{path}: note: {op} 'y' not folded: {length} bytes of constants, and the limit is 67108864\n"


def test_limit_is_an_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = save("net (float[3,3] x) => (float[3,3] y, float[3,3] z) { y = EyeLike (x) z = Trilu (x) }", tmp_path)
    out, said = imported(path, capsys, "--fold-limit=8")
    assert out.count("npu.opaque") == 2
    assert said == (
        f"{path}: note: EyeLike 'y' and 1 more not folded: 36 bytes of constants, and the limit is 8"
        f" (run: npu-opt --fold-limit=36 {path})\n"
    )
    out, said = imported(path, capsys, "--fold-limit=36")
    assert "npu.opaque" not in out
    assert said == ""


SHAPES = [
    pytest.param("t = Expand (c, s) y = Add (x, t)", "npu.broadcast", id="Expand"),
    pytest.param("t = Tile (c, s) y = Add (x, t)", "npu.tile", id="Tile"),
    pytest.param("t = ConstantOfShape (s) y = Add (x, t)", "npu.broadcast", id="ConstantOfShape"),
    pytest.param("q = Squeeze (s) i = Range (z, q, o) y = Cast <to = 1> (i)", "npu.range", id="Range"),
    pytest.param("t = Add (w, w) y = Mul (t, t)", "npu.add", id="vectors that are no shapes"),
]


@pytest.mark.parametrize(("body", "expected"), SHAPES)
def test_shapes_are_worked_out_without_the_numbers(
    body: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Long vectors are not worked out as if they were shapes, neither here nor by ONNX's own inference."""
    known = "<int64[1] s = {1099511627776}, float[1] c = {1}, int64 z = {0}, int64 o = {1}>"
    inputs = "float[1] x, float[1099511627776] w"
    path = save(f"{HEADER}net ({inputs}) => (float[1099511627776] y) {known} {{ {body} }}", tmp_path)
    out, said = imported(path, capsys)
    assert expected in out
    assert said == ""


def test_sizes_that_square_themselves(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """After 60 links, what is known of the number would be a product of 2^60 names."""
    links = " ".join(f"m{index + 1} = Mul (m{index}, m{index})" for index in range(60))
    path = save(f"net (float[N,M] x) => (int64[2] m60) {{ m0 = Shape (x) {links} }}", tmp_path)
    out, _ = imported(path, capsys)
    assert "npu.mul" in out


def called_twice(depth: int) -> ModelProto:
    """Functions of which each calls the next one twice."""
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]

    def function(index: int) -> object:
        callee, domain = (f"F{index + 1}", "local") if index + 1 < depth else ("Neg", "")
        nodes = [
            helper.make_node(callee, ["a"], ["b"], domain=domain),
            helper.make_node(callee, ["b"], ["c"], domain=domain),
        ]
        return helper.make_function("local", f"F{index}", ["a"], ["c"], nodes, imports)

    end = helper.make_tensor_value_info
    node = helper.make_node("F0", ["x"], ["y"], domain="local")
    graph = helper.make_graph([node], "net", [end("x", 1, [1])], [end("y", 1, [1])])
    return helper.make_model(
        graph, functions=[function(index) for index in range(depth)], opset_imports=imports, ir_version=8
    )


def test_functions_that_call_others_twice_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.onnx"
    path.write_bytes(called_twice(5).SerializeToString())
    out, _ = imported(path, capsys)
    assert out.count("npu.neg") == 32
    path.write_bytes(called_twice(30).SerializeToString())
    assert run([str(path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{path}: error: inlining the functions would make {1 << 30} nodes of ")
    assert said.endswith(f"; the limit is {functions.MOST_NODES} nodes and {functions.MOST_BYTES} bytes\n")


def chain(length: int, last: str) -> ModelProto:
    """Functions of which each calls the next one."""
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    names = [f"F{index}" for index in range(length)]
    made = [
        helper.make_function(
            "local",
            name,
            ["a"],
            ["b"],
            [helper.make_node(callee, ["a"], ["b"], domain="local" if callee.startswith("F") else "")],
            imports,
        )
        for name, callee in zip(names, [*names[1:], last], strict=True)
    ]
    end = helper.make_tensor_value_info
    node = helper.make_node("F0", ["x"], ["y"], domain="local")
    graph = helper.make_graph([node], "net", [end("x", 1, [1])], [end("y", 1, [1])])
    return helper.make_model(graph, functions=made, opset_imports=imports, ir_version=8)


CHAINS = [
    pytest.param(chain(1, "F0"), "the function 'local.F0' calls itself", id="one that calls itself"),
    pytest.param(chain(5, "F2"), "the function 'local.F2' calls itself", id="a ring of three"),
    pytest.param(chain(5000, "Neg"), "calls of functions are nested 5000 deep; the limit is 256", id="a long chain"),
]


@pytest.mark.parametrize(("model", "expected"), CHAINS)
def test_functions_without_an_end(model: ModelProto, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())
    assert run([str(path)]) == 1
    assert capsys.readouterr().err == f"{path}: error: {expected}\n"


def test_functions_as_deep_as_they_may_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "model.onnx"
    path.write_bytes(chain(functions.DEEPEST, "Neg").SerializeToString())
    out, _ = imported(path, capsys)
    assert out.count("npu.neg") == 1


def test_constants_of_functions_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """A body with a large constant that is called often is large, however few nodes it has."""
    monkeypatch.setattr(functions, "MOST_BYTES", 1 << 12)
    model = called_twice(3)
    value = helper.make_tensor("value", TensorProto.FLOAT, [512], np.zeros(512, np.float32).tobytes(), raw=True)
    model.functions[2].node.append(helper.make_node("Constant", [], ["unused"], value=value))
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())
    assert run([str(path)]) == 1
    assert "inlining the functions would make 12 nodes of " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["net", "in a function"])
def test_a_split_into_more_parts_than_outputs_stays_opaque(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """ONNX's shape inference makes as many results as the attribute says."""
    split = "a, b = Split <num_outputs = 2147483648> (x)"
    header = '<ir_version: 8, opset_import: ["": 18, "own": 1]>\n'
    body, function = f"{{ {split} }}", ""
    if name != "net":
        body, function = (
            "{ a, b = own.half (x) }",
            f'<domain: "own", opset_import: ["": 18]> half (x) => (a, b) {{ {split} }}',
        )
    path = tmp_path / "net.onnx"
    model = onnx.parser.parse_model(f"{header}net (float[6] x) => (float[3] a, float[3] b) {body}\n{function}")
    path.write_bytes(model.SerializeToString())
    out, _ = imported(path, capsys)
    assert 'npu.opaque "onnx.Split"' in out


def test_a_result_declared_with_another_rank_is_exported_with_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = save("net (float[2,3,?] x) => (float[2,3] y) { y = Transpose <perm = [0, 2, 1]> (x) }", tmp_path)
    out = tmp_path / "out.onnx"
    imported(path, capsys, "-o", str(out))
    dims = ModelProto.FromString(out.read_bytes()).graph.output[0].type.tensor_type.shape.dim
    assert [dim.dim_value for dim in dims] == [2, 0, 3]


@pytest.mark.parametrize("size", ["N", "1"])
def test_a_squeeze_of_no_axes_stays_opaque(size: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """By ONNX's shape inference it removes no axis, in ONNX Runtime all axes of size 1."""
    path = save(f"net (float[{size},4] x) => (float[?,?] y) <int64[0] a = {{}}> {{ y = Squeeze (x, a) }}", tmp_path)
    out, _ = imported(path, capsys)
    assert 'npu.opaque "onnx.Squeeze"' in out


@pytest.mark.parametrize("size", [-1, -(1 << 31)])
def test_negative_sizes_are_unknown(size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """ONNX's shape inference would take them for sizes, and end the process."""
    model = onnx.parser.parse_model(
        '<ir_version: 10, opset_import: ["": 17]> net (int64[2] x) => (int64[n] y)'
        " { a = Identity (x) o = Constant <value = int64[1] {0}> () e = Constant <value = int64[1] {2}> ()"
        " y = Slice (a, o, e) }"
    )
    model.graph.value_info.append(helper.make_tensor_value_info("a", TensorProto.INT64, [size]))
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = size
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())
    out, _ = imported(path, capsys)
    assert "%x: tensor<?xi64>" in out
