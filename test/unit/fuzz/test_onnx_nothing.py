"""Exported programs with tensors without elements, some of whose sizes are dynamic."""

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.dialects.npu.values import shape_of
from npu_opt.interpreter import run
from npu_opt.layout import DYNAMIC
from support.ir_text import parse, parse_verified
from support.oracles.onnx_running import executed, exported
from support.oracles.running import main_of

PROGRAMS = {
    "cast": "npu.cast %x : (tensor<?x0x8xf32>) -> tensor<?x0x8xf16>",
    "transpose": "npu.transpose %x permutation = [2, 0, 1] : (tensor<?x0x8xf32>) -> tensor<8x?x0xf32>",
    "concat": "npu.concat %x, %x axis = 2 : (tensor<?x0x8xf32>, tensor<?x0x8xf32>) -> tensor<?x0x16xf32>",
    "softmax": "npu.softmax %x axis = 2 : (tensor<?x0x8xf32>) -> tensor<?x0x8xf32>",
    "slice": "npu.slice %x starts = [0, 0, 3] limits = [9, 9, 5] : (tensor<?x3x8xf32>) -> tensor<?x3x2xf32>",
    "cut to nothing": "npu.slice %x starts = [0, 3, 0] limits = [9, 3, 8] : (tensor<?x4x8xf32>) -> tensor<?x0x8xf32>",
    "reduction": "npu.reduce_sum %x axes = [2] : (tensor<?x0x8xf32>) -> tensor<?x0xf32>",
    "tile": "npu.tile %x repeats = [2, 3, 1] : (tensor<?x0x8xf32>) -> tensor<?x0x8xf32>",
    "square": "npu.mul %x, %x : (tensor<?x0x?xf32>, tensor<?x0x?xf32>) -> tensor<?x0x?xf32>",
    "convolution of nothing": (
        "npu.conv1d %x, %w data_layout = <NCW> kernel_layout = <OIW>"
        " : (tensor<?x0x8xf32>, tensor<4x0x3xf32>) -> tensor<?x4x6xf32>"
    ),
    "convolution to nothing": (
        "npu.conv1d %x, %w data_layout = <NCW> kernel_layout = <OIW>"
        " : (tensor<?x2x2xf32>, tensor<4x2x3xf32>) -> tensor<?x4x0xf32>"
    ),
    "product of nothing": "npu.matmul %x, %w : (tensor<?x4x0xf32>, tensor<1x0x5xf32>) -> tensor<?x4x5xf32>",
    "product to nothing": "npu.matmul %x, %w : (tensor<?x4x2xf32>, tensor<1x2x0xf32>) -> tensor<?x4x0xf32>",
    "batch of nothing": "npu.matmul %x, %w : (tensor<2x?x0x4xf32>, tensor<1x1x4x1xf32>) -> tensor<2x?x0x1xf32>",
    "rows of nothing": "npu.matmul %x, %w trans_a : (tensor<0x?xf32>, tensor<0x5xf32>) -> tensor<?x5xf32>",
    "columns of nothing": "npu.matmul %x, %w : (tensor<4x0xf32>, tensor<0x?xf32>) -> tensor<4x?xf32>",
}


def program(body: str) -> str:
    """A function that returns the op."""
    operands, _, result = body.partition(" : (")[2].partition(") -> ")
    types = operands.split(", ")
    names = ["%x", "%w"] if "%w" in body else ["%x"]
    arguments = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, types, strict=False))
    return f"func.func @main({arguments}) -> {result} {{ %y = {body} func.return %y : {result} }}"


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in PROGRAMS.items()])
def test_dynamic_sizes_stay_dynamic(body: str):
    module = parse_verified(program(body))
    model = exported(module)
    for count in (1, 2, 5):
        arguments = main_of(module).body.block.args
        shapes = [[count if size == DYNAMIC else size for size in shape_of(each)] for each in arguments]
        inputs = [np.random.default_rng(count).standard_normal(shape).astype(np.float32) for shape in shapes]
        (expected,) = run(module, "main", inputs)
        (found,) = executed(model, inputs)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
        assert found.shape == expected.shape


def test_product_of_no_integers():
    """Integers are multiplied in halves, and of none there are no halves."""
    body = "npu.reduce_prod %x axes = [1] : (tensor<2x0x3xi32>) -> tensor<2x3xi32>"
    module = parse(program(body))
    (found,) = executed(exported(module), [np.zeros((2, 0, 3), np.int32)])
    np.testing.assert_array_equal(found, np.ones((2, 3), np.int32))
