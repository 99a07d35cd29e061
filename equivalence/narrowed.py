"""Ops on values of few bits that a program computes in a wider type, since its engine has no kernel for them.

A cast to a type that has all numbers of the first one changes no value. Casts back undo it, also behind ops that
compute there what they compute in the narrow type: in whole numbers modulo a power of two, in floats rounded to as many
bits. f32 has more than twice the bits of the floats of 16 bits, so that rounding twice is rounding once.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    BFloat16Type,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float16Type,
    IntegerType,
    Signedness,
    TensorType,
    f32,
    f64,
)
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.utils.hints import isa

from ..dialects.npu import binary as ops
from ..dialects.npu.activations import ReluOp
from ..dialects.npu.base import NpuOp
from ..dialects.npu.elementwise import CastOp, CompareOp, ElementwiseOp, SelectOp
from ..dialects.npu.reduction import CumsumOp, ReduceSumOp, ReduceSumSquareOp
from ..dialects.npu.source import ConstantOp
from ..dialects.npu.unary import AbsOp, NegOp, SqrtOp
from ..dialects.npu.values import element_type_of, shape_of
from ..layout import Arrangement
from .constants import Constants
from .notes import meaningful
from .values import NumberedValue, tensor

CHOOSING = ops.MaxOp | ops.MinOp | ReluOp | SelectOp
"""Ops whose results are operands, or 0."""
SUMS = ReduceSumOp | ReduceSumSquareOp | CumsumOp
WRAPPING = ops.AddOp | ops.SubOp | ops.MulOp | NegOp | SUMS
"""Ops on integers modulo a power of two."""
DIVIDING = ops.DivOp | ops.ModOp | AbsOp
"""Ops on integers of which the operands have to be in range."""
ROUNDING = ops.AddOp | ops.SubOp | ops.MulOp | ops.DivOp | NegOp | AbsOp | SqrtOp
"""Ops on floats that round once."""
SHORT_FLOATS = Float16Type | BFloat16Type
BITS: Mapping[Attribute, int] = {f32: 24, f64: 53}
"""Of the whole numbers that a float has without gaps."""


class Narrow(NamedTuple):
    """The value in a narrow type that a cast of a wide one has."""

    wide: Arrangement
    """The wide value in its node."""
    value: NumberedValue
    element: Attribute


class Narrowed:
    """The values that are computed in wider types."""

    def __init__(
        self,
        number: Callable[[Hashable], int],
        constants: Constants,
        results_of_block: Callable[[Block, Sequence[NumberedValue], Sequence[SSAValue]], Sequence[NumberedValue]],
        of_op: Callable[[NpuOp, Sequence[NumberedValue]], NumberedValue],
    ) -> None:
        self._number = number
        self._constants = constants
        self._results_of_block = results_of_block
        self._of_op = of_op
        self._bases: dict[int, tuple[int, Attribute]] = {}
        """For a node that is another one in a wider type, that node and its type. They have the same axes."""
        self._wrapped: dict[int, tuple[int, IntegerType]] = {}
        """For a node of integers that are those of another one modulo a power of two, that node and its type."""
        self._narrow: dict[int, Narrow] = {}
        """For a node that is more than its casts show, what a cast shows."""

    def value(self, op: ElementwiseOp | SUMS, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """The value of a cast to a wider type or back, or of an op there; None if it is none."""
        if meaningful(op.attributes):
            return None
        if isinstance(op, CastOp):
            return self._cast(op, operands[0])
        if not any(each.node in self._bases or each.node in self._narrow for each in operands):
            return None
        return self._op(op, operands)

    def _cast(self, op: CastOp, operand: NumberedValue) -> NumberedValue | None:
        element, wanted = element_type_of(op.input), element_type_of(op.result)
        found = self._narrow.get(operand.node)
        if found is not None and found.wide == operand.stored and found.element == wanted:
            return found.value
        node, element = self._bases.get(operand.node, (operand.node, element))
        node, element = self._before_wrapping(node, element, wanted)
        value = NumberedValue(node, operand.stored)
        return value if element == wanted else self._wrapping(value, element, wanted)

    def _before_wrapping(self, node: int, element: Attribute, wanted: Attribute) -> tuple[int, Attribute]:
        """The node that a cast shows, and its type: a cast before it to as many bits or more does not matter."""
        while isa(wanted, IntegerType) and 1 < wanted.bitwidth <= _bits(element) and node in self._wrapped:
            node, element = self._wrapped[node]
        return node, element

    def _wrapping(self, value: NumberedValue, element: Attribute, wanted: Attribute) -> NumberedValue | None:
        """The value of a cast between integers, of which other casts may show some bits, or to a wider type."""
        if (widened := self._widened(value, element, wanted)) is not None:
            return widened
        if not isa(element, IntegerType) or not isa(wanted, IntegerType) or 1 in (element.bitwidth, wanted.bitwidth):
            return None
        node = self._number(("wrapped", value.node, element, wanted))
        self._wrapped[node] = value.node, element
        return NumberedValue(node, value.stored)

    def _widened(self, value: NumberedValue, element: Attribute, wanted: Attribute) -> NumberedValue | None:
        if not _widens(element, wanted):
            return None
        node = self._number(("widened", value.node, element, wanted))
        self._bases[node] = value.node, element
        return NumberedValue(node, value.stored)

    def _op(self, op: ElementwiseOp | SUMS, operands: Sequence[NumberedValue]) -> NumberedValue | None:
        """An op whose operands are in a wider type than they need."""
        wide = element_type_of(op.operands[-1])
        of_wide = [place for place, each in enumerate(op.operands) if element_type_of(each) == wide]
        elements = {self._element(operands[place]) for place in of_wide} - {None}
        if len(elements) != 1 or not isinstance(op, CompareOp | CHOOSING | WRAPPING | DIVIDING | ROUNDING):
            return None
        (element,) = elements
        assert element is not None, "None was left out"
        in_range = all(operands[place].node not in self._narrow for place in of_wide)
        if not _is_the_same(op, element, wide, in_range):
            return None
        given = list(operands)
        for place in of_wide:
            narrow = self._in_narrow(op.operands[place], operands[place], element)
            if narrow is None:
                return None
            given[place] = narrow
        types = [
            TensorType(element if place in of_wide else element_type_of(each), shape_of(each))
            for place, each in enumerate(op.operands)
        ]
        found = self._computed(op, types, given, element)
        if isinstance(op, CompareOp):
            return found
        if isinstance(op, CHOOSING):
            return self._widened(found, element, wide)
        result = self._of_op(op, operands)
        self._narrow.setdefault(result.node, Narrow(tensor(result), found, element))
        return result

    def _element(self, value: NumberedValue) -> Attribute | None:
        """The narrow type of a value."""
        if (base := self._bases.get(value.node)) is not None:
            return base[1]
        found = self._narrow.get(value.node)
        return None if found is None else found.element

    def _in_narrow(self, value: SSAValue, operand: NumberedValue, element: Attribute) -> NumberedValue | None:
        """An operand in a narrow type, if it is known to fit or need not."""
        if (base := self._bases.get(operand.node)) is not None:
            return NumberedValue(base[0], operand.stored)
        if (found := self._narrow.get(operand.node)) is not None:
            return found.value if found.wide == operand.stored else None
        numbers = self._constants.elements(value, operand)
        fitting = None if numbers is None else _fitting(numbers, element)
        if fitting is None:
            return None
        type_ = TensorType(element, shape_of(value))
        constant = ConstantOp(DenseIntOrFPElementsAttr(cast("Any", type_), BytesAttr(fitting)))
        return self._results_of_block(Block([constant]), [], [constant.result])[0]

    def _computed(
        self,
        op: ElementwiseOp | SUMS,
        types: Sequence[Attribute],
        operands: Sequence[NumberedValue],
        element: Attribute,
    ) -> NumberedValue:
        block = Block(arg_types=types)
        kind = element_type_of(op.result) if isinstance(op, CompareOp) else element
        narrow = type(op).create(
            operands=block.args, result_types=[TensorType(kind, shape_of(op.result))], properties=dict(op.properties)
        )
        block.add_op(narrow)
        return self._results_of_block(block, operands, narrow.results)[0]


def _is_the_same(op: ElementwiseOp | SUMS, element: Attribute, wide: Attribute, in_range: bool) -> bool:
    """True if a cast of what an op computes in a wide type is what it computes in the narrow one."""
    if isinstance(op, CompareOp | CHOOSING):
        return in_range
    if isinstance(element, SHORT_FLOATS):
        return in_range and wide == f32 and isinstance(op, ROUNDING)
    if not isinstance(element, IntegerType) or not isinstance(wide, IntegerType):
        return False
    return isinstance(op, WRAPPING) or (isinstance(op, DIVIDING) and in_range)


def _widens(element: Attribute, wanted: Attribute) -> bool:
    """True if a type has all numbers of another one."""
    if isinstance(element, SHORT_FLOATS):
        return wanted in (f32, f64)
    if not isa(element, IntegerType) or element.bitwidth == 1:
        return element == f32 and wanted == f64
    if not isa(wanted, IntegerType):
        return element.bitwidth <= BITS.get(wanted, 0)
    leftover = wanted.bitwidth - element.bitwidth
    if _is_unsigned(element) == _is_unsigned(wanted):
        return leftover > 0
    return leftover > 0 and _is_unsigned(element)


def _bits(type_: Attribute) -> int:
    """The bits of an integer; none for other types."""
    return type_.bitwidth if isa(type_, IntegerType) else 0


def _is_unsigned(type_: IntegerType) -> bool:
    return type_.signedness.data is Signedness.UNSIGNED


def _fitting(numbers: NDArray[Any], element: Attribute) -> bytes | None:
    """Numbers as bytes of a narrow type; None if it does not have them all."""
    if isinstance(element, BFloat16Type):
        bits = np.ascontiguousarray(numbers, "<f4").view("<u4")
        return None if (bits & 0xFFFF).any() else (bits >> 16).astype("<u2").tobytes()
    if isinstance(element, Float16Type):
        kind = "<f2"
    elif isa(element, IntegerType) and element.bitwidth in (8, 16, 32):
        kind = f"<{'u' if _is_unsigned(element) else 'i'}{element.bitwidth // 8}"
    else:
        return None
    with np.errstate(all="ignore"):
        found = numbers.astype(kind)
    return found.tobytes() if np.array_equal(found.astype(numbers.dtype), numbers) else None
