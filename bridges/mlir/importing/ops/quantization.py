"""Rescaling of integers."""

from fractions import Fraction

import numpy as np
from xdsl.dialects.builtin import FloatAttr, f64, i32
from xdsl.ir import SSAValue

from .....dialects.npu.activations import ClipOp
from .....dialects.npu.binary import AddOp
from .....dialects.npu.values import integer_range
from .....interpreter.elements import is_integer_type
from ..constants import tensor_type
from ..node import ImportedOp, Operand
from ..registry import reads


@reads("tosa.rescale")
def rescale(
    node: ImportedOp, x: Operand, multiplier: Operand, shift: Operand, zero: Operand, result_zero: Operand
) -> SSAValue:
    """A rescaling by 1, which only changes the zero point; others round differently from npu ops."""
    node.require(not node.flag("input_unsigned") and not node.flag("output_unsigned"), "unsigned integers")
    factors = {Fraction(factor, 1 << places) for factor, places in zip(multiplier.ints, shift.ints, strict=True)}
    node.require(factors == {Fraction(1)}, "a factor")
    (before,), (behind,) = zero.ints, result_zero.ints
    node.require(is_integer_type(x.type) and x.type.bitwidth <= 32 and (x.type != i32 or before == 0), "width")
    wide = node.cast(x.value, i32)
    if behind - before:
        node.require(x.type != i32, "sums of 33 bits")
        offset = node.constant(np.full([1] * x.rank, behind - before, np.int32), i32)
        wide = node.add(AddOp, [wide, offset], type=tensor_type(x.shape, i32))
    if is_integer_type(node.element) and node.element.bitwidth < i32.bitwidth:
        low, high = (FloatAttr(float(end), f64) for end in integer_range(node.element))
        wide = node.add(ClipOp, [wide], {"min": low, "max": high}, tensor_type(x.shape, i32))
    return node.cast(wide, node.element)
