"""Elementwise ops of one operand; the activation functions are in activations.py."""

from typing import ClassVar

from ...compat.xdsl import op_definition
from .elementwise import FloatUnaryOp, NumberUnaryOp, UnaryOp
from .values import element_type_of, is_float


@op_definition
class AbsOp(NumberUnaryOp):
    """The absolute value; the least integer wraps.

    ```mlir
    %y = npu.abs %x : tensor<2x3xf32>
    ```
    """

    name = "npu.abs"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class NegOp(NumberUnaryOp):
    """The number with the opposite sign; integers wrap.

    ```mlir
    %y = npu.neg %x : tensor<2x3xi32>
    ```
    """

    name = "npu.neg"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class SignOp(NumberUnaryOp):
    """-1, 0 or 1 for a negative number, zero and a positive number.

    ```mlir
    %y = npu.sign %x : tensor<2x3xf32>
    ```
    """

    name = "npu.sign"

    KEEPS_ZEROS: ClassVar[bool] = True


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
class SqrtOp(FloatUnaryOp):
    """The square root.

    ```mlir
    %y = npu.sqrt %x : tensor<2x3xf32>
    ```
    """

    name = "npu.sqrt"

    KEEPS_ZEROS: ClassVar[bool] = True


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
class SinOp(FloatUnaryOp):
    """The sine of an angle in radians.

    ```mlir
    %y = npu.sin %x : tensor<2x3xf32>
    ```
    """

    name = "npu.sin"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class CosOp(FloatUnaryOp):
    """The cosine of an angle in radians.

    ```mlir
    %y = npu.cos %x : tensor<2x3xf32>
    ```
    """

    name = "npu.cos"


@op_definition
class TanOp(FloatUnaryOp):
    """The tangent of an angle in radians.

    ```mlir
    %y = npu.tan %x : tensor<2x3xf32>
    ```
    """

    name = "npu.tan"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class AsinOp(FloatUnaryOp):
    """The angle in radians, from -pi/2 to pi/2, that has this sine; NaN beyond -1 and 1.

    ```mlir
    %y = npu.asin %x : tensor<2x3xf32>
    ```
    """

    name = "npu.asin"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class AcosOp(FloatUnaryOp):
    """The angle in radians, from 0 to pi, that has this cosine; NaN beyond -1 and 1.

    ```mlir
    %y = npu.acos %x : tensor<2x3xf32>
    ```
    """

    name = "npu.acos"


@op_definition
class AtanOp(FloatUnaryOp):
    """The angle in radians, between -pi/2 and pi/2, that has this tangent.

    ```mlir
    %y = npu.atan %x : tensor<2x3xf32>
    ```
    """

    name = "npu.atan"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class SinhOp(FloatUnaryOp):
    """The hyperbolic sine.

    ```mlir
    %y = npu.sinh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.sinh"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class CoshOp(FloatUnaryOp):
    """The hyperbolic cosine.

    ```mlir
    %y = npu.cosh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.cosh"


@op_definition
class TanhOp(FloatUnaryOp):
    """The hyperbolic tangent.

    ```mlir
    %y = npu.tanh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.tanh"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class AsinhOp(FloatUnaryOp):
    """The inverse of the hyperbolic sine.

    ```mlir
    %y = npu.asinh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.asinh"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class AcoshOp(FloatUnaryOp):
    """The inverse of the hyperbolic cosine that is not negative; NaN below 1.

    ```mlir
    %y = npu.acosh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.acosh"


@op_definition
class AtanhOp(FloatUnaryOp):
    """The inverse of the hyperbolic tangent; NaN beyond -1 and 1.

    ```mlir
    %y = npu.atanh %x : tensor<2x3xf32>
    ```
    """

    name = "npu.atanh"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class ErfOp(FloatUnaryOp):
    """The error function of Gauss.

    ```mlir
    %y = npu.erf %x : tensor<2x3xf32>
    ```
    """

    name = "npu.erf"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class CeilOp(FloatUnaryOp):
    """The smallest whole number that is not smaller than the operand.

    ```mlir
    %y = npu.ceil %x : tensor<2x3xf32>
    ```
    """

    name = "npu.ceil"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class FloorOp(FloatUnaryOp):
    """The largest whole number that is not larger than the operand.

    ```mlir
    %y = npu.floor %x : tensor<2x3xf32>
    ```
    """

    name = "npu.floor"

    KEEPS_ZEROS: ClassVar[bool] = True


@op_definition
class RoundOp(FloatUnaryOp):
    """The nearest whole number; halves are rounded to the even one.

    ```mlir
    %y = npu.round %x : tensor<2x3xf32>
    ```
    """

    name = "npu.round"

    KEEPS_ZEROS: ClassVar[bool] = True


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
