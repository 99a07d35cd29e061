"""Broadcasting of elementwise operands, and the ops that select or convert elements."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import IntegerType

from ...dialects.npu.elementwise import BitcastOp, CastOp, ElementwiseOp, SelectOp
from ...dialects.npu.values import element_type_of, is_narrow_float, shape_of
from ..bits import bits_of, from_bits
from ..elements import Array, is_integer_type, is_unsigned
from ..narrow_floats import UP, from_codes, saturated, to_codes
from ..registry import meaning


def aligned(op: ElementwiseOp, arrays: Sequence[Array]) -> list[Array]:
    """The operands in shapes that numpy broadcasts like the op: those of another rank have one element."""
    rank = len(shape_of(op.result))
    return [array if array.ndim == rank else array.reshape(()) for array in arrays]


@meaning(SelectOp)
def select(op: SelectOp, condition: Array, on_true: Array, on_false: Array) -> Array:
    return np.where(*aligned(op, (condition, on_true, on_false)))


@meaning(CastOp)
def cast(op: CastOp, x: Array) -> Array:
    element_type = element_type_of(op.result)
    if is_integer_type(element_type) and element_type.bitwidth > 1 and x.dtype.kind == "f":
        return whole(x, element_type)
    if is_narrow_float(element_type):
        wide = x.astype(np.float64)
        kept = wide if op.overflows is not None else saturated(wide, element_type)
        rounding = UP if op.rounding is None else op.rounding.data
        return from_codes(to_codes(kept, element_type, rounding), element_type)
    # numpy's own conversions: integers wrap, everything but zero is true.
    return x


@meaning(BitcastOp)
def bitcast(op: BitcastOp, x: Array) -> Array:
    return from_bits(bits_of(x, element_type_of(op.input)), element_type_of(op.result))


def whole(x: Array, element_type: IntegerType) -> Array:
    """Floats truncated to integers of 32 bits, or 64 for wide types: the nearest one, and for NaN the largest."""
    width = 32 if element_type.bitwidth < 32 + (not is_unsigned(element_type)) else 64
    low, high = -(1 << width - 1), (1 << width - 1) - 1
    if is_unsigned(element_type) and element_type.bitwidth == 64:
        high = (1 << 64) - 1
    number = np.trunc(x.astype(np.float64))
    fits = (number >= low) & (number < float(high + 1))
    kept = np.where(fits, number, 0)
    kept = np.where(kept >= 2.0**63, kept - 2.0**64, kept).astype(np.int64)
    # The largest one of 64 bits without a sign is stored as -1.
    return np.where(fits, kept, np.where(number < low, low, high if high < 1 << 63 else -1))
