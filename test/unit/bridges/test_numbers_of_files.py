"""A number of 32 bits is the same one as an attribute of one format and as a constant of another."""

from pathlib import Path

import numpy as np
import pytest
from npu_opt.bridges.decimals import shortest, shortest_f32
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from onnx import parser
from support import optional_tools

BOUNDS = "a = Constant <value_float = 0.1> () b = Constant <value_float = 0.7> ()"
SCALES = "s = Constant <value_floats = [1.0, 2.0, 0.5, 0.6, 0.7, 0.8]> ()"
SCALE = "s = Constant <value_floats = [1.0, 2.0, 0.5, 0.6]> ()"
NODES = {
    "leaky_relu": ("y = LeakyRelu <alpha = 0.01> (x)", 17),
    "elu": ("y = Elu <alpha = 0.3> (x)", 17),
    "hard_sigmoid": ("y = HardSigmoid <alpha = 0.1, beta = 0.6> (x)", 17),
    "selu": ("y = Selu <alpha = 1.7, gamma = 1.1> (x)", 17),
    "celu": ("y = Celu <alpha = 0.3> (x)", 17),
    "swish": ("y = Swish <alpha = 0.7> (x)", 24),
    "thresholded_relu": ("y = ThresholdedRelu <alpha = 0.1> (x)", 17),
    "clip_by_attributes": ("y = Clip <min = -0.1, max = 0.7> (x)", 10),
    "clip_by_constants": (f"{BOUNDS} y = Clip(x, a, b)", 17),
    "lrn": ("y = LRN <size = 5, alpha = 0.0001, beta = 0.75, bias = 1.1> (x)", 17),
    "lrn_of_three": ("y = LRN <size = 3, alpha = 0.0003, beta = 0.7, bias = 0.9> (x)", 17),
    "batch_norm": (f"{SCALE} y = BatchNormalization <epsilon = 0.001> (x, s, s, s, s)", 15),
    "instance_norm": (f"{SCALE} y = InstanceNormalization <epsilon = 0.001> (x, s, s)", 15),
    "layer_norm": (f"{SCALES} y = LayerNormalization <epsilon = 0.000012> (x, s, s)", 17),
    "lp_norm": ("y = LpNormalization <axis = 1, p = 2> (x)", 17),
    "lp_norm_of_one": ("y = LpNormalization <axis = 2, p = 1> (x)", 17),
    "pad_of_a_pool": (
        "p = Pad <pads = [0, 0, 1, 1, 0, 0, 0, 0], value = 0.1> (x) y = MaxPool <kernel_shape = [2, 2]> (p)",
        10,
    ),
    "pad_by_attribute": ("y = Pad <pads = [0, 0, 1, 1, 0, 0, -1, -1], value = 0.1> (x)", 10),
}


def model(name: str, folder: Path) -> Path:
    nodes, opset = NODES[name]
    header = f'<ir_version: 8, opset_import: ["": {opset}]> g (float[1, 4, 6, 6] x) => (float[1, 4, 6, 6] y)'
    file = folder / "first.onnx"
    file.write_bytes(parser.parse_model(f"{header} {{ {nodes} }}").SerializeToString())
    return file


@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize("format_", ["onnx", "tflite"])
def test_numbers_are_the_same_in_a_written_file(tmp_path: Path, name: str, format_: str):
    if format_ == "tflite":
        pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[litert]'")
    first, second = model(name, tmp_path), tmp_path / f"second.{format_}"
    assert npu_opt([str(first), "-o", str(second)]) == 0
    assert npu_check([str(first), str(second)]) == 0


@pytest.mark.skipif(optional_tools.mlir_bindings().location is None, reason=optional_tools.mlir_bindings().note)
@pytest.mark.parametrize("name", ["clip_by_attributes", "clip_by_constants", "pad_of_a_pool"])
def test_numbers_are_the_same_in_tosa(tmp_path: Path, name: str):
    first, second = model(name, tmp_path), tmp_path / "second.mlir"
    assert npu_opt([str(first), "-t", "tosa", "-o", str(second)]) == 0
    assert npu_check([str(first), str(second), "-f", "onnx,tosa"]) == 0


@pytest.mark.parametrize("type_", [np.float16, np.float32, np.float64])
def test_the_shortest_decimal_is_the_number_in_its_type(type_: type[np.floating]):
    largest = np.finfo(type_).max
    for number in (type_(0.01), type_(1 / 3), type_(0), largest, -largest, np.finfo(type_).tiny, type_(np.inf)):
        found = shortest(np.array(number))
        assert type_(found) == number
        assert np.isinf(number) or abs(found) <= float(largest)
    assert shortest(np.array([0.01], type_)) == 0.01


def test_numbers_that_are_not_rounded_decimals_stay():
    assert shortest(np.array(2**53 - 1)) == 2**53 - 1
    assert np.isnan(shortest_f32(float("nan")))
