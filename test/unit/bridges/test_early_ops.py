"""Ops that ONNX Runtime has before ONNX, and domains that a model does not import."""

import npu_opt
import numpy as np
import pytest
from models.onnx_runs import run
from onnx import ModelProto, ValueInfoProto, helper
from onnx.parser import parse_model
from support.closeness import SUMS, are_close

WEIGHTS = "<float[4] s = {1.5, 2, -1, 0.5}, float[4] b = {0, 1, 2, -3}>"


def given(opset: int, body: str) -> ModelProto:
    head = f'<ir_version: 7, opset_import: ["" : {opset}]>'
    return parse_model(f"{head} g (float[2,3,4] x) => (float[2,3,4] y) {WEIGHTS} {{ {body} }}")


@pytest.mark.parametrize("opset", [9, 12, 16])
@pytest.mark.parametrize("attribute", ["epsilon = 0.5", "axis = -1", "epsion = 0.5"])
def test_a_layer_norm_is_that_of_onnx_runtime(opset: int, attribute: str):
    """ONNX Runtime ignores attributes that it does not know."""
    model = given(
        opset,
        "a = Transpose <perm = [1, 0, 2]> (x)"
        f" c = LayerNormalization <{attribute}> (a, s, b) y = Transpose <perm = [1, 0, 2]> (c)",
    )
    result = npu_opt.optimize(model, target="onnx")
    written = result.to_onnx()
    assert [node.op_type for node in written.graph.node] == ["LayerNormalization"]
    assert npu_opt.check(model, result)
    random = np.random.default_rng(0)
    inputs = {value.name: random.standard_normal(sizes(value)).astype(np.float32) for value in model.graph.input}
    (expected,), (found,) = (run(each, inputs, is_optimized=False) for each in (model, written))
    assert are_close(found, expected, SUMS)


def test_early_weights_may_have_another_type_than_the_data():
    """ONNX Runtime takes them before opset 17 only; the result has their type."""
    text = "<ir_version: 7, opset_import: ['' : 12]> g (float16[2,4] x) => (float[2,4] y)".replace("'", '"')
    model = parse_model(f"{text} {WEIGHTS} {{ y = LayerNormalization (x, s, b) }}")
    result = npu_opt.optimize(model, target="onnx")
    assert [node.op_type for node in result.to_onnx().graph.node] == ["LayerNormalization"]
    assert npu_opt.check(model, result)
    with pytest.raises(npu_opt.NpuOptError, match="both must be of one type"):
        npu_opt.optimize(parse_model(f"{text.replace('12', '17')} {WEIGHTS} {{ y = LayerNormalization (x, s, b) }}"))


def sizes(value: ValueInfoProto) -> list[int]:
    return [dim.dim_value for dim in value.type.tensor_type.shape.dim]


def test_early_ops_in_subgraphs_that_stay_as_they_are():
    """ONNX's checker does not know them in the opset of the file."""
    body = "float[2,3,4] y) { c = LayerNormalization (x, s, b) y = vendor.Op (c) }"
    model = given(12, f"y = com.microsoft.Op <body = inner () => ({body}> (x)")
    model.opset_import.extend([helper.make_opsetid("vendor", 1), helper.make_opsetid("com.microsoft", 1)])
    result = npu_opt.optimize(model, target="onnx")
    written = result.to_onnx()
    assert written.opset_import[0].version < 17
    assert written.graph.node[0].attribute[0].g.node == model.graph.node[0].attribute[0].g.node
    assert npu_opt.check(model, result)


def test_other_ops_are_not_early():
    with pytest.raises(npu_opt.NpuOptError, match="there is no such op in opset 16"):
        npu_opt.load(given(16, "y = Mish (x)"))


def test_a_domain_that_is_not_imported_is_that_of_the_runtime():
    model = given(17, "y = Neg (x)")
    model.graph.node.append(helper.make_node("Gelu", ["x"], ["z"], domain="com.microsoft"))
    model.graph.output.append(helper.make_empty_tensor_value_info("z"))
    written = npu_opt.optimize(model, target="onnx").to_onnx()
    assert sorted(node.op_type for node in written.graph.node) == ["Gelu", "Neg"]


@pytest.mark.parametrize("opset", [10, 11, 12, 13])
def test_the_mask_of_a_dropout_is_that_of_onnx_runtime(opset: int):
    head = f'<ir_version: 7, opset_import: ["" : {opset}]>'
    model = parse_model(f"{head} g (float[4] x) => (float[4] y, bool[4] m) {{ y, m = Dropout (x) }}")
    inputs = {"x": np.ones(4, np.float32)}
    written = npu_opt.optimize(model, target="onnx").to_onnx()
    pairs = zip(run(model, inputs), run(written, inputs), strict=True)
    assert all(np.array_equal(expected, found) for expected, found in pairs)


@pytest.mark.parametrize("opset", [7, 9])
def test_the_mask_of_a_dropout_without_a_type(opset: int):
    """ONNX infers none before opset 10."""
    head = f'<ir_version: 7, opset_import: ["" : {opset}]>'
    body = "{ a, m = Dropout <ratio = 0.25> (x) y = Relu (a) }"
    model = parse_model(f"{head} g (float[b,4] x) => (float[b,4] y) {body}")
    result = npu_opt.optimize(model, target="onnx")
    assert [node.op_type for node in result.to_onnx().graph.node] == ["Dropout", "Relu"]
    assert npu_opt.check(model, result)
    fixed = parse_model(f"{head} g (float[3,4] x) => (float[3,4] y, float[3,4] m) {body}")
    inputs = {"x": np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32)}
    written = npu_opt.optimize(fixed, target="onnx").to_onnx()
    for expected, found in zip(*(run(each, inputs, is_optimized=False) for each in (fixed, written)), strict=True):
        assert found.dtype == expected.dtype
        assert (found == expected).all()


def test_the_mask_of_a_dropout_of_opset_10_is_another_one():
    """Its size is unknown, so that it is no constant."""
    head = '<ir_version: 7, opset_import: ["" : 10]>'
    model = parse_model(f"{head} g (float[b,4] x) => (float[b,4] y, bool[b,4] m) {{ y, m = Dropout (x) }}")
    with pytest.raises(npu_opt.NpuOptError, match="Dropout of ONNX 10 is another op in ONNX 13"):
        npu_opt.optimize(model, target="onnx").to_onnx(opset=13)
