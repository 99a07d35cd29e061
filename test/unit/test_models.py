"""The model set of benchmarks/: every model is whole but for its weights, and runs on made-up ones.

`NPU_OPT_MODELS=all pytest test/unit/test_models.py` runs them all in ONNX Runtime but the large ones; otherwise the
quickest of each kind.
"""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models.catalogue import DECODERS, EVERY, EXAMPLE_SIZES, NETWORKS, Network
from models.onnx_runs import check, random_inputs, read_graph, run
from models.weights import is_stripped, with_random_weights, without_weights
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from support.closeness import Room, are_close
from support.source_tree import ROOT

SAMPLES = Room("the deviation of a few hundred random numbers is a statistic", 0.1)

FOLDER = ROOT / "benchmarks" / "models"
LARGEST_FILE, LARGEST_SET = 360_000, 4_200_000
QUICK = {"alexnet", "conv_tasnet", "crnn", "espcn", "mobilenet_v2_qdq", "mobilevit_s", "shufflenet_v2", "yolo_v8_n"}
ALL = [pytest.param(network, id=network.name) for network in EVERY]
FOLDERS = [FOLDER / name for name in ("", "tf", "decoders", "newer")]
RUN = [
    pytest.param(network, id=network.name)
    for network in EVERY
    if (os.environ.get("NPU_OPT_MODELS") == "all" and not network.large) or network.name in QUICK or network in DECODERS
]


def read(network: Network) -> ModelProto:
    return read_graph(network.file)


def results(model: ModelProto, seed: int) -> Sequence[NDArray[Any]]:
    return run(model, random_inputs(model, seed, **EXAMPLE_SIZES))


def test_every_network_has_a_file_and_every_file_a_network():
    assert {file for folder in FOLDERS for file in folder.glob("*.onnx")} == {network.file for network in EVERY}


