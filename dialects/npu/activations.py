"""Activation functions: elementwise ops of one operand."""

from typing import cast

from xdsl.dialects.builtin import FloatAttr, IntegerType, StringAttr, f64
from xdsl.irdl import opt_prop_def, prop_def

from ...compat.xdsl import op_definition
from .attrs import F64
from .elementwise import FloatUnaryOp, NumberUnaryOp
from .same_layout import KeepsZeros
from .values import element_type_of, integer_range, is_float


@op_definition
class ReluOp(NumberUnaryOp, KeepsZeros):
    """max(x, 0).

    ```mlir
    %y = npu.relu %x : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
    ```
    """

    name = "npu.relu"


@op_definition
class LeakyReluOp(FloatUnaryOp, KeepsZeros):
    """x where x is not negative, alpha * x elsewhere.

    ```mlir
    %y = npu.leaky_relu %x alpha = 1.000000e-01 : tensor<2x3xf32>
    ```
    """

    name = "npu.leaky_relu"

    alpha = prop_def(F64, default_value=FloatAttr(0.01, f64))


@op_definition
class EluOp(FloatUnaryOp, KeepsZeros):
    """x where x is positive, alpha * (exp(x) - 1) elsewhere.

    ```mlir
    %y = npu.elu %x alpha = 5.000000e-01 : tensor<2x3xf32>
    ```
    """

    name = "npu.elu"

    alpha = prop_def(F64, default_value=FloatAttr(1.0, f64))


@op_definition
class SeluOp(FloatUnaryOp, KeepsZeros):
    """gamma * x where x is positive, gamma * alpha * (exp(x) - 1) elsewhere, with the constants of the paper.

    They are alpha = 1.67326319217681884765625 and gamma = 1.05070102214813232421875, as in ONNX.

    ```mlir
    %y = npu.selu %x : tensor<2x3xf32>
    ```
    """

    name = "npu.selu"


@op_definition
class GeluOp(FloatUnaryOp, KeepsZeros):
    """x / 2 * (1 + erf(x / √2)), or x / 2 * (1 + tanh(√(2 / π) * (x + 0.044715 * x³))) with `approximate = "tanh"`.

    ```mlir
    %y = npu.gelu %x approximate = "tanh" : tensor<2x3xf32>
    ```
    """

    name = "npu.gelu"

    approximate = prop_def(StringAttr, default_value=StringAttr("none"))

    def verify_elements(self) -> None:
        self.check_word("approximate", self.approximate, ("none", "tanh"))
        super().verify_elements()


@op_definition
class SigmoidOp(FloatUnaryOp):
    """1 / (1 + exp(-x)).

    ```mlir
    %y = npu.sigmoid %x : tensor<2x3xf32>
    ```
    """

    name = "npu.sigmoid"


@op_definition
class HardSigmoidOp(FloatUnaryOp):
    """min(max(alpha * x + beta, 0), 1).

    ```mlir
    %y = npu.hard_sigmoid %x alpha = 1.250000e-01 : tensor<2x3xf32>
    ```
    """

    name = "npu.hard_sigmoid"

    alpha = prop_def(F64, default_value=FloatAttr(0.2, f64))
    beta = prop_def(F64, default_value=FloatAttr(0.5, f64))


@op_definition
class SiluOp(FloatUnaryOp, KeepsZeros):
    """x / (1 + exp(-x)).

    ```mlir
    %y = npu.silu %x : tensor<2x3xf32>
    ```
    """

    name = "npu.silu"


@op_definition
class HardSwishOp(FloatUnaryOp, KeepsZeros):
    """x * min(max(x / 6 + 1 / 2, 0), 1).

    ```mlir
    %y = npu.hard_swish %x : tensor<2x3xf32>
    ```
    """

    name = "npu.hard_swish"


@op_definition
class MishOp(FloatUnaryOp, KeepsZeros):
    """x * tanh(ln(1 + exp(x))).

    ```mlir
    %y = npu.mish %x : tensor<2x3xf32>
    ```
    """

    name = "npu.mish"


@op_definition
class SoftplusOp(FloatUnaryOp):
    """ln(1 + exp(x)).

    ```mlir
    %y = npu.softplus %x : tensor<2x3xf32>
    ```
    """

    name = "npu.softplus"


@op_definition
class SoftsignOp(FloatUnaryOp, KeepsZeros):
    """x / (1 + |x|).

    ```mlir
    %y = npu.softsign %x : tensor<2x3xf32>
    ```
    """

    name = "npu.softsign"


@op_definition
class ClipOp(NumberUnaryOp):
    """min(max(x, `min`), `max`); an absent bound does not apply.

    ```mlir
    %y = npu.clip %x min = 0.000000e+00 max = 6.000000e+00 : tensor<2x3xf32>
    ```
    """

    name = "npu.clip"

    min = opt_prop_def(F64)
    max = opt_prop_def(F64)

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The bounds; those of integers are in the range of their type."""
        element = element_type_of(self.input)
        given = [None if bound is None else bound.value.data for bound in (self.min, self.max)]
        if isinstance(element, IntegerType):
            least, largest = integer_range(cast("IntegerType", element))
            given = [None if bound is None else min(max(int(bound), least), largest) for bound in given]
        return given[0], given[1]

    def keeps_zeros(self) -> bool:
        return (self.min is None or self.min.value.data <= 0) and (self.max is None or self.max.value.data >= 0)

    def verify_elements(self) -> None:
        super().verify_elements()
        bounds = [(name, bound.value.data) for name, bound in (("min", self.min), ("max", self.max)) if bound]
        if not bounds:
            raise self.wrong("min", "min, max or both", "neither")
        if not is_float(element_type_of(self.input)):
            for name, bound in bounds:
                if not bound.is_integer():
                    raise self.wrong(name, "a whole number like the elements of input", bound)
        (_, low), (_, high) = bounds[0], bounds[-1]
        if low > high:
            raise self.wrong("max", f"at least {low} like min", high)
