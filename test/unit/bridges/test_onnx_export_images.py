"""Images in layouts that ONNX does not have: the written file runs in ONNX Runtime, whose optimisations move axes."""

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.interpreter import run
from support.closeness import Room, assert_close
from support.ir_text import parse_verified
from support.oracles.onnx_running import executed, exported

ROOM = Room("the runtime adds four products of f32 in an order of its own", 1e-5, 1e-5)


@pytest.mark.parametrize(
    ("layout", "given", "made", "size"),
    [
        ("NWCH", "4x2x1x3", "4x1x1x2", "sizes = [2, 1]"),
        ("NWCH", "1x2x1x3", "1x4x1x9", "factors = [3.0, 2.0]"),
        ("NWCH", "?x2x1x3", "?x1x1x2", "sizes = [2, 1]"),
        ("NWCH", "2x?x1x?", "2x?x1x?", "factors = [2.0, 3.0]"),
        ("NWCH", "1x5x1x6", "1x?x1x?", "factors = [1.0, 2.0]"),
        ("CHWN", "1x2x3x4", "1x4x5x4", "sizes = [4, 5]"),
        ("CHWN", "2x2x3x1", "2x4x5x1", "sizes = [4, 5]"),
    ],
)
def test_images_of_one_channel_are_resized(layout: str, given: str, made: str, size: str):
    module = parse_verified(
        f"func.func @main(%x: tensor<{given}xf32>) -> tensor<{made}xf32> {{"
        f" %y = npu.bilinear %x {size} data_layout = <{layout}> : (tensor<{given}xf32>) -> tensor<{made}xf32>"
        f" func.return %y : tensor<{made}xf32> }}"
    )
    shape = [int(size.replace("?", "5")) for size in given.split("x")]
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    (expected,) = run(module, "main", [x])
    (found,) = executed(exported(module), [x])
    assert found.shape == expected.shape
    assert_close(found, expected, ROOM)
