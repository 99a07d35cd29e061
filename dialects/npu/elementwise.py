"""Elementwise ops: each result element is computed from the operand elements at the same position.

Operands have the result's rank, where axes of one element are repeated, or exactly one element. Operands of a lower
rank would not keep their meaning when axes are re-ordered, so unit axes have to be added instead. All operands and
results share one layout of any class.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, StringAttr, TensorType, UnitAttr
from xdsl.irdl import operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import Commutative, Pure
from xdsl.utils.exceptions import VerifyException

from ...compat.xdsl import op_definition
from ...layout import DYNAMIC
from .axes import AxisTable
from .declared_axes import axes_of
from .fusion import FusionKind
from .same_layout import KeepsZeros, SameLayoutOp
from .values import (
    Shape,
    bits_in_memory,
    element_type_of,
    has_one_element,
    has_zero,
    is_boolean,
    is_narrow_float,
    shape_of,
    shape_text,
)


def broadcast_shape(shapes: Sequence[Shape]) -> Shape | None:
    """The common shape after repeating unit axes of shapes of one rank, or None if they are incompatible."""
    result: list[int] = []
    for sizes in zip(*shapes, strict=True):
        known = {size for size in sizes if size not in (1, DYNAMIC)}
        if len(known) > 1:
            return None
        if known:
            result.append(known.pop())
        else:
            result.append(DYNAMIC if DYNAMIC in sizes else 1)
    return tuple(result)


class AnyElementwiseOp(SameLayoutOp, ABC):
    """An op that computes each element independently, with or without effects."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.BROADCAST

    result = result_def(TensorType)

    def verify_meaning(self) -> None:
        self.verify_elements()
        rank = len(shape_of(self.result))
        full: list[Shape] = []
        for index, operand in enumerate(self.operands):
            shape = shape_of(operand)
            if len(shape) == rank:
                full.append(shape)
            elif not has_one_element(operand):
                expected = f"rank {rank} like the result, or one element"
                raise self.wrong(self.operand_names()[index], expected, shape_text(shape))
        if not full:
            raise self.wrong("result", "the rank of an operand", shape_text(shape_of(self.result)))
        expected = broadcast_shape(full)
        if expected is None:
            raise VerifyException(f"'{self.name}' operands: expected shapes that broadcast, found {_texts(full)}")
        self.check_shape("result", self.result, expected)

    def carries(self, place: int) -> bool:
        """The operands that are not repeated, but for parameters such as scales."""
        if self.operand_names()[place] in self.AXES.independent:
            return False
        operand = self.operands[place]
        sizes, whole = (sorted(size for size in shape_of(value) if size != 1) for value in (operand, self.result))
        return sizes == whole

    def verify_elements(self) -> None:
        """Check the element types; by default all are equal."""
        for index, operand in enumerate(self.operands):
            if element_type_of(operand) != element_type_of(self.result):
                name = self.operand_names()[index]
                self.check_element_type(name, operand, element_type_of(self.result))


class ElementwiseOp(AnyElementwiseOp, ABC):
    """An op of the dialect that computes each element independently."""

    traits = traits_def(Pure())


def _texts(shapes: Sequence[Shape]) -> str:
    return " and ".join(map(shape_text, shapes))


