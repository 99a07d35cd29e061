"""Numbers of few bits with scales in ONNX models: they are placed, proved and leave as the nodes that they were."""

from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.interpreter import run
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.parser import parse_model

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from support.closeness import SUMS, assert_close
from support.oracles.onnx_running import unoptimised

# By name: the package is typed in part.
ONNX: Any = import_module("onnx")

PRODUCTS: dict[str, dict[str, Any]] = {
    "of 4 bits": {},
    "of 8 bits with packed zero points": {"bits": 8, "zeros": "packed"},
    "of 2 bits": {"bits": 2, "rows": 160},
    "with packed zero points for an odd number of blocks": {"zeros": "packed", "rows": 96},
    "with zero points that are floats": {"zeros": "floats"},
    "with groups of rows": {"groups": True},
    "with a bias and a shorter last block": {"bias": True, "rows": 80},
}
COLUMNS, BLOCK = 48, 32


def product(bits: int = 4, rows: int = 64, zeros: str = "", groups: bool = False, bias: bool = False) -> ModelProto:
    """A product with packed weights between two transposes of the batch axes."""
    rng, blocks = np.random.default_rng(0), -(-rows // BLOCK)
    packed = {"packed": -(-blocks * bits // 8)}
    given: dict[str, Any] = {
        "weights": rng.integers(0, 256, (COLUMNS, blocks, BLOCK * bits // 8)).astype(np.uint8),
        "scales": (rng.random(COLUMNS * blocks) / 8).astype(np.float32),
        "zeros": None
        if not zeros
        else rng.integers(0, 256, COLUMNS * packed["packed"]).astype(np.uint8)
        if zeros == "packed"
        else rng.random((COLUMNS, blocks)).astype(np.float32),
        "groups": rng.integers(0, blocks, rows).astype(np.int32) if groups else None,
        "bias": rng.random(COLUMNS).astype(np.float32) if bias else None,
    }
    names = [name if array is not None else "" for name, array in given.items()]
    while not names[-1]:
        names.pop()
    sizes: dict[str, Any] = {"K": rows, "N": COLUMNS, "bits": bits, "block_size": BLOCK}
    nodes = [
        helper.make_node("Transpose", ["x"], ["s"], perm=[1, 0, 2]),
        helper.make_node("MatMulNBits", ["s", *names], ["m"], domain="com.microsoft", **sizes),
        helper.make_node("Transpose", ["m"], ["y"], perm=[1, 0, 2]),
    ]
    return model(nodes, [3, 5, rows], ["A", "B", COLUMNS], given)


def model(nodes: Any, given: Any, result: Any, constants: dict[str, Any], opset: int = 21) -> ModelProto:
    weights = [numpy_helper.from_array(array, name) for name, array in constants.items() if array is not None]
    ends = [helper.make_tensor_value_info(name, 1, shape) for name, shape in (("x", given), ("y", result))]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], weights)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=13)


def kinds(proto: ModelProto) -> list[str]:
    return [node.op_type for node in proto.graph.node]


@pytest.mark.parametrize("case", PRODUCTS)
def test_products_with_packed_weights(case: str, tmp_path: Path):
    """The transposes around it are gone, and ONNX Runtime computes the same."""
    given = product(**PRODUCTS[case])
    path = tmp_path / "model.onnx"
    path.write_bytes(given.SerializeToString())
    rows = given.graph.input[0].type.tensor_type.shape.dim[2].dim_value
    x = np.random.default_rng(1).standard_normal((3, 5, rows)).astype(np.float32)
    (expected,) = unoptimised(given).run(None, {"x": x})
    found = npu_opt.optimize(path, target="onnx")
    whole = import_model(path, Options(inline_limit=None)).module
    assert_close(run(whole, "main", [x])[0], expected, SUMS)
    # Read again from a text, nothing is known of the node that it was.
    found.save(tmp_path / "program.mlir")
    again = npu_opt.optimize(tmp_path / "program.mlir", target="onnx")
    for each in (found, again):
        written = each.to_onnx()
        assert kinds(written) == ["MatMulNBits"]
        np.testing.assert_array_equal(unoptimised(written).run(None, {"x": x})[0], expected)
        each.save(tmp_path / "written.onnx")
        assert npu_opt.check(path, tmp_path / "written.onnx").word == "proved"


def test_scales_of_a_product_of_unknown_rows_stay(tmp_path: Path):
    """A product that ONNX Runtime would refuse is an op that nothing is known of."""
    given = product()
    node = given.graph.node[1]
    next(each for each in node.attribute if each.name == "block_size").i = 48
    (tmp_path / "model.onnx").write_bytes(given.SerializeToString())
    npu_opt.optimize(tmp_path / "model.onnx").save(tmp_path / "program.mlir")
    assert 'npu.opaque "com.microsoft.MatMulNBits"' in (tmp_path / "program.mlir").read_text()


def quantised_product(kind: str, has_bias: bool) -> ModelProto:
    """A product of quantised matrices with a float as result, between two transposes of the batch axes."""
    rng = np.random.default_rng(0)
    given: dict[str, Any] = {
        # Processors without products of bytes add two of them in 16 bits, which larger weights saturate.
        "matrix": rng.integers(-64, 65, (24, 10)).astype(np.int8),
        "scale": rng.random(10).astype(np.float32),
        "zero": rng.integers(-5, 5, 10).astype(np.int8),
        "one_scale": np.array(0.03, np.float32),
        "one_zero": np.array(120, np.uint8),
        "bias": rng.random(10).astype(np.float32),
    }
    is_dynamic = kind == "DynamicQuantizeMatMul"
    names = ["scale", "zero"] if is_dynamic else ["one_scale", "scale", "one_zero", "zero"]
    inputs = ["s", "matrix", *names, *(["bias"] if has_bias else [])]
    nodes = [
        helper.make_node("Transpose", ["x"], ["s"], perm=[1, 0, 2]),
        helper.make_node(kind, inputs, ["m"], domain="com.microsoft"),
        helper.make_node("Transpose", ["m"], ["y"], perm=[1, 0, 2]),
    ]
    found = model(nodes, [3, 5, 24], [3, 5, 10], {name: given[name] for name in inputs[1:]})
    if not is_dynamic:
        found.graph.input[0].type.tensor_type.elem_type = TensorProto.UINT8
    return found


@pytest.mark.parametrize("kind", ["DynamicQuantizeMatMul", "MatMulIntegerToFloat"])
@pytest.mark.parametrize("has_bias", [False, True])
def test_products_of_quantised_matrices(kind: str, has_bias: bool, tmp_path: Path):
    """For ONNX Runtime the node stays one; elsewhere it is the ops that compute the same bits."""
    given = quantised_product(kind, has_bias)
    path = tmp_path / "model.onnx"
    path.write_bytes(given.SerializeToString())
    numbers = np.random.default_rng(1).standard_normal((3, 5, 24)).astype(np.float32)
    x = numbers if kind == "DynamicQuantizeMatMul" else (numbers * 40 + 100).clip(0, 255).astype(np.uint8)
    (expected,) = unoptimised(given).run(None, {"x": x})
    whole = import_model(path, Options(inline_limit=None)).module
    assert_close(run(whole, "main", [x])[0], expected, SUMS)
    written = npu_opt.optimize(path, target="onnx").to_onnx()
    assert kind in kinds(written)
    np.testing.assert_array_equal(unoptimised(written).run(None, {"x": x})[0], expected)


@pytest.mark.parametrize(
    ("inputs", "call"),
    [
        ("int8[2,3] x, int8[3,4] w, float s, float t", "MatMulIntegerToFloat (x, w, s, t)"),
        ("float[3] x, int8[2,3,4] w, float s", "DynamicQuantizeMatMul (x, w, s)"),
        ("float[2,3] x, int8[3] w, float s", "DynamicQuantizeMatMul (x, w, s)"),
    ],
)
def test_types_of_products_of_quantised_matrices(inputs: str, call: str):
    """The model does not state the type of the result: that of a scale, and a vector has no rows or no columns."""
    head = '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>'
    given = parse_model(f"{head} g ({inputs}) => (float y) {{ y = com.microsoft.{call} }}")
    given.graph.output[0].ClearField("type")
    rng, arrays = np.random.default_rng(0), dict[str, Any]()
    for value in given.graph.input:
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        kind = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        arrays[value.name] = np.asarray(rng.integers(1, 9, shape), kind)
    program = npu_opt.load(given).module
    assert "opaque" not in str(program)
    assert_close(run(program, "main", [*arrays.values()])[0], unoptimised(given).run(None, arrays)[0], SUMS)


@pytest.mark.parametrize("kind", ["INT4", "UINT4", "INT8", "FLOAT4E2M1", "FLOAT8E4M3FN"])
def test_scales_move_with_their_data(kind: str, tmp_path: Path):
    """A product reads weights transposed that have a scale for each block of 4 rows: both constants are transposed."""
    number, rng = TensorProto.DataType.Value(kind), np.random.default_rng(0)
    numbers = (rng.standard_normal((24, 10)) * 3).astype(helper.tensor_dtype_to_np_dtype(number))
    scales = rng.random((24, 3)).astype(np.float32)
    nodes = [
        helper.make_node("DequantizeLinear", ["q", "s"], ["w"], axis=1, block_size=4),
        helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]),
        helper.make_node("MatMul", ["x", "t"], ["y"]),
    ]
    given = model(nodes, [2, 5, 10], [2, 5, 24], {"q": numbers, "s": scales}, 23)
    path = tmp_path / "model.onnx"
    path.write_bytes(given.SerializeToString())
    found = npu_opt.optimize(path, target="onnx", passes="layout-optimal")
    assert npu_opt.check(path, found.module).word == "proved"
    written = found.to_onnx()
    assert kinds(written) == ["DequantizeLinear", "MatMul"]
    arrays = {each.name: numpy_helper.to_array(each) for each in written.graph.initializer}
    assert sorted(array.shape for array in arrays.values()) == [(3, 24), (10, 24)]
    (axis,) = (each.i for each in written.graph.node[0].attribute if each.name == "axis")
    assert axis == 0
    if number in (TensorProto.FLOAT4E2M1, TensorProto.FLOAT8E4M3FN):
        # ONNX Runtime has no kernel with blocks.
        return
    x = rng.standard_normal((2, 5, 10)).astype(np.float32)
    before, after = (unoptimised(each).run(None, {"x": x})[0] for each in (given, written))
    assert_close(before, after, SUMS)


