"""Files of exported models: weights, subgraphs, versions; and long programs."""

import json
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed: pip install -e '.[onnx]'")

import npu_opt
import onnx
from npu_opt.bridges.onnx.exporting import NotExportable, to_onnx, write_model
from npu_opt.tools.opt import run
from support.ir_text import parse_verified

OPAQUE = """
builtin.module attributes {onnx.opsets = {"" = %d : i64}} {
  func.func @main(%%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %%y = npu.opaque "onnx.%s"(%%x) pure {%s} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %%y : tensor<2x3xf32>
  }
}"""


def checked(model: Any, full_check: bool) -> None:
    cast("Any", onnx).checker.check_model(model, full_check=full_check)


def safetensors(path: Path, arrays: dict[str, tuple[str, np.ndarray[Any, Any]]]) -> None:
    header: dict[str, Any] = {}
    data = b""
    for key, (name, array) in arrays.items():
        begin, data = len(data), data + array.tobytes()
        header[key] = {"dtype": name, "shape": list(array.shape), "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


REFERENCES = """
func.func @main(%x: tensor<4x600xf32>)
    -> (tensor<4x1000xf32>, tensor<3xi1>, tensor<3xi4>, tensor<20x600x50xf32>, tensor<400x1500xf32>) {
  %w = npu.constant #npu.reference<"w.safetensors", "fc", [1, 0]> : tensor<600x1000xf32>
  %b = npu.constant #npu.reference<"w.safetensors", "mask"> : tensor<3xi1>
  %i = npu.constant #npu.reference<"w.safetensors", "small"> : tensor<3xi4>
  %r = npu.constant #npu.reference<"w.safetensors", "fc", reshaped [1, 2, 0]> : tensor<20x600x50xf32>
  %s = npu.constant #npu.reference<"w.safetensors", "fc", [1, 0] of [1000, 600], reshaped [1, 0]> : tensor<400x1500xf32>
  %y = npu.matmul %x, %w : (tensor<4x600xf32>, tensor<600x1000xf32>) -> tensor<4x1000xf32>
  func.return %y, %b, %i, %r, %s
    : tensor<4x1000xf32>, tensor<3xi1>, tensor<3xi4>, tensor<20x600x50xf32>, tensor<400x1500xf32>
}"""


@pytest.mark.parametrize("limit", [0, 1 << 30])
def test_weights_come_from_safetensors_files(tmp_path: Path, limit: int):
    generator = np.random.default_rng(0)
    weights = generator.standard_normal((1000, 600)).astype("<f4")
    safetensors(
        tmp_path / "w.safetensors",
        {
            "fc": ("F32", weights),
            "mask": ("BOOL", np.array([1, 0, 1], np.uint8)),
            "small": ("I8", np.array([-8, 7, -1], np.int8)),
        },
    )
    path = tmp_path / "model.onnx"
    write_model(to_onnx(parse_verified(REFERENCES), directory=tmp_path), path, limit)
    assert (tmp_path / "model.onnx.data").exists() == (limit == 0)
    checked(str(path), full_check=True)
    found = {each.name: onnx.numpy_helper.to_array(each) for each in cast("Any", onnx).load(path).graph.initializer}
    assert np.array_equal(found["w"], weights.T)
    assert np.array_equal(found["r_1"], weights.reshape(50, 20, 600).transpose(1, 2, 0))
    assert np.array_equal(found["s_1"], weights.T.reshape(1500, 400).T)
    assert found["b_1"].tolist() == [True, False, True]
    assert found["i_1"].astype(int).tolist() == [-8, 7, -1]


def test_weights_in_a_model_are_where_protobuf_writes_them(tmp_path: Path):
    weights = np.arange(600_000, dtype="<f4").reshape(1000, 600)
    mask, small = np.array([1, 0, 1], np.uint8), np.array([-8, 7, -1], np.int8)
    arrays = {"fc": ("F32", weights), "mask": ("BOOL", mask), "small": ("I8", small)}
    safetensors(tmp_path / "w.safetensors", arrays)
    path = tmp_path / "model.onnx"
    model = to_onnx(parse_verified(REFERENCES), directory=tmp_path)
    write_model(model, path)
    proto = onnx.ModelProto()
    proto.CopyFrom(model.proto)
    for tensor in proto.graph.initializer:
        tensor.raw_data = model.weights[tensor.name].data()
    assert path.read_bytes() == proto.SerializeToString()


def test_weights_in_a_model_are_never_held_as_a_whole(tmp_path: Path):
    shape, size = [1 << 9, 1 << 16], 4 << 25
    text = json.dumps({key: {"dtype": "F32", "shape": shape, "data_offsets": [0, size]} for key in ("fc",)})
    with (tmp_path / "w.safetensors").open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text.encode())
        file.truncate(8 + len(text) + size)
    program = """
      func.func @main() -> (tensor<512x65536xf32>, tensor<65536x512xf32>) {
        %w = npu.constant #npu.reference<"w.safetensors", "fc"> : tensor<512x65536xf32>
        %t = npu.constant #npu.reference<"w.safetensors", "fc", [1, 0]> : tensor<65536x512xf32>
        func.return %w, %t : tensor<512x65536xf32>, tensor<65536x512xf32>
      }"""
    model = to_onnx(parse_verified(program), directory=tmp_path)
    tracemalloc.start()
    try:
        write_model(model, tmp_path / "model.onnx", 1 << 30)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (tmp_path / "model.onnx").stat().st_size > 2 * size
    assert peak < size / 8