class UnaryOp(ElementwiseOp, ABC):
    """An op with one operand and a result of the same type."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.ELEMENTWISE
    AXES: ClassVar[AxisTable] = axes_of("input[*A] -> result[*A]")

    input = operand_def(TensorType)


class FloatUnaryOp(UnaryOp, ABC):
    """An op with one operand of floats."""

    def verify_elements(self) -> None:
        self.check_float("input", self.input)
        super().verify_elements()


class NumberUnaryOp(UnaryOp, ABC):
    """An op with one operand of floats or integers."""

    def verify_elements(self) -> None:
        self.check_number("input", self.input)
        super().verify_elements()


class BinaryOp(ElementwiseOp, ABC):
    """An op with two operands; either may be repeated along unit axes or have one element (vector and scalar, V_VS)."""

    AXES: ClassVar[AxisTable] = axes_of("lhs[*A?], rhs[*A?] -> result[*A]")

    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)


class ArithmeticOp(BinaryOp, ABC):
    """An op with two operands and a result of one number type; integers wrap."""

    def verify_elements(self) -> None:
        self.check_number("lhs", self.lhs)
        super().verify_elements()


class LogicalOp(BinaryOp, KeepsZeros, ABC):
    """An op with two operands and a result of truth values, or of integers (bitwise)."""

    traits = traits_def(Commutative())

    def verify_elements(self) -> None:
        if not isinstance(element_type_of(self.lhs), IntegerType):
            raise self.wrong("lhs", "i1 or an integer as element type", element_type_of(self.lhs))
        super().verify_elements()


class CompareOp(BinaryOp, ABC):
    """An op with two operands of one type, and truth values as result."""

    def verify_elements(self) -> None:
        self.check_element_type("rhs", self.rhs, element_type_of(self.lhs))
        if not is_boolean(element_type_of(self.result)):
            raise self.wrong("result", "element type i1", element_type_of(self.result))


@op_definition
class SelectOp(ElementwiseOp, KeepsZeros):
    """The element of the second operand where the condition is true, of the third elsewhere.

    ```mlir
    %y = npu.select %c, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.select"

    AXES: ClassVar[AxisTable] = axes_of("condition[*A?], on_true[*A?], on_false[*A?] -> result[*A]")

    condition = operand_def(TensorType)
    on_true = operand_def(TensorType)
    on_false = operand_def(TensorType)

    def verify_elements(self) -> None:
        if not is_boolean(element_type_of(self.condition)):
            raise self.wrong("condition", "element type i1", element_type_of(self.condition))
        self.check_element_type("on_true", self.on_true, element_type_of(self.result))
        self.check_element_type("on_false", self.on_false, element_type_of(self.result))


@op_definition
class CastOp(UnaryOp, KeepsZeros):
    """The number converted to another element type: integers wrap, fractions are truncated, i1 is 0 or 1.

    A float is truncated to an i32, or to 64 bits for ui32 and results of 64 bits; what does not fit there is the
    nearest number, and NaN the largest. Smaller integers wrap from there. As an i1, everything but zero is true,
    including fractions, infinities and NaN.

    As a float of 8 bits or fewer, a number is the nearest one, halves that with an even code; what is beyond the
    largest one is the largest, or with `overflows` an infinity or NaN. As a power of two (f8E8M0FNU), it is rounded as
    `rounding` says: `up`, `down` or to the `nearest`, `up` by default; what is below the least one is the least, or
    with `overflows` NaN.

    ```mlir
    %y = npu.cast %x : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %s = npu.cast %x rounding = "down" : (tensor<2x3xf32>) -> tensor<2x3xf8E8M0FNU>
    ```
    """

    name = "npu.cast"

    overflows = opt_prop_def(UnitAttr)
    """Says that what is outside of the range of a float of 8 bits or fewer is not its nearest number."""
    rounding = opt_prop_def(StringAttr)
    """The way to a power of two."""

    def keeps_zeros(self) -> bool:
        return all(has_zero(element_type_of(value)) for value in (self.input, self.result))

    def verify_elements(self) -> None:
        """Any element type can be cast to any other."""
        wanted = element_type_of(self.result)
        if self.overflows is not None and not is_narrow_float(wanted):
            raise self.wrong("overflows", "a float of 8 bits or fewer as result", wanted)
        if self.rounding is not None:
            self.check_word("rounding", self.rounding, ("up", "down", "nearest"))
            if has_zero(wanted):
                raise self.wrong("rounding", "element type f8E8M0FNU as result", wanted)


@op_definition
class BitcastOp(UnaryOp, KeepsZeros):
    """The bits of the number, read as another element type of as many bits; a truth value is a byte of 0 or 1.

    ```mlir
    %y = npu.bitcast %x : (tensor<2x3xf32>) -> tensor<2x3xi32>
    ```
    """

    name = "npu.bitcast"

    def keeps_zeros(self) -> bool:
        return all(has_zero(element_type_of(value)) for value in (self.input, self.result))

    def verify_elements(self) -> None:
        given, wanted = (bits_in_memory(element_type_of(value)) for value in (self.input, self.result))
        if given != wanted:
            raise self.wrong("result", f"an element type of {given} bits", element_type_of(self.result))
