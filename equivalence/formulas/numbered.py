"""Values of ops that are numbered by their formulas."""

from collections.abc import Callable, Hashable, Sequence
from math import frexp

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.npu.base import NpuOp
from ...dialects.npu.binary import AddOp, DivOp, MulOp
from ...dialects.npu.elementwise import ElementwiseOp
from ...dialects.npu.linear import MatmulOp
from ...dialects.npu.quantization import DequantizeOp
from ...dialects.npu.source import ForeignOp
from ...dialects.npu.values import element_type_of, shape_of
from ...layout import Arrangement
from ..constants import Constants, dtype_of
from ..evaluated import computed, dequantised, known_operands, written
from ..notes import meaningful
from ..values import NumberedValue, is_whole, tensor
from .factors import MovedFactors
from .families import steps_of
from .joined import JoinedProducts
from .pads import PaddedValues
from .roots import QuotientsByRoots
from .roundings import Roundings
from .steps import Steps

LARGEST_POWER = 60
"""The largest exponent of a power of two that is taken out of a product. f32 has 126, and the other factor some."""


class Formulas:
    """The values of ops with formulas, in two programs."""

    def __init__(
        self,
        number: Callable[[Hashable], int],
        constants: Constants,
        results_of_block: Callable[[Block, Sequence[NumberedValue], Sequence[SSAValue]], Sequence[NumberedValue]],
        of_op: Callable[[NpuOp, Sequence[NumberedValue]], NumberedValue],
        *,
        moves_factors: bool = False,
    ) -> None:
        """With `moves_factors`, those behind convolutions and products are parts of the weights (factors.py)."""
        self._number = number
        self._constants = constants
        self._results_of_block = results_of_block
        self._of_op = of_op
        self._factors = MovedFactors(results_of_block, constants.elements) if moves_factors else None
        self._joined = JoinedProducts(results_of_block, constants.elements, constants.is_written)
        self._roundings = Roundings(self._constants.elements, of_op)
        self._pads = PaddedValues(results_of_block, of_op)
        self._roots = QuotientsByRoots(results_of_block, constants.elements)
        self._scaled: dict[int, tuple[int, int]] = {}
        """For a node that is another one times a power of two, that node and the exponent."""
        self._sizes_fit = False
        """True if values are those of ops only where numbers computed of sizes fit in 32 bits."""
        self._powers_fit = False
        """True if powers of two were combined, which is exact only where no digit is lost in between."""

    @property
    def conditions(self) -> dict[str, bool]:
        """The conditions under which values are those of ops, by the names of an answer."""
        offsets_fit = self._roundings.leaves_out_offsets
        return {"sizes_fit": self._sizes_fit, "powers_fit": self._powers_fit, "offsets_fit": offsets_fit}

    def values(self, op: NpuOp, operands: Sequence[NumberedValue]) -> Sequence[NumberedValue] | None:
        """The values of an op by its formula; None if it has none."""
        # The attributes of an op of another system are those that it has there.
        if not isinstance(op, ForeignOp) and meaningful(op.attributes):
            return None
        if self._factors is None:
            return self._by_formula(op, operands)
        if (known := self._evaluated(op, operands)) is not None:
            return [known]
        operands = self._factors.without_zeros(op, operands)
        if (moved := self._factors.value(op, operands)) is not None:
            return [moved]
        if (parts := self._joined.values(op, operands)) is not None:
            return parts
        with self._factors.in_formula(op):
            results = self._by_formula(op, operands)
        if self._factors.is_noted(op, operands):
            results = results or [self._of_op(op, operands)]
            self._factors.enter(op, operands, results[0])
        return results

    def note(self, op: Operation, operands: Sequence[NumberedValue], results: Sequence[NumberedValue]) -> None:
        """Note how values are computed."""
        if isinstance(op, DequantizeOp):
            self._roundings.enter_dequantised(op, operands, results[0])
        self._roots.enter(op, operands, results)
        if self._factors is not None:
            self._joined.enter(op, operands, results)

    def _evaluated(self, op: NpuOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The numbers that an elementwise op computes from constants of floats."""
        if not isinstance(op, ElementwiseOp) or dtype_of(element_type_of(op.result), floats_only=True) is None:
            return None
        if any(dtype_of(element_type_of(each), floats_only=True) is None for each in op.operands):
            return None
        if (known := known_operands(op, operands, self._constants)) is None:
            return None
        block = written(op, computed(op, known))
        return self._results_of_block(block, operands, _results(block))[0]

    def _by_formula(self, op: NpuOp, operands: Sequence[NumberedValue]) -> Sequence[NumberedValue] | None:
        found = self._product(op, operands) if isinstance(op, MulOp) else None
        found = self._with_sorted_rows(op, operands) if isinstance(op, MatmulOp) else found
        found = self._quotient(op, operands) or self._roots.value(op, operands) if isinstance(op, DivOp) else found
        found = self._roots.without_zeros(op, operands) if isinstance(op, AddOp) else found
        part = self._roundings.part(op, operands)
        if found is None and (found := self._roundings.value(op, operands)) is None and part is not None:
            found = self._of_op(op, operands)
        if found is not None:
            if part is not None:
                self._roundings.enter(part, found)
            return [found]
        if isinstance(op, DequantizeOp) and (known := dequantised(op, operands, self._constants)) is not None:
            return self._results_of_block(known, operands, _results(known))
        if (padded := self._pads.value(op, operands)) is not None:
            return [padded]
        steps = steps_of(
            op,
            lambda index: self._constants.elements(op.operands[index], operands[index]),
            lambda index: self._pads.is_padded(operands[index]),
        )
        if steps is None:
            return None
        self._sizes_fit |= steps.sizes_fit
        return self._results_of_block(steps.block, operands, steps.results)

    def _with_sorted_rows(self, op: MatmulOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """A product with constant rows, which are put in the order of the axes of the other factor.

        A program that stores the axes in another order, and flattens them, has its weights in that order.
        """
        stored, rank = tensor(operands[0]), len(shape_of(op.lhs))
        inner = rank - (1 if op.trans_a is None else 2)
        pieces = stored.axes[inner]
        order = sorted(range(len(pieces)), key=lambda place: (pieces[place].axis, -pieces[place].inner.factor))
        is_known = all(not piece.size.symbols and not piece.inner.symbols for piece in pieces)
        if order == list(range(len(pieces))) or not is_known or element_type_of(op.result) != f32:
            return None
        if (numbers := self._constants.elements(op.rhs, operands[1])) is None:
            return None
        axis = rank - (2 if op.trans_b is None else 1)
        shape = numbers.shape
        sizes = [piece.size.factor for piece in pieces]
        cut = numbers.reshape(*shape[:axis], *sizes, *shape[axis + 1 :])
        moved = [*range(axis), *(axis + place for place in order), *range(axis + len(order), cut.ndim)]
        steps = Steps(op, lambda index: None)
        rows = steps.constant(np.ascontiguousarray(cut.transpose(moved)).reshape(shape), f32)
        steps.add(MatmulOp, [steps.operand(op.lhs), rows], None, op.properties)
        axes = [*stored.axes]
        axes[inner] = tuple(pieces[place] for place in order)
        given = [NumberedValue(operands[0].node, Arrangement(tuple(axes))), operands[1]]
        return self._results_of_block(steps.block, given, steps.results)[0]

    def _product(self, op: MulOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """A product, with all factors that are powers of two taken out: they change no digit of the others."""
        if element_type_of(op.result) != f32:
            return None
        total, left = 0, list[NumberedValue]()
        for value, operand in zip(op.operands, operands, strict=True):
            exponent = self._exponent(value, operand)
            if exponent is None:
                base, exponent = self._scaled.get(operand.node, (operand.node, 0))
                left.append(NumberedValue(base, operand.stored))
            if abs(exponent) > LARGEST_POWER:
                return None
            self._powers_fit |= bool(total and exponent)
            total += exponent
        if (not total and len(left) == 2) or abs(total) > LARGEST_POWER:
            return None
        if len(left) == 2:
            return self._times(self._of_op(op, left), total)
        if len(left) == 1 and is_whole(left[0], operands) and self._fits(left[0], total):
            return self._times(left[0], total)
        return None

    def _quotient(self, op: DivOp, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """A quotient by a power of two, which is the product with its reciprocal."""
        value, divisor = operands
        exponent = self._exponent(op.rhs, divisor) if element_type_of(op.result) == f32 else None
        if exponent is None or not is_whole(value, operands) or not self._fits(value, -exponent):
            return None
        return self._times(value, -exponent)

    def _fits(self, value: NumberedValue, exponent: int) -> bool:
        """True if a value times a power of two is within the powers that are taken out."""
        return abs(exponent + self._scaled.get(value.node, (0, 0))[1]) <= LARGEST_POWER

    def _exponent(self, value: SSAValue, operand: NumberedValue) -> int | None:
        """The exponent of a constant whose elements are one power of two."""
        if not tensor(operand).is_repeated:
            return None
        found = self._constants.elements(value, operand)
        if found is None or not found.size:
            return None
        fraction, exponent = frexp(float(found.flat[0]))
        return exponent - 1 if fraction == 0.5 else None

    def _times(self, value: NumberedValue, exponent: int) -> NumberedValue:
        base, before = self._scaled.get(value.node, (value.node, 0))
        self._powers_fit |= bool(before and exponent)
        if not exponent + before:
            return NumberedValue(base, value.stored)
        node = self._number(("scaled", base, exponent + before))
        self._scaled[node] = base, exponent + before
        return NumberedValue(node, value.stored)


def _results(block: Block) -> Sequence[SSAValue]:
    """The results of the last op of a block."""
    assert block.last_op is not None, "there is an op"
    return block.last_op.results
