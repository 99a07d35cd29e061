"""Families of programs: different members are never proved, equal ones are."""

from functools import cache
from itertools import combinations

import pytest
from npu_opt.dialects.symbols import verify
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.text.parser import NpuParser
from support.generators.different_programs import Family, families, main
from support.ir_text import context
from xdsl.dialects.builtin import ModuleOp

FAMILIES = [pytest.param(family, id=family.name) for family in families()]
FEWEST_PAIRS = 500


@cache
def read(text: str) -> ModuleOp:
    module = NpuParser(context(), text, "program.mlir").parse_module()
    verify(module)
    return module


@pytest.mark.parametrize("family", FAMILIES)
def test_different_programs_are_not_proved(family: Family):
    proved = [
        f"{first}\nand\n{second}"
        for first, second in combinations(family.different, 2)
        if compare(read(first), read(second)).verdict is Verdict.PROVED
        or compare(read(second), read(first)).verdict is Verdict.PROVED
    ]
    assert not proved, "\n\n".join(proved)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_programs_are_proved(family: Family):
    """Also each of the different ones with itself, read a second time."""
    same = [*family.same, *((each, each + " ") for each in family.different)]
    undecided = [
        f"{first}\nand\n{second}"
        for first, second in same
        if compare(read(first), read(second)).verdict is not Verdict.PROVED
    ]
    assert not undecided, "\n\n".join(undecided)
    assert family.same, "nothing shows that the family can be proved at all"


@pytest.mark.parametrize(
    "op",
    [
        "npu.transpose %a permutation = [1, 0] NOTES : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "npu.constant NOTES dense<1.0> : tensor<4x4xf32>",
    ],
)
def test_attributes_of_views_and_constants_do_not_count(op: str):
    """Passes compose views and fold constants, and their attributes go with them."""
    program = main(f"%y = {op}")
    with_attribute = read(program.replace("NOTES", "{vendor.k = 1}"))
    assert compare(read(program.replace("NOTES", "")), with_attribute).verdict is Verdict.PROVED


def test_there_are_many():
    pairs = sum(len(list(combinations(family.different, 2))) for family in families())
    assert pairs >= FEWEST_PAIRS
