"""Normalisations: softmax and local response normalisation along the last axis, all others as arithmetic."""

from collections.abc import Sequence
from math import prod

import numpy as np

from .....dialects.npu import normalization as ops
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC, invert
from ...errors import NotExportable
from ..elements import LiteElement
from ..graph import LiteGraph, LiteTensor
from ..registry import exports

MOST_REDUCED_AXES = 6


def along_last(graph: LiteGraph, x: LiteTensor, axis: int, kind: str, **options: object) -> LiteTensor:
    """An op that works along the last axis, between two transposes if need be."""
    rank = len(x.shape)
    order = (*(each for each in range(rank) if each != axis), axis)
    result = graph.unary(kind, graph.transpose(x, order), **options)
    return graph.transpose(result, invert(order))


@exports(ops.SoftmaxOp)
def softmax(op: ops.SoftmaxOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return along_last(graph, x, op.axis.value.data, "SOFTMAX", beta=1.0)


@exports(ops.LogSoftmaxOp)
def log_softmax(op: ops.LogSoftmaxOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return along_last(graph, x, op.axis.value.data, "LOG_SOFTMAX")


@exports(ops.HardmaxOp)
def hardmax(op: ops.HardmaxOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """The largest elements, if they are at the place of the first one."""
    axis, sizes = op.axis.value.data, x.shape
    if sizes[axis] == DYNAMIC:
        raise NotExportable(f"'{op.name}' along an axis of unknown size has no counterpart in LiteRT")
    kept = (*sizes[:axis], 1, *sizes[axis + 1 :])
    found = graph.node(
        "ARG_MAX",
        [x, graph.ints(axis)],
        (*sizes[:axis], *sizes[axis + 1 :]),
        LiteElement.I32,
        outputType=LiteElement.I32,
    )
    places = np.arange(sizes[axis]).reshape([size if each == axis else 1 for each, size in enumerate(sizes)])
    is_first = graph.binary(
        "EQUAL", graph.numbers(places, LiteElement.I32), graph.reshape(found, kept), LiteElement.BOOL
    )
    is_largest = graph.binary("EQUAL", x, graph.reduce("REDUCE_MAX", x, [axis]), LiteElement.BOOL)
    return graph.cast(graph.binary("LOGICAL_AND", is_largest, is_first), x.element)


@exports(ops.LpNormOp)
def lp_norm(op: ops.LpNormOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """x divided by its norm, and 0 where that is 0."""
    axis = [op.axis.value.data]
    if op.p.value.data == 1:
        norm = graph.reduce("SUM", graph.unary("ABS", x), axis)
    else:
        norm = graph.unary("SQRT", graph.reduce("SUM", graph.binary("MUL", x, x), axis))
    is_zero = graph.binary("EQUAL", norm, graph.like(x, 0), LiteElement.BOOL)
    safe = graph.elementwise(
        "SELECT_V2", (is_zero, graph.numbers(np.ones([1] * len(norm.shape)), x.element), norm), x.element
    )
    return graph.binary("DIV", x, safe)


@exports(ops.LrnOp)
def lrn(op: ops.LrnOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """LOCAL_RESPONSE_NORMALIZATION for images and odd sizes, of which it takes the radius."""
    axis, rank, size = op.axis.value.data, len(x.shape), op.size.value.data
    if not size % 2:
        raise NotExportable(f"'{op.name}' of an even size has no counterpart in LiteRT")
    options = {
        "radius": size // 2,
        "bias": op.bias.value.data,
        "alpha": op.alpha.value.data / size,
        "beta": op.beta.value.data,
    }
    if rank == 4:
        return along_last(graph, x, axis, "LOCAL_RESPONSE_NORMALIZATION", **options)
    order = (*(each for each in range(rank) if each != axis), axis)
    data = graph.transpose(x, order)
    flat = graph.reshape(data, (1, 1, prod(data.shape[:-1]) if DYNAMIC not in data.shape else DYNAMIC, data.shape[-1]))
    result = graph.unary("LOCAL_RESPONSE_NORMALIZATION", flat, **options)
    return graph.transpose(graph.reshape(result, data.shape), invert(order))


def normalised(graph: LiteGraph, x: LiteTensor, axes: Sequence[int], epsilon: float) -> LiteTensor:
    """(x - mean) / √(variance + epsilon), with mean and variance along the axes."""
    x = precise(graph, x)
    centred = graph.binary("SUB", x, graph.reduce("MEAN", x, axes))
    return _divided(graph, centred, centred, axes, epsilon)


def _divided(graph: LiteGraph, x: LiteTensor, squared: LiteTensor, axes: Sequence[int], epsilon: float) -> LiteTensor:
    """x divided by the root of the mean square of another tensor along the axes."""
    x, squared = precise(graph, x), precise(graph, squared)
    variance = graph.reduce("MEAN", graph.binary("MUL", squared, squared), axes)
    return graph.binary("MUL", x, graph.unary("RSQRT", graph.binary("ADD", variance, graph.like(x, epsilon))))


def precise(graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    """Cast to the type in which means are computed."""
    return graph.cast(x, LiteElement.F32) if x.element == LiteElement.F16 else x


def scaled(
    graph: LiteGraph, x: LiteTensor, scale: LiteTensor | None, bias: LiteTensor | None, element: LiteElement
) -> LiteTensor:
    """x * scale + bias in this element type, where scale and bias are optional."""
    if scale is not None:
        x = graph.binary("MUL", x, graph.cast(_without_units(graph, scale, len(x.shape)), x.element))
    if bias is not None:
        x = graph.binary("ADD", x, graph.cast(_without_units(graph, bias, len(x.shape)), x.element))
    return graph.cast(x, element)


def _without_units(graph: LiteGraph, x: LiteTensor, rank: int) -> LiteTensor:
    """A constant without its unit axes in front, which broadcasting adds."""
    if x.data is None or len(x.shape) > rank:
        return graph.reshape(x, ()) if len(x.shape) > rank else x
    first = next((axis for axis, size in enumerate(x.shape) if size != 1), len(x.shape))
    return graph.reshape(x, x.shape[first:])


@exports(ops.TensorNormOp)
def tensor_norm(op: ops.TensorNormOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    return graph.cast(normalised(graph, x, op.axes.get_values(), op.epsilon.value.data), x.element)


@exports(ops.LayerNormOp)
def layer_norm(
    op: ops.LayerNormOp, graph: LiteGraph, x: LiteTensor, scale: LiteTensor | None, bias: LiteTensor | None
) -> LiteTensor:
    return scaled(graph, normalised(graph, x, op.axes.get_values(), op.epsilon.value.data), scale, bias, x.element)


@exports(ops.RmsNormOp)
def rms_norm(op: ops.RmsNormOp, graph: LiteGraph, x: LiteTensor, scale: LiteTensor | None) -> LiteTensor:
    return scaled(graph, _divided(graph, x, x, op.axes.get_values(), op.epsilon.value.data), scale, None, x.element)


def along(graph: LiteGraph, x: LiteTensor, axis: int, rank: int) -> LiteTensor:
    """A vector of parameters, to be broadcast along one axis."""
    return graph.reshape(x, (x.shape[0] if x.shape else 1, *(1 for _ in range(axis + 1, rank))))


@exports(ops.BatchNormOp)
def batch_norm(op: ops.BatchNormOp, graph: LiteGraph, x: LiteTensor, *given: LiteTensor) -> LiteTensor:
    """One product and one sum; the factors are computed at once if they are constants."""
    axis, rank, epsilon = op.axis.value.data, len(x.shape), op.epsilon.value.data
    known = [graph.known(each) for each in given]
    if all(each is not None for each in known):
        scale, bias, mean, variance = (np.asarray(each, np.float64) for each in known)
        factor = scale / np.sqrt(variance + epsilon)
        parts = [graph.numbers(each, x.element) for each in (factor, bias - mean * factor)]
    else:
        scale, bias, mean, variance = given
        root = graph.unary("RSQRT", graph.binary("ADD", variance, graph.like(x, epsilon)))
        factor = graph.binary("MUL", scale, root)
        parts = [factor, graph.binary("SUB", bias, graph.binary("MUL", mean, factor))]
    factor, shift = (along(graph, each, axis, rank) for each in parts)
    return scaled(graph, x, factor, shift, x.element)


@exports(ops.InstanceNormOp)
def instance_norm(
    op: ops.InstanceNormOp, graph: LiteGraph, x: LiteTensor, scale: LiteTensor, bias: LiteTensor
) -> LiteTensor:
    axis, rank = op.axis.value.data, len(x.shape)
    whole = normalised(graph, x, op.axes.get_values(), op.epsilon.value.data)
    return scaled(graph, whole, along(graph, scale, axis, rank), along(graph, bias, axis, rank), x.element)


@exports(ops.GroupNormOp)
def group_norm(op: ops.GroupNormOp, graph: LiteGraph, x: LiteTensor, scale: LiteTensor, bias: LiteTensor) -> LiteTensor:
    """The channels are cut into groups, and the mean is taken along the channels of a group as well."""
    axis, rank, groups = op.axis.value.data, len(x.shape), op.groups.value.data
    shape = shape_of(op.input)
    if shape[axis] == DYNAMIC:
        raise NotExportable(f"'{op.name}' of an unknown number of channels has no counterpart in LiteRT")
    if rank >= MOST_REDUCED_AXES:
        raise NotExportable(f"LiteRT's MEAN does not take {rank + 1} axes")
    cut = graph.reshape(x, (*shape[:axis], groups, shape[axis] // groups, *shape[axis + 1 :]))
    axes = [axis + 1, *(each + (each > axis) for each in op.axes.get_values())]
    whole = graph.reshape(normalised(graph, cut, axes, op.epsilon.value.data), shape)
    return scaled(graph, whole, along(graph, scale, axis, rank), along(graph, bias, axis, rank), x.element)
