"""Recognition of quantised ops that were exported as floats between dequantisation and quantisation."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..dialects.npu.base import NpuOp
from ..dialects.npu.movement import ConcatOp, SliceOp
from ..dialects.npu.pooling import GlobalMaxPoolOp, MaxPoolOp
from ..dialects.npu.quantities import clip, sees_data
from ..dialects.npu.quantization import Parameters, QuantizeOp
from ..dialects.npu.quantization import dequantized as dequantized_op
from ..dialects.npu.quantization import quantized as quantized_op
from ..dialects.npu.resampling import UpsampleOp
from ..dialects.npu.shape import ViewOp
from ..dialects.npu.values import element_type_of, with_element
from .common.plans.replacement import apply_patterns, erase_unused, replace_parts
from .common.same_meaning import PreservesMeaning
from .patterns.quantised import are_alike, dequantised, is_per_tensor, quantised_op, unclamped


@dataclass(frozen=True)
class RecogniseQuantised(PreservesMeaning, ModulePass):
    """Replace floats between dequantisation and quantisation by ops on the integers.

    Exporters write a quantised network as `npu.dequantize`, an op on f32, and `npu.quantize`. Hardware runs the ops on
    the integers of 8 bits. Five rewrites are applied greedily to values with known scales and zero points:

    - A convolution or matrix product, with a bias of i32 whose scale is the product of the two scales, becomes
      `npu.quant_conv2d` (of an image with one row for a signal), `npu.quant_gemm` or `npu.quant_matmul`; a sum,
      product or mean becomes `npu.quant_add`, `npu.quant_mul`, `npu.quant_avg_pool` or `npu.quant_global_avg_pool`.
      Clamps in between disappear if the integers end at their bounds, and otherwise become an `npu.clip` of integers.
    - Views, slices, maxima, upsampling and concatenations of dequantised values select the same elements of the
      integers.
    - A concatenation of values with different scales is one of integers that are each quantised as the result is.
    - Dequantisation and quantisation with the same scale and zero point cancel out.

    A value that is read elsewhere as a float stays. So does what is not equal for real numbers: a bias with another
    scale, integers of other widths, sums that might not fit in an i32. A bilinear resize stays as well: no op on
    integers is one, as each kernel rounds the weights of the neighbours in its own way. For convolutions and products
    the floats were rounded at each step, and the sums of integers are rounded once, so that a number in the middle of
    two integers may become the other one; all other rewrites compute the same bits.
    """

    name = "recognise-quantised"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, [JoinQuantised(), SelectIntegers(), QuantiseOperands(), ViewIntegers()])


class JoinQuantised(RewritePattern):
    """Replace an op on dequantised values, and the quantisation of its result, by one op.

    ```mlir
    %a = npu.dequantize %x, %xs, %xz : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
    %b = npu.dequantize %y, %ys, %yz : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
    %c = npu.add %a, %b : tensor<2x3xf32>
    %q = npu.quantize %c, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
    // becomes
    %q = npu.quant_add %x, %y, %xs, %xz, %ys, %yz, %s, %z
      : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>)
      -> tensor<2x3xi8>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: QuantizeOp, rewriter: PatternRewriter) -> None:
        if not is_per_tensor(op):
            return
        source = dequantised(op.input)
        if source is not None and are_alike(source, op):
            rewriter.replace(op, [], [source.input])
            erase_unused(rewriter, [source])
            return
        clamped = unclamped(op)
        found = quantised_op(clamped.value, op)
        if found is None:
            return
        new = [*found.ops]
        for bounds in clamped.bounds:
            new.append(clip(new[-1].results[0], bounds))
        replace_parts(rewriter, op, new, (*found.parts, *clamped.parts))


class SelectIntegers(RewritePattern):
    """Move a dequantisation behind an op whose elements are elements of its operands, if they are quantised again.

    ```mlir
    %f = npu.dequantize %q, %s, %z : (tensor<1x4x8x8xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x8x8xf32>
    %y = npu.global_max_pool %f data_layout = <NCHW> : (tensor<1x4x8x8xf32>) -> tensor<1x4x1x1xf32>
    // becomes
    %m = npu.global_max_pool %q data_layout = <NCHW> : (tensor<1x4x8x8xi8>) -> tensor<1x4x1x1xi8>
    %y = npu.dequantize %m, %s, %z : (tensor<1x4x1x1xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x1x1xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: MaxPoolOp | GlobalMaxPoolOp | UpsampleOp | ConcatOp | SliceOp, rewriter: PatternRewriter
    ) -> None:
        is_quantised = any(isinstance(use.operation, QuantizeOp) for use in op.result.uses)
        if is_quantised and (isinstance(op, UpsampleOp | ConcatOp | SliceOp) or sees_data(op)):
            _dequantise_later(op, rewriter)


class QuantiseOperands(RewritePattern):
    """Move a quantisation in front of a concatenation of dequantised values with different scales or zero points.

    ```mlir
    %a = npu.dequantize %p, %ps, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
    %b = npu.dequantize %q, %qs, %z : (tensor<2x4xi8>, tensor<f32>, tensor<i8>) -> tensor<2x4xf32>
    %c = npu.concat %a, %b axis = 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
    %y = npu.quantize %c, %qs, %z : (tensor<2x7xf32>, tensor<f32>, tensor<i8>) -> tensor<2x7xi8>
    // becomes
    %a = npu.dequantize %p, %ps, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
    %r = npu.quantize %a, %qs, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
    %y = npu.concat %r, %q axis = 1 : (tensor<2x3xi8>, tensor<2x4xi8>) -> tensor<2x7xi8>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: QuantizeOp, rewriter: PatternRewriter) -> None:
        joined = op.input.owner
        if not isinstance(joined, ConcatOp) or not op.input.has_one_use() or not is_per_tensor(op):
            return
        sources = [source for value in joined.operands if (source := dequantised(value)) is not None]
        if len(sources) < len(joined.operands) or all(are_alike(sources[0], other) for other in sources):
            return
        element, parameters = element_type_of(op.result), Parameters(op.scale, op.zero_point)
        each = {value: quantized_op(value, parameters, with_element(value, element)) for value in joined.operands}
        integers = ConcatOp.create(
            operands=[each[value].result for value in joined.operands],
            result_types=[op.result.type],
            properties=dict(joined.properties),
        )
        replace_parts(rewriter, op, [*each.values(), integers], [*dict.fromkeys(sources), joined])


class ViewIntegers(RewritePattern):
    """Move a dequantisation behind a view.

    ```mlir
    %f = npu.dequantize %q, %s, %z : (tensor<1x4x8xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x8xf32>
    %y = npu.reshape %f : (tensor<1x4x8xf32>) -> tensor<1x32xf32>
    // becomes
    %r = npu.reshape %q : (tensor<1x4x8xi8>) -> tensor<1x32xi8>
    %y = npu.dequantize %r, %s, %z : (tensor<1x32xi8>, tensor<f32>, tensor<i8>) -> tensor<1x32xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ViewOp, rewriter: PatternRewriter) -> None:
        _dequantise_later(op, rewriter)


def _dequantise_later(op: NpuOp, rewriter: PatternRewriter) -> None:
    """Replace an op on dequantised values of one scale and zero point by one on the integers, and dequantise it."""
    sources = [source for value in op.operands if (source := dequantised(value)) is not None]
    if len(sources) != len(op.operands) or not all(are_alike(sources[0], other) for other in sources):
        return
    type_ = with_element(op.results[0], element_type_of(sources[0].input))
    integers = type(op).create(
        operands=[source.input for source in sources], result_types=[type_], properties=dict(op.properties)
    )
    parameters = Parameters(sources[0].scale, sources[0].zero_point)
    later = dequantized_op(integers.results[0], parameters)
    replace_parts(rewriter, op, [integers, later], list(dict.fromkeys(sources)))
