"""RNN, GRU and LSTM: the numbers of ONNX Runtime, one node again, and the steps of LiteRT, which are proved."""

from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.dialects.npu.source import OpaqueOp
from npu_opt.interpreter import run
from onnx import ModelProto, TensorProto, helper, numpy_helper
from support.closeness import SUMS, assert_close
from support.oracles.onnx_nodes import computes_the_same
from support.oracles.onnx_running import unoptimised

# By name: the package is typed in part.
ONNX: Any = import_module("onnx")
STEPS, BATCH, INPUTS, STATES = 4, 3, 2, 5
DIRECTIONS = ("forward", "reverse", "bidirectional")
RECURRENT: list[tuple[str, dict[str, Any]]] = [
    ("RNN", {}),
    ("GRU", {}),
    ("GRU", {"linear_before_reset": 1}),
    ("LSTM", {"activations": ["Sigmoid", "Relu", "Tanh"] * 2}),
]
INPUT_NAMES = ("x", "w", "r", "b", "lengths", "h", "c", "p")


def made(kind: str, names: str, direction: str = "forward", **attributes: Any) -> tuple[ModelProto, dict[str, Any]]:
    """A model of one node with these inputs, and numbers for those that are no parameters."""
    random, count = np.random.default_rng(0), 1 + (direction == "bidirectional")
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[kind] * STATES
    shapes = {
        "w": (count, gates, INPUTS),
        "r": (count, gates, STATES),
        "b": (count, 2 * gates),
        "p": (count, 3 * STATES),
    }
    shapes |= {"x": (STEPS, BATCH, INPUTS), "h": (count, BATCH, STATES), "c": (count, BATCH, STATES)}
    numbers: dict[str, Any] = {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    numbers["lengths"] = np.array([STEPS, 2, 0], np.int32)
    given = [name if name in names.split() else "" for name in INPUT_NAMES[: 8 if kind == "LSTM" else 6]]
    while not given[-1]:
        given.pop()
    outputs = ["y", "last", *(["cell"] if kind == "LSTM" else [])]
    node = helper.make_node(kind, given, outputs, "cells", hidden_size=STATES, direction=direction, **attributes)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT32 if name == "lengths" else TensorProto.FLOAT, sizes)
        for name, sizes in (
            ("x", ["T", "B", INPUTS]),
            ("lengths", ["B"]),
            ("h", [count, "B", STATES]),
            ("c", [count, "B", STATES]),
        )
        if name in given
    ]
    constants = [numpy_helper.from_array(numbers[name], name) for name in "wrbp" if name in given]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    graph = helper.make_graph([node], "net", inputs, results, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model, {each.name: numbers[each.name] for each in inputs}


def check(model: ModelProto, inputs: dict[str, Any], folder: Path) -> None:
    """The program and the file compute what the model does, and the node leaves as it came."""
    (node,) = computes_the_same(model, inputs).graph.node
    assert (node.op_type, list(node.input)) == (model.graph.node[0].op_type, list(model.graph.node[0].input))
    # From a text there is nothing to leave as it came.
    text = folder / "program.mlir"
    npu_opt.optimize(model, target="onnx").save(text)
    again = folder / "again.onnx"
    npu_opt.optimize(text, target="onnx").save(again)
    results = (unoptimised(each).run(None, inputs) for each in (ONNX.load(again), model))
    for one, other in zip(*results, strict=True):
        assert_close(one, other, SUMS)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("names", ["x w r", "x w r b lengths h c p", "x w r b h"])
@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_recurrent_nodes(kind: str, names: str, direction: str, tmp_path: Path):
    used = names if kind == "LSTM" else names.removesuffix(" c p")
    check(*made(kind, used, direction), tmp_path)


def test_a_reset_gate_behind_the_product(tmp_path: Path):
    check(*made("GRU", "x w r b h", linear_before_reset=1, activations=["Sigmoid", "Relu"]), tmp_path)


def test_activations_of_each_direction(tmp_path: Path):
    names = ["Sigmoid", "Tanh", "Relu", "Sigmoid", "Relu", "Tanh"]
    check(*made("LSTM", "x w r b", "bidirectional", activations=names), tmp_path)


@pytest.mark.parametrize(
    ("kind", "attributes"),
    [("RNN", {"clip": 1.0}), ("LSTM", {"input_forget": 1}), ("RNN", {"activations": ["Affine"]})],
)
def test_options_that_no_op_has_keep_the_node(kind: str, attributes: dict[str, Any]):
    model, _ = made(kind, "x w r", **attributes)
    (op,) = (op for op in npu_opt.load(model).module.walk() if isinstance(op, OpaqueOp))
    assert op.op_name.data == f"onnx.{kind}"


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("kind", "attributes"), RECURRENT)
def test_steps_of_litert_are_proved(kind: str, attributes: dict[str, Any], direction: str, tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai_edge_litert is not installed: pip install -e '.[litert]'")
    if direction != "bidirectional" and "activations" in attributes:
        attributes = {"activations": attributes["activations"][:3]}
    model, inputs = made(kind, "x w r b h", direction, **attributes)
    sizes = {"T": STEPS, "B": BATCH}
    for each in model.graph.input:
        for dim in each.type.tensor_type.shape.dim:
            if dim.dim_param:
                dim.dim_value = sizes[dim.dim_param]
    file = tmp_path / "model.tflite"
    npu_opt.optimize(model, target="litert").save(file)
    assert npu_opt.check(model, file).word == "proved"
    module = npu_opt.load(file).module
    for one, other in zip(
        run(module, "main", list(inputs.values())), unoptimised(model).run(None, inputs), strict=True
    ):
        assert_close(one, other, SUMS)
