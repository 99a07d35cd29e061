"""Normalisations and softmax.

Most normalisations of ONNX require the normalised axes last, or the channels second. In other orders the op is placed
between two transposes, or expanded to arithmetic if no order fits.
"""

from collections.abc import Iterable, Sequence
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.npu import normalization as ops
from .....dialects.npu.values import has_one_element, shape_of
from .....layout import DYNAMIC, Order, identity, invert
from ...counterparts import SOFTMAX
from ...errors import NotExportable
from ..elements import BF16, F16, F32
from ..graph import END, OnnxGraph, OnnxTensor, OperandSize, Size
from ..registry import exports

MOST_NEIGHBOURS = 1024
"""The most neighbours that are summed by one node each."""
AS_NONE = 1e-18
"""An epsilon that matters only where the variance is 0: MeanVarianceNormalization adds its root to the deviation."""


KINDS = {row.op: row.kind for row in SOFTMAX}


@exports(*KINDS)
def softmax(op: ops.SoftmaxOp | ops.LogSoftmaxOp | ops.HardmaxOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.op(KINDS[type(op)], x, axis=op.axis.value.data)


@exports(ops.LpNormOp)
def lp_norm(op: ops.LpNormOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    return graph.op("LpNormalization", x, axis=op.axis.value.data, p=op.p.value.data)


@exports(ops.LrnOp)
def lrn(op: ops.LrnOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """LRN, which ONNX Runtime has for images and odd sizes; a sum of shifted squares for all others."""
    axis, rank, size = op.axis.value.data, len(shape_of(op.input)), op.size.value.data
    alpha, beta, bias = op.alpha.value.data, op.beta.value.data, op.bias.value.data
    if rank == 4 and size % 2 and alpha > 0 and beta > 0 and x.element in (F16, BF16, F32):
        order = channels_second(axis, rank)
        result = graph.op("LRN", graph.transpose(x, order), size=size, alpha=alpha, beta=beta, bias=bias)
        return graph.transpose(result, invert(order))
    x = precise(graph, x)
    share = graph.node("Mul", _sum_of_neighbours(op, graph, graph.node("Mul", x, x)), graph.like(x, alpha / size))
    base = graph.node("Add", share, graph.like(x, bias))
    return graph.node("Div", x, graph.node("Pow", base, graph.like(x, beta)))


def _sum_of_neighbours(op: ops.LrnOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    axis, shape = op.axis.value.data, shape_of(op.input)
    before, behind = op.reach(shape[axis])
    if before + behind >= MOST_NEIGHBOURS:
        raise NotExportable(f"'{op.name}': expected at most {MOST_NEIGHBOURS} neighbours, found {before + behind + 1}")
    low, high = ([count if each == axis else 0 for each in range(len(shape))] for count in (before, behind))
    padded = graph.padded(x, low, high)
    ends = [each - before - behind or END for each in range(before + behind + 1)]
    parts = [graph.slice(padded, [axis], [each], [end]) for each, end in enumerate(ends)]
    return parts[0] if len(parts) == 1 else graph.node("Sum", *parts)


def precise(graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Cast to a type in which means are computed."""
    return graph.cast(x, F32) if x.element in (F16, BF16) else x


def normalised(graph: OnnxGraph, x: OnnxTensor, rank: int, axes: Iterable[int], epsilon: float) -> OnnxTensor:
    """(x - mean) / √(variance + epsilon), with mean and variance along the axes.

    Compilers know a layer norm by these nodes, with the axes counted from the last one, as PyTorch's exporters write.
    """
    x, last = precise(graph, x), [axis - rank for axis in axes]
    centred = graph.node("Sub", x, graph.reduce("ReduceMean", x, last))
    variance = graph.reduce("ReduceMean", graph.node("Pow", centred, graph.like(x, 2)), last)
    return graph.node("Div", centred, graph.node("Sqrt", graph.node("Add", variance, graph.like(x, epsilon))))


def scaled(graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor | None, bias: OnnxTensor | None) -> OnnxTensor:
    """x * scale + bias, where scale and bias are optional."""
    if scale is not None:
        x = graph.node("Mul", x, graph.cast(scale, x.element))
    return x if bias is None else graph.node("Add", x, graph.cast(bias, x.element))


@exports(ops.TensorNormOp)
def tensor_norm(op: ops.TensorNormOp, graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """MeanVarianceNormalization if the epsilon is as good as none, else arithmetic."""
    if x.element is F32 and op.epsilon.value.data == AS_NONE:
        return graph.op("MeanVarianceNormalization", x, axes=list(op.axes.get_values()))
    return normalised(graph, x, len(shape_of(op.input)), op.axes.get_values(), op.epsilon.value.data)


def axes_last(axes: Sequence[int], rank: int) -> Order:
    """The permutation that moves some axes to the end and keeps the order otherwise."""
    return (*(axis for axis in range(rank) if axis not in axes), *sorted(axes))


def _size(sizes: Iterable[int]) -> int:
    """The size of an axis, which a parameter that is not repeated along it has as well."""
    given, *others = sizes
    return given if given != DYNAMIC else next((size for size in others if size not in (1, DYNAMIC)), DYNAMIC)


class NormParameters:
    """Scale and bias of a normalisation over the last axes, if they lie along these axes only."""

    def __init__(self, op: ops.AlignedNormOp, graph: OnnxGraph):
        self.graph = graph
        self.axes = sorted(op.axes.get_values())
        parameters = (value for value in op.operands[1:] if not has_one_element(value))
        shapes = [shape_of(value) for value in (op.input, *parameters)]
        self.sizes = [_size(shape[axis] for shape in shapes) for axis in self.axes]

    @property
    def are_known(self) -> bool:
        """True if the sizes of the normalised axes are known."""
        return DYNAMIC not in self.sizes

    def vector(
        self, x: OnnxTensor | None, value: SSAValue | None, default: float, like: OnnxTensor
    ) -> OnnxTensor | None:
        """A parameter in the shape of the normalised axes, or None if it has others."""
        if value is None or x is None:
            return self.graph.numbers(np.full(self.sizes, default), like.element)
        shape = shape_of(value)
        given = [1 if has_one_element(value) else shape[axis] for axis in self.axes]
        if DYNAMIC in shape or prod(shape) != prod(given):
            return None
        wide = x if list(shape) == given else self.graph.reshape(x, given)
        return wide if given == self.sizes else self.graph.op("Expand", wide, self.graph.ints(*self.sizes))


@exports(ops.LayerNormOp)
def layer_norm(
    op: ops.LayerNormOp, graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor | None, bias: OnnxTensor | None
) -> OnnxTensor:
    parameters, rank, epsilon = NormParameters(op, graph), len(shape_of(op.input)), op.epsilon.value.data
    scale, bias = (_of_rank(graph, p, v, rank) for p, v in ((scale, op.scale), (bias, op.bias)))
    if parameters.are_known and x.element != BF16 and graph.opset.has("LayerNormalization"):
        factor = parameters.vector(scale, op.scale, 1, x)
        shift = None if op.bias is None else parameters.vector(bias, op.bias, 0, x)
        if factor is not None and (shift is not None or op.bias is None):
            order = axes_last(parameters.axes, rank)
            axis = rank - len(parameters.axes)
            inputs = [graph.transpose(x, order), factor, *([] if shift is None else [shift])]
            result = graph.op("LayerNormalization", *inputs, axis=axis, epsilon=epsilon)
            return graph.transpose(result, invert(order))
    return scaled(graph, normalised(graph, x, rank, parameters.axes, epsilon), scale, bias)


def _of_rank(graph: OnnxGraph, x: OnnxTensor | None, value: SSAValue | None, rank: int) -> OnnxTensor | None:
    """Reshape a parameter of one element to a scalar if its rank would increase that of the result."""
    if x is None or value is None or len(shape_of(value)) <= rank:
        return x
    return graph.reshape(x, ())


@exports(ops.RmsNormOp)
def rms_norm(op: ops.RmsNormOp, graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor | None) -> OnnxTensor:
    parameters, rank, epsilon = NormParameters(op, graph), len(shape_of(op.input)), op.epsilon.value.data
    scale = _of_rank(graph, scale, op.scale, rank)
    if parameters.are_known and x.element != BF16 and graph.opset.has("RMSNormalization"):
        factor = parameters.vector(scale, op.scale, 1, x)
        if factor is not None:
            order = axes_last(parameters.axes, rank)
            axis = rank - len(parameters.axes)
            result = graph.op("RMSNormalization", graph.transpose(x, order), factor, axis=axis, epsilon=epsilon)
            return graph.transpose(result, invert(order))
    x = precise(graph, x)
    square = graph.reduce("ReduceMean", graph.node("Mul", x, x), parameters.axes)
    root = graph.node("Sqrt", graph.node("Add", square, graph.like(x, epsilon)))
    return scaled(graph, graph.node("Div", x, root), scale, None)


def channels_second(axis: int, rank: int) -> Order:
    """The permutation that moves an axis to position 1."""
    others = [other for other in range(rank) if other != axis]
    return (*others[:1], axis, *others[1:])


@exports(ops.BatchNormOp)
def batch_norm(op: ops.BatchNormOp, graph: OnnxGraph, x: OnnxTensor, *vectors: OnnxTensor) -> OnnxTensor:
    axis, rank = op.axis.value.data, len(shape_of(op.input))
    # A single axis is the channels; ONNX requires a batch axis before it.
    wide = graph.unsqueeze(x, [0]) if rank == 1 else x
    order = channels_second(axis, rank) if rank > 1 else identity(2)
    result = graph.op("BatchNormalization", graph.transpose(wide, order), *vectors, epsilon=op.epsilon.value.data)
    back = graph.transpose(result, invert(order))
    return graph.op("Squeeze", back, graph.ints(0)) if rank == 1 else back


def along(graph: OnnxGraph, vector: OnnxTensor, axis: int, rank: int) -> OnnxTensor:
    """Reshape a vector along an axis so that it broadcasts to a tensor of this rank."""
    return graph.unsqueeze(vector, [other for other in range(rank) if other != axis])


def one_batch_axis(op: ops.ChannelNormOp) -> Order | None:
    """The permutation to (N, C, normalised axes) if there is exactly one other axis."""
    axis, axes, rank = op.axis.value.data, sorted(op.axes.get_values()), len(shape_of(op.input))
    batch = [other for other in range(rank) if other != axis and other not in axes]
    return (*batch, axis, *axes) if len(batch) == 1 and axes else None


@exports(ops.InstanceNormOp)
def instance_norm(
    op: ops.InstanceNormOp, graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor, bias: OnnxTensor
) -> OnnxTensor:
    axis, rank, epsilon = op.axis.value.data, len(shape_of(op.input)), op.epsilon.value.data
    if (order := one_batch_axis(op)) is not None and graph.opset.has("InstanceNormalization"):
        result = graph.op("InstanceNormalization", graph.transpose(x, order), scale, bias, epsilon=epsilon)
        return graph.transpose(result, invert(order))
    result = normalised(graph, x, rank, op.axes.get_values(), epsilon)
    return scaled(graph, result, along(graph, scale, axis, rank), along(graph, bias, axis, rank))


@exports(ops.GroupNormOp)
def group_norm(op: ops.GroupNormOp, graph: OnnxGraph, x: OnnxTensor, scale: OnnxTensor, bias: OnnxTensor) -> OnnxTensor:
    axis, groups, shape = op.axis.value.data, op.groups.value.data, shape_of(op.input)
    epsilon = op.epsilon.value.data
    if (order := one_batch_axis(op)) is not None and graph.opset.has("GroupNormalization"):
        inputs = graph.transpose(x, order), scale, bias
        result = graph.op("GroupNormalization", *inputs, num_groups=groups, epsilon=epsilon)
        return graph.transpose(result, invert(order))
    grouped = graph.reshape(x, _grouped(graph, x, shape, axis, groups))
    # The axes after the channels are shifted by one.
    axes = [axis + 1, *(other + (other > axis) for other in op.axes.get_values())]
    result = normalised(graph, grouped, len(shape) + 1, axes, epsilon)
    flat = graph.reshape(result, [graph.size(x, a) if size == DYNAMIC else size for a, size in enumerate(shape)])
    return scaled(graph, flat, along(graph, scale, axis, len(shape)), along(graph, bias, axis, len(shape)))


def _grouped(graph: OnnxGraph, x: OnnxTensor, shape: Sequence[int], axis: int, groups: int) -> list[Size | OperandSize]:
    """The shape with the channels split into groups and channels per group."""
    sizes: list[Size | OperandSize] = [OperandSize(a) if size == DYNAMIC else size for a, size in enumerate(shape)]
    inner: Size = shape[axis] // groups
    if shape[axis] == DYNAMIC:
        inner = graph.node("Div", graph.size(x, axis), graph.ints(groups))
    return [*sizes[:axis], groups, inner, *sizes[axis + 1 :]]
