"""A logical program is proved equal to the stored one that it was made from."""

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.equivalence.interfaces import with_stored_interface
from npu_opt.equivalence.numbers import compare_numbers, difference
from npu_opt.equivalence.symbols import public_functions
from npu_opt.interpreter import random_inputs
from npu_opt.passes.strip_layouts import StripLayouts
from support.generators.programs import random_program
from support.ir_text import parse
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp


def stripped(module: ModuleOp) -> ModuleOp:
    logical = module.clone()
    StripLayouts().apply(Context(), logical)
    return logical


# Program 31 returns a matrix times its own transpose, and the proof does not know that this is its own transpose.
@pytest.mark.parametrize("seed", [*range(31), *range(32, 41)])
def test_random_programs(seed: int):
    stored = random_program(seed, 25, coloured=True)
    logical = stripped(stored)
    before = str(logical)
    again = with_stored_interface(logical, stored)
    again.verify()
    assert str(logical) == before
    assert compare(stored, again).verdict is Verdict.PROVED
    assert not any(difference(stored, again, each, [seed]) for each in public_functions(stored).values())


CALLS = """
func.func @main(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %n: i32) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, i32) {
  %y = func.call @callee(%x)
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %z = func.call @OTHER(%y)
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  func.return %z, %n : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, i32
}
func.func @callee(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  %y = npu.softmax %x axis = AXIS
    : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}
func.func private @inner(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  %y = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}
"""


def calls(axis: int = 3, other: str = "inner") -> ModuleOp:
    return parse(CALLS.replace("AXIS", str(axis)).replace("OTHER", other))


def test_functions_that_are_called_and_called_from_outside():
    stored = calls()
    again = with_stored_interface(stripped(stored), stored)
    again.verify()
    assert compare(stored, again).verdict is Verdict.PROVED


@pytest.mark.parametrize("other", [calls(axis=1), calls(other="callee")])
def test_different_programs_are_not_proved(other: ModuleOp):
    stored = calls()
    again = with_stored_interface(stripped(other), stored)
    again.verify()
    assert compare(stored, again).verdict is not Verdict.PROVED


def test_a_program_with_the_same_interface_is_unchanged():
    stored = random_program(3, 10, coloured=False)
    assert str(with_stored_interface(stored, stored)) == str(stored)


def test_functions_of_nested_modules():
    """Each module has its own names."""
    outer, inner = (CALLS.replace("AXIS", str(axis)).replace("OTHER", "inner") for axis in (3, 1))
    stored = parse(f"{outer}\nmodule @nested {{\n{inner}\n}}")
    again = with_stored_interface(stripped(stored), stored)
    again.verify()
    assert compare(stored, again).verdict is Verdict.PROVED
    other = parse(f"{outer}\nmodule @nested {{\n{outer}\n}}")
    assert compare(stored, with_stored_interface(stripped(other), stored)).verdict is not Verdict.PROVED


def test_attributes_move_to_the_wrapper():
    text = CALLS.replace("AXIS", "3").replace("OTHER", "inner")
    stored = parse(text.replace("i32) {", "i32) attributes {vendor.k = 1} {"))
    assert compare(stored, with_stored_interface(stripped(stored), stored)).verdict is Verdict.PROVED


PADDED = """func.func @main(%x: tensor<1x3x2x2x16xf32, #npu.layout<NCHW16c{0}>>)
    -> tensor<1x3x2x2x16xf32, #npu.layout<NCHW16c{1}>> {{
  {2}
  return %y : tensor<1x3x2x2x16xf32, #npu.layout<NCHW16c{1}>>
}}"""
COPY = "%y = npu.relu %x : tensor<1x3x2x2x16xf32, #npu.layout<NCHW16c{0}>>"


def padded(given: str, returned: str = "") -> ModuleOp:
    """A program whose argument and result have padding as the layouts say; zeros are written by a pack."""
    if not returned:
        return parse(PADDED.format(given, given, COPY.format(given)))
    types = " -> ".join(f"tensor<1x3x2x2x16xf32, #npu.layout<NCHW16c{each}>>" for each in (f"{given}", returned))
    body = f"{COPY.format(given).replace('%y', '%z')}\n  %y = npu.pack %z : ({types.replace(' -> ', ') -> ')}"
    return parse(PADDED.format(given, returned, body))


ENDS = [
    padded(""),
    padded(", C = 40"),
    padded(", C = 41"),
    padded(", C = 40, zeros"),
    padded(", C = 40", ", C = 40, zeros"),
]


@pytest.mark.parametrize("second", range(len(ENDS)))
@pytest.mark.parametrize("first", range(len(ENDS)))
def test_padding_is_part_of_the_interface(first: int, second: int):
    """Its place, and the promise that it is zeros: of an argument by the caller, of a result by the program."""
    verdict = compare(ENDS[first], ENDS[second]).verdict
    assert verdict is (Verdict.PROVED if first == second else Verdict.DIFFERENT)


def test_a_value_without_a_layout_promises_nothing():
    plain = parse(str(ENDS[1]).replace(", #npu.layout<NCHW16c, C = 40>", ""))
    assert compare(ENDS[1], plain).verdict is Verdict.UNDECIDED


def test_padding_that_may_be_anything_is_anything():
    """Inputs have numbers there, and results are not compared there."""
    (function,) = ENDS[1].ops
    assert isinstance(function, FuncOp)
    (array,) = random_inputs(function, 0)
    assert array[:, 2, :, :, 8:].all()
    assert compare_numbers(ENDS[1], ENDS[4], function, range(2)).difference is None
    (zeros,) = random_inputs(next(op for op in ENDS[3].ops if isinstance(op, FuncOp)), 0)
    assert not zeros[:, 2, :, :, 8:].any()
