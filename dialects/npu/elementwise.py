"""Elementwise ops: every result element is computed from the operand elements at the same place.

Operands have the result's rank, where axes of one element are repeated, or exactly one element. Operands of a lower
rank would not keep their meaning when axes are re-ordered, so whoever builds a program adds unit axes instead. All
operands and results share one layout of any class.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Commutative, Pure
from xdsl.utils.exceptions import VerifyException

from ...layout import DYNAMIC
from .base import (
    SameLayoutOp,
    Shape,
    element_type_of,
    has_one_element,
    is_boolean,
    is_float,
    shape_of,
    shape_text,
)
from .fusion import FusionKind


def broadcast_shape(shapes: Sequence[Shape]) -> Shape | None:
    """The shape that shapes of one rank have when their unit axes are repeated, or None if they do not fit."""
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


class ElementwiseOp(SameLayoutOp, ABC):
    """An op that works element by element."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.BROADCAST

    result = result_def(TensorType)

    traits = traits_def(Pure())

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

    def verify_elements(self) -> None:
        """Check the element types; by default all are equal."""
        for index, operand in enumerate(self.operands):
            if element_type_of(operand) != element_type_of(self.result):
                name = self.operand_names()[index]
                self.check_element_type(name, operand, element_type_of(self.result))


def _texts(shapes: Sequence[Shape]) -> str:
    return " and ".join(map(shape_text, shapes))


class UnaryOp(ElementwiseOp, ABC):
    """One operand, one result of the same type."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.ELEMENTWISE

    input = operand_def(TensorType)

    assembly_format = "$input attr-dict `:` functional-type(operands, results)"


class FloatUnaryOp(UnaryOp, ABC):
    """One operand of floats."""

    def verify_elements(self) -> None:
        self.check_float("input", self.input)
        super().verify_elements()


class NumberUnaryOp(UnaryOp, ABC):
    """One operand of floats or integers."""

    def verify_elements(self) -> None:
        self.check_number("input", self.input)
        super().verify_elements()


@irdl_op_definition
class AbsOp(NumberUnaryOp):
    """The absolute value; the least integer has none and stays as it is.

    ```mlir
    %y = npu.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.abs"


@irdl_op_definition
class NegOp(NumberUnaryOp):
    """The number with the opposite sign; integers wrap.

    ```mlir
    %y = npu.neg %x : (tensor<2x3xi32>) -> tensor<2x3xi32>
    ```
    """

    name = "npu.neg"


@irdl_op_definition
class SignOp(NumberUnaryOp):
    """-1, 0 or 1, as the number is negative, zero or positive.

    ```mlir
    %y = npu.sign %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.sign"


@irdl_op_definition
class ExpOp(FloatUnaryOp):
    """The exponential function.

    ```mlir
    %y = npu.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.exp"


@irdl_op_definition
class LogOp(FloatUnaryOp):
    """The natural logarithm.

    ```mlir
    %y = npu.log %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.log"


@irdl_op_definition
class SqrtOp(FloatUnaryOp):
    """The square root.

    ```mlir
    %y = npu.sqrt %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.sqrt"


@irdl_op_definition
class RsqrtOp(FloatUnaryOp):
    """One divided by the square root.

    ```mlir
    %y = npu.rsqrt %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.rsqrt"


@irdl_op_definition
class ReciprocalOp(FloatUnaryOp):
    """One divided by the number.

    ```mlir
    %y = npu.reciprocal %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.reciprocal"


@irdl_op_definition
class SinOp(FloatUnaryOp):
    """The sine of an angle in radians.

    ```mlir
    %y = npu.sin %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.sin"


@irdl_op_definition
class CosOp(FloatUnaryOp):
    """The cosine of an angle in radians.

    ```mlir
    %y = npu.cos %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.cos"


@irdl_op_definition
class TanhOp(FloatUnaryOp):
    """The hyperbolic tangent.

    ```mlir
    %y = npu.tanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.tanh"


@irdl_op_definition
class ErfOp(FloatUnaryOp):
    """The error function of Gauss.

    ```mlir
    %y = npu.erf %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.erf"


@irdl_op_definition
class CeilOp(FloatUnaryOp):
    """The smallest whole number that is not smaller.

    ```mlir
    %y = npu.ceil %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.ceil"


@irdl_op_definition
class FloorOp(FloatUnaryOp):
    """The largest whole number that is not larger.

    ```mlir
    %y = npu.floor %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.floor"


@irdl_op_definition
class RoundOp(FloatUnaryOp):
    """The nearest whole number; of two at the same distance, the even one.

    ```mlir
    %y = npu.round %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.round"


@irdl_op_definition
class NotOp(UnaryOp):
    """The opposite truth value, or the integer with all bits flipped.

    ```mlir
    %y = npu.not %x : (tensor<2x3xi1>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.not"

    def verify_elements(self) -> None:
        if is_float(element_type_of(self.input)):
            raise self.wrong("input", "i1 or an integer as element type", element_type_of(self.input))
        super().verify_elements()


class BinaryOp(ElementwiseOp, ABC):
    """Two operands; either may be repeated along unit axes or hold one element (vector and scalar, V_VS)."""

    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)

    assembly_format = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)"


class ArithmeticOp(BinaryOp, ABC):
    """Two operands and a result of one number type; integers wrap."""

    def verify_elements(self) -> None:
        self.check_number("lhs", self.lhs)
        super().verify_elements()


class LogicalOp(BinaryOp, ABC):
    """Two operands and a result of truth values, or of integers bit by bit."""

    def verify_elements(self) -> None:
        if is_float(element_type_of(self.lhs)):
            raise self.wrong("lhs", "i1 or an integer as element type", element_type_of(self.lhs))
        super().verify_elements()


@irdl_op_definition
class AddOp(ArithmeticOp):
    """The sum.

    ```mlir
    %y = npu.add %a, %b : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x8x8x16xf32>
    ```
    """

    name = "npu.add"

    traits = traits_def(Commutative())


@irdl_op_definition
class SubOp(ArithmeticOp):
    """The left operand minus the right one.

    ```mlir
    %y = npu.sub %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.sub"


@irdl_op_definition
class MulOp(ArithmeticOp):
    """The product.

    ```mlir
    %y = npu.mul %a, %b : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.mul"

    traits = traits_def(Commutative())


