"""Transposes around products of matrices: Gemm reads its operands transposed, MatMul does not."""

from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import npu_opt
import numpy as np
import pytest
from onnx import ModelProto, helper
from support.closeness import FEW_STEPS_NEAR_ZERO, assert_close
from support.generators.made_models import save

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install -e '.[dev]'")

from support.oracles.onnx_running import unoptimised

# By name: the package is typed in part.
ONNX: Any = import_module("onnx")

PRODUCTS = {
    "operands of MatMul": (
        "float[3,2] a, float[4,3] b",
        "float[2,4] y",
        "s = Transpose(a) t = Transpose(b) y = MatMul(s, t)",
    ),
    "left operand of MatMul": ("float[3,2] a, float[3,4] b", "float[2,4] y", "s = Transpose(a) y = MatMul(s, b)"),
    "result of MatMul": ("float[2,3] a, float[3,4] b", "float[4,2] y", "m = MatMul(a, b) y = Transpose(m)"),
    "operands, and a sum behind": (
        "float[3,2] a, float[4,3] b, float[4] c",
        "float[2,4] y",
        "s = Transpose(a) t = Transpose(b) m = MatMul(s, t) y = Add(m, c)",
    ),
    "doubles of unknown size": ("double[K,M] a, double[K,N] b", "double[M,N] y", "s = Transpose(a) y = MatMul(s, b)"),
    "a matrix that is added, of sizes with names": (
        "float16[N,N] c, float[N,N] a, float[N,N] b",
        "float[N,N] y",
        "s = Transpose(a) t = Transpose(b) m = MatMul(s, t) d = Cast<to=1>(c) y = Add(d, m)",
    ),
    "a row that is added to unknown rows": (
        "float[3,M] a, float[3,4] b, float[1,4] c",
        "float[M,4] y",
        "s = Transpose(a) m = MatMul(s, b) y = Add(m, c)",
    ),
    "operand of Gemm": ("float[3,2] a, float[3,4] b, float[4] c", "float[2,4] y", "s = Transpose(a) y = Gemm(s, b, c)"),
    "operand of a transposing Gemm": (
        "float[2,3] a, float[3,4] b",
        "float[2,4] y",
        "s = Transpose(a) y = Gemm<transA=1, alpha=3.0>(s, b)",
    ),
    "a factor and a bias": (
        "float[3,2] a, float[3,4] b, float[4] c",
        "float[2,4] y",
        "s = Transpose(a) y = Gemm<alpha=0.5>(s, b, c)",
    ),
    "a factor and a bias of a transposed result": (
        "float[2,3] a, float[3,4] b, float[4] c",
        "float[4,2] y",
        "m = Gemm<alpha=0.5>(a, b, c) y = Transpose(m)",
    ),
    "result of Gemm": ("float[2,3] a, float[3,4] b, float[2,4] c", "float[4,2] y", "m = Gemm(a, b) y = Transpose(m)"),
}
"""Inputs, outputs and nodes by name."""
OTHERS = {
    "a batch": ("float[5,3,2] a, float[5,3,4] b", "float[5,2,4] y", "s = Transpose<perm=[0,2,1]>(a) y = MatMul(s, b)"),
    "integers": ("int32[3,2] a, int32[3,4] b", "int32[2,4] y", "s = Transpose(a) y = MatMul(s, b)"),
}
"""Products that no Gemm computes."""


def written(case: tuple[str, str, str], folder: Path) -> tuple[ModelProto, ModelProto]:
    """A model and the file that is written for it, which is proved to be equal."""
    inputs, outputs, nodes = case
    path, out = save(f"net ({inputs}) => ({outputs}) {{ {nodes} }}", folder), folder / "out.onnx"
    npu_opt.optimize(path, target="onnx").save(out)
    assert npu_opt.check(path, out).proved
    return ONNX.load(path), ONNX.load(out)


def kinds(proto: ModelProto) -> Counter[str]:
    return Counter(node.op_type for node in proto.graph.node)


@pytest.mark.parametrize("name", PRODUCTS)
def test_transposes_around_a_product_of_matrices_are_flags_of_one_gemm(name: str, tmp_path: Path):
    before, after = written(PRODUCTS[name], tmp_path)
    found = kinds(after)
    assert found["Transpose"] == 0, found
    assert found["Gemm"] + found["MatMul"] == 1, found
    assert not found["Mul"], found
    assert not found["Add"], found
    rng, sizes = np.random.default_rng(0), {"K": 3, "M": 2, "N": 4}
    feeds = {}
    for each in before.graph.input:
        shape = [dim.dim_value or sizes[dim.dim_param] for dim in each.type.tensor_type.shape.dim]
        dtype = helper.tensor_dtype_to_np_dtype(each.type.tensor_type.elem_type)
        feeds[each.name] = rng.standard_normal(shape).astype(dtype)
    (expected,), (result,) = (unoptimised(each).run(None, feeds) for each in (before, after))
    assert_close(result, expected, FEW_STEPS_NEAR_ZERO)


@pytest.mark.parametrize("name", OTHERS)
def test_products_that_no_gemm_computes_keep_their_transposes(name: str, tmp_path: Path):
    _, after = written(OTHERS[name], tmp_path)
    assert kinds(after) == {"Transpose": 1, "MatMul": 1}


SUMS = {
    "of more axes": (
        "float[3,2] a, float[3,4] b, float[5,1,4] c",
        "float[5,2,4] y",
        "s = Transpose(a) m = MatMul(s, b) y = Add(m, c)",
    ),
    "of more rows": (
        "float[1,3] a, float[4,3] b, float[2,4] c",
        "float[2,4] y",
        "s = Transpose(b) m = MatMul(a, s) y = Add(m, c)",
    ),
    "of rows that may be more": (
        "float[3,M] a, float[3,4] b, float[N,4] c",
        "float[R,4] y",
        "s = Transpose(a) m = MatMul(s, b) y = Add(m, c)",
    ),
    "of rows that a slice has cut": (
        "float[3,M] a, float[3,4] b, float[M,4] c",
        "float[R,4] y",
        "z = Constant<value = int64[1] {0}>() l = Constant<value = int64[1] {-1}>() "
        "o = Constant<value = int64[1] {1}>() e = Slice(a, z, l, o) s = Transpose(e) m = MatMul(s, b) y = Add(m, c)",
    ),
    "of a product that is read twice": (
        "float[3,2] a, float[3,4] b, float[4] c",
        "float[2,4] y, float[2,4] z",
        "s = Transpose(a) m = MatMul(s, b) y = Add(m, c) z = Relu(m)",
    ),
    "behind a Gemm that came": (
        "float[3,2] a, float[3,4] b, float[4] c",
        "float[2,4] y",
        "s = Transpose(a) m = Gemm(s, b) y = Add(m, c)",
    ),
}
"""Sums that no bias computes, or that engines find as they came."""


@pytest.mark.parametrize("name", SUMS)
def test_such_a_sum_stays_behind_its_product(name: str, tmp_path: Path):
    found = kinds(written(SUMS[name], tmp_path)[1])
    assert (found["Gemm"], found["Add"], found["Transpose"]) == (1, 1, 0), found


def test_products_without_transposes_stay_as_they_are(tmp_path: Path):
    case = ("float[2,3] a, float[3,4] b", "float[2,4] y", "y = MatMul(a, b)")
    assert kinds(written(case, tmp_path)[1]) == {"MatMul": 1}
