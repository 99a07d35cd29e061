"""Products of matrices against sums over every index."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from npu_opt.interpreter.products import product
from support.oracles.one_op import Array, close, compute, equal, integers, numbers


def tensor(shape: tuple[int, ...], element_type: str) -> str:
    return f"tensor<{'x'.join(map(str, (*shape, element_type)))}>"


def text_of(name: str, flags: str, operands: list[tuple[Array, str]], result: tuple[tuple[int, ...], str]) -> str:
    values = ", ".join(f"%{index}" for index in range(len(operands)))
    types = ", ".join(tensor(array.shape, element_type) for array, element_type in operands)
    return f"%r = npu.{name} {values} {flags} : ({types}) -> {tensor(*result)}"


def run(name: str, flags: str, operands: list[tuple[Array, str]], result: tuple[tuple[int, ...], str]) -> Array:
    return compute(text_of(name, flags, operands, result), *(array for array, _ in operands))


@pytest.mark.parametrize("trans_a", [False, True])
@pytest.mark.parametrize("trans_b", [False, True])
def test_flags_mark_transposed_matrices(trans_a: bool, trans_b: bool):
    a, b = numbers(2, 1, 3, 4), numbers(1, 5, 4, 6)
    stored_a = np.swapaxes(a, -1, -2) if trans_a else a
    stored_b = np.swapaxes(b, -1, -2) if trans_b else b
    flags = " trans_a" * trans_a + " trans_b" * trans_b
    found = run("matmul", flags, [(stored_a, "f32"), (stored_b, "f32")], ((2, 5, 3, 6), "f32"))
    for i, j, row, column in np.ndindex(2, 5, 3, 6):
        close(found[i, j, row, column], sum(a[i, 0, row, k] * b[0, j, k, column] for k in range(4)))


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (6,), (1, 6), (3, 1), (3, 6)])
def test_gemm_repeats_its_bias(shape: tuple[int, ...]):
    a, b, c = numbers(3, 4), numbers(4, 6), numbers(*shape)
    found = run("gemm", "", [(a, "f32"), (b, "f32"), (c, "f32")], ((3, 6), "f32"))
    close(found, np.einsum("ik,kj->ij", a, b) + np.broadcast_to(c, (3, 6)))


def test_gemm_of_batches_with_a_bias_of_one_element():
    a, b = numbers(2, 3, 4), numbers(2, 4, 5)
    found = run("gemm", "", [(a, "f32"), (b, "f32"), (np.full((1, 1), 7.0), "f32")], ((2, 3, 5), "f32"))
    close(found, np.einsum("nik,nkj->nij", a, b) + 7)


def test_gemm_without_bias():
    a, b = numbers(3, 4), numbers(4, 6)
    close(run("gemm", "", [(a, "f32"), (b, "f32")], ((3, 6), "f32")), np.einsum("ik,kj->ij", a, b))


def exact(a: Array, b: Array) -> Any:
    return a.astype(object) @ b.astype(object)


@pytest.mark.parametrize("width", [4, 8, 32, 64])
def test_integer_products_wrap(width: int):
    low, high = -(2 ** (width - 1)), 2 ** (width - 1) - 1
    a, b = integers(low, high, 3, 40), integers(low, high, 40, 5)
    found = run("matmul", "", [(a, f"i{width}"), (b, f"i{width}")], ((3, 5), f"i{width}"))
    equal(found, (exact(a, b) - low) % 2**width + low)


@given(st.sampled_from([2**8, 2**23, 2**24, 2**26, 2**27, 2**28, 2**40, 2**63 - 1]), st.integers(0, 9))
def test_integer_products_are_exact_by_either_way(bound: int, seed: int):
    a, b = integers(-bound, bound, 4, 30, seed=seed), integers(-bound, bound, 30, 3, seed=seed + 1)
    equal(product(a, b), (exact(a, b) + 2**63) % 2**64 - 2**63)
    low, odd = np.full((1, 3), -bound), np.full((3, 1), 2**30 + 1)
    equal(product(low, odd), (exact(low, odd) + 2**63) % 2**64 - 2**63)


def test_empty_products_are_zero():
    a, b = np.zeros((2, 0)), np.zeros((0, 3))
    for element_type in ("f32", "i32"):
        equal(run("matmul", "", [(a, element_type), (b, element_type)], ((2, 3), element_type)), np.zeros((2, 3)))


def test_matmul_integer():
    a, b, bz = integers(0, 255, 3, 4), integers(-128, 127, 4, 2), integers(-128, 127, 2)
    operands = [(a, "ui8"), (b, "i8"), (np.array(130), "ui8"), (bz, "i8")]
    equal(run("matmul_integer", "", operands, ((3, 2), "i32")), exact(a - 130, b - bz))


def test_quantized_product():
    a, b, bz = integers(0, 255, 3, 4), integers(-128, 127, 4, 2), integers(-128, 127, 2)
    bias = integers(-10_000, 10_000, 2)
    scales = 0.5, np.array([0.25, 2**-6]), 32.0
    total = exact(a - 130, b - bz)
    for name, more, added in (("quant_matmul", [], 0), ("quant_gemm", [(bias, "i32")], bias)):
        operands = [
            (a, "ui8"),
            (np.ascontiguousarray(b.T), "i8"),
            (np.array(scales[0]), "f32"),
            (np.array(130), "ui8"),
            (scales[1], "f32"),
            (bz, "i8"),
            (np.array(scales[2]), "f32"),
            (np.array(-3), "i8"),
            *more,
        ]
        found = run(name, "trans_b", operands, ((3, 2), "i8"))
        for row, column in np.ndindex(3, 2):
            real = (total + added)[row, column] * scales[0] * scales[1][column] / scales[2]
            assert found[row, column] == min(max(round(real) - 3, -128), 127)


def test_quantized_sums_are_i32():
    """The sum of these products is more than an i32 holds, and so it wraps to less than nothing."""
    size = 40_000
    text = (
        f"%r = npu.quant_matmul %a, %b, %as, %az, %bs, %bz, %ys, %yz : (tensor<1x{size}xui8>, tensor<{size}x1xui8>,"
        " tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1xui8>"
    )
    equal(compute(text, np.full((1, size), 255), np.full((size, 1), 255), 1, 0, 1, 0, 1, 7), [[0]])


def test_halves_are_rounded_to_even_before_the_zero_point():
    one, zero = np.ones(()), np.zeros(())
    a = np.array([[1], [3], [5]])
    operands = [
        (a, "i8"),
        (np.ones((1, 1)), "i8"),
        (one / 2, "f32"),
        (zero, "i8"),
        (one, "f32"),
        (zero, "i8"),
        (one, "f32"),
        (one, "i8"),
    ]
    equal(run("quant_matmul", "", operands, ((3, 1), "i8")), [[1], [3], [3]])
