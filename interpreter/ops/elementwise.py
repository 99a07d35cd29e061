"""Broadcasting of elementwise operands, and the ops that select or convert elements."""

from collections.abc import Sequence

import numpy as np

from ...dialects.npu.elementwise import CastOp, ElementwiseOp, SelectOp
from ...dialects.npu.values import element_type_of, shape_of
from ..elements import Array, is_integer_type
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
        return whole(x)
    # numpy's own conversions: integers wrap, everything but zero is true.
    return x


def whole(x: Array) -> Array:
    """Floats truncated to whole numbers, modulo 2**64; infinities and NaN are zero."""
    number = np.where(np.isfinite(x), np.trunc(x), 0).astype(np.float64)
    number = np.fmod(number, 2.0**64)
    number = np.where(number >= 2.0**63, number - 2.0**64, number)
    return np.where(number < -(2.0**63), number + 2.0**64, number).astype(np.int64)
