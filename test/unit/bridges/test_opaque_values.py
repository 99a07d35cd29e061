"""Values that are no tensors, or of an unknown rank: what reads and computes them stays, all else around is placed."""

from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.tools import run as npu_run
from npu_opt.tools.opt import run
from numpy.typing import NDArray
from onnx import ModelProto, TypeProto, helper, numpy_helper
from onnx.parser import parse_model
from support.ir_text import parse
from support.oracles.onnx_running import executed
from xdsl.utils.exceptions import VerifyException

HEAD = '<ir_version: 10, opset_import: ["" : 19, "ai.onnx.ml" : 3, "other" : 1]>'
SEQUENCE = """g (float[2,3] x, int64 i) => (float[2,3] y, seq(float[3,2]) s) {
    a = Transpose <perm = [1, 0]> (x)
    b = Relu (a)
    s = SequenceConstruct (a, b)
    c = SequenceAt (s, i)
    d = Relu (c)
    y = Transpose <perm = [1, 0]> (d)
}"""
OPTIONAL = """g (optional(float[2,N]) x, float[2,3] z) => (bool h, float[2,M] y) {
    h = OptionalHasElement (x)
    a = OptionalGetElement (x)
    b = Transpose <perm = [1, 0]> (a)
    c = Transpose <perm = [1, 0]> (z)
    d = Add (b, c)
    y = Transpose <perm = [1, 0]> (d)
}"""
MAP = """g (float[2,3] x) => (seq(map(int64, float)) z) {
    a = Transpose <perm = [1, 0]> (x)
    b = Relu (a)
    c = Transpose <perm = [1, 0]> (b)
    z = ai.onnx.ml.ZipMap <classlabels_int64s = [10, 20, 30]> (c)
}"""
RANKLESS = """g (float[2,3] x, int64[N] k) => (float[] y, float[2,3] z) {
    a = Reshape (x, k)
    y = Neg (a)
    t = Transpose <perm = [1, 0]> (x)
    u = Relu (t)
    z = Transpose <perm = [1, 0]> (u)
}"""
COMPLEX = """g (float[2,3] x, complex64[2,3] w) => (complex64[2,3] y) {
    t = Transpose <perm = [1, 0]> (x)
    u = Relu (t)
    v = Transpose <perm = [1, 0]> (u)
    y = other.Turn (v, w)
}"""
SPARSE = "g (sparse_tensor(float[3,4]) s, float[4,2] x) => (float[3,2] y) { y = other.SparseMatMul (s, x) }"
TURNED = """r = Loop <body = b (int64 i, bool d, seq(float[2,3]) t) => (bool e, seq(float[2,3]) u) {
        e = Identity (d)
        v = SequenceAt (t, i)
        w = Transpose <perm = [1, 0]> (v)
        p = Relu (w)
        q = Transpose <perm = [1, 0]> (p)
        u = SequenceInsert (t, q)
    }> (n, c, s)"""
LOOP = f"g (seq(float[2,3]) s, int64 n, bool c) => (seq(float[2,3]) r) {{ {TURNED} }}"
ALL = {
    "sequence": (SEQUENCE, 2),
    "optional": (OPTIONAL, 0),
    "map": (MAP, 0),
    "no rank": (RANKLESS, 0),
    "complex": (COMPLEX, 0),
    "sparse": (SPARSE, 0),
    "loop": (LOOP, 0),
}


def model(text: str) -> ModelProto:
    return parse_model(f"{HEAD} {text}")


def transposes(proto: ModelProto) -> int:
    return str(proto).count('op_type: "Transpose"')


@pytest.mark.parametrize(("text", "left"), ALL.values(), ids=ALL)
def test_what_is_around_such_values_is_placed(text: str, left: int, tmp_path: Path):
    given = model(text)
    result = npu_opt.optimize(given, target="onnx")
    written = result.to_onnx()
    assert transposes(written) == left
    assert npu_opt.check(given, result).word == "proved"
    for before, after in ((given.graph.input, written.graph.input), (given.graph.output, written.graph.output)):
        assert [kept(value.type) for value in after] == [kept(value.type) for value in before]
    for name in ("out.mlir", "out.onnx"):
        result.save(tmp_path / name)
        assert npu_opt.check(given, tmp_path / name).word == "proved"


