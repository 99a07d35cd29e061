"""Division by constants as multiplication."""

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyDenseElement, AnyFloat, BytesAttr, DenseIntOrFPElementsAttr, ModuleOp, TensorType
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from ..dialects.npu.binary import DivOp, MulOp
from ..dialects.npu.source import ConstantOp
from ..dialects.written import Dense, splat


@dataclass(frozen=True)
class MultiplyReciprocals(ModulePass):
    """Replace divisions by written-out constants by products with their reciprocals.

    NPUs multiply in one step and divide in many. A reciprocal is rounded, unless it is that of a power of two, so the
    product may differ from the quotient in its last bit; `npu-check` runs both and calls them undecided. Integers, and
    divisors of which one is zero or has no finite reciprocal, stay; so do constants in files, unless `--inline-limit`
    writes them out.
    """

    name = "multiply-reciprocals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(Multiply(), apply_recursively=False).rewrite_module(op)


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
