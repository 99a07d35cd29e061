"""Ops that copy their operand; the proof says it where the numbers do."""

from collections.abc import Mapping

import numpy as np
import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.interpreter import run
from support.ir_text import parse_verified

TYPE = "tensor<1x2x3x4xf32, #npu.layout<NCHW>>"
NUMBERS = np.array([1.5, np.inf, -0.0, np.nan, -np.inf, 1e-42] * 4, np.float32).reshape(1, 2, 3, 4)
RESIZES: Mapping[str, bool] = {
    "sizes = [3, 4]": True,
    'sizes = [3, 4] coordinates = "align_corners"': True,
    'sizes = [3, 4] coordinates = "asymmetric"': True,
    "factors = [1.0, 1.0]": True,
    # The sizes are rounded down, and the positions are others.
    "factors = [1.2, 1.1]": False,
}
"""Each resize that keeps the sizes, and if it is a copy."""


@pytest.mark.parametrize("resize", RESIZES)
def test_a_resize_to_its_own_sizes(resize: str):
    first = parse_verified(
        f"func.func @main(%x: {TYPE}) -> {TYPE} {{ %y = npu.bilinear %x {resize} : {TYPE} return %y : {TYPE} }}"
    )
    second = parse_verified(f"func.func @main(%x: {TYPE}) -> {TYPE} {{ return %x : {TYPE} }}")
    (found,) = run(first, inputs=[NUMBERS])
    assert np.array_equal(found, NUMBERS, equal_nan=True) == RESIZES[resize]
    assert (compare(first, second).verdict is Verdict.PROVED) == RESIZES[resize]


def test_channels_that_were_taken_for_columns():
    """A file says sizes only, in which any axis may be that of the channels."""
    moved = "tensor<1x3x4x2xf32, #npu.layout<NHWC>>"
    other = "tensor<1x3x4x2xf32, #npu.layout<NCHW>>"
    programs = (
        f"%y = npu.bilinear %x sizes = [3, 4] : {moved} return %y : {moved}",
        f"%r = npu.relabel %x : ({moved}) -> {other} %s = npu.bilinear %r sizes = [4, 2] : {other} "
        f"%y = npu.relabel %s : ({other}) -> {moved} return %y : {moved}",
    )
    first, second = (parse_verified(f"func.func @main(%x: {moved}) -> {moved} {{ {each} }}") for each in programs)
    assert compare(first, second).verdict is Verdict.PROVED
