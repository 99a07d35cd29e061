"""A logical program is proved equal to the stored one that it was made from."""

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.equivalence.interfaces import with_stored_interface
from npu_opt.equivalence.numbers import difference
from npu_opt.equivalence.symbols import public_functions
from npu_opt.passes.strip_layouts import StripLayouts
from support.generators.programs import random_program
from support.ir_text import parse
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp


def stripped(module: ModuleOp) -> ModuleOp:
    logical = module.clone()
    StripLayouts().apply(Context(), logical)
    return logical


@pytest.mark.parametrize("seed", range(40))
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
