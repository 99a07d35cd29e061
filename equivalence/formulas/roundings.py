"""Arithmetic that changes nothing but the rounding of a value.

- A number that is added to dequantised values and subtracted again leaves them, if it is at most 2^13 steps: it rounds
  them by less than a thousandth of a step. A larger one would round them to whole numbers.
- The nearest multiple of a scale, which is quantised by that scale, is quantised as the value itself; so are those of a
  scale for each position of an axis.

LiteRT's files have both, so that quantised numbers round as in ONNX Runtime.
"""

from collections.abc import Callable, Sequence
from math import isfinite, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ...dialects.npu.base import NpuOp
from ...dialects.npu.binary import AddOp, DivOp, MulOp, SubOp
from ...dialects.npu.quantities import is_usual_scale
from ...dialects.npu.quantization import DequantizeOp, QuantizeOp
from ...dialects.npu.unary import RoundOp
from ...dialects.npu.values import element_type_of, shape_of
from ...layout import Arrangement
from ..values import NumberedValue, is_whole, tensor

Known: TypeAlias = Callable[[SSAValue, NumberedValue], NDArray[Any] | None]
Number: TypeAlias = float | tuple[tuple[int, ...], bytes]
"""The number that all elements of a constant are, or one for each position of an axis: the shape and the numbers."""
MOST_STEPS = 2.0**13
"""The largest offset in steps of the numbers to which it is added; f32 has 24 bits."""
NOTED: tuple[type[AddOp | DivOp | MulOp | RoundOp], ...] = (AddOp, DivOp, MulOp, RoundOp)


class RoundingPart(NamedTuple):
    """An op on a value that may be a part of such arithmetic, with a number as the other operand if there is one."""

    op: type[NpuOp]
    number: Number | None
    value: NumberedValue


class Roundings:
    """The parts of such arithmetic in two programs, and the values that it ends with."""

    def __init__(self, known: Known, of_op: Callable[[NpuOp, Sequence[NumberedValue]], NumberedValue]) -> None:
        self._known = known
        self._of_op = of_op
        self._made: dict[int, tuple[RoundingPart, Arrangement]] = {}
        """The parts of which nodes of f32 are results, with the arrangements of these."""
        self._steps: dict[int, float] = {}
        """The scales of nodes that are dequantised numbers."""
        self.leaves_out_offsets = False
        """True if a number that is added and subtracted again was left out."""

    def part(self, op: NpuOp, operands: Sequence[NumberedValue]) -> RoundingPart | None:
        """An op as a part of such arithmetic; None if it cannot be one."""
        if not isinstance(op, NOTED) or element_type_of(op.result) != f32:
            return None
        for place in (0,) if isinstance(op, RoundOp | DivOp) else (0, 1):
            has_number = len(operands) == 2
            number = self._number(op.operands[1 - place], operands[1 - place]) if has_number else None
            value = operands[place]
            if has_number and number is None and self._is_of_multiple(op, value):
                number = self._row(op, op.operands[1 - place], operands[1 - place])
            if (has_number and not number) or tensor(value).is_repeated or not is_whole(value, operands):
                continue
            return RoundingPart(type(op), number, value)
        return None

    def enter(self, part: RoundingPart, result: NumberedValue) -> None:
        """Note how the node of a value is computed."""
        self._made.setdefault(result.node, (part, tensor(result)))

    def enter_dequantised(self, op: DequantizeOp, operands: Sequence[NumberedValue], result: NumberedValue) -> None:
        """Note the scale of dequantised numbers."""
        scale = self._number(op.scale, operands[1])
        if scale is not None and is_usual_scale(np.array([scale], np.float32)):
            self._steps[result.node] = scale

    def value(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The value of an op that ends such arithmetic; None for all others."""
        if isinstance(op, SubOp) and is_whole(operands[0], operands):
            return self._without_offset(operands[0], self._number(op.rhs, operands[1]))
        return self._quantised(op, operands) if isinstance(op, QuantizeOp) else None

    def _without_offset(self, value: NumberedValue, offset: float | None) -> NumberedValue | None:
        """The dequantised numbers to which this one was added."""
        found = None if offset is None else self._before(value, AddOp, offset)
        if found is None or offset is None or abs(offset) > MOST_STEPS * self._steps.get(found.node, 0):
            return None
        self.leaves_out_offsets = True
        return found

    def _is_of_multiple(self, op: NpuOp, value: NumberedValue) -> bool:
        """True if an op may divide by scales, or multiply the rounded quotients by them."""
        before = self._made.get(value.node)
        return isinstance(op, DivOp) or (isinstance(op, MulOp) and before is not None and before[0].op is RoundOp)

    def _quantised(self, op: QuantizeOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The nearest multiple of the scale, quantised as the value itself."""
        scales = self._known(op.scale, operands[1])
        if scales is None or not is_usual_scale(scales):
            return None
        scale = self._number(op.scale, operands[1])
        if scale is None:
            axis = 0 if op.axis is None else op.axis.value.data
            shape = [-1 if each == axis else 1 for each in range(len(shape_of(op.input)))]
            scale = _key(scales.reshape(shape))
        found: NumberedValue | None = operands[0]
        for kind, number in ((MulOp, scale), (RoundOp, None), (DivOp, scale)):
            # A product with one, and a quotient by one, are the value itself.
            found = found if found is None or number == 1 else self._before(found, kind, number)
        return None if found is None else self._of_op(op, [found, *operands[1:]])

    def _before(self, value: NumberedValue, op: type[NpuOp], number: Number | None) -> NumberedValue | None:
        """The value that another one is computed from, if that is done by this op, with this number."""
        made = self._made.get(value.node)
        if made is None:
            return None
        part, result = made
        return part.value if (part.op, part.number, result) == (op, number, value.stored) else None

    def _number(self, value: SSAValue, operand: NumberedValue) -> float | None:
        """The number that all elements of a constant are."""
        found = self._known(value, operand) if tensor(operand).is_repeated else None
        number = float(found.flat[0]) if found is not None and found.size else None
        return number if number is not None and isfinite(number) else None

    def _row(self, op: NpuOp, value: SSAValue, operand: NumberedValue) -> Number | None:
        """The numbers of a constant along one axis of the result."""
        shape, rank = shape_of(value), len(shape_of(op.results[0]))
        if prod(shape) != max(shape, default=1) or (found := self._known(value, operand)) is None:
            return None
        return _key(found.reshape((*[1] * (rank - len(shape)), *shape)))


def _key(numbers: NDArray[Any]) -> Number:
    return numbers.shape, numbers.astype(np.float32).tobytes()
