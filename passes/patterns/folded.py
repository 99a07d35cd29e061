"""Constants behind convolutions and matrix products, which weights and biases can take."""

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects.npu.attrs import LayoutAttr
from ...dialects.npu.base import NpuOp, WeightedOutputs
from ...dialects.npu.binary import AddOp, MulOp
from ...dialects.npu.elementwise import ArithmeticOp, ElementwiseOp
from ...dialects.npu.movement import GatherOp, MovementOp
from ...dialects.npu.shape import ReshapeOp, ViewOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import element_type_of, has_one_element, is_float, layout_of, shape_of, tensor_type
from ...dialects.npu.views import views_without_moving
from ...layout import DYNAMIC, Layout, LayoutClass, named


class Taken(NamedTuple):
    """A convolution or product, and the numbers behind it: one for each output, or one for all."""

    op: NpuOp
    outputs: WeightedOutputs
    numbers: SSAValue

    @property
    def bias(self) -> SSAValue | None:
        return self.op.operands[2] if len(self.op.operands) > 2 else None

    @property
    def outputs_count(self) -> int:
        """The number of outputs."""
        return shape_of(self.outputs.weights)[self.outputs.of_weights]


def taken(op: AddOp | MulOp) -> Taken | None:
    """The convolution or product that can take the constant of a sum or product behind it."""
    for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        found = weighted(value, op.result.type)
        if found is not None and is_per_output(other, shape_of(value), found[1].axis):
            return Taken(*found, other)
    return None


def weighted(value: SSAValue, type_: Attribute) -> tuple[NpuOp, WeightedOutputs] | None:
    """The op of a value that it alone uses, if it has constant weights with one axis of outputs."""
    op = value.owner
    if not isinstance(op, NpuOp) or not value.has_one_use() or value.type != type_:
        return None
    outputs = op.weighted_outputs()
    if outputs is None or not is_float(element_type_of(value)) or not is_known(outputs.weights):
        return None
    has_known_bias = len(op.operands) < 3 or is_known(op.operands[2])
    return (op, outputs) if has_known_bias and shape_of(value)[outputs.axis] != DYNAMIC else None


def is_known(value: SSAValue) -> bool:
    """True if a value is computed from constants alone."""
    left, seen = [value], set[SSAValue]()
    while left:
        each = left.pop()
        if each in seen or isinstance(each.owner, ConstantOp):
            continue
        if not isinstance(each.owner, ElementwiseOp | MovementOp | GatherOp | ViewOp) or len(each.owner.results) > 1:
            return False
        seen.add(each)
        left += each.owner.operands
    return True


def is_per_output(value: SSAValue, shape: Sequence[int], axis: int) -> bool:
    """True if a constant has one element, or one for each position of this axis."""
    if not is_known(value):
        return False
    wanted = [size if place == axis else 1 for place, size in enumerate(shape)]
    return has_one_element(value) or [*shape_of(value)] == wanted


class Made(NamedTuple):
    """New ops, and the value that they compute."""

    ops: Sequence[NpuOp]
    value: SSAValue


def scaled_weights(found: Taken) -> Made | None:
    """The weights times the numbers, in front of a reshape that lets a matrix be one of batches."""
    weights, axis = found.outputs.weights, found.outputs.of_weights
    view = weights.owner if isinstance(weights.owner, ReshapeOp) else None
    added = 0 if view is None else len(shape_of(weights)) - len(shape_of(view.input))
    if view is None or [*shape_of(weights)] != [*[1] * added, *shape_of(view.input)]:
        view, added = None, 0
    source = weights if view is None else view.input
    factor = aligned(found.numbers, tensor_type(source), axis - added)
    if factor is None:
        return None
    product = MulOp.build(operands=[source, factor.value], result_types=[source.type])
    if view is None:
        return Made([*factor.ops, product], product.result)
    batched = ReshapeOp(product.result, weights.type)
    return Made([*factor.ops, product, batched], batched.result)


def with_bias(found: Taken, op: type[ArithmeticOp]) -> Made | None:
    """The bias plus or times the numbers."""
    assert found.bias is not None, "only a bias is changed"
    bias = Made([], found.bias)
    if has_one_element(found.bias) and not has_one_element(found.numbers):
        bias = as_bias(found.bias, found)
    if bias is None:
        return None
    type_ = tensor_type(bias.value)
    shape = shape_of(bias.value)
    numbers = aligned(found.numbers, type_, len(shape) - 1) if shape else Made([], found.numbers)
    if numbers is None:
        return None
    sizes = (*shape[:-1], max(shape[-1], shape_of(numbers.value)[-1])) if shape else shape
    result = TensorType(type_.element_type, sizes, type_.encoding)
    made = op.build(operands=[bias.value, numbers.value], result_types=[result])
    return Made([*bias.ops, *numbers.ops, made], made.result)


def as_bias(numbers: SSAValue, found: Taken) -> Made | None:
    """Numbers as a vector."""
    type_ = TensorType(element_type_of(numbers), [1])
    if layout_of(found.op.results[0]) is not None:
        type_ = TensorType(element_type_of(numbers), [1], LayoutAttr(Layout(LayoutClass.TENSOR)))
    return aligned(numbers, type_, 0)


def aligned(numbers: SSAValue, type_: TensorType, axis: int) -> Made | None:
    """Numbers along an axis of values of this type; None if no view shows them so."""
    count = 1 if has_one_element(numbers) else max(shape_of(numbers))
    sizes = [count if place == axis else 1 for place in range(len(type_.get_shape()))]
    wanted = TensorType(type_.element_type, sizes, type_.encoding)
    views = views_without_moving(numbers, named(shape_of(numbers)), wanted, named(sizes))
    return None if views is None else Made(views, views[-1].result if views else numbers)
