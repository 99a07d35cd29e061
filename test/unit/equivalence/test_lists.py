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


def part_of_sizes(first: int, last: int, is_turned: bool) -> ModuleOp:
    """Some of the sizes of a value, which are sliced out of all of them; the value may come in another order."""
    type_, turned = "tensor<?x2x?x32xf32>", "tensor<?x?x2x32xf32>"
    lines = [f"%a = npu.transpose %x permutation = [0, 2, 1, 3] : ({type_}) -> {turned}"] if is_turned else []
    value, given = ("%a", turned) if is_turned else ("%x", type_)
    return parse_verified(f"""func.func @main(%x: {type_}) -> tensor<{last - first}xi64> {{
      {" ".join(lines)}
      %s = npu.shape_of {value} axes = [0, 1, 2, 3] : ({given}) -> tensor<4xi64>
      %y = npu.slice %s starts = [{first}] limits = [{last}] : (tensor<4xi64>) -> tensor<{last - first}xi64>
      func.return %y : tensor<{last - first}xi64>
    }}""")


def test_a_slice_of_sizes_is_known_by_its_elements():
    for by_formulas in (False, True):

        def verdict(first: ModuleOp, second: ModuleOp, by_formulas: bool = by_formulas) -> Verdict:
            return compare(first, second, by_formulas=by_formulas).verdict

        assert verdict(part_of_sizes(0, 1, False), part_of_sizes(0, 1, True)) is Verdict.PROVED
        assert verdict(part_of_sizes(2, 3, False), part_of_sizes(1, 2, True)) is Verdict.PROVED
        assert verdict(part_of_sizes(2, 3, False), part_of_sizes(2, 3, True)) is not Verdict.PROVED
        assert verdict(part_of_sizes(0, 2, False), part_of_sizes(0, 2, True)) is not Verdict.PROVED
