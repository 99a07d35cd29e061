"""Inputs and values without a rank, which a node that reads them demands."""

from pathlib import Path

import npu_opt
import pytest
from npu_opt.bridges.onnx.importing.importer import import_model
from onnx import TensorProto, ValueInfoProto, helper
from onnx.parser import parse_model
from support.generators.made_models import save

HEAD = '<ir_version: 10, opset_import: ["" : 17]>'

DEMANDED = [
    pytest.param("float[] x", "y = Transpose <perm = [0, 2, 1]> (x)", {"x": 3}, id="a permutation"),
    pytest.param(
        "float[] x",
        "a = Relu (x) b = Unsqueeze (a, one) y = Transpose <perm = [0, 2, 3, 1]> (b)",
        {"x": 3},
        id="behind",
    ),
    pytest.param(
        "float[] x",
        "c = Constant <value = int64[1] {0}> () b = Unsqueeze (x, c) y = Transpose <perm = [0, 2, 3, 1]> (b)",
        {"x": 3},
        id="axes of a node",
    ),
    pytest.param("float[] x", "y = MaxPool <kernel_shape = [2, 2]> (x)", {"x": 4}, id="a window"),
    pytest.param(
        "float[2,6] x, float[] s", "y = QuantizeLinear <axis = 1> (x, s)", {"s": 1}, id="a scale for each position"
    ),
    pytest.param(
        "float[2,6] x, float[] s, uint8[6] z",
        "y = QuantizeLinear <axis = 1> (x, s, z)",
        {"s": 1},
        id="a zero point for each position",
    ),
    pytest.param(
        "float[2,6] x, float[] s, uint8 z", "y = QuantizeLinear <axis = 1> (x, s, z)", {"s": 0}, id="one zero point"
    ),
    pytest.param(
        "float[] x, float[] z",
        "a = Transpose <perm = [1, 0]> (x) b = Transpose <perm = [2, 1, 0]> (z) c = Neg (b) y = MatMul (a, c)",
        {"x": 2, "z": 3},
        id="two inputs",
    ),
]
FREE = [
    pytest.param("float[] x", "y = Relu (x)", id="an op of any rank"),
    pytest.param("float[] x, float[2,3] z", "y = Add (x, z)", id="an op that repeats"),
    pytest.param("float[] x", "y = Transpose (x)", id="no permutation"),
    pytest.param("float[6] x, float[] s", "y = QuantizeLinear <axis = 0, block_size = 2> (x, s)", id="blocks"),
    pytest.param("float[6] x, float[] s", "y = QuantizeLinear (x, s)", id="a scale without an axis"),
    pytest.param(
        "float[6] x, float[6] s, int64[K] k",
        "t = Reshape (s, k) y = QuantizeLinear <axis = 0> (x, t)",
        id="a computed scale",
    ),
    pytest.param("float[] x", "y = other.Pool <kernel_shape = [2, 2]> (x)", id="a window of another domain"),
    pytest.param("float[6] x, float[] s", "y = other.QuantizeLinear <axis = 0> (x, s)", id="a scale of another domain"),
]


@pytest.mark.parametrize(("inputs", "body", "ranks"), DEMANDED)
def test_the_rank_of_an_input_is_that_which_a_node_demands(inputs: str, body: str, ranks: dict[str, int]):
    element = "uint8" if "Quantize" in body else "float"
    given = parse_model(f"{HEAD} g ({inputs}) => ({element}[] y) <int64[1] one = {{1}}> {{ {body} }}")
    result = npu_opt.optimize(given, target="onnx")
    written = {value.name: value for value in result.to_onnx().graph.input}
    assert {name: len(written[name].type.tensor_type.shape.dim) for name in ranks} == ranks
    assert npu_opt.check(given, result)


@pytest.mark.parametrize(("inputs", "body"), FREE)
def test_a_rank_that_no_node_demands_is_not_guessed(inputs: str, body: str):
    head = HEAD.replace('"" : 17', '"" : 21, "other" : 1')
    element = "uint8" if "Quantize" in body else "float"
    given = parse_model(f"{head} g ({inputs}) => ({element}[] y) {{ {body} }}")
    result = npu_opt.optimize(given, target="onnx")
    what = [(each.op_type, each.input, each.output, each.attribute) for each in given.graph.node]
    assert [(each.op_type, each.input, each.output, each.attribute) for each in result.to_onnx().graph.node] == what
    assert [value.type for value in result.to_onnx().graph.input] == [value.type for value in given.graph.input]
    assert npu_opt.check(given, result)


def test_a_node_in_a_subgraph_demands_no_rank():
    """It may never run."""
    branch = parse_model(f"{HEAD} g () => (float[] z) {{ z = Transpose <perm = [1, 0]> (x) }}").graph
    other = parse_model(f"{HEAD} g () => (float[] z) {{ z = Relu (x) }}").graph
    node = helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=other)
    inputs = [_value("x", TensorProto.FLOAT), helper.make_tensor_value_info("c", TensorProto.BOOL, [])]
    graph = helper.make_graph([node], "g", inputs, [_value("y", TensorProto.FLOAT)])
    given = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    result = npu_opt.optimize(given, target="onnx").to_onnx()
    assert [_has_rank(value) for value in (*result.graph.input, *result.graph.output)] == [False, True, False]


def test_a_note_names_the_ranks_of_inputs(tmp_path: Path):
    text = "g (float[] x) => (float[] y) { y = Transpose <perm = [0, 2, 1]> (x) }"
    notes = import_model(save(text, tmp_path)).notes
    assert notes == ("inputs without a rank have the one that their nodes demand: x (3)",)


def test_scales_that_may_be_scalars_are_said_to_be_taken_for_vectors(tmp_path: Path):
    text = "g (float[2,6] x, float[] s, uint8[] z) => (uint8[] y) { y = QuantizeLinear <axis = 1> (x, s, z) }"
    notes = import_model(save(text, tmp_path)).notes
    assert notes == ("inputs without a rank are taken for vectors, as nodes that read them have an axis: s, z",)


def _has_rank(value: ValueInfoProto) -> bool:
    return value.type.tensor_type.HasField("shape")


def _value(name: str, element: int) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, element, None)
