"""Models that no pass has changed are proved equal to what they are written as: the node tests that onnx ships.

A sample runs always, all of them as ONNX models where NPU_OPT_ONNX is `all`.
"""

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict
from onnx import NodeProto, helper, numpy_helper
from support.oracles.plain_exports import node_exports, plain_export

pytestmark = pytest.mark.xdist_group("backend nodes")
SAMPLE = 24
"""One of so many node tests is exported."""
STEPS = {".onnx": 1 if os.environ.get("NPU_OPT_ONNX") == "all" else SAMPLE, ".tflite": SAMPLE}
UNDECIDED: Mapping[str, Mapping[str, Sequence[str]]] = tomllib.loads(
    (Path(__file__).parent / "undecided_exports.toml").read_text()
)
"""The names of tests that are undecided, by reason."""


@pytest.mark.parametrize("ending", STEPS)
def test_no_written_node_differs(ending: str) -> None:
    """None is shown to differ, and those that are undecided are the known ones."""
    step = STEPS[ending]
    found = {name: export for name, export in node_exports(ending, step, runs=True) if export.verdict is not None}
    assert len(found) > (1000 if ending == ".onnx" else 500) // step
    assert [name for name, export in found.items() if export.verdict is Verdict.DIFFERENT] == []
    undecided = {name: export.reason for name, export in found.items() if export.verdict is Verdict.UNDECIDED}
    known = {name for names in UNDECIDED[ending].values() for name in names}
    assert {name: reason for name, reason in undecided.items() if name not in known} == {}
    assert sorted(known & found.keys() - undecided.keys()) == [], "these are proved now"


FLOAT = np.float32
WEIGHTS = np.random.default_rng(0).normal(size=(4, 3, 3, 3)).astype(FLOAT)


def _proved(tmp_path: Path, ending: str, nodes: Sequence[NodeProto], sizes: Any, result: Any, **numbers: Any) -> None:
    ends = [helper.make_tensor_value_info(name, 1, shape) for name, shape in (("x", sizes), ("y", result))]
    weights = [numpy_helper.from_array(np.asarray(value), name) for name, value in numbers.items()]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    found = plain_export(tmp_path / "model.onnx", ending, True)
    assert found.verdict is Verdict.PROVED, found.reason


@pytest.mark.parametrize("ending", [".onnx", ".tflite"])
@pytest.mark.parametrize("batch", [1, "n"])
class TestUnknownBatch:
    """Nodes that are other ops in the file, for known and unknown sizes of the batch."""

    @pytest.mark.parametrize("zero", [0.0, -0.0])
    def test_biases_of_zeros(self, tmp_path: Path, ending: str, batch: object, zero: float) -> None:
        node = helper.make_node("Conv", ["x", "w", "b"], ["y"], pads=[1, 1, 1, 1])
        bias = np.full(4, zero, FLOAT)
        _proved(tmp_path, ending, [node], [batch, 3, 8, 8], [batch, 4, 8, 8], w=WEIGHTS, b=bias)

    @pytest.mark.parametrize("kind", ["Gemm", "MatMul"])
    def test_biases_of_products(self, tmp_path: Path, ending: str, batch: object, kind: str) -> None:
        nodes = [helper.make_node("Gemm", ["x", "w", "b"], ["y"], transB=1)]
        if kind == "MatMul":
            nodes = [helper.make_node("MatMul", ["x", "w"], ["z"]), helper.make_node("Add", ["z", "b"], ["y"])]
        weights = WEIGHTS.reshape((4, 27) if kind == "Gemm" else (27, 4))
        _proved(tmp_path, ending, nodes, [batch, 27], [batch, 4], w=weights, b=np.zeros(4, FLOAT))

    def test_a_signal(self, tmp_path: Path, ending: str, batch: object) -> None:
        node = helper.make_node("Conv", ["x", "w", "b"], ["y"], pads=[1, 1])
        numbers = {"w": WEIGHTS[:, :, 0], "b": np.arange(4, dtype=FLOAT)}
        _proved(tmp_path, ending, [node], [batch, 3, 8], [batch, 4, 8], **numbers)

    @pytest.mark.parametrize("mode", ["nearest", "linear"])
    def test_a_resize(self, tmp_path: Path, ending: str, batch: object, mode: str) -> None:
        ways = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        node = helper.make_node("Resize", ["x", "", "s"], ["y"], mode=mode, **ways)
        _proved(tmp_path, ending, [node], [batch, 3, 8, 8], [batch, 3, 16, 16], s=np.array([1, 1, 2, 2], FLOAT))


@pytest.mark.parametrize("kind", ["random", "symmetric", "identity"])
def test_a_linear_layer_over_batch_and_sequence(tmp_path: Path, kind: str) -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["sizes"]),
        helper.make_node("Reshape", ["x", "rows"], ["r"]),
        helper.make_node("Gemm", ["r", "w", "b"], ["g"], transB=1),
        helper.make_node("Reshape", ["g", "sizes"], ["y"]),
    ]
    weights = np.random.default_rng(1).normal(size=(32, 32)).astype(FLOAT)
    weights = {"random": weights, "symmetric": weights + weights.T, "identity": np.eye(32, dtype=FLOAT)}[kind]
    numbers = {"rows": np.array([-1, 32]), "w": weights, "b": np.zeros(32, FLOAT)}
    _proved(tmp_path, ".onnx", nodes, ["b", "s", 32], ["b", "s", 32], **numbers)


def test_a_slice_with_steps_forward_and_backward(tmp_path: Path) -> None:
    node = helper.make_node("Slice", ["x", "starts", "ends", "axes", "steps"], ["y"])
    numbers = {"starts": [0, 5], "ends": [10, 0], "axes": [1, 2], "steps": [2, -1]}
    _proved(tmp_path, ".onnx", [node], [4, 10, 6, 2], [4, 5, 5, 2], **numbers)
