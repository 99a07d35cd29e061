"""PaddedValues that are added one after the other, or that a slice cuts off again, are pads of the same data.

So windows see the same pads, whether an op has them or its operand.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xdsl.ir import Block, SSAValue

from ...dialects.npu.attrs import i64_array
from ...dialects.npu.base import NpuOp
from ...dialects.npu.movement import END_OF_AXIS, PadOp, SliceOp
from ...dialects.npu.values import shape_of
from ...layout import DYNAMIC, Arrangement
from ..values import NumberedValue, places_in, tensor
from .steps import Steps

ResultsOfBlock = Callable[[Block, Sequence[NumberedValue], Sequence[SSAValue]], Sequence[NumberedValue]]


class Padded(NamedTuple):
    """An op that pads data, and its result."""

    op: PadOp
    data: NumberedValue
    result: Arrangement


class PaddedValues:
    """The padded values in two programs."""

    def __init__(
        self, results_of_block: ResultsOfBlock, of_op: Callable[[NpuOp, Sequence[NumberedValue]], NumberedValue]
    ) -> None:
        self._results_of_block = results_of_block
        self._of_op = of_op
        self._made: dict[int, Padded] = {}

    def is_padded(self, value: NumberedValue) -> bool:
        return value.node in self._made

    def value(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The value of an op that pads data, or cuts pads off; None for all others."""
        if isinstance(op, SliceOp):
            return None if (cut := _cut(op)) is None else self._changed(operands[0], *cut, lambda _: True)
        if not isinstance(op, PadOp):
            return None
        low, high = op.low.get_values(), op.high.get_values()
        if not any((*low, *high)):
            return operands[0]
        if op.mode.data != "constant" or 0 in shape_of(op.input):
            return None
        if (both := self._changed(operands[0], low, high, lambda other: other.value == op.value)) is not None:
            return both
        result = self._of_op(op, operands)
        self._made.setdefault(result.node, Padded(op, operands[0], tensor(result)))
        return result

    def _changed(
        self, value: NumberedValue, low: Sequence[int], high: Sequence[int], suits: Callable[[PadOp], bool]
    ) -> NumberedValue | None:
        """A padded value with so many pads more along each axis; None if it is not padded, or has fewer."""
        found = self._made.get(value.node)
        places = None if found is None else places_in(tensor(value), found.result)
        if found is None or places is None or not suits(found.op):
            return None
        lows, highs = list(found.op.low.get_values()), list(found.op.high.get_values())
        for place, before, behind in zip(places, low, high, strict=True):
            if place is not None:
                lows[place] += before
                highs[place] += behind
            elif before or behind:
                return None
        if any(count < 0 for count in (*lows, *highs)):
            return None
        if not any((*lows, *highs)):
            made = found.data
        else:
            steps = Steps(found.op, lambda _: None)
            given = shape_of(found.op.input)
            sizes = [DYNAMIC if n == DYNAMIC else a + n + b for a, n, b in zip(lows, given, highs, strict=True)]
            properties = found.op.properties | {"low": i64_array(*lows), "high": i64_array(*highs)}
            steps.add(PadOp, [steps.operand(found.op.input)], tuple(sizes), properties)
            (made,) = self._results_of_block(steps.block, [found.data], steps.results)
        axes = tensor(made).axes
        return NumberedValue(made.node, Arrangement(tuple(() if place is None else axes[place] for place in places)))


def _cut(op: SliceOp) -> tuple[list[int], list[int]] | None:
    """The elements that a slice cuts off before and behind each axis, as negative numbers."""
    if op.steps and any(step != 1 for step in op.steps.get_values()):
        return None
    low, high = list[int](), list[int]()
    sizes = shape_of(op.input), shape_of(op.result)
    for start, limit, size, left in zip(op.starts.get_values(), op.limits.get_values(), *sizes, strict=True):
        if size == DYNAMIC and (start, limit) != (0, END_OF_AXIS):
            return None
        begin = 0 if size == DYNAMIC else range(size)[start:limit].start
        low.append(-begin)
        high.append(0 if size == DYNAMIC else left + begin - size)
    return low, high
