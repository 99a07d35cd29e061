"""Selu and Celu, whose result for -0 is 0 in ONNX Runtime, where that of Elu is -0."""

import npu_opt
import numpy as np
import pytest
from models.onnx_runs import run
from onnx import ModelProto, parser
from support.closeness import FEW_STEPS_NEAR_ZERO, assert_close

X = np.array([-0.0, 0, -1, 1, -30, 30, 0.5, np.inf, -np.inf, np.nan, -1e-3, 1e-3], np.float32).reshape(1, 3, 2, 2)


def model(op: str) -> ModelProto:
    """An op between two Transposes, so that it is written anew."""
    return parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 18]> g (float[1,3,2,2] x) => (float[1,3,2,2] y)'
        f"{{ t = Transpose <perm = [0, 2, 3, 1]> (x) u = {op} (t) y = Transpose <perm = [0, 3, 1, 2]> (u) }}"
    )


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("Selu", ["Selu"]),
        ("Selu <alpha = 1.6732632, gamma = 1.050701>", ["Selu"]),
        ("Selu <alpha = 1.0, gamma = 1.5>", ["Elu", "Mul", "Add"]),
        ("Celu", ["Elu", "Add"]),
        ("Celu <alpha = 0.5>", ["Div", "Elu", "Mul", "Add"]),
    ],
)
def test_the_numbers_are_those_of_onnx_runtime(op: str, expected: list[str]):
    given = model(op)
    written = npu_opt.optimize(given, target="onnx").to_onnx()
    assert [node.op_type for node in written.graph.node] == expected
    assert npu_opt.check(given, written)
    (wanted,), (found,) = (run(each, {"x": X}, is_optimized=False) for each in (given, written))
    assert_close(found, wanted, FEW_STEPS_NEAR_ZERO)
    assert (np.signbit(found) == np.signbit(wanted))[~np.isnan(wanted)].all()


def test_celu_is_not_elu():
    assert npu_opt.check(model("Celu"), model("Elu")).word != "proved"
