"""The bias of a Gemm: it never repeats rows or columns of the product, as a sum does."""

from pathlib import Path

import npu_opt
import pytest
from support.generators.made_models import save

pytest.importorskip("onnx", reason="onnx is not installed: pip install -e '.[onnx]'")

SUM = "t = MatMul(a, b) y = Add(t, c)"
GEMM = "y = Gemm(a, b, c)"
TURNED = "u = Transpose<perm = [1, 0]>(a) y = Gemm<transA = 1>(u, b, c)"
CERTAIN = {
    "a number per column": ("[M, 3]", "[3, 4]", "[4]"),
    "rows of one name": ("[M, 3]", "[3, 4]", "[M, 4]"),
    "columns of one name": ("[2, 3]", "[3, N]", "[N]"),
    "one row": ("[M, 3]", "[3, 4]", "[1, 4]"),
    "a number": ("[M, 3]", "[3, N]", "[1]"),
    "a product of known rows": ("[2, 3]", "[3, 4]", "[M, 4]"),
}
UNCERTAIN = {
    "rows of two names": ("[M, 3]", "[3, 4]", "[K, 4]"),
    "rows without a name": ("[?, 3]", "[3, 4]", "[?, 4]"),
    "rows of a known number": ("[M, 3]", "[3, 4]", "[2, 4]"),
    "columns of two names": ("[2, 3]", "[3, N]", "[K]"),
}
"""Products that may have one row or column where the bias has more."""


def model(shapes: tuple[str, str, str], nodes: str, folder: Path, name: str) -> Path:
    inputs = ", ".join(f"float{shape} {x}" for shape, x in zip(shapes, "abc", strict=True))
    return save(f"net ({inputs}) => (float[R, S] y) {{ {nodes} }}", folder, f"{name}.onnx")


@pytest.mark.parametrize("nodes", [GEMM, TURNED])
@pytest.mark.parametrize("name", CERTAIN)
def test_a_bias_that_fits_the_product_is_a_sum(name: str, nodes: str, tmp_path: Path):
    first, second = (model(CERTAIN[name], each, tmp_path, file) for each, file in ((SUM, "sum"), (nodes, "gemm")))
    assert npu_opt.check(first, second).proved


@pytest.mark.parametrize("nodes", [GEMM, TURNED])
@pytest.mark.parametrize("name", UNCERTAIN)
def test_a_sum_may_repeat_the_product_where_a_bias_may_not(name: str, nodes: str, tmp_path: Path):
    first, second = (model(UNCERTAIN[name], each, tmp_path, file) for each, file in ((SUM, "sum"), (nodes, "gemm")))
    assert not npu_opt.check(first, second).proved
    assert npu_opt.check(second, second).proved


def test_names_of_one_program_alone_say_nothing(tmp_path: Path):
    first = model(UNCERTAIN["rows of two names"], SUM, tmp_path, "sum")
    second = model(CERTAIN["rows of one name"], GEMM, tmp_path, "gemm")
    assert not npu_opt.check(first, second).proved
    assert not npu_opt.check(second, first).proved