@pytest.mark.parametrize("case", PRODUCTS)
def test_products_with_packed_weights_for_litert(case: str, tmp_path: Path):
    """The weights are the floats that the numbers stand for."""
    pytest.importorskip("ai_edge_litert", reason="pip install -e '.[litert]'")
    from support.oracles.litert_running import executed

    given = product(**PRODUCTS[case])
    (tmp_path / "model.onnx").write_bytes(given.SerializeToString())
    npu_opt.optimize(tmp_path / "model.onnx", target="litert").save(tmp_path / "model.tflite")
    rows = given.graph.input[0].type.tensor_type.shape.dim[2].dim_value
    x = np.random.default_rng(1).standard_normal((3, 5, rows)).astype(np.float32)
    (expected,) = unoptimised(given).run(None, {"x": x})
    assert npu_opt.check(tmp_path / "model.onnx", tmp_path / "model.tflite").word == "proved"
    (found,) = executed((tmp_path / "model.tflite").read_bytes(), [x])
    assert_close(found, expected, SUMS)


def test_scales_of_blocks_for_litert(tmp_path: Path):
    """Weights with a scale for each block are the floats that they stand for."""
    pytest.importorskip("ai_edge_litert", reason="pip install -e '.[litert]'")
    from support.oracles.litert_running import executed

    rng = np.random.default_rng(0)
    kind = helper.tensor_dtype_to_np_dtype(TensorProto.INT4)
    weights = {"q": rng.integers(-8, 8, (10, 24)).astype(kind), "s": rng.random((3, 24)).astype(np.float32)}
    nodes = [
        helper.make_node("DequantizeLinear", ["q", "s"], ["w"], axis=0, block_size=4),
        helper.make_node("MatMul", ["x", "w"], ["y"]),
    ]
    given = model(nodes, [5, 10], [5, 24], weights)
    (tmp_path / "model.onnx").write_bytes(given.SerializeToString())
    npu_opt.optimize(tmp_path / "model.onnx", target="litert").save(tmp_path / "model.tflite")
    x = rng.standard_normal((5, 10)).astype(np.float32)
    (expected,) = unoptimised(given).run(None, {"x": x})
    assert_close(executed((tmp_path / "model.tflite").read_bytes(), [x])[0], expected, SUMS)
