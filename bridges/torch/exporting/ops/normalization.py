"""Normalisations and softmax.

PyTorch normalises along the last axes, and has channels second. In other orders an op is placed between two transposes.
"""

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from .....dialects.npu import normalization as ops
from .....dialects.npu.values import element_type_of, has_one_element, shape_of
from .....layout import DYNAMIC, Order, invert, permute
from ...errors import NotExportable
from ..graph import CallBuilder
from ..registry import exports


@exports(ops.SoftmaxOp, ops.LogSoftmaxOp)
def softmax(op: ops.SoftmaxOp | ops.LogSoftmaxOp, graph: CallBuilder, x: SSAValue) -> SSAValue:
    name, axis = "softmax" if isinstance(op, ops.SoftmaxOp) else "log_softmax", op.axis.value.data
    if graph.is_core:
        return graph.call(f"aten._{name}.default", {"self": x}, shape_of(x), dim=axis, half_to_float=False)
    return graph.call(f"aten.{name}.int", {"self": x}, shape_of(x), dim=axis)


def _axes_last(op: ops.AlignedNormOp) -> Order:
    """The permutation that moves the normalised axes to the end."""
    axes, rank = op.axes.get_values(), len(shape_of(op.input))
    return (*(axis for axis in range(rank) if axis not in axes), *sorted(axes))


def _along(op: ops.AlignedNormOp, graph: CallBuilder, x: SSAValue | None, value: SSAValue | None) -> SSAValue | None:
    """A parameter in the shape of the normalised axes."""
    if x is None or value is None:
        return None
    axes, shape = sorted(op.axes.get_values()), shape_of(op.input)
    sizes = [shape[axis] for axis in axes]
    given = [1] * len(axes) if has_one_element(value) else [shape_of(value)[axis] for axis in axes]
    if prod(given) != prod(shape_of(value)) or DYNAMIC in sizes:
        raise NotExportable(f"'{op.name}' with parameters along other axes has no counterpart in PyTorch")
    found = graph.reshape(x, given)
    return found if given == sizes else graph.call("aten.expand.default", {"self": found}, sizes, size=sizes)


@exports(ops.LayerNormOp)
def layer_norm(
    op: ops.LayerNormOp, graph: CallBuilder, x: SSAValue, scale: SSAValue | None, bias: SSAValue | None
) -> SSAValue:
    order = _axes_last(op)
    operands = {
        "input": graph.transpose(x, order),
        "weight": _along(op, graph, scale, op.scale),
        "bias": _along(op, graph, bias, op.bias),
    }
    sizes, count = permute(shape_of(x), order), len(op.axes)
    how = {"normalized_shape": _stated(sizes, len(sizes) - count), "eps": op.epsilon.value.data}
    if not graph.is_core:
        found = graph.call("aten.layer_norm.default", operands, sizes, **how)
    else:
        kept = (*sizes[: len(sizes) - count], *[1] * count)
        elements = [element_type_of(x)] * 3
        found = graph.call_many("aten.native_layer_norm.default", operands, [sizes, kept, kept], elements, **how)[0]
    return graph.transpose(found, invert(order))


def _stated(sizes: Sequence[int], first: int) -> list[int | str]:
    """The last sizes; unknown ones are those of the data."""
    return [f"#0.{axis}" if sizes[axis] == DYNAMIC else sizes[axis] for axis in range(first, len(sizes))]


@exports(ops.RmsNormOp)
def rms_norm(op: ops.RmsNormOp, graph: CallBuilder, x: SSAValue, scale: SSAValue | None) -> SSAValue:
    order = _axes_last(op)
    operands = {"input": graph.transpose(x, order), "weight": _along(op, graph, scale, op.scale)}
    sizes = permute(shape_of(x), order)
    how = {"normalized_shape": _stated(sizes, len(sizes) - len(op.axes)), "eps": op.epsilon.value.data}
    return graph.transpose(graph.call("aten.rms_norm.default", operands, sizes, **how), invert(order))


