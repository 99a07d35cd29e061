"""Recognition of normalisations that were exported in simpler ops."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, FloatAttr, ModuleOp, TensorType, f64
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ..dialects.npu.attrs import LayoutAttr, i64_array, i64_attr
from ..dialects.npu.base import NpuOp
from ..dialects.npu.binary import AddOp, DivOp, MulOp
from ..dialects.npu.normalization import ChannelNormOp, GroupNormOp, InstanceNormOp, LayerNormOp
from ..dialects.npu.shape import BroadcastOp, ReshapeOp
from ..dialects.npu.source import ConstantOp
from ..dialects.npu.values import has_one_element, layout_of, shape_of, tensor_type
from ..dialects.program.written import splat
from ..layout import Layout, LayoutClass
from .common.plans.replacement import apply_patterns, replace_parts
from .common.same_meaning import PreservesMeaning
from .patterns.norms import (
    NormOfViews,
    RegroupedNorm,
    is_along,
    norm_without_reshapes,
    number_of,
    parameter,
    written_norm,
)


@dataclass(frozen=True)
class RecogniseNorms(PreservesMeaning, ModulePass):
    """Replace normalisations that were exported as reshapes or arithmetic by one op.

    A reshape that merges channels with spatial axes pins the data to one order, and each step of a formula has to be
    re-ordered separately. `npu.layer_norm`, `npu.group_norm`, `npu.instance_norm` and `npu.rms_norm` compute the same
    in any order of axes. Three rewrites are applied greedily:

    - (x - mean(x)) / √(mean((x - mean(x))²) + epsilon) is the definition of `npu.layer_norm`, and without the mean that
      of `npu.rms_norm`. Multiplying by 1 / √ is dividing by √. Both means must be along the same axes, and the
      intermediate values must have no other uses.
    - Mean and variance of a set of elements do not depend on their positions. A norm between two inverse reshapes is
      therefore a norm of the original value, if it normalises the same sets of elements. Each set, traced back through
      the reshape, has to consist of whole axes, or of whole axes and a run of adjacent channels, as in
      `npu.group_norm`.
    - A constant factor of a norm, and a constant that is added afterwards, become its scale and bias, if it has none or
      has ones and zeros.

    With `formulas=false` the first one is left out: compilers that know norms by their arithmetic read it as it came.

    This holds for real numbers. Floats are rounded in fewer steps afterwards, so the last digits may differ. Dynamic
    sizes are traced as long as they are not split.
    """

    name = "recognise-norms"

    formulas: bool = True
    """Replace arithmetic."""

    FINDS_DEFINED_OPS: ClassVar[bool] = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, [*([JoinFormula()] if self.formulas else []), MoveOutOfReshapes(), TakeScaleAndBias()])


class JoinFormula(RewritePattern):
    """Replace a norm written as arithmetic by one op.

    ```mlir
    %m = npu.reduce_mean %x axes = [1] keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
    %d = npu.sub %x, %m : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    %s = npu.mul %d, %d : tensor<4x8xf32>
    %v = npu.reduce_mean %s axes = [1] keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
    %e = npu.add %v, %epsilon : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
    %r = npu.sqrt %e : tensor<4x1xf32>
    %y = npu.div %d, %r : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    // becomes
    %y = npu.layer_norm %x axes = [1] : tensor<4x8xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DivOp | MulOp, rewriter: PatternRewriter) -> None:
        found = written_norm(op)
        if found is None:
            return
        nothing: list[SSAValue] = []
        norm = found.op.build(
            operands=[found.input, nothing, nothing] if found.op is LayerNormOp else [found.input, nothing],
            result_types=[op.result.type],
            properties={"axes": i64_array(*found.axes), "epsilon": FloatAttr(found.epsilon, f64)},
        )
        replace_parts(rewriter, op, [norm], found.parts)


class MoveOutOfReshapes(RewritePattern):
    """Replace a norm between two reshapes by a norm of the first one's operand.

    ```mlir
    %a = npu.reshape %x : (tensor<1x8x4x4xf32>) -> tensor<1x2x64xf32>
    %b = npu.instance_norm %a, %scale, %bias axis = 1 axes = [2]
      : (tensor<1x2x64xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x64xf32>
    %y = npu.reshape %b : (tensor<1x2x64xf32>) -> tensor<1x8x4x4xf32>
    // becomes, if the scale consists of ones and the bias of zeros
    %y = npu.group_norm %x, %ones, %zeros groups = 2 axis = 1 axes = [2, 3]
      : (tensor<1x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x4x4xf32>
    ```

    Without groups it is a layer norm, or an instance norm if scale and bias vary along the channels.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReshapeOp, rewriter: PatternRewriter) -> None:
        norm = op.input.owner
        if not isinstance(norm, NormOfViews) or not op.input.has_one_use():
            return
        above = norm.input.owner
        if isinstance(above, ReshapeOp) and (found := norm_without_reshapes(norm, above, op)) is not None:
            replace_parts(rewriter, op, _moved_out(norm, above.input, found), (above, norm))


class TakeScaleAndBias(RewritePattern):
    """Fold a constant factor and a constant summand of a norm into its scale and bias.

    ```mlir
    %n = npu.layer_norm %x axes = [1] : tensor<4x8xf32>
    %s = npu.mul %n, %scale : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
    %y = npu.add %s, %bias : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
    // becomes
    %y = npu.layer_norm %x scale(%scale : tensor<1x8xf32>) bias(%bias : tensor<1x8xf32>) axes = [1]
      : tensor<4x8xf32>
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AddOp | MulOp, rewriter: PatternRewriter) -> None:
        for value in op.operands:
            norm = value.owner
            if not isinstance(norm, LayerNormOp | ChannelNormOp) or not value.has_one_use():
                continue
            constant = parameter(op, value)
            has_room = number_of_parameter(norm.bias, 0) and (
                isinstance(op, AddOp) or number_of_parameter(norm.scale, 1)
            )
            if constant is None or not has_room:
                continue
            if isinstance(norm, LayerNormOp):
                new, views = constant, []
            elif is_along(constant, norm.axis.value.data):
                views = [_view(constant, [shape_of(norm.scale)[0]])]
                new = views[0].result
            else:
                continue
            scale, bias = (norm.scale, new) if isinstance(op, AddOp) else (new, norm.bias)
            replace_parts(rewriter, op, [*views, _with_parameters(norm, scale, bias)], (norm,))
            return


def number_of_parameter(value: SSAValue | None, neutral: float) -> bool:
    """True if a scale or a bias is a no-op."""
    return value is None or number_of(value) == neutral


def _with_parameters(norm: LayerNormOp | ChannelNormOp, scale: SSAValue | None, bias: SSAValue | None) -> NpuOp:
    """A norm with another scale and bias."""
    operands = [norm.input, scale, bias]
    if isinstance(norm, LayerNormOp):
        return _layer_norm(norm.input, scale, bias, norm.axes.get_values(), norm.epsilon)
    return type(norm).build(operands=operands, result_types=[norm.result.type], properties=norm.properties)


def _layer_norm(
    value: SSAValue, scale: SSAValue | None, bias: SSAValue | None, axes: Sequence[int], epsilon: Attribute
) -> LayerNormOp:
    # What is repeated everywhere and changes nothing is not written.
    scale = None if number_of_parameter(scale, 1) else scale
    bias = None if number_of_parameter(bias, 0) else bias
    return LayerNormOp.build(
        operands=[value, [scale] if scale else [], [bias] if bias else []],
        result_types=[value.type],
        properties={"axes": i64_array(*axes), "epsilon": epsilon},
    )


def _moved_out(norm: NormOfViews, value: SSAValue, found: RegroupedNorm) -> list[NpuOp]:
    """The ops that normalise a value as a norm normalises its reshape."""
    parameters = norm.scale, norm.bias
    properties: dict[str, Attribute] = {"axes": i64_array(*found.axes), "epsilon": norm.epsilon}
    if found.channels is None:
        singles = [_single(each, value) for each in parameters]
        made = [each for each in singles if isinstance(each, NpuOp)]
        scale, bias = (each.results[0] if isinstance(each, NpuOp) else each for each in singles)
        return [*made, _layer_norm(value, scale, bias, found.axes, norm.epsilon)]
    properties["axis"] = i64_attr(found.channels)
    if found.groups is None:
        operands = [value, *parameters]
        return [InstanceNormOp.build(operands=operands, result_types=[value.type], properties=properties)]
    properties["groups"] = i64_attr(found.groups)
    count = shape_of(value)[found.channels]
    vectors = [_per_channel(each, neutral, count, value) for each, neutral in zip(parameters, (1, 0), strict=True)]
    operands = [value, *(ops[-1].results[0] for ops in vectors)]
    group_norm = GroupNormOp.build(operands=operands, result_types=[value.type], properties=properties)
    return [*vectors[0], *vectors[1], group_norm]


def _single(parameter: SSAValue | None, like: SSAValue) -> SSAValue | NpuOp | None:
    """A uniform parameter as one element."""
    if parameter is None or has_one_element(parameter):
        return parameter
    number = number_of(parameter)
    assert number is not None
    return _splat(number, 1, like)


def _per_channel(parameter: SSAValue | None, neutral: float, count: int, like: SSAValue) -> list[NpuOp]:
    """The ops that compute one number per channel from one per group, or from a single one."""
    number = neutral if parameter is None else number_of(parameter)
    if number is not None or parameter is None:
        return [_splat(neutral if number is None else number, count, like)]
    groups = shape_of(parameter)[0] if shape_of(parameter) else 1
    column = _view(parameter, [groups, 1])
    table = _vector_type([groups, count // groups], like)
    repeated = BroadcastOp.create(operands=[column.result], result_types=[table], properties={"axes": i64_array(0, 1)})
    return [column, repeated, _view(repeated.result, [count])]


def _view(value: SSAValue, shape: Sequence[int]) -> ReshapeOp:
    return ReshapeOp(value, _vector_type(shape, value))


def _splat(number: float, count: int, like: SSAValue) -> ConstantOp:
    type_ = cast("TensorType[AnyFloat]", _vector_type([count], like))
    return ConstantOp(splat(type_, type_.element_type.pack([number])))


def _vector_type(shape: Sequence[int], like: SSAValue) -> TensorType:
    """A tensor type of class Tensor; without a layout if `like` has none."""
    element_type = tensor_type(like).element_type
    if layout_of(like) is None:
        return TensorType(element_type, shape)
    return TensorType(element_type, shape, LayoutAttr(Layout(LayoutClass.TENSOR)))