def test_the_page_is_not_stale():
    done = subprocess.run([sys.executable, FOLDER / "make.py", "--page", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("network", ALL)
def test_model_is_valid(network: Network):
    check(read(network))


@pytest.mark.parametrize("network", ALL)
def test_model_has_the_inputs_and_outputs_of_the_catalogue(network: Network):
    model = read(network)
    found = {
        value.name: tuple(dim.dim_param or dim.dim_value for dim in value.type.tensor_type.shape.dim)
        for value in model.graph.input
    }
    assert len(model.graph.output) == len(network.outputs)
    if network.exporter != "bundled":
        assert found == network.tokens | network.inputs


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_files_are_small(folder: Path):
    sizes = {file.name: file.stat().st_size for file in folder.glob("*.onnx")}
    assert {name: size for name, size in sizes.items() if size > LARGEST_FILE} == {}
    assert sum(sizes.values()) <= LARGEST_SET


@pytest.mark.parametrize("network", ALL)
def test_file_says_nothing_of_where_it_was_made(network: Network):
    words = b"\n".join(re.findall(rb"[ -~]{4,}", network.file.read_bytes()))
    assert re.findall(rb"[^\n]*(?:\.py\b|/(?:home|tmp|root|usr|opt)/|-packages|Traceback)[^\n]*", words) == []
    assert without_weights(read(network)) == read(network)


@pytest.mark.parametrize("network", RUN)
def test_model_runs_on_random_weights(network: Network):
    model = with_random_weights(read(network))
    first, second = results(model, seed=0), results(model, seed=1)
    for one, other in zip(first, second, strict=True):
        assert np.isfinite(one).all()
        # A network that ignores its input would agree with any compiler.
        assert np.abs(one.astype(float) - other).max() > 5e-4 * np.abs(one).max()


@pytest.mark.parametrize("name", ["yolo_v5_s", "yolo_v8_n"])
def test_values_of_deep_towers_of_silus_stay_moderate(name: str):
    """Weights for which they grew to 1e5 made the outputs of ONNX Runtime and of any other engine noise."""
    (network,) = (each for each in NETWORKS if each.name == name)
    model = with_random_weights(read(network))
    sums = [node.output[0] for node in model.graph.node if node.op_type == "Conv"]
    model.graph.output.extend(helper.make_empty_tensor_value_info(each) for each in sums)
    found = [float(each.std()) for each in results(model, seed=0)[-len(sums) :]]
    assert 0.1 < min(found)
    assert max(found) < 100


def small_model() -> ModelProto:
    """Convolution, sum and norm, written with what exporters leave behind."""
    tensors = {
        "kernel": np.ones((32, 4, 3, 3), np.float32),
        **{name: np.ones(32, np.float32) for name in ("scale", "shift", "mean", "variance")},
        "shape": np.array([1, -1]),
    }
    large, small = np.ones((32, 1, 1), np.float32), np.float32(2)
    nodes = [
        helper.make_node("Conv", ["x", "kernel"], ["a"], doc_string="model.py(3): forward"),
        helper.make_node("Constant", [], ["large"], value=numpy_helper.from_array(large)),
        helper.make_node("Constant", [], ["small"], value=numpy_helper.from_array(np.array(small))),
        helper.make_node("Add", ["a", "large"], ["b"]),
        helper.make_node("Mul", ["b", "small"], ["c"]),
        helper.make_node("BatchNormalization", ["c", "scale", "shift", "mean", "variance"], ["d"]),
        helper.make_node("Reshape", ["d", "shape"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "main",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 1152])],
        [numpy_helper.from_array(array, name) for name, array in tensors.items()],
        value_info=[helper.make_tensor_value_info("a", TensorProto.FLOAT, [1, 32, 6, 6])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    model.metadata_props.add(key="source", value="model.py")
    return model


def weights_of(model: ModelProto) -> dict[str, NDArray[Any]]:
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}


def test_large_weights_go_and_small_constants_stay():
    model = without_weights(small_model())
    stripped = {tensor.name: list(tensor.dims) for tensor in model.graph.initializer if is_stripped(tensor)}
    norm = {name: [32] for name in ("scale", "shift", "mean", "variance")}
    assert stripped == {"kernel": [32, 4, 3, 3], **norm, "large": [32, 1, 1]}
    assert [tensor.name for tensor in model.graph.initializer if not is_stripped(tensor)] == ["shape"]
    assert [node.output[0] for node in model.graph.node] == ["a", "small", "b", "c", "d", "y"]
    check(model)


def test_notes_of_the_exporter_go():
    text = str(without_weights(small_model()))
    assert "model.py" not in text
    assert "value_info" not in text


def test_a_model_without_weights_is_left_as_it_is():
    once = without_weights(small_model())
    assert without_weights(once) == once


def test_random_weights_have_the_shapes_and_types_that_are_asked_for():
    model = with_random_weights(without_weights(small_model()))
    check(model)
    (result,) = results(model, seed=0)
    assert result.shape == (1, 1152)
    assert weights_of(model)["shape"].tolist() == [1, -1]


def test_variances_are_positive():
    assert weights_of(with_random_weights(without_weights(small_model())))["variance"].min() > 0


@pytest.mark.parametrize(("next_op", "square"), [("Relu", 2), ("Add", 0.25), ("MaxPool", 1)])
def test_a_kernel_keeps_the_size_of_values_through_what_comes_next(next_op: str, square: float):
    model = without_weights(small_model())
    (after,) = (node for node in model.graph.node if node.op_type == "Add")
    after.op_type = next_op
    kernel = weights_of(with_random_weights(model))["kernel"]
    assert are_close(kernel.std(), np.sqrt(square / 36), SAMPLES)


def test_a_kernel_whose_silu_is_added_is_smaller():
    model = without_weights(small_model())
    alone, added = silu_of(model), silu_of(model)
    added.graph.node.add(op_type="Add", input=["product", "x"], output=["added"])
    found = [weights_of(with_random_weights(each))["kernel"].std() for each in (alone, added)]
    assert are_close(found, [np.sqrt(2.6 / 36), np.sqrt(2.6 / 4 / 36)], SAMPLES)


def silu_of(model: ModelProto) -> ModelProto:
    """The convolution of a model, and its product with its sigmoid."""
    copy = ModelProto()
    copy.CopyFrom(model)
    del copy.graph.node[1:]
    copy.graph.node.add(op_type="Sigmoid", input=["a"], output=["gate"])
    copy.graph.node.add(op_type="Mul", input=["a", "gate"], output=["product"])
    return copy


def test_random_weights_depend_on_the_seed_and_the_name_alone():
    model = without_weights(small_model())
    one, same, other = (weights_of(with_random_weights(model, seed)) for seed in (1, 1, 2))
    assert all((one[name] == same[name]).all() for name in one)
    assert (one["kernel"] != other["kernel"]).any()
    assert (one["scale"] != one["shift"]).any()
    del model.graph.initializer[0]
    model.graph.initializer.reverse()
    assert (weights_of(with_random_weights(model, 1))["variance"] == one["variance"]).all()


def weights_read_by(node: NodeProto, **arrays: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Random weights in place of the arrays, as inputs of the node."""
    output = helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None)
    tensors = [numpy_helper.from_array(array, name) for name, array in arrays.items()]
    model = helper.make_model(helper.make_graph([node], "main", [], [output], tensors))
    return weights_of(with_random_weights(without_weights(model)))


def test_quantized_weights_are_whole_numbers_around_their_zero():
    node = helper.make_node("DequantizeLinear", ["kernel", "scales", "zeros"], ["y"], axis=0)
    scales, zeros = np.ones(32, np.float32), np.zeros(32, np.int8)
    weights = weights_read_by(node, kernel=np.ones((32, 4, 3, 3), np.int8), scales=scales, zeros=zeros)
    assert weights["kernel"].dtype == np.int8
    assert abs(weights["kernel"].mean()) < 5
    assert weights["scales"].min() > 0
    assert not weights["zeros"].any()


def test_large_indices_are_valid():
    node = helper.make_node("Gather", ["table", "indices"], ["y"])
    weights = weights_read_by(node, table=np.ones((2, 20), np.float32), indices=np.ones((40, 40), np.int64))
    assert set(weights["indices"].flat) == {0, 1}
