"""Arithmetic that changes nothing but the rounding of a value.

- A number that is added and subtracted again leaves the value.
- The nearest multiple of a scale, which is quantised by that scale, is quantised as the value itself.

LiteRT's files have both, so that quantised numbers round as in ONNX Runtime.
"""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ...dialects.npu.base import NpuOp
from ...dialects.npu.binary import AddOp, DivOp, MulOp, SubOp
from ...dialects.npu.quantization import QuantizeOp
from ...dialects.npu.unary import RoundOp
from ...dialects.npu.values import element_type_of
from ...dialects.quantities import is_usual_scale
from ...layout import Arrangement
from ..values import NumberedValue, is_whole, tensor

Known: TypeAlias = Callable[[SSAValue, NumberedValue], NDArray[Any] | None]
NOTED: tuple[type[AddOp | DivOp | MulOp | RoundOp], ...] = (AddOp, DivOp, MulOp, RoundOp)


class NotedOp(NamedTuple):
    """An op on a value, with a number as the other operand if there is one, and the arrangement of its result."""

    op: type[NpuOp]
    number: float | None
    value: NumberedValue
    result: Arrangement


class Roundings:
    """The values of two programs that such arithmetic ends with."""

    def __init__(self, known: Known, of_op: Callable[[NpuOp, Sequence[NumberedValue]], NumberedValue]) -> None:
        self._known = known
        self._of_op = of_op
        self._made: dict[int, NotedOp] = {}
        """The ops of which nodes of f32 are results."""

    def value(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The value of an op that ends such arithmetic, or that may be a part of it; None for all others."""
        if isinstance(op, SubOp):
            number = self._number(op.rhs, operands[1])
            return self._before(operands[0], AddOp, number) if is_whole(operands[0], operands) else None
        if isinstance(op, QuantizeOp):
            return self._quantised(op, operands)
        return self._noted(op, operands) if isinstance(op, NOTED) else None

    def _noted(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        if element_type_of(op.results[0]) != f32:
            return None
        for place in (0,) if isinstance(op, RoundOp | DivOp) else (0, 1):
            has_number = len(operands) == 2
            number = self._number(op.operands[1 - place], operands[1 - place]) if has_number else None
            value = operands[place]
            if (has_number and number is None) or tensor(value).is_repeated or not is_whole(value, operands):
                continue
            made = self._of_op(op, operands)
            self._made.setdefault(made.node, NotedOp(type(op), number, value, tensor(made)))
            return made
        return None

    def _quantised(self, op: QuantizeOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The nearest multiple of the scale, quantised as the value itself."""
        scale = self._number(op.scale, operands[1])
        if scale is None or not is_usual_scale(np.float32([scale])):
            return None
        found: NumberedValue | None = operands[0]
        for kind, number in ((MulOp, scale), (RoundOp, None), (DivOp, scale)):
            found = None if found is None else self._before(found, kind, number)
        return None if found is None else self._of_op(op, [found, *operands[1:]])

    def _before(self, value: NumberedValue, op: type[NpuOp], number: float | None) -> NumberedValue | None:
        """The value that another one is computed from, if that is done by this op, with this number."""
        made = self._made.get(value.node)
        if made is None or made.op is not op or made.number != number or made.result != value.stored:
            return None
        return made.value

    def _number(self, value: SSAValue, operand: NumberedValue) -> float | None:
        """The number that all elements of a constant of f32 are."""
        is_one = element_type_of(value) == f32 and tensor(operand).is_repeated
        found = self._known(value, operand) if is_one else None
        number = float(found.flat[0]) if found is not None and found.size else None
        return number if number is not None and isfinite(number) else None
