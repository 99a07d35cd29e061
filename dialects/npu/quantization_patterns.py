"""Canonicalization of quantised numbers that are quantised again."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType, f32
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from .quantization import DequantizeOp, QuantizeOp
from .shape import RelabelOp
from .source import elements_of, written_numbers
from .values import element_type_of

MOST_BITS = 16
"""Integers of more bits are not all numbers of f32."""
SCALES = 2.0**-100, 2.0**100
"""The least and the largest scale whose products with integers are normal numbers.

A product and a quotient, each rounded to 24 bits, are then off by less than half of an integer.
"""


class DropQuantizeOfSameNumbers(RewritePattern):
    """Integers that are dequantised, and quantised with the same scale and zero point, are the same integers.

    Such a pair is left where a transpose between two quantised values is gone, perhaps with a relabel in its place; one
    that came so goes as well.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: QuantizeOp, rewriter: PatternRewriter) -> None:
        read = op.input.owner
        while isinstance(read, RelabelOp):
            read = read.input.owner
        if not isinstance(read, DequantizeOp) or element_type_of(read.input) != element_type_of(op.result):
            return
        element = element_type_of(op.result)
        is_narrow = (
            isinstance(element, IntegerType) and element.bitwidth <= MOST_BITS and element_type_of(op.input) == f32
        )
        if (
            is_narrow
            and op.axis == read.axis
            and _is_same_scale(op, read)
            and _are_equal(op.zero_point, read.zero_point)
        ):
            is_alike = read.input.type == op.result.type
            relabels = () if is_alike else (RelabelOp(read.input, op.result.type),)
            rewriter.replace(op, relabels, (relabels[0].result if relabels else read.input,))


def _is_same_scale(op: QuantizeOp, read: DequantizeOp) -> bool:
    """True if both have one known scale that is neither tiny nor huge."""
    numbers = written_numbers(op.scale)
    if numbers is None or element_type_of(op.scale) != f32 or not _are_equal(op.scale, read.scale):
        return False
    scales, (least, most) = elements_of(numbers).reshape(-1).view("<f4"), SCALES
    return bool(((least <= scales) & (scales <= most)).all())


def _are_equal(one: SSAValue, other: SSAValue) -> bool:
    """True for one value, and for equal constants."""
    numbers = written_numbers(one)
    return one is other or (numbers is not None and one.type == other.type and numbers == written_numbers(other))
