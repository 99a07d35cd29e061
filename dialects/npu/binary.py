"""Elementwise ops of two operands: arithmetic, logic and comparison."""

from abc import ABC

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import prop_def, traits_def
from xdsl.traits import Commutative

from ...compat.xdsl import op_definition
from .elementwise import ArithmeticOp, CompareOp, LogicalOp
from .same_layout import KeepsZeros
from .values import element_type_of, is_float


@op_definition
class AddOp(ArithmeticOp, KeepsZeros):
    """The sum.

    ```mlir
    %y = npu.add %a, %b : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x8x8x16xf32>
    ```
    """

    name = "npu.add"

    traits = traits_def(Commutative())


@op_definition
class SubOp(ArithmeticOp, KeepsZeros):
    """The left operand minus the right one.

    ```mlir
    %y = npu.sub %a, %b : tensor<2x3xf32>
    ```
    """

    name = "npu.sub"


@op_definition
class MulOp(ArithmeticOp, KeepsZeros):
    """The product.

    ```mlir
    %y = npu.mul %a, %b : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.mul"

    traits = traits_def(Commutative())


@op_definition
class DivOp(ArithmeticOp):
    """The left operand divided by the right one; integers are truncated toward zero.

    A float divided by zero is infinite, or NaN if it is zero or NaN itself. An integer divided by zero is zero, and the
    least integer divided by -1 wraps.

    ```mlir
    %y = npu.div %a, %b : tensor<2x3xf32>
    ```
    """

    name = "npu.div"


@op_definition
class ModOp(ArithmeticOp):
    """The remainder of the division, with the sign of the left operand (`sign = "lhs"`) or of the right one.

    A float modulo zero is NaN, an integer modulo zero is zero.

    ```mlir
    %y = npu.mod %a, %b : tensor<2x3xi32>
    ```
    """

    name = "npu.mod"

    sign = prop_def(StringAttr, default_value=StringAttr("rhs"))

    def verify_elements(self) -> None:
        self.check_word("sign", self.sign, ("lhs", "rhs"))
        super().verify_elements()


@op_definition
class PowOp(ArithmeticOp):
    """The left operand to the power of the right one.

    Integers wrap. For a negative power, 1 and -1 are as for the opposite power, and other integers are zero.

    ```mlir
    %y = npu.pow %a, %b : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
    ```
    """

    name = "npu.pow"


class ExtremumOp(ArithmeticOp, KeepsZeros, ABC):
    """One of two operands, the larger or the smaller one."""

    traits = traits_def(Commutative())

    def commutes(self) -> bool:
        """Engines compare, and of NaN or of two zeros the order decides which one is returned."""
        return not is_float(element_type_of(self.lhs))


@op_definition
class MaxOp(ExtremumOp):
    """The larger operand; NaN if either is.

    ```mlir
    %y = npu.max %a, %b : tensor<2x3xf32>
    ```
    """

    name = "npu.max"


@op_definition
class MinOp(ExtremumOp):
    """The smaller operand; NaN if either is.

    ```mlir
    %y = npu.min %a, %b : tensor<2x3xf32>
    ```
    """

    name = "npu.min"


@op_definition
class PreluOp(ArithmeticOp, KeepsZeros):
    """The left operand where it is not negative, elsewhere its product with the right one, the slope.

    ```mlir
    %y = npu.prelu %x, %slope : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x8x8x16xf32>
    ```
    """

    name = "npu.prelu"

    def carries(self, place: int) -> bool:
        return place == 0


@op_definition
class AndOp(LogicalOp):
    """True where both operands are true; bitwise for integers.

    ```mlir
    %y = npu.and %a, %b : tensor<2x3xi1>
    ```
    """

    name = "npu.and"


@op_definition
class OrOp(LogicalOp):
    """True where either operand is true; bitwise for integers.

    ```mlir
    %y = npu.or %a, %b : tensor<2x3xi1>
    ```
    """

    name = "npu.or"


@op_definition
class XorOp(LogicalOp):
    """True where exactly one operand is true; bitwise for integers.

    ```mlir
    %y = npu.xor %a, %b : tensor<2x3xi1>
    ```
    """

    name = "npu.xor"


@op_definition
class EqualOp(CompareOp):
    """True where both operands are equal.

    ```mlir
    %y = npu.equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.equal"

    traits = traits_def(Commutative())


@op_definition
class NotEqualOp(CompareOp, KeepsZeros):
    """True where the operands differ.

    ```mlir
    %y = npu.not_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.not_equal"

    traits = traits_def(Commutative())


@op_definition
class LessOp(CompareOp, KeepsZeros):
    """True where the left operand is smaller.

    ```mlir
    %y = npu.less %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.less"


@op_definition
class LessEqualOp(CompareOp):
    """True where the left operand is not larger.

    ```mlir
    %y = npu.less_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.less_equal"


@op_definition
class GreaterOp(CompareOp, KeepsZeros):
    """True where the left operand is larger.

    ```mlir
    %y = npu.greater %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.greater"


@op_definition
class GreaterEqualOp(CompareOp):
    """True where the left operand is not smaller.

    ```mlir
    %y = npu.greater_equal %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
    """

    name = "npu.greater_equal"
