"""Quotients by square roots, as products with the reciprocals of these roots.

A norm divides by a root in ONNX's definitions, and multiplies with its reciprocal in LiteRT's files. Both say the same
of 0, infinity and NaN, and the reciprocal of a root of f32 neither overflows nor underflows: only the rounding differs.

Zeros that are added to a norm, which a norm without a bias lacks, change the sign of a zero alone: there the difference
of a number and the mean is zero, and its sign is that of the rounding of the mean.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import f32
from xdsl.ir import Operation, SSAValue

from ...dialects.npu.binary import AddOp, DivOp, MulOp, SubOp
from ...dialects.npu.reduction import ReduceMeanOp
from ...dialects.npu.unary import SqrtOp
from ...dialects.npu.values import element_type_of
from ..values import NumberedValue
from .factors import Known, ResultsOfBlock, beside_zeros
from .steps import Steps


class QuotientsByRoots:
    """The square roots in two programs, the quotients by them, and norms: quotients of numbers minus a mean."""

    def __init__(self, results_of_block: ResultsOfBlock, known: Known) -> None:
        self._results_of_block = results_of_block
        self._known = known
        self._roots: set[int] = set()
        self._reciprocals: set[int] = set()
        """1 divided by a root."""
        self._means: set[int] = set()
        self._differences: set[int] = set()
        """A number minus a mean."""
        self._norms: set[int] = set()
        """A difference times a reciprocal, also times a scale."""

    def enter(self, op: Operation, operands: Sequence[NumberedValue], results: Sequence[NumberedValue]) -> None:
        """Note the result of an op, if it is a root, or a step from one to a norm."""
        if not isinstance(op, SqrtOp | DivOp | ReduceMeanOp | SubOp | MulOp) or element_type_of(op.result) != f32:
            return
        nodes = [each.node for each in operands]
        if isinstance(op, SqrtOp):
            self._roots.add(results[0].node)
        elif isinstance(op, DivOp):
            if nodes[1] in self._roots and self._is_one(op.lhs, operands[0]):
                self._reciprocals.add(results[0].node)
        elif isinstance(op, ReduceMeanOp):
            self._means.add(results[0].node)
        elif isinstance(op, SubOp):
            if nodes[1] in self._means:
                self._differences.add(results[0].node)
        elif self._norms.intersection(nodes) or (
            self._reciprocals.intersection(nodes) and self._differences.intersection(nodes)
        ):
            self._norms.add(results[0].node)

    def value(self, op: DivOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The product with the reciprocal of the root; None for another divisor, and for 1 as the dividend."""
        if operands[1].node not in self._roots or self._is_one(op.lhs, operands[0]):
            return None
        steps = Steps(op, lambda _: None)
        dividend, root = steps.block.args
        steps.add(MulOp, [dividend, steps.over(steps.number(1), root)])
        return self._results_of_block(steps.block, operands, steps.results)[0]

    def without_zeros(self, op: AddOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The norm to which zeros are added; None for another sum."""
        value = beside_zeros(op, operands, self._known)
        return value if value is not None and value.node in self._norms else None

    def _is_one(self, value: SSAValue, operand: NumberedValue) -> bool:
        numbers = self._known(value, operand)
        return numbers is not None and bool((numbers == 1).all())
