"""The logical program computes the same as the stored one, on inputs and results in logical order."""

from typing import Any

import numpy as np
import pytest
from npu_opt.dialects.npu.values import encoding
from npu_opt.interpreter import random_inputs, run
from npu_opt.layout import invert
from npu_opt.passes.strip_layouts import StripLayouts
from numpy.typing import NDArray
from support.closeness import Room, assert_close
from support.generators.programs import random_program
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

ROOM = Room("a program of f32 whose sums are of other orders of axes", 0, 1e-4)


def main_of(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")


def logical(array: NDArray[Any], type_: Attribute) -> NDArray[Any]:
    """The logical order of data that is stored as a type states."""
    layout = encoding(type_)
    return array if layout is None else array.transpose(invert(layout.order_for(array.ndim)))


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int):
    stored = random_program(seed, 25, coloured=True)
    stripped = stored.clone()
    StripLayouts().apply(Context(), stripped)
    stripped.verify()

    types = main_of(stored).function_type
    inputs = random_inputs(main_of(stored), seed)
    expected = run(stored, "main", inputs)
    found = run(stripped, "main", [logical(each, type_) for each, type_ in zip(inputs, types.inputs, strict=True)])
    for left, right, type_ in zip(expected, found, types.outputs, strict=True):
        finite = np.abs(left[np.isfinite(left)].astype(np.float64))
        assert_close(logical(left, type_), right, ROOM.within(float(finite.max(initial=1.0))))

    assert not any(encoding(value.type) for op in stripped.walk() for value in op.results)
    again = stripped.clone()
    StripLayouts().apply(Context(), again)
    assert str(again) == str(stripped)


def test_types_without_layouts_are_kept():
    """A program without layouts is its own logical program."""
    plain = random_program(7, 25, coloured=False)
    stripped = plain.clone()
    StripLayouts().apply(Context(), stripped)
    assert main_of(stripped).function_type == main_of(plain).function_type
