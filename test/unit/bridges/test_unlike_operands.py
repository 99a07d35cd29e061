"""Ops whose attributes and operands differ: defaults, factors below one, and two zero points, flags or axes."""

from typing import Any

import npu_opt
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from npu_opt.interpreter import run
from numpy.typing import NDArray
from onnx.parser import parse_model
from support.closeness import FEW_STEPS_NEAR_ZERO, are_close
from support.oracles.onnx_running import executed

MODELS = {
    "Gemm": """(float[2,3] x, float[3,4] w, float[4] b) => (float[2,4] y)
        { y = Gemm <alpha = 2.0, beta = 0.5> (x, w, b) }""",
    "Gemm, beta alone": """(float[2,3] x, float[3,4] w, float[4] b) => (float[2,4] y)
        { y = Gemm <beta = 0.5> (x, w, b) }""",
    "MatMulInteger": """(uint8[2,3] x, int8[3,4] w) => (int32[2,4] y) <uint8 a = {3}, int8 b = {-5}>
        { y = MatMulInteger (x, w, a, b) }""",
    "GlobalLpPool": "(float[2,3,4,5] x) => (float[2,3,1,1] y) { y = GlobalLpPool (x) }",
    "LpPool": "(float[1,2,4,5] x) => (float[1,2,3,4] y) { y = LpPool <kernel_shape = [2, 2]> (x) }",
    "Trilu": "(float[3,4] x) => (float[3,4] y) { y = Trilu (x) }",
    "CumSum, exclusive": "(float[3,4] x) => (float[3,4] y) <int64 a = {1}> { y = CumSum <exclusive = 1> (x, a) }",
    "CumSum, reverse": "(float[3,4] x) => (float[3,4] y) <int64 a = {1}> { y = CumSum <reverse = 1> (x, a) }",
    "HardSigmoid": "(float[3,4] x) => (float[3,4] y) { y = HardSigmoid (x) }",
    "ThresholdedRelu": "(float[3,4] x) => (float[3,4] y) { y = ThresholdedRelu (x) }",
    "Celu": "(float[3,4] x) => (float[3,4] y) { y = Celu <alpha = 2.5> (x) }",
    "ArgMax": """(float[3,4] x) => (int64[3,1] y) <float[3,4] o = {1, 2, 2, 0, 3, 3, 3, 3, 1, 0, 1, 0}>
        { z = Mul (x, o) s = Sub (z, z) t = Add (s, o) y = ArgMax <axis = 1, select_last_index = 1> (t) }""",
    "Split": """(float[7,2] x) => (float[3,2] y, float[3,2] z, float[1,2] u)
        { y, z, u = Split <num_outputs = 3> (x) }""",
    "SpaceToDepth": """(float[1,2,4,6] x) => (float[1,8,2,3] y) { y = SpaceToDepth <blocksize = 2> (x) }""",
    "Pad": """(float[2,3,4] x) => (float[a,b,c] y) <int64[4] p = {1, 0, 0, 2}, float v = {1.5}, int64[2] k = {2, 0}>
        { y = Pad (x, p, v, k) }""",
    "Pad along axes from the end": """(float[2,3,4] x) => (float[a,b,c] y)
        <int64[4] p = {1, 0, 0, 2}, float v = {1.5}, int64[2] k = {-1, -3}> { y = Pad (x, p, v, k) }""",
    "Pad with the zero that is negative": """(float[2,2] x) => (float[a,b] y)
        <int64[4] p = {0, 0, 1, 0}, float v = {-0.0}, float one = {1}>
        { z = Pad (x, p, v) y = Div (one, z) }""",
    "Slice from before the first element": """(float[4,2] x) => (float[a,2] y) <int64[1] s = {-9}, int64[1] e = {-9},
        int64[1] k = {0}, int64[1] n = {-1}> { z = Slice (x, s, e, k, n) y = Concat <axis = 0> (x, z) }""",
    "Slice backward to an element, of an unknown axis": """(float[3,4] x, float[n,2] u) => (float[3,4] y, float[a,2] z)
        <int64[1] s = {-1}, int64[1] e = {-3}, int64[1] k = {0}, int64[1] n = {-1}>
        { z = Slice (u, s, e, k, n) y = Identity (x) }""",
    "ReduceLogSum": "(float[3,4] x) => (float[3,1] y) <int64[1] a = {1}> { b = Abs (x) y = ReduceLogSum (b, a) }",
    "ReduceL2 of no axes": """(float[3,4] x) => (float[3,4] y) <int64[0] a = {}>
        { y = ReduceL2 <noop_with_empty_axes = 1> (x, a) }""",
}


def given(shape: list[int], kind: int) -> NDArray[Any]:
    numbers = np.random.default_rng(1).uniform(-4, 4, shape)
    return (numbers.astype(np.float32), np.abs(numbers * 9).astype(np.uint8), (numbers * 9).astype(np.int8))[kind]


OLDER = {
    "Dropout": "(float[3,4] x) => (float[3,4] y, bool[3,4] m) { y, m = Dropout (x) }",
}


@pytest.mark.parametrize("name", MODELS)
def test_ops_compute_what_onnx_runtime_computes(name: str):
    _compare(f'<ir_version: 9, opset_import: ["": 18]> g {MODELS[name]}')


@pytest.mark.parametrize("name", OLDER)
def test_ops_of_opset_12_compute_what_onnx_runtime_computes(name: str):
    _compare(f'<ir_version: 7, opset_import: ["": 12]> g {OLDER[name]}')


def _compare(text: str) -> None:
    model = parse_model(text)
    kinds = {1: 0, 2: 1, 3: 2}
    inputs = [
        given([dim.dim_value or 5 for dim in each.type.tensor_type.shape.dim], kinds[each.type.tensor_type.elem_type])
        for each in model.graph.input
    ]
    program = npu_opt.load(model)
    assert not any(op.name == "npu.opaque" for op in program.module.walk())
    for found, expected in zip(run(program.module, "main", inputs), executed(model, inputs), strict=True):
        assert found.shape == expected.shape
        assert are_close(np.asarray(found, np.float64), expected.astype(np.float64), FEW_STEPS_NEAR_ZERO)
