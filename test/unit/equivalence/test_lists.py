"""Ops with lists of numbers that are constants."""

from collections.abc import Sequence

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.ir_text import parse_verified
from xdsl.dialects.builtin import ModuleOp

GIVEN, FOUND = "tensor<2x5x6xf32>", "tensor<2x?x?xf32>"


def sliced(axes: Sequence[int], starts: Sequence[int], limits: Sequence[int]) -> ModuleOp:
    lists = "tensor<2xi64>"
    return parse_verified(f"""func.func @main(%x: {GIVEN}) -> {FOUND} {{
      %s = npu.constant dense<{list(starts)}> : {lists}
      %l = npu.constant dense<{list(limits)}> : {lists}
      %y = npu.dynamic_slice %x, %s, %l axes = {list(axes)} : ({GIVEN}, {lists}, {lists}) -> {FOUND}
      func.return %y : {FOUND}
    }}""")


def test_numbers_may_be_listed_in_another_order():
    assert compare(sliced((1, 2), (1, 2), (4, 5)), sliced((2, 1), (2, 1), (5, 4))).verdict is Verdict.PROVED


@pytest.mark.parametrize(("starts", "limits"), [((1, 2), (5, 4)), ((2, 1), (4, 5)), ((2, 2), (5, 4))])
def test_numbers_of_other_axes_are_not_proved(starts: Sequence[int], limits: Sequence[int]):
    found = compare(sliced((1, 2), (1, 2), (4, 5)), sliced((2, 1), starts, limits))
    assert found.verdict is not Verdict.PROVED