def _channels_second(op: ops.VectorNormOp, axes: Sequence[int]) -> Order:
    """The permutation to the batch, the channels and the other axes."""
    axis, rank = op.axis.value.data, len(shape_of(op.input))
    batch = [each for each in range(rank) if each != axis and each not in axes]
    if len(batch) != 1:
        raise NotExportable(f"'{op.name}' along these axes has no counterpart in PyTorch")
    return (*batch, axis, *sorted(axes))


@exports(ops.BatchNormOp)
def batch_norm(
    op: ops.BatchNormOp,
    graph: CallBuilder,
    x: SSAValue,
    scale: SSAValue,
    bias: SSAValue,
    mean: SSAValue,
    variance: SSAValue,
) -> SSAValue:
    axis, rank = op.axis.value.data, len(shape_of(x))
    order = _channels_second(op, [each for each in range(rank) if each != axis][1:])
    data = graph.transpose(x, order)
    operands = {"input": data, "weight": scale, "bias": bias, "running_mean": mean, "running_var": variance}
    how = {"momentum": 0.1, "eps": op.epsilon.value.data}
    types = [element_type_of(x), f32, f32]
    name = "aten._native_batch_norm_legit_no_training.default"
    found = graph.call_many(name, operands, [shape_of(data), (0,), (0,)], types, **how)[0]
    return graph.transpose(found, invert(order))


@exports(ops.InstanceNormOp)
def instance_norm(op: ops.InstanceNormOp, graph: CallBuilder, x: SSAValue, scale: SSAValue, bias: SSAValue) -> SSAValue:
    axes, rank = op.axes.get_values(), len(shape_of(x))
    if len(axes) == rank - 1:
        return _norm_of_batch(op, graph, x, scale, bias)
    order = _channels_second(op, axes)
    data = graph.transpose(x, order)
    how = {"use_input_stats": True, "momentum": 0.1, "eps": op.epsilon.value.data, "cudnn_enabled": False}
    operands = {"input": data, "weight": scale, "bias": bias}
    found = graph.call("aten.instance_norm.default", operands, shape_of(data), **how)
    return graph.transpose(found, invert(order))


def _norm_of_batch(
    op: ops.InstanceNormOp, graph: CallBuilder, x: SSAValue, scale: SSAValue, bias: SSAValue
) -> SSAValue:
    """By the statistics along all axes but that of the channels."""
    axis, rank = op.axis.value.data, len(shape_of(x))
    order = _channels_second(op, [each for each in range(rank) if each != axis][1:])
    data = graph.transpose(x, order)
    how = {"training": True, "momentum": 0.1, "eps": op.epsilon.value.data}
    sizes, count = shape_of(data), shape_of(data)[1:2]
    name, elements = "aten._native_batch_norm_legit.no_stats", [element_type_of(x)] * 3
    operands = {"input": data, "weight": scale, "bias": bias}
    found = graph.call_many(name, operands, [sizes, count, count], elements, **how)[0]
    return graph.transpose(found, invert(order))


@exports(ops.GroupNormOp)
def group_norm(op: ops.GroupNormOp, graph: CallBuilder, x: SSAValue, scale: SSAValue, bias: SSAValue) -> SSAValue:
    order, groups, epsilon = _channels_second(op, op.axes.get_values()), op.groups.value.data, op.epsilon.value.data
    data = graph.transpose(x, order)
    sizes = shape_of(data)
    operands = {"input": data, "weight": scale, "bias": bias}
    if not graph.is_core or DYNAMIC in sizes:
        how = {"num_groups": groups, "eps": epsilon, "cudnn_enabled": False}
        found = graph.call("aten.group_norm.default", operands, sizes, **how)
    else:
        batch, channels, *rest = sizes
        counts = {"N": batch, "C": channels, "HxW": prod(rest), "group": groups, "eps": epsilon}
        kept, elements = (batch, groups), [element_type_of(x)] * 3
        name = "aten.native_group_norm.default"
        found = graph.call_many(name, operands, [sizes, kept, kept], elements, **counts)[0]
    return graph.transpose(found, invert(order))
