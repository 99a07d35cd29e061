"""Ops on signals."""

from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.irdl import opt_prop_def, prop_def

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC
from .attrs import I64
from .axes import AxisTable
from .base import InputOp
from .declared_axes import axes_of
from .fusion import FusionKind
from .same_layout import SameLayoutOp
from .values import Shape, element_type_of, shape_of


@op_definition
class DftOp(SameLayoutOp, InputOp):
    """The discrete Fourier transform along an axis, of complex numbers whose two parts are along another axis.

    Real numbers have one element along the axis `parts`. The signal is cut off or filled up with zeros to `length`,
    which is its own length by default. With `onesided` the spectrum of real numbers is its first half, and with
    `inverse` as well the signal of such a half is real, of 2 * (its length - 1) elements.

    ```mlir
    %y = npu.dft %x axis = 1 parts = 2 onesided : (tensor<4x400x1xf32>) -> tensor<4x201x2xf32>
    ```
    """

    name = "npu.dft"

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.OPAQUE
    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A]; axis: one; parts: one")
    TAKES_BLOCKS: ClassVar[bool] = False

    axis = prop_def(I64)
    parts = prop_def(I64)
    length = opt_prop_def(I64)
    inverse = opt_prop_def(UnitAttr)
    onesided = opt_prop_def(UnitAttr)

    def verify_meaning(self) -> None:
        self.check_float("input", self.input)
        self.check_element_type("result", self.result, element_type_of(self.input))
        shape, axis, parts = shape_of(self.input), self.axis.value.data, self.parts.value.data
        if axis == parts:
            raise self.wrong("parts", f"another axis than {axis}", parts)
        is_inverse, is_half = self.inverse is not None, self.onesided is not None
        allowed = (1,) if is_half and not is_inverse else (2,) if is_half else (1, 2)
        if shape[parts] not in allowed:
            raise self.wrong("input", f"{' or '.join(map(str, allowed))} parts", shape[parts])
        if self.length is not None:
            self.check_numbers("length", [self.length.value.data], 1, 1)
        length = signal_length(self, shape)
        if is_half and is_inverse and shape[axis] != DYNAMIC:
            self._check_half(shape[axis], length)
        bins = length // 2 + 1 if is_half and not is_inverse and length != DYNAMIC else length
        result = list(shape)
        result[axis], result[parts] = bins, 1 if is_half and is_inverse else 2
        self.check_shape("result", self.result, result)

    def _check_half(self, bins: int, length: int) -> None:
        """Check that a half of a spectrum is that of a signal of this length."""
        if bins < 2:
            raise self.wrong("input", f"at least 2 elements along axis {self.axis.value.data}", bins)
        if length != 2 * (bins - 1):
            raise self.wrong("length", f"{2 * (bins - 1)} for {bins} elements of half a spectrum", length)


def signal_length(op: DftOp, shape: Shape) -> int:
    """The number of elements of the signal, for an input of this shape."""
    size = shape[op.axis.value.data]
    if op.length is not None:
        return op.length.value.data
    return 2 * (size - 1) if op.inverse is not None and op.onesided is not None and size != DYNAMIC else size
