"""Elementwise ops of one operand; the activation functions are in activations.py."""

from ...compat.xdsl import op_definition
from .elementwise import FloatUnaryOp, NumberUnaryOp, UnaryOp
from .same_layout import KeepsZeros
from .values import element_type_of, is_float


@op_definition
class AbsOp(NumberUnaryOp, KeepsZeros):
    """The absolute value; the least integer wraps.

    ```mlir
    %y = npu.abs %x : tensor<2x3xf32>
    ```
    """

    name = "npu.abs"


@op_definition
class NegOp(NumberUnaryOp, KeepsZeros):
    """The number with the opposite sign; integers wrap.

    ```mlir
    %y = npu.neg %x : tensor<2x3xi32>
    ```
    """

    name = "npu.neg"


@op_definition
class SignOp(NumberUnaryOp, KeepsZeros):
    """-1, 0 or 1 for a negative number, zero and a positive number.

    ```mlir
    %y = npu.sign %x : tensor<2x3xf32>
    ```
    """

    name = "npu.sign"


@op_definition
class ExpOp(FloatUnaryOp):
    """The exponential function.

    ```mlir
    %y = npu.exp %x : tensor<2x3xf32>
    ```
    """

    name = "npu.exp"


@op_definition
class LogOp(FloatUnaryOp):
    """The natural logarithm.

    ```mlir
    %y = npu.log %x : tensor<2x3xf32>
    ```
    """

    name = "npu.log"


@op_definition
class SqrtOp(FloatUnaryOp, KeepsZeros):
    """The square root.

    ```mlir
    %y = npu.sqrt %x : tensor<2x3xf32>
    ```
    """

    name = "npu.sqrt"


@op_definition
class RsqrtOp(FloatUnaryOp):
    """One divided by the square root.

    ```mlir
    %y = npu.rsqrt %x : tensor<2x3xf32>
    ```
    """

    name = "npu.rsqrt"


@op_definition
class ReciprocalOp(FloatUnaryOp):
    """One divided by the number.

    ```mlir
    %y = npu.reciprocal %x : tensor<2x3xf32>
    ```
    """

    name = "npu.reciprocal"


@op_definition
class SinOp(FloatUnaryOp, KeepsZeros):
    """The sine of an angle in radians.

    ```mlir
    %y = npu.sin %x : tensor<2x3xf32>
    ```
    """

    name = "npu.sin"


@op_definition
class CosOp(FloatUnaryOp):
    """The cosine of an angle in radians.

    ```mlir
    %y = npu.cos %x : tensor<2x3xf32>
    ```
    """

    name = "npu.cos"


@op_definition
class TanOp(FloatUnaryOp, KeepsZeros):
    """The tangent of an angle in radians.

    ```mlir
    %y = npu.tan %x : tensor<2x3xf32>
    ```
    """

    name = "npu.tan"


@op_definition
class AsinOp(FloatUnaryOp, KeepsZeros):
    """The angle in radians, from -pi/2 to pi/2, that has this sine; NaN beyond -1 and 1.

    ```mlir
    %y = npu.asin %x : tensor<2x3xf32>
    ```
    """

    name = "npu.asin"


@op_definition
class AcosOp(FloatUnaryOp):
    """The angle in radians, from 0 to pi, that has this cosine; NaN beyond -1 and 1.

    ```mlir
    %y = npu.acos %x : tensor<2x3xf32>
    ```
    """

    name = "npu.acos"


@op_definition
class AtanOp(FloatUnaryOp, KeepsZeros):
    """The angle in radians, between -pi/2 and pi/2, that has this tangent.

    ```mlir
    %y = npu.atan %x : tensor<2x3xf32>
    ```
    """

    name = "npu.atan"


@op_definition
class SinhOp(FloatUnaryOp, KeepsZeros):
    """The hyperbolic sine.

    ```mlir
    %y = npu.sinh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.sinh"


@op_definition
class CoshOp(FloatUnaryOp):
    """The hyperbolic cosine.

    ```mlir
    %y = npu.cosh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.cosh"


@op_definition
class TanhOp(FloatUnaryOp, KeepsZeros):
    """The hyperbolic tangent.

    ```mlir
    %y = npu.tanh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.tanh"


@op_definition
class AsinhOp(FloatUnaryOp, KeepsZeros):
    """The inverse of the hyperbolic sine.

    ```mlir
    %y = npu.asinh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.asinh"


@op_definition
class AcoshOp(FloatUnaryOp):
    """The inverse of the hyperbolic cosine that is not negative; NaN below 1.

    ```mlir
    %y = npu.acosh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.acosh"


@op_definition
class AtanhOp(FloatUnaryOp, KeepsZeros):
    """The inverse of the hyperbolic tangent; NaN beyond -1 and 1.

    ```mlir
    %y = npu.atanh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.atanh"


@op_definition
class ErfOp(FloatUnaryOp, KeepsZeros):
    """The error function of Gauss.

    ```mlir
    %y = npu.erf %x : tensor<2x3xf32>
    ```
    """

    name = "npu.erf"


@op_definition
class CeilOp(FloatUnaryOp, KeepsZeros):
    """The smallest whole number that is not smaller than the operand.

    ```mlir
    %y = npu.ceil %x : tensor<2x3xf32>
    ```
    """

    name = "npu.ceil"


@op_definition
class FloorOp(FloatUnaryOp, KeepsZeros):
    """The largest whole number that is not larger than the operand.

    ```mlir
    %y = npu.floor %x : tensor<2x3xf32>
    ```
    """

    name = "npu.floor"


@op_definition
class RoundOp(FloatUnaryOp, KeepsZeros):
    """The nearest whole number; halves are rounded to the even one.

    ```mlir
    %y = npu.round %x : tensor<2x3xf32>
    ```
    """

    name = "npu.round"


@op_definition
class NotOp(UnaryOp):
    """The opposite truth value, or the integer with all bits flipped.

    ```mlir
    %y = npu.not %x : tensor<2x3xi1>
    ```
    """

    name = "npu.not"

    def verify_elements(self) -> None:
        if is_float(element_type_of(self.input)):
            raise self.wrong("input", "i1 or an integer as element type", element_type_of(self.input))
        super().verify_elements()
