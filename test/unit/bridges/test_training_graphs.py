"""Gradients of ONNX Runtime's training graphs, against their definition: the change of a sum of products.

The wheels of ONNX Runtime for inference do not run these ops.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import onnx
import pytest
from npu_opt import load
from npu_opt.interpreter import run
from npu_opt.interpreter.elements import Array
from support.closeness import LAYERS, SUMS, assert_close

MODEL = """
<ir_version: 8, opset_import: ["": 17, "com.microsoft": 1]>
net (float[2,4,{out}] dy, float[2,6,7,5] x, float[4,3,3,2] w) => (float[2,6,7,5] dx, float[4,3,3,2] dw, float[4] db) {{
  dx, dw, db = com.microsoft.ConvGrad <kernel_shape = [3, 2], group = 2, {attributes}> (dy, x, w)
}}
"""


def convolution(attributes: str, out: str) -> Callable[[Array, Array], Array]:
    """The convolution itself, as a function of its data and its kernel."""
    text = (
        '<ir_version: 8, opset_import: ["": 17]> '
        f"net (float[2,6,7,5] x, float[4,3,3,2] w) => (float[2,4,{out}] y) "
        f"{{ y = Conv <kernel_shape = [3, 2], group = 2, {attributes}> (x, w) }}"
    )
    module = load(cast("Any", onnx).parser.parse_model(text)).module

    def convolved(x: Array, w: Array) -> Array:
        return run(module, "main", [x, w])[0]

    return convolved


@pytest.mark.parametrize(
    ("attributes", "out"),
    [("strides = [1, 1]", "5,4"), ("strides = [2, 1], pads = [1, 0, 2, 1]", "4,5"), ("dilations = [2, 3]", "3,2")],
)
def test_gradients_of_a_convolution(attributes: str, out: str):
    module = load(cast("Any", onnx).parser.parse_model(MODEL.format(out=out, attributes=attributes))).module
    assert not any(op.name == "npu.opaque" for op in module.walk())
    numbers = np.random.default_rng(1)
    shape = (2, 4, *map(int, out.split(",")))
    dy, x, w = (numbers.standard_normal(each).astype(np.float32) for each in (shape, (2, 6, 7, 5), (4, 3, 3, 2)))
    dx, dw, db = run(module, "main", [dy, x, w])
    conv = convolution(attributes, out)
    # The convolution is linear in its data and in its kernel.
    other, kernel = numbers.standard_normal(x.shape, np.float32), numbers.standard_normal(w.shape, np.float32)
    assert_close((dx * other).sum(), (dy * conv(other, w)).sum(), LAYERS)
    assert_close((dw * kernel).sum(), (dy * conv(x, kernel)).sum(), LAYERS)
    assert_close(db, dy.sum((0, 2, 3)), SUMS)


def test_an_output_that_is_left_out():
    text = MODEL.format(out="5,4", attributes="strides = [1, 1]").replace("dx, dw, db = ", '"", dw, db = ')
    text = text.replace("(float[2,6,7,5] dx, ", "(")
    names = [op.name for op in load(cast("Any", onnx).parser.parse_model(text)).module.walk()]
    assert "npu.conv2d_bpw" in names
    assert "npu.conv2d_bpa" not in names


def test_other_ranks_stay_opaque():
    text = MODEL.format(out="5", attributes="strides = [1]").replace("[3, 2]", "[3]")
    text = text.replace("2,6,7,5", "2,6,7").replace("4,3,3,2", "4,3,3")
    names = [op.name for op in load(cast("Any", onnx).parser.parse_model(text)).module.walk()]
    assert "npu.opaque" in names
