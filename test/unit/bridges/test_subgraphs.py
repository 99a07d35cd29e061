"""Subgraphs of ONNX models: placed, exported, proved equal, and different when they are changed."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import onnx
import pytest
from npu_opt.bridges.onnx.importing.importer import Options, import_model
from npu_opt.interpreter import run
from npu_opt.tools.opt import run as opt
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper
from support.closeness import Room, assert_close
from xdsl.dialects.func import FuncOp

ROOM = Room("f32 through the iterations of a loop, each of which adds in another order", 1e-3, 1e-4)

onnxruntime: Any = pytest.importorskip("onnxruntime")
checker: Any = onnx.checker

SHAPE = [1, 4, 5, 5]
TO_NCHW, TO_NHWC = [0, 3, 1, 2], [0, 2, 3, 1]
node = helper.make_node


def value(
    name: str, shape: Sequence[int | str | None] | None = SHAPE, element: int = TensorProto.FLOAT
) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, element, shape)


def flag(name: str) -> ValueInfoProto:
    return value(name, [], TensorProto.BOOL)


def count(name: str) -> ValueInfoProto:
    return value(name, [], TensorProto.INT64)


def weights(name: str, *shape: int) -> TensorProto:
    numbers = np.random.default_rng(len(name)).standard_normal(shape)
    return numpy_helper.from_array((0.3 * numbers).astype(np.float32), name)


def body(nodes: Sequence[NodeProto], inputs: Sequence[ValueInfoProto], outputs: Sequence[ValueInfoProto]) -> GraphProto:
    return helper.make_graph(nodes, "body", inputs, outputs)


def model(
    nodes: Sequence[NodeProto], inputs: Sequence[ValueInfoProto], outputs: Sequence[ValueInfoProto], large: int = 4
) -> ModelProto:
    constants = [weights("w", 4, 4, 1, 1), weights("large", large, large, 3, 3)]
    graph = helper.make_graph(nodes, "graph", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def branches() -> ModelProto:
    """Convolutions in both branches; captured weights, and a captured value that only one branch reads."""
    yes = body(
        [node("Conv", ["x", "w"], ["a"]), node("Relu", ["a"], ["b"]), node("Conv", ["b", "w"], ["c"])], [], [value("c")]
    )
    no = body([node("Conv", ["x", "w"], ["d"]), node("Add", ["d", "z"], ["e"])], [], [value("e")])
    nodes = [node("Neg", ["x"], ["z"]), node("If", ["p"], ["y"], then_branch=yes, else_branch=no)]
    return model(nodes, [flag("p"), value("x")], [value("y")])


def loop(declared: Sequence[int] | None = None) -> ModelProto:
    """A loop in the style of TensorFlow that carries a feature map, and also returns all means."""
    nodes = [
        node("Transpose", ["s"], ["a"], perm=TO_NCHW),
        node("Conv", ["a", "large"], ["b"], pads=[1, 1, 1, 1]),
        node("Transpose", ["b"], ["c"], perm=TO_NHWC),
        node("Relu", ["c"], ["d"]),
        node("Transpose", ["d"], ["e"], perm=TO_NCHW),
        node("Conv", ["e", "large"], ["f"], pads=[1, 1, 1, 1]),
        node("Transpose", ["f"], ["g"], perm=TO_NHWC),
        node("ReduceMean", ["g"], ["m"], axes=[1, 2], keepdims=0),
        node("Identity", ["go"], ["goes_on"]),
    ]
    inner = body(
        nodes, [count("i"), flag("go"), value("s", declared)], [flag("goes_on"), value("g", declared), value("m", None)]
    )
    outer = [node("Loop", ["n", "", "x"], ["y", "means"], body=inner), node("Relu", ["y"], ["z"])]
    shape = [1, 5, 5, 8]
    return model(outer, [count("n"), value("x", shape)], [value("z", shape), value("means", [None, 1, 8])], large=8)


def scan() -> ModelProto:
    nodes = [node("Add", ["h", "e"], ["a"]), node("Conv", ["a", "w"], ["b"]), node("Identity", ["b"], ["c"])]
    inner = body(nodes, [value("h"), value("e")], [value("b"), value("c")])
    outer = node(
        "Scan", ["x", "xs"], ["y", "ys"], body=inner, num_scan_inputs=1, scan_input_axes=[1], scan_output_axes=[-1]
    )
    return model([outer], [value("x"), value("xs", [1, 3, *SHAPE[1:]])], [value("y"), value("ys", [*SHAPE, 3])])


def nested() -> ModelProto:
    """An If in a Loop; one branch returns a value from outside of both."""
    yes = body([node("Conv", ["s", "w"], ["a"])], [], [value("a")])
    no = body([node("Identity", ["x"], ["b"])], [], [value("b")])
    two = node("Constant", [], ["two"], value_int=2)
    choice = node("If", ["less"], ["t"], then_branch=yes, else_branch=no)
    nodes = [two, node("Less", ["i", "two"], ["less"]), choice, node("Identity", ["go"], ["goes_on"])]
    inner = body(nodes, [count("i"), flag("go"), value("s")], [flag("goes_on"), value("t")])
    return model([node("Loop", ["n", "", "x"], ["y"], body=inner)], [count("n"), value("x")], [value("y")])


def direct() -> ModelProto:
    """A body that returns its input, and a value twice."""
    nodes = [node("Conv", ["x", "w"], ["a"]), node("Identity", ["go"], ["goes_on"])]
    inputs, outputs = (
        [count("i"), flag("go"), value("s"), value("u")],
        [flag("goes_on"), value("a"), value("u"), value("a")],
    )
    outer = node("Loop", ["n", "", "x", "x"], ["y", "v", "q"], body=body(nodes, inputs, outputs))
    return model([outer], [count("n"), value("x")], [value("y"), value("v"), value("q", [None, *SHAPE])])


def growing() -> ModelProto:
    """A carried value that grows, so that one of its sizes is unknown."""
    nodes = [node("Concat", ["s", "x"], ["t"], axis=0), node("Identity", ["go"], ["goes_on"])]
    inner = body(nodes, [count("i"), flag("go"), value("s", None)], [flag("goes_on"), value("t", None)])
    outer = [node("Loop", ["n", "", "x"], ["y"], body=inner), node("Conv", ["y", "w"], ["z"])]
    return model(outer, [count("n"), value("x")], [value("z", [None, *SHAPE[1:]])])


def with_axes(given: Sequence[int] = (1,), declared: Sequence[int] | None = (1,)) -> ModelProto:
    """A loop whose iteration number and condition have an axis of size 1, and so has the condition of an If in it."""
    yes = body([node("Conv", ["s", "w"], ["a"])], [], [value("a")])
    no = body([node("Neg", ["s"], ["b"])], [], [value("b")])
    nodes = [
        node("If", ["go"], ["t"], then_branch=yes, else_branch=no),
        node("Cast", ["i"], ["f"], to=TensorProto.FLOAT),
        node("Add", ["t", "f"], ["v"]),
        node("Less", ["i", "two"], ["goes_on"]),
    ]
    inputs = [value("i", [1], TensorProto.INT64), value("go", declared, TensorProto.BOOL), value("s")]
    inner = body(nodes, inputs, [value("goes_on", None, TensorProto.BOOL), value("v")])
    two = node("Constant", [], ["two"], value_ints=[2])
    outer = node("Loop", ["n", "p", "x"], ["y"], body=inner)
    return model([two, outer], [count("n"), value("p", given, TensorProto.BOOL), value("x")], [value("y")])


def with_axis_of_the_node() -> ModelProto:
    return with_axes(declared=None)


def with_returned_axis() -> ModelProto:
    return with_axes((), ())


def random() -> ModelProto:
    """A branch with an effect."""
    yes = body([node("RandomNormalLike", ["x"], ["r"]), node("Conv", ["r", "w"], ["a"])], [], [value("a")])
    no = body([node("Conv", ["x", "w"], ["b"])], [], [value("b")])
    return model([node("If", ["p"], ["y"], then_branch=yes, else_branch=no)], [flag("p"), value("x")], [value("y")])


AXES = (with_axes, with_axis_of_the_node, with_returned_axis)
MODELS: dict[str, Callable[[], ModelProto]] = {
    each.__name__: each for each in (branches, loop, scan, nested, direct, growing, *AXES, random)
}


def transposes(graph: GraphProto) -> int:
    inner = (transposes(attribute.g) for each in graph.node for attribute in each.attribute if attribute.HasField("g"))
    return sum(each.op_type == "Transpose" for each in graph.node) + sum(inner)


def inputs_of(proto: ModelProto, condition: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in proto.graph.input:
        shape = [dim.dim_value for dim in each.type.tensor_type.shape.dim]
        numbers = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
        found[each.name] = {"p": np.full(shape, condition), "n": np.array(3)}.get(each.name, numbers)
    return found


def results(proto: ModelProto, condition: bool) -> list[Any]:
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, inputs_of(proto, condition))


@pytest.mark.parametrize("name", MODELS)
def test_subgraphs_are_placed(name: str, tmp_path: Path):
    """All convolutions inside are seen, the model computes the same, and that is proved."""
    proto = MODELS[name]()
    checker.check_model(proto, full_check=True)
    result = npu_opt.optimize(proto, target="onnx")
    assert "onnx.proto" not in str(result.module)
    assert result.proved
    assert not result.left_unchanged
    placed = result.to_onnx()
    checker.check_model(placed, full_check=True)
    assert transposes(placed.graph) == result.transposes == (2 if name == "loop" else 0)
    for condition in (True, False):
        if name == "random" and condition:
            continue
        for one, other in zip(results(proto, condition), results(placed, condition), strict=True):
            assert_close(one, other, ROOM)
    assert npu_opt.check(proto, placed).word == "proved"
    for strategy in ("naive", "regions-plus", "greedy"):
        again = npu_opt.optimize(proto, strategy=strategy)
        assert npu_opt.check(proto, again).word == "proved", strategy


@pytest.mark.parametrize("name", MODELS)
def test_subgraphs_are_run(name: str, tmp_path: Path):
    """The interpreter computes what ONNX Runtime does."""
    proto = MODELS[name]()
    module = import_model(tmp_path / "model.onnx", Options(inline_limit=None), model=proto).module
    for condition in (True, False):
        if name == "random" and condition:
            continue
        found = run(module, "main", list(inputs_of(proto, condition).values()))
        for one, other in zip(results(proto, condition), found, strict=True):
            assert_close(one, other, ROOM)


def test_the_sizes_of_carried_values(tmp_path: Path):
    """They need not be declared."""
    open_, declared = (npu_opt.optimize(each, target="onnx") for each in (loop(), loop([1, 5, 5, 8])))
    assert str(open_.module) == str(declared.module)
    (_, inner) = import_model(tmp_path / "model.onnx", model=growing()).module.ops
    assert isinstance(inner, FuncOp)
    assert str(inner.function_type.inputs.data[2]) == "tensor<?x4x5x5xf32>"


def changed(proto: ModelProto, change: Callable[[GraphProto], None]) -> ModelProto:
    copy = ModelProto()
    copy.CopyFrom(proto)
    change(copy.graph)
    return copy


def swap_branches(graph: GraphProto) -> None:
    for attribute in graph.node[-1].attribute:
        attribute.name = {"then_branch": "else_branch", "else_branch": "then_branch"}[attribute.name]


def other_op(graph: GraphProto) -> None:
    graph.node[-1].attribute[0].g.node[-1].op_type = "Sub"


def other_capture(graph: GraphProto) -> None:
    graph.node[-1].attribute[0].g.node[-1].input[1] = "x"


def other_weights(graph: GraphProto) -> None:
    graph.initializer[0].CopyFrom(numpy_helper.from_array(np.ones((4, 4, 1, 1), np.float32), "w"))


@pytest.mark.parametrize("change", [swap_branches, other_op, other_capture, other_weights])
def test_changed_subgraphs_are_not_proved(change: Callable[[GraphProto], None]):
    proto = branches()
    assert npu_opt.check(proto, changed(proto, change)).word != "proved"


def test_swapped_carried_values_are_not_proved():
    """The arguments of a subgraph differ from each other, and from those around it."""

    def swapped(graph: GraphProto) -> None:
        outputs = graph.node[0].attribute[0].g.output
        outputs[1].name, outputs[2].name = outputs[2].name, outputs[1].name

    proto = direct()
    assert npu_opt.check(proto, changed(proto, swapped)).word != "proved"


def of_declared_sizes() -> ModelProto:
    """A loop over a value of sizes that nothing but its body tells."""
    nodes = [node("Relu", ["s"], ["t"]), node("Transpose", ["s"], ["o"]), node("Identity", ["go"], ["goes_on"])]
    inner = body(
        nodes, [count("i"), flag("go"), value("s", [2, 3])], [flag("goes_on"), value("t", [2, 3]), value("o", [3, 2])]
    )
    outer = [
        node("SequenceConstruct", ["x", "x"], ["xs"]),
        node("ConcatFromSequence", ["xs"], ["v"], axis=0),
        node("Loop", ["n", "", "v"], ["y", "z"], body=inner),
    ]
    return model(outer, [count("n"), value("x", [1, 3])], [value("y", None), value("z", None)])


@pytest.mark.parametrize("iterations", [0, 2])
def test_sizes_that_only_a_body_declares_stay(iterations: int):
    """ONNX Runtime takes the sizes of no iterations from them."""
    given = of_declared_sizes()
    written = npu_opt.optimize(given, target="onnx").to_onnx()
    inputs = {"n": np.array(iterations), "x": np.ones((1, 3), np.float32)}
    expected, found = (
        onnxruntime.InferenceSession(each.SerializeToString()).run(None, inputs) for each in (given, written)
    )
    assert [each.shape for each in found] == [each.shape for each in expected] == [(2, 3), (iterations, 3, 2)]


def with_inner_weights(size: int = 64) -> ModelProto:
    """An LSTM in one branch, with weights of the branch, and two transposes that cancel."""
    moved = [node("Transpose", [x], [y], perm=[1, 0, 2]) for x, y in (("steps", "mid"), ("mid", "same"))]
    yes = body([*moved, node("LSTM", ["same", "input", "state"], ["", "y"], hidden_size=size)], [], [value("y", None)])
    yes.initializer.extend([weights("input", 1, 4 * size, 8), weights("state", 1, 4 * size, size)])
    no = body([node("Neg", ["other"], ["y"])], [], [value("y", None)])
    choice = node("If", ["c"], ["out"], then_branch=yes, else_branch=no)
    return model([choice], [flag("c"), value("steps", [5, 1, 8]), value("other", [1, 1, size])], [value("out", None)])


def test_weights_of_a_branch_stay_in_it(tmp_path: Path):
    given, made = tmp_path / "given.onnx", tmp_path / "made.onnx"
    given.write_bytes(with_inner_weights().SerializeToString())
    assert opt([str(given), "-O", "-o", str(made)]) == 0
    (choice,) = (each for each in ModelProto.FromString(made.read_bytes()).graph.node if each.op_type == "If")
    branch = next(each.g for each in choice.attribute if each.name == "then_branch")
    assert [each.op_type for each in branch.node] == ["LSTM"]
    assert {*(each.name for each in branch.initializer)} == {"input", "state"}
