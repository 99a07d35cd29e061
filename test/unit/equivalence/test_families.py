"""Families of programs: different members are never proved, equal ones are."""

from functools import cache
from itertools import combinations

import pytest
from npu_opt.dialects.program.symbols import verify
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


WIDE = "tensor<6x4xf32>"
PADS = f"%p = npu.pad %a low = [0, 0] high = [2, 0] value = 0.0 PAD : (tensor<4x4xf32>) -> {WIDE}"
SLICES = f"%y = npu.slice %e starts = [0, 0] limits = [4, 4] SLICE : ({WIDE}) -> tensor<4x4xf32>"


@pytest.mark.parametrize(
    "op",
    [
        f"{PADS}\n%e = npu.exp %p : {WIDE}\n{SLICES}".replace("PAD", "").replace("SLICE", "NOTES"),
        f"{PADS}\n%e = npu.exp %p : {WIDE}\n{SLICES}".replace("PAD", "NOTES").replace("SLICE", ""),
        "%w = npu.broadcast %a axes = [1, 2] NOTES : (tensor<4x4xf32>) -> tensor<2x4x4xf32>\n"
        "%y = npu.reduce_max %w axes = [0] : (tensor<2x4x4xf32>) -> tensor<4x4xf32>",
        "%i = npu.constant dense<[0, 1, 2, 3]> : tensor<4xi64>\n"
        "%y = npu.gather %a, %i axis = 0 NOTES : (tensor<4x4xf32>, tensor<4xi64>) -> tensor<4x4xf32>",
    ],
    ids=["slice", "pad", "broadcast", "gather"],
)
def test_attributes_of_ops_that_compute_no_new_numbers_count(op: str):
    programs = [read(main(op.replace("NOTES", notes))) for notes in ("", "{vendor.k = 1}", "{vendor.k = 2}")]
    for first, second in combinations(programs, 2):
        assert compare(first, second).verdict is Verdict.UNDECIDED
    for each in programs:
        assert compare(each, each.clone()).verdict is Verdict.PROVED


BLOCKS = "tensor<1x1x2x2x16xf32, #npu.layout<NCHW16c, C = 3>>"


@pytest.mark.parametrize("place", range(3))
def test_attributes_of_ops_in_blocks_count(place: int):
    def program(notes: str) -> ModuleOp:
        given = [notes if index == place else "" for index in range(3)]
        return read(f"""func.func @main(%x: tensor<1x3x2x2xf32, #npu.layout<NCHW>>) -> {BLOCKS} {{
          %p = npu.pack %x {given[0]} : (tensor<1x3x2x2xf32, #npu.layout<NCHW>>) -> {BLOCKS}
          %e = npu.exp %p {given[1]} : {BLOCKS}
          %u = npu.unpack %e {given[2]} : ({BLOCKS}) -> tensor<1x3x2x2xf32, #npu.layout<NCHW>>
          %r = npu.pack %u : (tensor<1x3x2x2xf32, #npu.layout<NCHW>>) -> {BLOCKS}
          func.return %r : {BLOCKS}
        }}""")

    noted = program("{vendor.k = 1}")
    assert compare(program(""), noted).verdict is Verdict.UNDECIDED
    assert compare(noted, noted.clone()).verdict is Verdict.PROVED


def test_there_are_many():
    pairs = sum(len(list(combinations(family.different, 2))) for family in families())
    assert pairs >= FEWEST_PAIRS
