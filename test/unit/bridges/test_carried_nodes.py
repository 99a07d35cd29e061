"""Models of ONNX whose loops and branches carry tensors in another order than they compute: written, run, proved."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run as opt
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

onnxruntime: Any = pytest.importorskip("onnxruntime")
library: Any = onnx
node = helper.make_node
NHWC, NCHW = [1, 4, 5, 6], [1, 6, 4, 5]
TO_NCHW, TO_NHWC = [0, 3, 1, 2], [0, 2, 3, 1]


def value(name: str, shape: Sequence[int | str], element: int = TensorProto.FLOAT) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def constant(name: str, *shape: int) -> TensorProto:
    numbers = np.random.default_rng(len(name)).standard_normal(shape)
    return numpy_helper.from_array((0.2 * numbers).astype(np.float32), name)


def whole_number(name: str, number: int) -> TensorProto:
    return numpy_helper.from_array(np.array(number, np.int64), name)


def model(
    nodes: Sequence[NodeProto],
    inputs: Sequence[ValueInfoProto],
    outputs: Sequence[ValueInfoProto],
    constants: Sequence[TensorProto] = (),
) -> ModelProto:
    graph = helper.make_graph(nodes, "graph", inputs, outputs, [constant("kernel", 6, 6, 3, 3), *constants])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def body(nodes: Sequence[NodeProto], inputs: Sequence[ValueInfoProto], outputs: Sequence[ValueInfoProto]) -> GraphProto:
    heads = [value("i", [], TensorProto.INT64), value("c", [], TensorProto.BOOL)]
    nodes = [node("Identity", ["c"], ["c_out"]), *nodes]
    return helper.make_graph(nodes, "body", [*heads, *inputs], [value("c_out", [], TensorProto.BOOL), *outputs])


def cache() -> ModelProto:
    """A decode loop whose cache is stored as B,S,H,D, and read and written as B,H,S,D."""
    steps = [
        node("Transpose", ["s"], ["k"], perm=[0, 2, 1, 3]),
        node("MatMul", ["k", "w"], ["a"]),
        node("Softmax", ["a"], ["b"], axis=3),
        node("Transpose", ["b"], ["s_out"], perm=[0, 2, 1, 3]),
    ]
    loop = body(steps, [value("s", NHWC)], [value("s_out", NHWC)])
    nodes = [
        node("Loop", ["n", "", "begin"], ["end"], body=loop),
        node("Transpose", ["end"], ["turned"], perm=[0, 2, 1, 3]),
        node("Mul", ["turned", "x"], ["y"]),
    ]
    constants = [constant("begin", *NHWC), constant("w", 6, 6)]
    inputs = [value("x", [1, 5, 4, 6]), value("n", [], TensorProto.INT64)]
    return model(nodes, inputs, [value("y", [1, 5, 4, 6])], constants)


def recurrent() -> ModelProto:
    """A convolutional recurrent layer as a Scan, whose state is stored as NHWC."""
    steps = [
        node("Transpose", ["s"], ["image"], perm=TO_NCHW),
        node("Add", ["image", "e"], ["sum"]),
        node("Conv", ["sum", "kernel"], ["conv"], pads=[1, 1, 1, 1]),
        node("Relu", ["conv"], ["relu"]),
        node("Transpose", ["relu"], ["s_out"], perm=TO_NHWC),
        node("Identity", ["relu"], ["each"]),
    ]
    scan = helper.make_graph(
        steps, "body", [value("s", NHWC), value("e", NCHW)], [value("s_out", NHWC), value("each", NCHW)]
    )
    nodes = [
        node("Scan", ["begin", "x"], ["end", "all"], body=scan, num_scan_inputs=1),
        node("Transpose", ["end"], ["y"], perm=TO_NCHW),
    ]
    return model(
        nodes, [value("x", [7, *NCHW])], [value("y", NCHW), value("all", [7, *NCHW])], [constant("begin", *NHWC)]
    )


def branches() -> ModelProto:
    """Two branches with a convolution, which take and return NHWC."""

    def branch(name: str, kind: str) -> GraphProto:
        steps = [
            node("Transpose", ["h"], [f"{name}0"], perm=TO_NCHW),
            node("Conv", [f"{name}0", "kernel"], [f"{name}1"], pads=[1, 1, 1, 1]),
            node(kind, [f"{name}1"], [f"{name}2"]),
            node("Transpose", [f"{name}2"], [f"{name}3"], perm=TO_NHWC),
        ]
        return helper.make_graph(steps, name, [], [value(f"{name}3", NHWC)])

    nodes = [
        node("Conv", ["x", "kernel"], ["first"], pads=[1, 1, 1, 1]),
        node("Transpose", ["first"], ["h"], perm=TO_NHWC),
        node("If", ["p"], ["r"], then_branch=branch("yes", "Relu"), else_branch=branch("no", "Tanh")),
        node("Transpose", ["r"], ["back"], perm=TO_NCHW),
        node("Conv", ["back", "kernel"], ["y"], pads=[1, 1, 1, 1]),
    ]
    return model(nodes, [value("x", NCHW), value("p", [], TensorProto.BOOL)], [value("y", NCHW)])


def exchanged() -> ModelProto:
    """A loop that exchanges two states in each step, one of them behind a convolution, and carries a third one on."""
    steps = [
        node("Transpose", ["a"], ["image"], perm=TO_NCHW),
        node("Conv", ["image", "kernel"], ["conv"], pads=[1, 1, 1, 1]),
        node("Transpose", ["conv"], ["a_out"], perm=TO_NHWC),
        node("Identity", ["b"], ["b_out"]),
        node("Identity", ["d"], ["d_out"]),
    ]
    states = [value("a", NHWC), value("b", NHWC), value("d", ["rows", 3])]
    loop = body(steps, states, [value("b_out", NHWC), value("a_out", NHWC), value("d_out", ["rows", 3])])
    nodes = [
        node("Loop", ["n", "", "begin", "other", "z"], ["one", "two", "same"], body=loop),
        node("Transpose", ["one"], ["y"], perm=TO_NCHW),
        node("Transpose", ["two"], ["u"], perm=TO_NCHW),
    ]
    constants = [constant("begin", *NHWC), constant("other", *NHWC), whole_number("n", 5)]
    outputs = [value("y", NCHW), value("u", NCHW), value("same", ["rows", 3])]
    return model(nodes, [value("z", ["rows", 3])], outputs, constants)


MODELS: Mapping[str, tuple[Callable[[], ModelProto], int]] = {
    "cache": (cache, 3),
    "recurrent": (recurrent, 3),
    "branches": (branches, 6),
    "exchanged": (exchanged, 4),
}
"""Models, with the Transposes in them."""


def transposes(graph: GraphProto) -> int:
    inner = [each.g for one in graph.node for each in one.attribute if each.type == onnx.AttributeProto.GRAPH]
    return sum(one.op_type == "Transpose" for one in graph.node) + sum(map(transposes, inner))


def inputs_of(proto: ModelProto, seed: int) -> dict[str, Any]:
    """Random inputs; loops run 0, 1 and 5 times."""
    rng, found = np.random.default_rng(seed), dict[str, Any]()
    for each in proto.graph.input:
        shape = [size.dim_value or 3 for size in each.type.tensor_type.shape.dim]
        match each.type.tensor_type.elem_type:
            case TensorProto.BOOL:
                found[each.name] = np.array(seed % 2 == 0)
            case TensorProto.INT64:
                found[each.name] = np.array([0, 1, 5][seed % 3], np.int64)
            case _:
                found[each.name] = rng.standard_normal(shape).astype(np.float32)
    return found


@pytest.mark.parametrize("name", MODELS)
def test_no_transpose_is_left(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    make, count = MODELS[name]
    proto = make()
    library.checker.check_model(proto, full_check=True)
    library.save(proto, tmp_path / "model.onnx")
    paths = [str(tmp_path / "model.onnx"), str(tmp_path / "placed.onnx")]
    assert opt([paths[0], "-O", "--target=onnx", "-o", paths[1]]) == 0
    assert (transposes(proto.graph), transposes(library.load(paths[1]).graph)) == (count, 0)
    sessions = [onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]) for path in paths]
    for seed in range(3):
        first, second = (session.run(None, inputs_of(proto, seed)) for session in sessions)
        for one, other in zip(first, second, strict=True):
            np.testing.assert_array_equal(one, other)
    capsys.readouterr()
    assert check(paths) == 0
    assert capsys.readouterr().out.startswith("proved: ")
