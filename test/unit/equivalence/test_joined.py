"""Products whose weights an optimizer joined are those with the parts of the weights."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("onnx")

from npu_opt.bridges.onnx.importing.importer import import_model  # It needs the package onnx.
from npu_opt.equivalence.compare import Verdict, compare  # Likewise.
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper  # Likewise.

Array = NDArray[np.float32]
RNG = np.random.default_rng(7)
WEIGHTS: list[Array] = [RNG.standard_normal((6, 4)).astype(np.float32) for _ in range(3)]
BIASES: list[Array] = [RNG.standard_normal(4).astype(np.float32) for _ in range(3)]
SPLITS = ("split", "slices", "heads", "gathered heads", "heads gathered last")


def model(nodes: list[NodeProto], numbers: dict[str, NDArray[np.generic]], shape: list[int]) -> ModelProto:
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["b", 5, 6])],
        [helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, ["b", *shape]) for i in range(3)],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in numbers.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def separate(weights: list[Array], biases: list[Array], how: str) -> ModelProto:
    """Three products of one value, each with a bias."""
    nodes: list[NodeProto] = []
    numbers: dict[str, NDArray[np.generic]] = {"heads": np.array([0, 5, 2, 2])}
    for i, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        numbers |= {f"w{i}": weight, f"b{i}": bias}
        nodes.append(helper.make_node("MatMul", ["x", f"w{i}"], [f"p{i}"]))
        result = f"s{i}" if "heads" in how else f"y{i}"
        nodes.append(helper.make_node("Add", [f"p{i}", f"b{i}"], [result]))
        if "heads" in how:
            nodes.append(helper.make_node("Reshape", [result, "heads"], [f"h{i}"]))
            nodes.append(helper.make_node("Transpose", [f"h{i}"], [f"y{i}"], perm=[0, 2, 1, 3]))
    return model(nodes, numbers, [2, 5, 2] if "heads" in how else [5, 4])


def joined(how: str) -> ModelProto:
    """One product with the weights side by side, and its parts."""
    numbers: dict[str, NDArray[np.generic]] = {
        "w": np.concatenate(WEIGHTS, 1),
        "c": np.concatenate(BIASES),
        "heads": np.array([0, 5, 3, 2, 2]),
        "axis": np.array([2]),
        "one": np.array([0]),
    }
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Add", ["p", "c"], ["s"])]
    if how == "split":
        nodes.append(helper.make_node("Split", ["s"], ["y0", "y1", "y2"], axis=2))
    elif how == "slices":
        for i in range(3):
            numbers |= {f"from{i}": np.array([4 * i]), f"to{i}": np.array([4 * i + 4])}
            nodes.append(helper.make_node("Slice", ["s", f"from{i}", f"to{i}", "axis"], [f"y{i}"]))
    elif how == "heads gathered last":
        nodes.append(helper.make_node("Reshape", ["s", "heads"], ["h"]))
        for i in range(3):
            numbers[f"place{i}"] = np.array(i - 3)
            nodes.append(helper.make_node("Gather", ["h", f"place{i}"], [f"g{i}"], axis=2))
            nodes.append(helper.make_node("Transpose", [f"g{i}"], [f"y{i}"], perm=[0, 2, 1, 3]))
    elif how == "gathered heads":
        nodes.append(helper.make_node("Reshape", ["s", "heads"], ["h"]))
        nodes.append(helper.make_node("Transpose", ["h"], ["t"], perm=[2, 0, 3, 1, 4]))
        for i in range(3):
            numbers[f"place{i}"] = np.array(i)
            nodes.append(helper.make_node("Gather", ["t", f"place{i}"], [f"y{i}"], axis=0))
    else:
        nodes.append(helper.make_node("Reshape", ["s", "heads"], ["h"]))
        nodes.append(helper.make_node("Transpose", ["h"], ["t"], perm=[2, 0, 3, 1, 4]))
        nodes.append(helper.make_node("Split", ["t"], ["t0", "t1", "t2"], axis=0))
        nodes += [helper.make_node("Squeeze", [f"t{i}", "one"], [f"y{i}"]) for i in range(3)]
    return model(nodes, numbers, [2, 5, 2] if "heads" in how else [5, 4])


def verdict(first: ModelProto, second: ModelProto) -> Verdict:
    modules = [import_model(Path("m.onnx"), model=each).module for each in (first, second)]
    return compare(*modules, by_formulas=True).verdict


@pytest.mark.parametrize("how", SPLITS)
def test_joined_weights(how: str):
    assert verdict(separate(WEIGHTS, BIASES, how), joined(how)) is Verdict.PROVED
    assert verdict(joined(how), separate(WEIGHTS, BIASES, how)) is Verdict.PROVED


@pytest.mark.parametrize("how", SPLITS)
@pytest.mark.parametrize("order", [(1, 0, 2), (2, 1, 0), (0, 0, 2)])
def test_parts_in_another_order(how: str, order: tuple[int, ...]):
    other = [WEIGHTS[i] for i in order]
    assert verdict(separate(other, [BIASES[i] for i in order], how), joined(how)) is Verdict.UNDECIDED
    assert verdict(separate(other, BIASES, how), joined(how)) is Verdict.UNDECIDED
    assert verdict(separate(WEIGHTS, [BIASES[i] for i in order], how), joined(how)) is Verdict.UNDECIDED


@pytest.mark.parametrize("how", SPLITS)
def test_one_other_bit(how: str):
    other = [each.copy() for each in WEIGHTS]
    other[2][5, 3] = np.nextafter(other[2][5, 3], np.float32(np.inf))
    assert verdict(separate(other, BIASES, how), joined(how)) is Verdict.UNDECIDED