def kept(type_: TypeProto) -> TypeProto:
    """The type of an end as far as it is kept: sizes that follow from others may become known."""
    copy = TypeProto()
    copy.CopyFrom(type_)
    for dim in copy.tensor_type.shape.dim if copy.HasField("tensor_type") else ():
        dim.Clear()
    return copy


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (SEQUENCE, ("SequenceConstruct (a, b)", "SequenceConstruct (b, a)")),
        (SEQUENCE, ("SequenceAt (s, i)", "SequenceAt (r, i)")),
        (OPTIONAL, ("(b, c)", "(b, b)")),
        (LOOP, ("SequenceInsert (t, q)", "SequenceInsert (t, v)")),
        (RANKLESS, ("Neg (a)", "Abs (a)")),
        (MAP, ("[10, 20, 30]", "[10, 20, 31]")),
    ],
)
def test_others_are_not_proved(text: str, change: tuple[str, str]):
    other = text.replace(*change).replace("s = Seq", "r = SequenceConstruct (b, a) s = Seq")
    assert other != text
    assert npu_opt.check(model(text), model(other)).word in ("undecided", "different")


def test_a_rank_that_one_program_says_is_no_sure_difference():
    text = "g (float[] x) => (float[] y) { y = Relu (x) }"
    assert npu_opt.check(model(text), model(text.replace("[]", "[2,3]"))).word == "undecided"
    other = "g (seq(float[2]) x) => (seq(float[2]) y) { y = Identity (x) }"
    assert npu_opt.check(model(text.replace("[]", "[2]")), model(other)).word == "different"


