"""Quotients by square roots, as products with the reciprocals of these roots.

A norm divides by a root in ONNX's definitions, and multiplies with its reciprocal in LiteRT's files. Both say the same
of 0, infinity and NaN, and the reciprocal of a root of f32 neither overflows nor underflows: only the rounding differs.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.npu.binary import DivOp, MulOp
from ...dialects.npu.unary import SqrtOp
from ...dialects.npu.values import element_type_of
from ..values import NumberedValue
from .steps import Steps


class QuotientsByRoots:
    """The square roots in two programs, and the quotients by them."""

    def __init__(
        self,
        results_of_block: Callable[[Block, Sequence[NumberedValue], Sequence[SSAValue]], Sequence[NumberedValue]],
        known: Callable[[SSAValue, NumberedValue], NDArray[np.generic] | None],
    ) -> None:
        self._results_of_block = results_of_block
        self._known = known
        self._roots: set[int] = set()

    def enter(self, op: Operation, results: Sequence[NumberedValue]) -> None:
        """Note the result of an op, if it is a root."""
        if isinstance(op, SqrtOp) and element_type_of(op.result) == f32:
            self._roots.add(results[0].node)

    def value(self, op: DivOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The product with the reciprocal of the root; None for another divisor, and for 1 as the dividend."""
        if operands[1].node not in self._roots or self._is_one(op.lhs, operands[0]):
            return None
        steps = Steps(op, lambda _: None)
        dividend, root = steps.block.args
        steps.add(MulOp, [dividend, steps.over(steps.number(1), root)])
        return self._results_of_block(steps.block, operands, steps.results)[0]

    def _is_one(self, value: SSAValue, operand: NumberedValue) -> bool:
        numbers = self._known(value, operand)
        return numbers is not None and bool((numbers == 1).all())
