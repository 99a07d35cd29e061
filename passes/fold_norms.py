"""Normalisations with constant parameters as parts of the convolutions in front of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..dialects.npu.base import NpuOp
from ..dialects.npu.binary import AddOp, DivOp, MulOp, SubOp
from ..dialects.npu.elementwise import ArithmeticOp, CastOp
from ..dialects.npu.normalization import BatchNormOp
from ..dialects.npu.shape import ReshapeOp
from ..dialects.npu.source import ConstantOp
from ..dialects.npu.unary import SqrtOp
from ..dialects.npu.values import element_type_of, has_one_element, shape_of, tensor_type, with_element
from ..dialects.program.written import splat
from .common.plans.replacement import apply_patterns, replace_parts
from .common.same_meaning import PreservesMeaning
from .patterns.folded import (
    Made,
    Taken,
    aligned,
    as_bias,
    is_known,
    is_per_output,
    scaled_weights,
    taken,
    weighted,
    with_bias,
)


@dataclass(frozen=True)
class FoldNorms(PreservesMeaning, ModulePass):
    """Multiply constant factors behind convolutions and products into the weights, and add constants to the bias.

    Of a convolution of any kind, `npu.gemm` or `npu.matmul` with constant weights, whose result has no other use, a
    product with one constant for each output, or for all, becomes one with the weights and the bias. A sum with such a
    constant becomes the bias, if the op can have one; else the product behind the sum moves in front of it.
    `npu.batch_norm` with constant parameters is such a product and a sum. Nothing is moved across other ops, such as
    a relu or a transpose; integers and values in blocks stay. With `reshaped=true`, a norm may be behind a
    `npu.reshape` that drops or adds axes of one element.

    What is left are ops on constants, which the tools compute if the program is that of a model. Parameters of
    `npu.batch_norm` are computed in f64, so that only the factor and the summand are rounded.

    This holds for real numbers. Floats are rounded elsewhere, so the last digits may differ.
    """

    name = "fold-norms"

    reshaped: bool = False
    """Fold norms behind reshapes of axes of one element as well."""

    IN_REAL_NUMBERS: ClassVar[bool] = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, [SplitNorm(self.reshaped), TakeFactor(), TakeSummand(), MultiplySummands()])


class TakeFactor(RewritePattern):
    """Multiply a factor into the weights and the bias.

    ```mlir
    %c = npu.conv2d %x, %kernel, %bias : (...) -> tensor<1x8x4x4xf32>
    %y = npu.mul %c, %factor : (tensor<1x8x4x4xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x4x4xf32>
    // becomes
    %f = npu.reshape %factor : (tensor<1x8x1x1xf32>) -> tensor<8x1x1x1xf32>
    %k = npu.mul %kernel, %f : (tensor<8x3x1x1xf32>, tensor<8x1x1x1xf32>) -> tensor<8x3x1x1xf32>
    %v = npu.reshape %factor : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %b = npu.mul %bias, %v : tensor<8xf32>
    %y = npu.conv2d %x, %k, %b : (...) -> tensor<1x8x4x4xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MulOp, rewriter: PatternRewriter) -> None:
        found = taken(op)
        weights = None if found is None else scaled_weights(found)
        if found is None or weights is None:
            return
        bias = Made([], found.op.operands[1]) if found.bias is None else with_bias(found, MulOp)
        if bias is None:
            return
        operands = [found.op.operands[0], weights.value, *([] if found.bias is None else [bias.value])]
        _replace(rewriter, op, found, [*weights.ops, *bias.ops], operands)


class TakeSummand(RewritePattern):
    """Add a summand to the bias.

    ```mlir
    %c = npu.conv2d %x, %kernel : (...) -> tensor<1x8x4x4xf32>
    %y = npu.add %c, %summand : (tensor<1x8x4x4xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x4x4xf32>
    // becomes
    %b = npu.reshape %summand : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
    %y = npu.conv2d %x, %kernel, %b : (...) -> tensor<1x8x4x4xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AddOp, rewriter: PatternRewriter) -> None:
        found = taken(op)
        if found is None or not found.outputs.takes_bias:
            return
        # A vector has one number for each output.
        if found.bias is None and has_one_element(found.numbers) and found.outputs_count != 1:
            return
        bias = as_bias(found.numbers, found) if found.bias is None else with_bias(found, AddOp)
        if bias is not None:
            _replace(rewriter, op, found, bias.ops, [*found.op.operands[:2], bias.value])


