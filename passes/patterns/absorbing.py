"""The changes of plans in which convolutions take and make channels in other orders."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.npu.attrs import LayoutAttr, i64_array, i64_attr
from ...dialects.npu.base import NpuOp
from ...dialects.npu.convolution import ForwardConvolutionOp
from ...dialects.npu.movement import END_OF_AXIS, ConcatOp, GatherOp, PadOp, SliceOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import layout_of, shape_of, tensor_type
from ...dialects.npu.views import fused
from ...layout import Layout, LayoutClass
from .absorbed import AbsorbPlan, ChannelRange, Channels, NewOrder, PlannedTensor
from .channels import ChannelRegions, Region


def absorb(plan: AbsorbPlan, region: Region, regions: ChannelRegions) -> None:
    """Change a block to a plan for a region, and erase the ops that nothing reads then."""
    values: list[SSAValue | None] = [tensor.source for tensor in plan.tensors]
    picking = sorted({op for value in region.picked for op in regions.ops_of(value)}, key=regions.places.__getitem__)
    for read, number, taken in plan.reads:
        value = _value(number, values, plan, region, regions, read.op)
        if value is read.value and taken is None:
            continue
        if taken is not None and isinstance(read.op, ForwardConvolutionOp):
            _take(read.op, taken)
        read.op.operands[read.operand] = value
    for order in plan.orders:
        _make(order)
    for op in reversed(picking):
        if not any(result.uses for result in op.results):
            Rewriter.erase_op(op)


def _value(
    number: int,
    values: list[SSAValue | None],
    plan: AbsorbPlan,
    region: Region,
    regions: ChannelRegions,
    before: Operation,
) -> SSAValue:
    """The value of a tensor, which is made in front of the first op that reads it."""
    if (known := values[number]) is not None:
        return known
    tensor = plan.tensors[number]
    like = _like(tensor)
    axis, place = region.axes[like], InsertPoint.before(before)
    location = fused([each.location for each in regions.ops_of(like)]) if like in region.picked else before.location
    if tensor.gathered is not None:
        base, places = tensor.gathered
        ops = _gathered(_value(base, values, plan, region, regions, before), axis, places)
    else:
        ops = list[NpuOp]()
        parts = [
            _part(_value(part.tensor, values, plan, region, regions, before), axis, part, ops) for part in tensor.parts
        ]
        if len(parts) > 1:
            ops.append(_op(ConcatOp, parts, axis, len(tensor.channels), axis=i64_attr(axis)))
    for op in ops:
        op.location = location
    Rewriter.insert_op(ops, place)
    values[number] = value = ops[-1].results[0]
    value.name_hint = like.name_hint
    return value


def _like(tensor: PlannedTensor) -> SSAValue:
    assert tensor.like is not None, "a tensor that is made is like a value"
    return tensor.like


def _part(value: SSAValue, axis: int, part: ChannelRange, ops: list[NpuOp]) -> SSAValue:
    """A part of a value, by an op more if it is not the whole."""
    sizes = shape_of(value)
    if part.stop - part.start == sizes[axis]:
        return value
    ops.append(_slice(value, axis, part.start, part.stop))
    return ops[-1].results[0]


def _take(op: ForwardConvolutionOp, taken: Channels) -> None:
    """Let a convolution read channels that are those of its data at these places, or others at -1."""
    size = shape_of(op.data)[op.channels]
    if np.array_equal(taken, np.arange(size)):
        return
    ops = _without_groups(op)
    kernel, axis = ops[-1].results[0] if ops else op.kernel, op.kernel_inputs
    if (taken < 0).any():
        ops.append(_padded(kernel, axis, 0, 1))
        kernel = ops[-1].results[0]
    ops += _gathered(kernel, axis, np.where(taken < 0, size, taken))
    _replace_weights(op, 1, ops)


def _make(order: NewOrder) -> None:
    """Let an op make a value in a new order."""
    op = order.value.owner
    assert isinstance(op, NpuOp), "an op makes it"
    if isinstance(op, ForwardConvolutionOp) and not op.is_on_each_channel() and not _keeps_groups(op, order.places):
        if ops := _without_groups(op):
            _replace_weights(op, 1, ops)
    indices: dict[bool, ConstantOp] = {}
    for index, axis in order.constants:
        ops = _gathered(op.operands[index], axis, order.places, indices)
        _replace_weights(op, index, ops)


def _keeps_groups(op: ForwardConvolutionOp, places: Channels) -> bool:
    """True if each group of outputs has those that it had."""
    size = len(places) // op.groups.value.data
    return bool((places // size == np.arange(len(places)) // size).all())


def _replace_weights(op: NpuOp, index: int, ops: Sequence[NpuOp]) -> None:
    """Let an op read the result of some ops on its weights, which have not the name of its own result."""
    weights = op.operands[index]
    for each in ops:
        each.location = weights.owner.location if isinstance(weights.owner, Operation) else op.location
    Rewriter.insert_op(ops, InsertPoint.before(op))
    op.operands[index] = ops[-1].results[0]


def _without_groups(op: ForwardConvolutionOp) -> list[NpuOp]:
    """The ops that compute the kernel of a convolution without groups, with zeros for the channels of other groups."""
    groups = op.groups.value.data
    if groups == 1:
        return []
    outputs = op.weighted_outputs()
    assert outputs is not None, "a convolution without blocks has outputs"
    along, inputs = outputs.of_weights, op.kernel_inputs
    sizes = shape_of(op.kernel)
    count, width = sizes[along] // groups, sizes[inputs]
    ops: list[NpuOp] = []
    for group in range(groups):
        ops.append(_slice(op.kernel, along, group * count, (group + 1) * count))
        ops.append(_padded(ops[-1].results[0], inputs, group * width, (groups - 1 - group) * width))
    parts = [each.results[0] for each in ops[1::2]]
    ops.append(_op(ConcatOp, parts, along, sizes[along], axis=i64_attr(along)))
    op.properties["groups"] = i64_attr(1)
    return ops


def _gathered(value: SSAValue, axis: int, places: Channels, known: dict[bool, ConstantOp] | None = None) -> list[NpuOp]:
    """Ops that gather positions of an axis; the indices are among those `known`, with and without a layout."""
    known = {} if known is None else known
    has_layout = layout_of(value) is not None
    ops: list[NpuOp] = []
    if has_layout not in known:
        layout = [LayoutAttr(Layout(LayoutClass.TENSOR))] if has_layout else []
        type_ = TensorType(i64, [len(places)], *layout)
        known[has_layout] = ConstantOp(DenseIntOrFPElementsAttr(type_, BytesAttr(places.astype(np.int64).tobytes())))
        ops.append(known[has_layout])
    operands = [value, known[has_layout].result]
    return [*ops, _op(GatherOp, operands, axis, len(places), axis=i64_attr(axis))]


def _slice(value: SSAValue, axis: int, start: int, stop: int) -> NpuOp:
    rank = len(shape_of(value))
    starts = [start if place == axis else 0 for place in range(rank)]
    limits = [stop if place == axis else END_OF_AXIS for place in range(rank)]
    return _op(SliceOp, [value], axis, stop - start, starts=i64_array(*starts), limits=i64_array(*limits))


def _padded(value: SSAValue, axis: int, before: int, behind: int) -> NpuOp:
    rank, size = len(shape_of(value)), shape_of(value)[axis]
    low, high = ([count if place == axis else 0 for place in range(rank)] for count in (before, behind))
    return _op(PadOp, [value], axis, before + size + behind, low=i64_array(*low), high=i64_array(*high))


def _op(kind: type[NpuOp], operands: Sequence[SSAValue], along: int, size: int, **properties: Attribute) -> NpuOp:
    """An op with a result like its first operand, but for the size of an axis."""
    type_, sizes = tensor_type(operands[0]), list(shape_of(operands[0]))
    sizes[along] = size
    result = TensorType(type_.element_type, sizes, type_.encoding)
    return kind.create(operands=operands, result_types=[result], properties=properties)
