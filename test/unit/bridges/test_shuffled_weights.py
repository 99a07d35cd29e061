"""A shuffle of channels that a convolution takes: the file has its kernel in another order, and is proved."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run
from onnx import helper, numpy_helper

SHAPE = [1, 12, 5, 5]


def kernels(seed: int, *shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Numbers of which many are equal, as in each large kernel."""
    return (np.random.default_rng(seed).integers(-4, 5, shape) / 8).astype(np.float32)


def model(file: Path) -> Path:
    """A shuffle in front of a convolution without groups, behind one with groups."""
    weights = {"g": kernels(0, 12, 4, 3, 3), "w": kernels(1, 32, 12, 3, 3)}
    sizes = {"s": [1, 3, 4, 5, 5], "t": SHAPE}
    nodes = [
        helper.make_node("Conv", ["x", "g"], ["a"], pads=[1, 1, 1, 1], group=3),
        helper.make_node("Reshape", ["a", "s"], ["b"]),
        helper.make_node("Transpose", ["b"], ["c"], perm=[0, 2, 1, 3, 4]),
        helper.make_node("Reshape", ["c", "t"], ["d"]),
        helper.make_node("Conv", ["d", "w"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "shuffle",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, 32, 3, 3])],
        [
            *(numpy_helper.from_array(each, name) for name, each in weights.items()),
            *(numpy_helper.from_array(np.array(each, np.int64), name) for name, each in sizes.items()),
        ],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    file.write_bytes(made.SerializeToString())
    return file


def load(file: Path) -> onnx.ModelProto:
    return onnx.ModelProto.FromString(file.read_bytes())


def test_a_kernel_in_another_order_is_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    given, found = model(tmp_path / "given.onnx"), tmp_path / "found.onnx"
    assert run([str(given), "--recognise-shuffles", "-O", "-o", str(found)]) == 0
    assert "is proved to compute what" in capsys.readouterr().err
    assert [node.op_type for node in load(found).graph.node] == ["Conv", "Conv"]
    assert check([str(given), str(found)]) == check([str(found), str(given)]) == 0


@pytest.mark.parametrize("axis", [0, 1])
def test_a_kernel_in_a_wrong_order_is_not(tmp_path: Path, axis: int):
    given, found = model(tmp_path / "given.onnx"), tmp_path / "found.onnx"
    assert run([str(given), "--recognise-shuffles", "-O", "-o", str(found)]) == 0
    wrong = load(found)
    (kernel,) = (each for each in wrong.graph.initializer if list(each.dims) == [32, 12, 3, 3])
    numbers = numpy_helper.to_array(kernel)
    # The order of another shuffle, and slices that are all there.
    size = numbers.shape[axis]
    order = [place for first in range(size // 2) for place in (first, first + size // 2)]
    kernel.CopyFrom(numpy_helper.from_array(numbers.take(order, axis), kernel.name))
    found.write_bytes(wrong.SerializeToString())
    assert check([str(given), str(found)]) == 3


def test_the_result_of_a_convolution_with_other_weights_keeps_its_name(tmp_path: Path):
    given, found = model(tmp_path / "given.onnx"), tmp_path / "found.onnx"
    ungrouped = load(given)
    (groups,) = (each for each in ungrouped.graph.node[0].attribute if each.name == "group")
    groups.i = 1
    (kernel,) = (each for each in ungrouped.graph.initializer if each.name == "g")
    kernel.CopyFrom(numpy_helper.from_array(kernels(0, 12, 12, 3, 3), "g"))
    ungrouped.graph.node.insert(1, helper.make_node("Relu", ["a"], ["r"]))
    ungrouped.graph.node[2].input[0] = "r"
    given.write_bytes(ungrouped.SerializeToString())
    assert run([str(given), "--recognise-shuffles=absorb=true", "-o", str(found)]) == 0
    graph = load(found).graph
    found_nodes = [(node.op_type, node.input[0], [*node.output]) for node in graph.node]
    assert found_nodes == [("Conv", "x", ["a"]), ("Relu", "a", ["r"]), ("Conv", "r", ["y"])]