def test_large_weights_are_never_held_as_a_whole(tmp_path: Path):
    path = tmp_path / "w.safetensors"
    rows, columns = 1 << 10, 1 << 16
    text = json.dumps({"fc": {"dtype": "F32", "shape": [rows, columns], "data_offsets": [0, 4 * rows * columns]}})
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text.encode())
        file.truncate(8 + len(text) + 4 * rows * columns)
    (tmp_path / "p.mlir").write_text(
        f"""func.func @main(%x: tensor<1x{columns}xf32>) -> tensor<1x{rows}xf32> {{
          %w = npu.constant #npu.reference<"w.safetensors", "fc", [1, 0]> : tensor<{columns}x{rows}xf32>
          %y = npu.matmul %x, %w
            : (tensor<1x{columns}xf32>, tensor<{columns}x{rows}xf32>) -> tensor<1x{rows}xf32>
          func.return %y : tensor<1x{rows}xf32>
        }}"""
    )
    # 256 MiB of weights, of which the process may take 64 for itself beyond what it takes for a program without any.
    code = (
        "import resource, sys; from npu_opt.tools.opt import run; import onnx, numpy\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "assert run(sys.argv[1:]) == 0\n"
        "import re; held = int(re.search(r'RssAnon:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "print(held)"
    )
    if sys.platform != "linux":
        pytest.skip("memory is measured on Linux only")
    arguments = [str(tmp_path / "p.mlir"), "-t", f'onnx{{path="{tmp_path / "m.onnx"}" inline-limit=1000}}']
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "m.onnx.data").stat().st_size == 4 * rows * columns
    assert int(done.stdout) < 200 << 10


def test_a_missing_file_is_one_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program = tmp_path / "p.mlir"
    program.write_text(REFERENCES)
    old = tmp_path / "m.onnx"
    old.write_text("what was there")
    assert run([str(program), "-o", str(old)]) == 1
    error = capsys.readouterr().err
    assert f"{program}:4:8: error: {tmp_path}/w.safetensors: No such file or directory" in error
    assert old.read_text() == "what was there"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["m.onnx", "p.mlir"]