def test_onnx_runtime_computes_the_same():
    text = f"""g (float[2,3] x, float[2,3] z, int64 n, bool c) => (float[2,9] y) {{
        s = SequenceConstruct (x, z)
        {TURNED}
        y = ConcatFromSequence <axis = 1> (r)
    }}"""
    given = model(text)
    written = npu_opt.optimize(given, target="onnx").to_onnx()
    assert transposes(written) == 0
    inputs = [
        np.arange(6, dtype=np.float32).reshape(2, 3) - 3,
        np.ones((2, 3), np.float32),
        np.array(1),
        np.array(True),
    ]
    for found, expected in zip(executed(written, inputs), executed(given, inputs), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (OPTIONAL, "input 0: no inputs of type optional(tensor(float)) can be made up"),
        (COMPLEX, "input 1: no inputs of type complex64 can be made up"),
        (RANKLESS, "'npu.opaque' \"onnx.Reshape\" cannot be evaluated"),
    ],
)
def test_what_cannot_run_is_named(text: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "model.onnx"
    file.write_bytes(model(text).SerializeToString())
    assert npu_run.run([str(file), "--engine=numpy"]) == 1
    assert word in capsys.readouterr().err


def test_other_formats_have_no_such_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("ai_edge_litert")
    file = tmp_path / "model.onnx"
    file.write_bytes(model(OPTIONAL).SerializeToString())
    assert run([str(file), "-o", str(tmp_path / "out.tflite")]) == 1
    assert ': error: LiteRT has no element type !npu.opaque<"optional(tensor(float))">' in capsys.readouterr().err


def test_transposes_of_unknown_ranks_stay_and_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Branches of two ranks stay unchanged."""
    text = """g (bool c, float[] x) => (float[] y) {
        a = Transpose (x)
        b = Transpose (a)
        y = If (c) <
            then_branch = yes () => (float[2,3] d) { d = Transpose <perm = [1, 0]> (b) },
            else_branch = no () => (float[] e) { e = Transpose (b) }>
    }"""
    file, out = tmp_path / "model.onnx", tmp_path / "out.onnx"
    file.write_bytes(model(text).SerializeToString())
    assert run([str(file), "--layout-optimal", "--target=onnx", "-o", str(out), "--verify-layouts"]) == 0
    assert "note: 2 Transposes in the file, of ~0 bytes (unknown sizes" in (err := capsys.readouterr().err)
    unchanged = "2 ops of other dialects left unchanged: onnx.Transpose (2); 1 If left unchanged: 2 ops inside"
    assert f"; 2 of them in what ONNX has for npu.opaque; {unchanged}" in err
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    for condition in (True, False):
        inputs = [np.array(condition), x]
        written = ModelProto.FromString(out.read_bytes())
        np.testing.assert_array_equal(executed(written, inputs)[0], executed(model(text), inputs)[0])


CONSTANTS = [
    pytest.param(
        """g (string[3] x) => (string[3] y, float[3] n) <string[1] u = {"b"}> {
            t = Constant <value = string[1] {"a"}> ()
            e = Equal (x, u)
            y = Where (e, t, x)
            n = ai.onnx.ml.LabelEncoder <keys_strings = ["a", "c"], values_floats = [1.0, 2.0]> (y)
        }""",
        np.array(["a", "b", "c"], object),
        id="texts",
    ),
    pytest.param(
        """g (float[2,3] x) => (float[2,3] y) <float s = {0.5}, float8e4m3fn z = {0}> {
            q = QuantizeLinear (x, s, z)
            d = DequantizeLinear (q, s, z)
            e = Transpose <perm = [1, 0]> (d)
            f = Relu (e)
            y = Transpose <perm = [1, 0]> (f)
        }""",
        np.array([[1, -2, 3], [4, -5, 600]], np.float32),
        id="floats of 8 bits",
    ),
]


@pytest.mark.parametrize(("text", "x"), CONSTANTS)
def test_constants_that_the_program_has_not_are_nodes(text: str, x: NDArray[Any]):
    given = model(text)
    result = npu_opt.optimize(given, target="onnx")
    written = result.to_onnx()
    assert transposes(written) == 0
    assert npu_opt.check(given, result).word == "proved"
    for found, expected in zip(executed(written, [x]), executed(given, [x]), strict=True):
        np.testing.assert_array_equal(found, expected)


def sparse(values: list[float], graph: str) -> ModelProto:
    """A model with a sparse initializer `w` of 2x3."""
    given = model(graph)
    entries = numpy_helper.from_array(np.array(values, np.float32), "w")
    given.graph.sparse_initializer.append(
        helper.make_sparse_tensor(entries, numpy_helper.from_array(np.array([1, 5])), [2, 3])
    )
    return given


def test_sparse_initializers_are_nodes():
    text = "g (float[4,2] x) => (float[4,3] y) { y = MatMul (x, w) }"
    given = sparse([1, 2], text)
    result = npu_opt.optimize(given, target="onnx")
    assert npu_opt.check(given, result).word == "proved"
    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    (found,), (expected,) = executed(result.to_onnx(), [x]), executed(given, [x])
    np.testing.assert_array_equal(found, expected)
    other = sparse([1, 3], text)
    assert npu_opt.check(given, other).word in ("undecided", "different")
    given.opset_import[0].version = 10
    with pytest.raises(npu_opt.NpuOptError, match="'w' is a sparse initializer in a model of opset 10"):
        npu_opt.optimize(given, target="onnx")


def test_a_result_of_unknown_rank_has_no_sizes_to_compute_with():
    """An If whose branches have other ranks, and Shape and Size of its result."""
    text = """g (bool c, float[1,3] x) => (int64[K] y, int64 z, float[M] w) <int64[1] zero = {0}, int64[1] all = {-1}> {
        r = If (c) <
            then_branch = yes () => (float[] a) { a = Squeeze (x, zero) },
            else_branch = no () => (float[] b) { b = Neg (x) }>
        y = Shape (r)
        z = Size (r)
        u = Relu (r)
        w = Reshape (u, all)
    }"""
    given = model(text)
    written = npu_opt.optimize(given, target="onnx").to_onnx()
    for condition in (True, False):
        inputs = [np.array(condition), np.array([[1, -2, 3]], np.float32)]
        for found, expected in zip(executed(written, inputs), executed(given, inputs), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_ops_of_npu_have_no_such_values():
    with pytest.raises(VerifyException, match=r"expected element type i1 to i64, .*, found !npu\.opaque"):
        parse(
            """func.func @main(%x: tensor<!npu.opaque<"tensor(float)">>) -> tensor<!npu.opaque<"tensor(float)">> {
              %y = npu.relu %x : tensor<!npu.opaque<"tensor(float)">>
              func.return %y : tensor<!npu.opaque<"tensor(float)">>
            }"""
        ).verify()