class MultiplySummands(RewritePattern):
    """Move a product in front of a sum that its op cannot take.

    ```mlir
    %m = npu.matmul %x, %weights : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %s = npu.add %m, %summand : (tensor<4x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
    %y = npu.mul %s, %factor : (tensor<4x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
    // becomes
    %t = npu.mul %summand, %factor : tensor<1x2xf32>
    %m = npu.matmul %x, %weights : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %p = npu.mul %m, %factor : (tensor<4x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
    %y = npu.add %p, %t : (tensor<4x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MulOp, rewriter: PatternRewriter) -> None:
        for value, factor in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if not isinstance(sum_ := value.owner, AddOp) or not value.has_one_use() or value.type != op.result.type:
                continue
            found = taken(sum_)
            if found is None or not is_per_output(factor, shape_of(value), found.outputs.axis):
                continue
            part = found.op.results[0]
            larger = max(found.numbers, factor, key=lambda each: (len(shape_of(each)), *shape_of(each)))
            summand = MulOp.build(operands=[found.numbers, factor], result_types=[larger.type])
            product = MulOp.build(operands=[part, factor], result_types=[part.type])
            total = AddOp.build(operands=[product.result, summand.result], result_types=[op.result.type])
            replace_parts(rewriter, op, [summand, product, total], [sum_])
            return


@dataclass
class SplitNorm(RewritePattern):
    """Write a `npu.batch_norm` behind a convolution or product as a product and a sum.

    ```mlir
    %y = npu.batch_norm %c, %scale, %bias, %mean, %variance axis = 1 : (...) -> tensor<1x8x4x4xf32>
    // becomes
    %p = npu.mul %c, %factor : (tensor<1x8x4x4xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x4x4xf32>
    %y = npu.add %p, %summand : (tensor<1x8x4x4xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x4x4xf32>
    ```

    The factor is scale / √(variance + epsilon), and the summand is bias - mean * factor. A `npu.reshape` in between,
    which only drops or adds axes of one element, comes last.
    """

    reshaped: bool

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: BatchNormOp, rewriter: PatternRewriter) -> None:
        above = op.input.owner
        view = above if self.reshaped and isinstance(above, ReshapeOp) and op.input.has_one_use() else None
        value = op.input if view is None else view.input
        found = weighted(value, value.type)
        if found is None or op.input.type != op.result.type or not all(map(is_known, op.operands[1:])):
            return
        axis = found[1].axis
        if not _is_kept(shape_of(value), axis, shape_of(op.input), op.axis.value.data):
            return
        made, parameters = _parameters(op)
        type_ = tensor_type(value)
        views = [aligned(each, type_, axis) for each in parameters]
        if views[0] is None or views[1] is None:
            return
        product = MulOp.build(operands=[value, views[0].value], result_types=[type_])
        total = AddOp.build(operands=[product.result, views[1].value], result_types=[type_])
        new = [*made, *views[0].ops, *views[1].ops, product, total]
        if view is not None:
            new.append(ReshapeOp(total.result, op.result.type, view.dims))
        replace_parts(rewriter, op, new, [] if view is None else [view])


def _is_kept(before: Sequence[int], axis: int, after: Sequence[int], kept: int) -> bool:
    """True if two shapes differ in axes of one element alone, and these axes are one."""
    if before[axis] != after[kept]:
        return False
    sides = (before[:axis], after[:kept]), (before[axis + 1 :], after[kept + 1 :])
    return all(_without_units(one) == _without_units(other) for one, other in sides)


def _without_units(sizes: Sequence[int]) -> Sequence[int]:
    return [size for size in sizes if size != 1]


def _parameters(op: BatchNormOp) -> tuple[list[NpuOp], list[SSAValue]]:
    """The ops that compute the factor and the summand of a norm, and these."""
    ops: list[NpuOp] = []

    def cast(value: SSAValue, element: Attribute) -> SSAValue:
        if element_type_of(value) == element:
            return value
        ops.append(CastOp.create(operands=[value], result_types=[with_element(value, element)]))
        return ops[-1].results[0]

    def binary(kind: type[ArithmeticOp], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        ops.append(kind.build(operands=[lhs, rhs], result_types=[lhs.type]))
        return ops[-1].results[0]

    scale, bias, mean, variance = (cast(each, f64) for each in op.operands[1:])
    epsilon = ConstantOp(splat(with_element(variance, f64), f64.pack([op.epsilon.value.data])))
    ops.append(epsilon)
    root = SqrtOp.create(operands=[binary(AddOp, variance, epsilon.result)], result_types=[variance.type])
    ops.append(root)
    factor = binary(DivOp, scale, root.result)
    summand = binary(SubOp, bias, binary(MulOp, mean, factor))
    return ops, [cast(value, element_type_of(op.input)) for value in (factor, summand)]


def _replace(
    rewriter: PatternRewriter, op: Operation, found: Taken, before: Sequence[NpuOp], operands: Sequence[SSAValue]
) -> None:
    """Replace an op by the convolution or product in front of it with other operands."""
    new = type(found.op).create(
        operands=operands,
        result_types=[op.results[0].type],
        properties=found.op.properties,
        attributes=found.op.attributes,
    )
    replace_parts(rewriter, op, [*before, new], [found.op])