@pytest.mark.parametrize(
    ("reference", "type_", "problem"),
    [
        ('"w", reshaped [2, 0, 1]', "5x5x2xf32", "has 24 elements, not 50"),
        ('"w", [2, 0, 1]', "4x6x1xf32", "has shape [4, 6]"),
        ('"w", [1, 0]', "4x6xf32", "has shape [4, 6]"),
        ('"w"', "24xf32", "has shape [4, 6]"),
    ],
)
def test_weights_that_do_not_fit_are_one_error(
    reference: str, type_: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    safetensors(tmp_path / "w.safetensors", {"w": ("F32", np.zeros((4, 6), np.float32))})
    program = tmp_path / "p.mlir"
    program.write_text(
        f"""func.func @main() -> tensor<{type_}> {{
          %w = npu.constant #npu.reference<"w.safetensors", {reference}> : tensor<{type_}>
          func.return %w : tensor<{type_}>
        }}"""
    )
    assert run([str(program), "-o", str(tmp_path / "m.onnx")]) == 1
    assert f"{program}:2:16: error: 'w' in w.safetensors {problem}" in capsys.readouterr().err
    assert not (tmp_path / "m.onnx").exists()


def test_values_that_subgraphs_take_from_around_them_keep_their_meaning():
    helper = onnx.helper
    branch = helper.make_graph(
        [helper.make_node("Add", ["outer", "outer"], ["doubled"])],
        "branch",
        [],
        [helper.make_tensor_value_info("doubled", onnx.TensorProto.FLOAT, [2, 3])],
    )
    proto = helper.make_attribute("then_branch", branch).SerializeToString()
    other = helper.make_attribute("else_branch", branch).SerializeToString()

    def kept(data: bytes) -> str:
        return f'{{onnx.proto = dense<"0x{data.hex()}"> : tensor<{len(data)}xui8>}}'

    model = to_onnx(
        parse_verified(
            f"""
    func.func @main(%c: tensor<i1>, %x: tensor<2x3xf32>) -> tensor<2x3xf32> {{
      %doubled = npu.relu %x : tensor<2x3xf32>
      %y = npu.opaque "onnx.If"(%c, %doubled) pure {{
        then_branch = {kept(proto)}, else_branch = {kept(other)}, onnx.captures = ["outer"]
      }} : (tensor<i1>, tensor<2x3xf32>) -> tensor<2x3xf32>
      func.return %y : tensor<2x3xf32>
    }}"""
        )
    )
    checked(model.proto, full_check=True)
    relu, branches = model.proto.graph.node
    # The name "doubled" is taken by the subgraphs.
    assert relu.output == ["doubled_1"]
    assert list(branches.input) == ["c"]
    assert all(list(each.g.node[0].input) == ["doubled_1"] * 2 for each in branches.attribute)


@pytest.mark.parametrize(
    ("kind", "attributes", "version", "opset"),
    [
        ("Hardmax", "axis = 1 : i64", 13, 13),
        ("Celu", "alpha = 2.0 : f32", 12, 12),
        ("Hardmax", "", 12, 12),
        ("Hardmax", "", 26, 26),
    ],
)
def test_opaque_ops_keep_their_meaning_in_newer_versions(kind: str, attributes: str, version: int, opset: int):
    model = to_onnx(parse_verified(OPAQUE % (version, kind, attributes)))
    checked(model.proto, full_check=True)
    assert [(each.domain, each.version) for each in model.proto.opset_import] == [("", opset)]
    assert [node.op_type for node in model.proto.graph.node] == [kind]


@pytest.mark.parametrize("opset", [13, 17, 26])
def test_opaque_ops_in_a_chosen_version(opset: int):
    model = to_onnx(parse_verified(OPAQUE % (18, "Hardmax", "axis = 1 : i64")), opset)
    checked(model.proto, full_check=True)
    assert model.proto.opset_import[0].version == opset


SAMPLED = """
builtin.module attributes {onnx.opsets = {"" = %d : i64}} {
  func.func @main(%%x: tensor<1x2x4x4xf32>, %%g: tensor<1x4x4x2xf32>) -> tensor<1x2x4x4xf32> {
    %%y = npu.opaque "onnx.GridSample"(%%x, %%g) {%s}
      : (tensor<1x2x4x4xf32>, tensor<1x4x4x2xf32>) -> tensor<1x2x4x4xf32>
    func.return %%y : tensor<1x2x4x4xf32>
  }
}
"""


@pytest.mark.parametrize(
    ("before", "given", "after", "found"),
    [
        (16, 'mode = "bilinear", ', 26, "linear"),
        (16, 'mode = "nearest", ', 20, "nearest"),
        (16, "", 26, "linear"),
        (20, 'mode = "cubic", ', 17, "bicubic"),
        (20, "", 16, "bilinear"),
        (20, 'mode = "linear", ', 22, "linear"),
    ],
)
def test_modes_of_grid_sample_have_other_names(before: int, given: str, after: int, found: str):
    module = parse_verified(SAMPLED % (before, f"{given}align_corners = 1 : i64"))
    (node,) = to_onnx(module, after).proto.graph.node
    attributes = {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}
    assert attributes == {"mode": found.encode(), "align_corners": 1}


@pytest.mark.parametrize(
    ("kind", "attributes", "version"),
    [("Hardmax", "", 12), ("Upsample", 'mode = "nearest"', 7)],
)
def test_opaque_ops_that_meant_something_else_are_refused(kind: str, attributes: str, version: int):
    with pytest.raises(NotExportable, match=f"{kind} of ONNX {version} is another op in ONNX 13: the new file may"):
        to_onnx(parse_verified(OPAQUE % (version, kind, attributes)), 13)


def test_opaque_ops_that_onnx_does_not_have_are_refused():
    with pytest.raises(NotExportable, match="ONNX 13 has no op Nothing"):
        to_onnx(parse_verified(OPAQUE % (13, "Nothing", "")))


def test_long_chains_take_no_recursion():
    type_ = "tensor<1x2x2x3xf32, #npu.layout<NHWC>>"
    lines = [f"%{i + 1} = npu.transpose %{i} permutation = [0, 2, 1, 3] : {type_}" for i in range(10_000)]
    calls = [f"func.func private @f0(%x: {type_}) -> {type_} {{ func.return %x : {type_} }}"]
    calls += [
        f"func.func private @f{i}(%x: {type_}) -> {type_} {{\n"
        f"  %y = func.call @f{i - 1}(%x) : ({type_}) -> {type_}\n  func.return %y : {type_}\n}}"
        for i in range(1, 2000)
    ]
    call = f"%y = func.call @f1999(%10000) : ({type_}) -> {type_}"
    text = "\n".join(
        [*calls, f"func.func @main(%0: {type_}) -> {type_} {{", *lines, call, f"func.return %y : {type_}", "}"]
    )
    model = to_onnx(parse_verified(text))
    assert len(model.proto.graph.node) == 10_000


SUMS = """<ir_version: 8, opset_import: ["": 13]>
net (float[N,3] "in.put") => (float[N,2] "out/put") <float[3,2] "w.0" = {1, 2, 3, 4, 5, 6}> {
  ["/first"] "a/b" = MatMul ("in.put", "w.0")
  ["/second"] "out/put" = Relu ("a/b")
}"""


def test_a_model_comes_back_with_its_names(tmp_path: Path):
    given, found = tmp_path / "given.onnx", tmp_path / "found.onnx"
    given.write_bytes(onnx.parser.parse_model(SUMS).SerializeToString())
    assert run([str(given), "-o", str(found), "--inline-limit=0"]) == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["found.onnx", "given.onnx"]
    graph = cast("Any", onnx).load(found).graph
    assert [(node.name, node.op_type) for node in graph.node] == [("/first", "MatMul"), ("/second", "Relu")]
    assert [each.name for each in (*graph.input, *graph.initializer, *graph.output)] == ["in.put", "w.0", "out/put"]
    assert list(graph.node[0].output) == ["a/b"]
    assert graph.input[0].type.tensor_type.shape.dim[0].dim_param == "N"
    assert onnx.numpy_helper.to_array(graph.initializer[0]).ravel().tolist() == [1, 2, 3, 4, 5, 6]


IMAGES = """<ir_version: 8, opset_import: ["": 17]>
net (float[1,3,8,8] x) => (float[1,2,4,8] "y") <float[4,3,1,1] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> {
  ["/conv"] "/conv/Conv_output_0" = Conv ("x", "w")
  ["/relu"] "/relu/Relu_output_0" = Relu ("/conv/Conv_output_0")
  ["/cut"] "/cut/Split_output_0", "/cut/Split_output_1" = Split <axis = 1> ("/relu/Relu_output_0")
  ["/both"] "/both/Concat_output_0" = Concat <axis = 2> ("/cut/Split_output_1", "/cut/Split_output_0")
  ["/last"] "y" = Slice ("/both/Concat_output_0", "s", "e", "a")
}"""


def test_names_stay_through_a_layout_pass_and_inserted_transposes_have_their_reason(tmp_path: Path):
    made, given, found = onnx.parser.parse_model(IMAGES), tmp_path / "given.onnx", tmp_path / "found.onnx"
    for name, number in (("s", 0), ("e", 4), ("a", 2)):
        made.graph.initializer.append(onnx.numpy_helper.from_array(np.array([number]), name))
    given.write_bytes(made.SerializeToString())
    assert run([str(given), "--target=opu", "--layout-optimal", "--canonicalize", "-o", str(found)]) == 0
    after = cast("Any", onnx).load(found).graph
    outputs = [{node.name: list(node.output) for node in graph.node} for graph in (made.graph, after)]
    # The value of the convolution is its result in the program's order, which the exporter's Transpose computes.
    assert outputs[1] == outputs[0] | {
        "/conv": ["conv"],
        "transpose": ["/conv/Conv_output_0"],
        "/last": ["y_1"],
        "transpose_1": ["y"],
    }
    docs = {node.name: node.doc_string for node in after.node if node.doc_string}
    assert list(docs) == ["transpose_1"]
    assert docs["transpose_1"].startswith("layout-optimal: output 0 of @main keeps NCHW, but ")


UNFIT = [
    pytest.param("GridSample", "", 26, "has input size 1 not in range", id="too few inputs"),
    pytest.param(
        "Elu", 'alpha = "one"', 13, "Mismatched attribute type in 'elu : alpha'", id="an attribute of another type"
    ),
    pytest.param("ReduceMax", "axes = array<i64: 7>", 17, "reducemax", id="an axis that is none"),
    pytest.param("Shape", "", 17, "Inferred elem type differs from existing elem type", id="a type that is another"),
]


@pytest.mark.parametrize(("kind", "attributes", "version", "said"), UNFIT)
def test_models_that_onnx_refuses_are_not_written(
    kind: str, attributes: str, version: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """The error has the name of the node; a file that was there stays."""
    program, file = tmp_path / "model.mlir", tmp_path / "model.onnx"
    program.write_text(OPAQUE % (version, kind, attributes))
    file.write_text("before")
    assert run([str(program), "-o", str(file)]) == 1
    found = capsys.readouterr().err
    assert found.startswith(f"{program}: error: the model would not be valid: ")
    assert said in found
    assert kind in found
    assert found.count("\n") == 1
    assert file.read_text() == "before"


def test_ops_that_are_deprecated_in_the_opset_of_the_model_stay():
    """ONNX's checker refuses them, and ONNX Runtime has them."""
    text = """builtin.module attributes {onnx.opsets = {"" = %d : i64}} {
      func.func @main(%%x: tensor<2x4x5xf32>, %%s: tensor<2xf32>) -> tensor<2x4x5xf32> {
        %%y = npu.opaque "onnx.GroupNormalization"(%%x, %%s, %%s) pure {num_groups = 2 : i64}
          : (tensor<2x4x5xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x4x5xf32>
        func.return %%y : tensor<2x4x5xf32>
      }
    }"""
    assert to_onnx(parse_verified(text % 18)).proto.graph.node[0].op_type == "GroupNormalization"
    with pytest.raises(NotExportable, match="GroupNormalization"):
        to_onnx(parse_verified(text % 18), 21)


@pytest.mark.parametrize("shape", ["", "1x"])
def test_zero_points_of_4_bits(shape: str):
    """They have the type of the elements, also if they were a vector."""
    text = f"""func.func @main(%x: tensor<5xui4>, %s: tensor<f32>, %z: tensor<{shape}ui4>) -> tensor<5xf32> {{
      %y = npu.dequantize %x, %s, %z : (tensor<5xui4>, tensor<f32>, tensor<{shape}ui4>) -> tensor<5xf32>
      func.return %y : tensor<5xf32>
    }}"""
    cast("Any", onnx).checker.check_model(to_onnx(parse_verified(text)).proto, full_check=True)


def test_an_input_that_is_an_output_keeps_its_name():
    """One that is returned under another name, or twice, is copied."""
    proto = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["": 17]> g (float[2] x, float[2] z) => (float[2] x, float[2] y, float[2] w)'
        " { y = Add (x, z) w = Identity (z) }"
    )
    written = npu_opt.optimize(proto, target="onnx").to_onnx()
    cast("Any", onnx).checker.check_model(written, full_check=True)
    assert [each.name for each in written.graph.output] == ["x", "y", "w"]
    assert [each.op_type for each in written.graph.node] == ["Add", "Identity"]
    assert npu_opt.check(proto, written).proved