@irdl_op_definition
class DivOp(ArithmeticOp):
    """The left operand divided by the right one; integers are cut off toward zero, and a division by zero gives zero.

    ```mlir
    %y = npu.div %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.div"


@irdl_op_definition
class ModOp(ArithmeticOp):
    """The remainder of the division, with the sign of the left operand (`sign = "lhs"`) or of the right one.

    ```mlir
    %y = npu.mod %a, %b : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    ```
    """

    name = "npu.mod"

    sign = prop_def(StringAttr, default_value=StringAttr("rhs"))

    assembly_format = "$lhs `,` $rhs (`sign` `=` $sign^)? attr-dict `:` functional-type(operands, results)"

    def verify_elements(self) -> None:
        if self.sign.data not in ("lhs", "rhs"):
            raise self.wrong("sign", '"lhs" or "rhs"', f'"{self.sign.data}"')
        super().verify_elements()


@irdl_op_definition
class PowOp(ArithmeticOp):
    """The left operand to the power of the right one.

    ```mlir
    %y = npu.pow %a, %b : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.pow"


@irdl_op_definition
class MaxOp(ArithmeticOp):
    """The larger of the two; NaN if either is.

    ```mlir
    %y = npu.max %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.max"

    traits = traits_def(Commutative())


@irdl_op_definition
class MinOp(ArithmeticOp):
    """The smaller of the two; NaN if either is.

    ```mlir
    %y = npu.min %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.min"

    traits = traits_def(Commutative())


@irdl_op_definition
class PreluOp(ArithmeticOp):
    """The left operand where it is not negative, elsewhere its product with the right one, the slope.

    ```mlir
    %y = npu.prelu %x, %slope : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x8x8x16xf32>
    ```
    """

    name = "npu.prelu"


@irdl_op_definition
class AndOp(LogicalOp):
    """True where both operands are; of integers, bit by bit.

    ```mlir
    %y = npu.and %a, %b : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.and"

    traits = traits_def(Commutative())


@irdl_op_definition
class OrOp(LogicalOp):
    """True where either operand is; of integers, bit by bit.

    ```mlir
    %y = npu.or %a, %b : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.or"

    traits = traits_def(Commutative())


@irdl_op_definition
class XorOp(LogicalOp):
    """True where exactly one operand is; of integers, bit by bit.

    ```mlir
    %y = npu.xor %a, %b : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.xor"

    traits = traits_def(Commutative())


class CompareOp(BinaryOp, ABC):
    """Two operands of one type, and truth values as result."""

    def verify_elements(self) -> None:
        self.check_element_type("rhs", self.rhs, element_type_of(self.lhs))
        if not is_boolean(element_type_of(self.result)):
            raise self.wrong("result", "element type i1", element_type_of(self.result))


@irdl_op_definition
class EqualOp(CompareOp):
    """True where both operands are equal.

    ```mlir
    %y = npu.equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.equal"

    traits = traits_def(Commutative())


@irdl_op_definition
class NotEqualOp(CompareOp):
    """True where the operands differ.

    ```mlir
    %y = npu.not_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.not_equal"

    traits = traits_def(Commutative())


@irdl_op_definition
class LessOp(CompareOp):
    """True where the left operand is smaller.

    ```mlir
    %y = npu.less %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.less"


@irdl_op_definition
class LessEqualOp(CompareOp):
    """True where the left operand is not larger.

    ```mlir
    %y = npu.less_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.less_equal"


@irdl_op_definition
class GreaterOp(CompareOp):
    """True where the left operand is larger.

    ```mlir
    %y = npu.greater %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.greater"


@irdl_op_definition
class GreaterEqualOp(CompareOp):
    """True where the left operand is not smaller.

    ```mlir
    %y = npu.greater_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.greater_equal"


@irdl_op_definition
class SelectOp(ElementwiseOp):
    """The element of the second operand where the condition is true, of the third elsewhere.

    ```mlir
    %y = npu.select %c, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.select"

    condition = operand_def(TensorType)
    on_true = operand_def(TensorType)
    on_false = operand_def(TensorType)

    assembly_format = "$condition `,` $on_true `,` $on_false attr-dict `:` functional-type(operands, results)"

    def verify_elements(self) -> None:
        if not is_boolean(element_type_of(self.condition)):
            raise self.wrong("condition", "element type i1", element_type_of(self.condition))
        self.check_element_type("on_true", self.on_true, element_type_of(self.result))
        self.check_element_type("on_false", self.on_false, element_type_of(self.result))


@irdl_op_definition
class CastOp(UnaryOp):
    """The same number as another element type: integers wrap, fractions are cut off, i1 is 0 or 1.

    ```mlir
    %y = npu.cast %x : (tensor<2x3xf32>) -> tensor<2x3xi32>
    ```
    """

    name = "npu.cast"

    def verify_elements(self) -> None:
        """Every element type can be cast to every other."""
