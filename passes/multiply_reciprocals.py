"""Division by constants as multiplication."""

from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyDenseElement, AnyFloat, BytesAttr, DenseIntOrFPElementsAttr, ModuleOp, TensorType
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..dialects.npu.binary import DivOp, MulOp
from ..dialects.npu.shape import BroadcastOp
from ..dialects.npu.source import ConstantOp
from ..dialects.npu.unary import ReciprocalOp
from ..dialects.npu.values import element_type_of, is_float, layout_of, shape_of
from ..dialects.program.written import Dense, splat
from ..layout import DYNAMIC
from .common.plans.replacement import apply_patterns


@dataclass(frozen=True)
class MultiplyReciprocals(ModulePass):
    """Replace divisions by inline constants, and by repeated floats, with products with their reciprocals.

    NPUs multiply in one step and divide in many. Of a divisor that is repeated along an axis, such as the norm of all
    channels of a pixel, each number is inverted once. A reciprocal is rounded, unless it is that of a power of two, so
    the product may differ from the quotient in its last bit; `npu-check` runs both and calls them undecided. That of a
    computed divisor of less than 3e-39 is infinite. Divisors of unknown sizes, which may not be repeated, integers, and
    constants of which one is zero or has no finite reciprocal, stay; so do constants in files, unless
    `--inline-limit` stores them in the program.
    """

    name = "multiply-reciprocals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, [Multiply(), MultiplyRepeated()], is_repeated=False)


class Multiply(RewritePattern):
    """Replace one division.

    ```mlir
    %y = npu.div %x, %four : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    // becomes
    %y = npu.mul %x, %quarter : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DivOp, rewriter: PatternRewriter) -> None:
        divisor = op.rhs.owner
        if not isinstance(divisor, ConstantOp) or not isinstance(divisor.value, DenseIntOrFPElementsAttr):
            return
        factor = reciprocal(divisor.value)
        if factor is None:
            return
        constant = ConstantOp(factor)
        product = MulOp.build(operands=[op.lhs, constant.result], result_types=[op.result.type])
        rewriter.replace(op, [constant, product])
        if divisor.result.first_use is None:
            rewriter.erase(divisor)


class MultiplyRepeated(RewritePattern):
    """Replace one division by a value that is repeated along an axis.

    ```mlir
    %r = npu.broadcast %norm axes = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %y = npu.div %x, %r : tensor<2x3xf32>
    // becomes
    %i = npu.reciprocal %norm : tensor<2x1xf32>
    %y = npu.mul %x, %i : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DivOp, rewriter: PatternRewriter) -> None:
        divisor, repeated = op.rhs, op.rhs.owner
        if isinstance(repeated, BroadcastOp) and _is_in_place(repeated):
            divisor = repeated.input
        if not is_float(element_type_of(op.result)) or op.lhs.type != op.result.type:
            return
        if isinstance(divisor.owner, ConstantOp) or not _has_fewer(divisor, op.result):
            return
        inverse = ReciprocalOp.create(operands=[divisor], result_types=[divisor.type])
        product = MulOp.build(operands=[op.lhs, inverse.result], result_types=[op.result.type])
        rewriter.replace(op, [inverse, product])
        if isinstance(repeated, BroadcastOp) and repeated.result.first_use is None:
            rewriter.erase(repeated)


def _is_in_place(op: BroadcastOp) -> bool:
    """True if the axes of the operand are those of the result."""
    axes = list(op.axes.get_values())
    return axes == list(range(len(shape_of(op.result)))) and layout_of(op.input) == layout_of(op.result)


def _has_fewer(value: SSAValue, other: SSAValue) -> bool:
    """True if a value has fewer elements than another one."""
    sizes = shape_of(value), shape_of(other)
    return all(DYNAMIC not in each for each in sizes) and 0 < prod(sizes[0]) < prod(sizes[1])


def reciprocal(value: Dense) -> Dense | None:
    """The reciprocals of floats; None for integers and for floats without a finite one."""
    # Imported late: most runs read no numbers.
    import numpy as np

    element = value.get_element_type()
    if not isinstance(element, AnyFloat) or element.name not in ("f32", "f64"):
        return None
    numbers = np.frombuffer(value.data.data, np.float32 if element.name == "f32" else np.float64)
    with np.errstate(divide="ignore", over="ignore"):
        found = 1 / numbers
    if not np.isfinite(found).all() or not found.all():
        return None
    type_ = cast("TensorType[AnyDenseElement]", value.type)
    return (
        splat(type_, found.tobytes())
        if len(found) == 1
        else DenseIntOrFPElementsAttr(type_, BytesAttr(found.tobytes()))
    )
