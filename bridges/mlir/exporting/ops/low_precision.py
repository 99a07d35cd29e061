"""Numbers of few bits with a scale for each block."""

from .....dialects.npu import low_precision as ops
from .....dialects.npu.values import element_type_of
from .....layout import DYNAMIC
from ...bindings import math
from ...errors import NotLowerable
from ..arrange import repeated, slice_of
from ..elements import F64, element_of
from ..loops import element_by_element
from ..registry import lowers
from ..scalars import Scalar
from ..tensors import Tensor


def _spread(op: ops.BlockScaledOp, parameter: Tensor, x: Tensor) -> Tensor:
    """A number for each element: those of the blocks, repeated along the axis."""
    if DYNAMIC in (*parameter.shape, *x.shape):
        raise NotLowerable(f"'{op.name}' has blocks along axes of unknown sizes")
    factors = [op.block_size.value.data if axis == op.axis.value.data else 1 for axis in range(x.rank)]
    return slice_of(repeated(parameter, factors), [0] * x.rank, x.shape)


@lowers(ops.BlockQuantizeOp)
def block_quantize(op: ops.BlockQuantizeOp, x: Tensor, scale: Tensor, zero_point: Tensor | None) -> Tensor:
    element, zero = element_of(element_type_of(op.result)), scale if zero_point is None else zero_point

    def body(number: Scalar, factor: Scalar, zero: Scalar) -> Scalar:
        # Rounding to the operand type decides on which side of a half the quotient is.
        rounded = (number / factor).cast(x.element).cast(F64).function(math.roundeven)
        return (rounded if zero_point is None else rounded + zero.cast(F64)).saturated(element)

    return element_by_element(body, x, _spread(op, scale, x), _spread(op, zero, x), element=element)


@lowers(ops.BlockDequantizeOp)
def block_dequantize(op: ops.BlockDequantizeOp, x: Tensor, scale: Tensor, zero_point: Tensor | None) -> Tensor:
    zero = scale if zero_point is None else zero_point

    def body(number: Scalar, factor: Scalar, zero: Scalar) -> Scalar:
        wide = number.cast(F64)
        return (wide if zero_point is None else wide - zero.cast(F64)) * factor.cast(F64)

    return element_by_element(body, x, _spread(op, scale, x), _spread(op, zero, x), element=F64)


@lowers(ops.MatmulNBitsOp)
def refused(op: ops.MatmulNBitsOp, *_: Tensor | None) -> Tensor:
    raise NotLowerable(f"'{op.name}' is of packed numbers, on which MLIR does not compute")
