"""The benchmark of parts compares each part on the numbers of ONNX Runtime, and its table adds up."""

from pathlib import Path

import numpy as np
import pytest
from litert_parts import Compared, Place, compared, quantisers, report
from onnx import ModelProto, numpy_helper, parser

MODEL = """
<ir_version: 8, opset_import: ["": 17]>
two (float[4, 8] x) => (float[4, 8] y) {
  q, s, z = DynamicQuantizeLinear(x)
  sums = MatMulInteger(q, one, z, zero)
  numbers = Cast<to = 1>(sums)
  scaled = Mul(numbers, s)
  between = Relu(scaled)
  r, t, w = DynamicQuantizeLinear(between)
  again = MatMulInteger(r, one, w, zero)
  more = Cast<to = 1>(again)
  y = Mul(more, t)
}
"""


def model() -> ModelProto:
    found = parser.parse_model(MODEL)
    ones = (np.arange(64).reshape(8, 8) % 7 - 3).astype(np.int8)
    found.graph.initializer.extend(
        [numpy_helper.from_array(ones, "one"), numpy_helper.from_array(np.zeros((), np.int8), "zero")]
    )
    return found


def test_parts_are_compared(tmp_path: Path):
    pytest.importorskip("ai_edge_litert", reason="ai-edge-litert is not installed: pip install -e '.[litert]'")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")
    assert quantisers(model()) == {"q": "x", "r": "between"}
    random = np.random.default_rng(0)
    inputs = [{"x": random.standard_normal((4, 8)).astype(np.float32)} for _ in range(2)]
    found = compared(model(), inputs, tmp_path)
    assert found.places == [Place("q", 64), Place("r", 64)]
    assert max(found.floats, found.outputs, found.own) < 1e-6


def test_the_table_adds_up():
    found = Compared([Place("q", 1000, 0, 1, 2), Place("r", 3000, 1, 2, 3)], 1e-7, 0.02, 0.3)
    assert report(found).splitlines()[2:] == [
        "| q | 1,000 | 0 | 0.1 % | 0.2 % |",
        "| r | 3,000 | 0.033 % | 0.067 % | 0.1 % |",
        "| all | 4,000 | 0.025 % | 0.075 % | 0.12 % |",
        "| largest difference of floats |  | 1e-07 | 2e-02 | 3e-01 |",
    ]
