"""Arithmetic of nodes on numbers that are known at import."""

import npu_opt
import numpy as np
import pytest
from npu_opt.bridges.onnx.importing.folding import quotient
from npu_opt.bridges.onnx.importing.ops.slicing import positions
from npu_opt.interpreter import run as interpret
from onnx import helper

QUOTIENTS = [(7, 2, 3), (-7, 2, -3), (7, -2, -3), (-7, -2, 3), (1, 0, None)]


@pytest.mark.parametrize(("dividend", "divisor", "found"), QUOTIENTS)
def test_a_quotient_is_cut_toward_zero(dividend: int, divisor: int, found: int | None):
    assert quotient(dividend, divisor) == found


@pytest.mark.parametrize(
    ("start", "end", "step", "taken"),
    [
        (1, 3, 1, [1, 2]),
        (-9, 9, 2, [0, 2, 4]),
        (-1, -3, -1, [4, 3]),
        (4, 0, -2, [4, 2]),
        (4, -6, -2, [4, 2, 0]),
        (9, -(2**63), -1, [4, 3, 2, 1, 0]),
        (-9, -9, -1, [0]),
    ],
)
def test_positions_of_a_slice(start: int, end: int, step: int, taken: list[int]):
    """Only an end before the first element, counted from the end of the axis, takes the first one backwards."""
    assert list(positions(5, start, end, step)) == taken


def test_only_a_product_of_whole_numbers_is_one_of_sizes():
    numbers = helper.make_node("Constant", [], ["numbers"], value_floats=[-0.75, 0.5])
    product = helper.make_node("ReduceProd", ["numbers"], ["product"], axes=[0])
    outputs = [helper.make_tensor_value_info("product", 1, [1])]
    graph = helper.make_graph([numbers, product], "product", [], outputs)
    read = npu_opt.load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]))
    assert np.array_equal(interpret(read.module)[0], np.array([-0.375], np.float32))
