"""Constants that equal their own transposes, or whose axes only their numbers tell apart."""

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from numpy.typing import NDArray
from support.ir_text import parse_verified
from xdsl.dialects.builtin import ModuleOp

IDENTITY = np.eye(4)
SYMMETRIC = np.add.outer(np.arange(4.0) ** 2, np.arange(4.0) ** 2)
SQUARE = np.array([[1, 2, 3, 4], [3, 4, 1, 2], [4, 3, 2, 1], [2, 1, 4, 3.0]])
"""Rows and columns have equal sums, and it differs from its transpose."""


def _typed(shape: Sequence[int]) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def _product(weights: NDArray[np.float64], flag: str = "", op: str = "matmul") -> ModuleOp:
    t = "tensor<?x4xf32>"
    numbers = str(weights.tolist())
    return parse_verified(f"""func.func @main(%x: {t}) -> {t} {{
      %w = npu.constant dense<{numbers}> : tensor<4x4xf32>
      %y = npu.{op} %x, %w {flag} : ({t}, tensor<4x4xf32>) -> {t}
      func.return %y : {t}
    }}""")


@pytest.mark.parametrize("op", ["matmul", "gemm"])
@pytest.mark.parametrize("weights", [IDENTITY, SYMMETRIC, SQUARE], ids=["identity", "symmetric", "square"])
def test_a_transposed_matrix(weights: NDArray[np.float64], op: str) -> None:
    transposed = _product(weights.T, "trans_b", op)
    assert compare(_product(weights), transposed).verdict is Verdict.PROVED
    assert compare(transposed, _product(weights)).verdict is Verdict.PROVED
    other = weights.copy()
    other[3, 1] += 1
    assert compare(_product(weights), _product(other, "trans_b", op)).verdict is Verdict.UNDECIDED


def test_a_square_that_differs_from_its_transpose() -> None:
    assert compare(_product(SQUARE), _product(SQUARE, "trans_b")).verdict is Verdict.UNDECIDED


def _moved(numbers: NDArray[np.int64], order: Sequence[int], is_constant: bool) -> ModuleOp:
    """The product of an argument and a constant in this order, or of the argument in the inverse order, put back."""
    t, back = _typed(numbers.shape), list(np.argsort(order))
    transposed, other = ("%w", "%x") if is_constant else ("%x", "%w")
    first, last = (order, [0, 1, 2]) if is_constant else (back, order)
    return parse_verified(f"""func.func @main(%x: {t}) -> {t} {{
      %w = npu.constant dense<{numbers.astype(float).tolist()}> : {t}
      %t = npu.transpose {transposed} permutation = {list(map(int, first))} : ({t}) -> {t}
      %p = npu.mul {other}, %t : ({t}, {t}) -> {t}
      %y = npu.transpose %p permutation = {list(map(int, last))} : ({t}) -> {t}
      func.return %y : {t}
    }}""")


@pytest.mark.parametrize("seed", range(12))
def test_products_are_equal_if_and_only_if_their_numbers_are(seed: int) -> None:
    """Cubes of few numbers, symmetric in some axes: all of their transposes against each other."""
    generator = np.random.default_rng(seed)
    cube = generator.integers(0, 3, (3, 3, 3))
    for order in list(permutations(range(3)))[: seed % 6]:
        cube = np.maximum(cube, cube.transpose(order)) if seed % 2 else cube + cube.transpose(order)
    orders = list(permutations(range(3)))
    firsts, seconds = ([_moved(cube, order, is_constant) for order in orders] for is_constant in (True, False))
    for (one, first), (other, second) in product(zip(orders, firsts, strict=True), zip(orders, seconds, strict=True)):
        same = np.array_equal(cube.transpose(one), cube.transpose(other))
        assert (compare(first, second).verdict is Verdict.PROVED) == same, (one, other)


def test_two_symmetric_factors() -> None:
    """Each axis of one is that of the other: not both may be turned alone."""

    def module(one: str, other: str) -> ModuleOp:
        return parse_verified(f"""func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {{
          %a = npu.constant dense<{IDENTITY.tolist()}> : tensor<4x4xf32>
          %b = npu.constant dense<{SYMMETRIC.tolist()}> : tensor<4x4xf32>
          %c = npu.matmul %a, %x {one} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
          %d = npu.matmul %c, %b {other} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
          func.return %d : tensor<4x4xf32>
        }}""")

    assert compare(module("", ""), module("trans_a", "trans_b")).verdict is Verdict.PROVED
    assert compare(module("", ""), module("trans_b", "")).verdict is Verdict.UNDECIDED


def test_many_symmetric_operands_take_no_time() -> None:
    """Each may be turned, but not all combinations are tried."""
    names = [f"%c{index}" for index in range(40)]
    constants = "\n".join(
        f"{name} = npu.constant dense<{(SYMMETRIC + index).tolist()}> : tensor<4x4xf32>"
        for index, name in enumerate(names)
    )
    types = ", ".join(["tensor<4x4xf32>"] * 40)
    text = f"""func.func @main() -> tensor<160x4xf32> {{
      {constants}
      %y = npu.concat {", ".join(names)} axis = 0 : ({types}) -> tensor<160x4xf32>
      func.return %y : tensor<160x4xf32>
    }}"""
    assert compare(parse_verified(text), parse_verified(text)).verdict is Verdict.PROVED
