"""Quantised products, and those of computed weights, which an optimizer joined, are those with the parts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("onnx")

from npu_opt.bridges.onnx.importing.importer import import_model  # It needs the package onnx.
from npu_opt.equivalence.compare import Verdict, compare  # Likewise.
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper  # Likewise.

RNG = np.random.default_rng(11)
Numbers = dict[str, list[NDArray[Any]]]
COUNT = 3
GIVEN: Numbers = {
    "w": [RNG.integers(-127, 128, (8, 4)).astype(np.int8) for _ in range(COUNT)],
    "scale": [RNG.uniform(0.01, 0.03, 4).astype(np.float32) for _ in range(COUNT)],
    "zero": [RNG.integers(-3, 4, 4).astype(np.int8) for _ in range(COUNT)],
    "bias": [RNG.standard_normal(4).astype(np.float32) for _ in range(COUNT)],
}
"""The columns of each product."""


def node(kind: str, inputs: str, outputs: str, **attributes: Any) -> NodeProto:
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def integer(i: int) -> list[NodeProto]:
    return [node("MatMulInteger", f"x w{i} x_zero zero{i}", f"p{i}")]


def dynamic(i: int) -> list[NodeProto]:
    return [
        node("MatMulInteger", f"q w{i} q_zero zero{i}", f"m{i}"),
        node("Cast", f"m{i}", f"c{i}", to=TensorProto.FLOAT),
        node("Mul", f"q_scale scale{i}", f"f{i}"),
        node("Mul", f"c{i} f{i}", f"g{i}"),
        node("Add", f"g{i} bias{i}", f"p{i}"),
    ]


def linear(i: int) -> list[NodeProto]:
    return [node("QLinearMatMul", f"x x_scale x_zero w{i} scale{i} zero{i} y_scale x_zero", f"p{i}")]


def between_floats(i: int) -> list[NodeProto]:
    return [
        node("DequantizeLinear", f"w{i} scale{i} zero{i}", f"d{i}", axis=1),
        node("MatMul", f"x_ d{i}", f"m{i}"),
        node("QuantizeLinear", f"m{i} y_scale x_zero", f"q{i}"),
        node("DequantizeLinear", f"q{i} y_scale x_zero", f"p{i}"),
    ]


def floats(i: int) -> list[NodeProto]:
    return [
        node("Cast", f"w{i}", f"f{i}", to=TensorProto.FLOAT),
        node("Mul", f"f{i} scale{i}", f"d{i}"),
        node("MatMul", f"x d{i}", f"m{i}"),
        node("Add", f"m{i} bias{i}", f"p{i}"),
    ]


KINDS: dict[Callable[[int], list[NodeProto]], tuple[int, int, list[NodeProto], set[str]]] = {
    integer: (TensorProto.UINT8, TensorProto.INT32, [], {"w", "zero"}),
    linear: (TensorProto.UINT8, TensorProto.UINT8, [], {"w", "scale", "zero"}),
    dynamic: (
        TensorProto.FLOAT,
        TensorProto.FLOAT,
        [node("DynamicQuantizeLinear", "x", "q q_scale q_zero")],
        {"w", "scale", "zero", "bias"},
    ),
    between_floats: (
        TensorProto.FLOAT,
        TensorProto.FLOAT,
        [node("QuantizeLinear", "x x_scale x_zero", "xq"), node("DequantizeLinear", "xq x_scale x_zero", "x_")],
        {"w", "scale", "zero"},
    ),
    floats: (TensorProto.FLOAT, TensorProto.FLOAT, [], {"w", "scale", "bias"}),
}
"""For each kind the types of data and results, the nodes in front, and the numbers that count."""


def model(kind: Callable[[int], list[NodeProto]], numbers: Numbers, how: str) -> ModelProto:
    """Products side by side; or one, of written weights or of weights that a Concat joins, whose parts are taken."""
    of_data, of_result, nodes, counting = KINDS[kind]
    given: dict[str, Any] = {"x_scale": np.float32(0.05), "x_zero": np.uint8(120), "y_scale": np.float32(0.1)}
    nodes = [*nodes]
    if how == "separate":
        given |= {f"{name}{i}": each for name in counting for i, each in enumerate(numbers[name])}
        nodes += [each for i in range(COUNT) for each in kind(i)]
        nodes += [node("Identity", f"p{i}", f"y{i}") for i in range(COUNT)]
    else:
        given |= {f"{name}0": np.concatenate(numbers[name], -1) for name in counting}
        if how == "concat":
            del given["w0"]
            given |= {f"part{i}": each for i, each in enumerate(numbers["w"])}
            nodes.append(node("Concat", " ".join(f"part{i}" for i in range(COUNT)), "w0", axis=1))
        nodes += [*kind(0), node("Split", "p0", " ".join(f"y{i}" for i in range(COUNT)), axis=1)]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", of_data, ["b", 8])],
        [helper.make_tensor_value_info(f"y{i}", of_result, ["b", 4]) for i in range(COUNT)],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in given.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def verdict(first: ModelProto, second: ModelProto) -> Verdict:
    modules = [import_model(Path("m.onnx"), model=each).module for each in (first, second)]
    return compare(*modules, by_formulas=True).verdict


@pytest.mark.parametrize("how", ["written", "concat"])
@pytest.mark.parametrize("kind", KINDS)
def test_joined_products(kind: Callable[[int], list[NodeProto]], how: str) -> None:
    separate, joined = model(kind, GIVEN, "separate"), model(kind, GIVEN, how)
    assert verdict(separate, joined) is Verdict.PROVED
    assert verdict(joined, separate) is Verdict.PROVED


@pytest.mark.parametrize("how", ["written", "concat"])
@pytest.mark.parametrize("kind", KINDS)
def test_other_parts(kind: Callable[[int], list[NodeProto]], how: str) -> None:
    """The parts in another order, of which only one kind of numbers is, and one other number."""
    separate, counting = model(kind, GIVEN, "separate"), KINDS[kind][3]
    for name in counting:
        parts = GIVEN[name]
        others = [[parts[1], parts[0], parts[2]], [parts[0], parts[0], parts[2]], [each[..., ::-1] for each in parts]]
        changed = parts[2].copy()
        changed.flat[-1] = changed.flat[-1] + 1 if changed.dtype == np.int8 else np.nextafter(changed.flat[-1], 9)
        for other in (*others, [*parts[:2], changed]):
            assert verdict(separate, model(kind, GIVEN | {name: other}, how)) is Verdict.UNDECIDED, name
    swapped = {name: [parts[1], parts[0], parts[2]] for name, parts in GIVEN.items()}
    assert verdict(separate, model(kind, swapped, how)) is Verdict.UNDECIDED
