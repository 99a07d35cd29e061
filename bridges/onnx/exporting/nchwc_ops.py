"""The ops of com.microsoft.nchwc for ops of the dialect on values in blocks."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue

from ....dialects.npu import binary, convolution, normalization, packing, pooling, reduction, resampling
from ....dialects.npu.base import NpuOp
from ....dialects.npu.values import layout_of, logical_shape, order_of_value, shape_of
from ....dialects.program.names import by_definition
from ....layout import DYNAMIC, Layout, identity
from ..nchwc import SIZES
from .convolutions import groups_of, kernel_layout, window_attributes
from .elements import F32
from .graph import OnnxTensor
from .nchwc import Nchwc, block_of
from .ops.pooling import as_onnx, sees_data, sliding
from .storage import to_logical

KERNELS = {Layout.parse(text) for size in SIZES for text in (f"OIHW{size}i{size}o", f"OIHW{size}o")}
Array: TypeAlias = NDArray[Any]
Writer: TypeAlias = Callable[..., OnnxTensor | None]
"""A function of an op, the flat tensors, and one argument per operand, whose result is None if there is no such op."""
W = TypeVar("W", bound=Writer)
WRITERS: dict[type[Operation], Writer] = {}


def in_blocks(*ops: type[NpuOp]) -> Callable[[W], W]:
    def enter(function: W) -> W:
        WRITERS.update(dict.fromkeys(ops, function))
        return function

    return enter


def written(nchwc: Nchwc, op: NpuOp, operands: Sequence[OnnxTensor]) -> OnnxTensor | None:
    """The result of an op on values in blocks as an op of the domain, or None if there is none."""
    writer = WRITERS.get(type(op))
    found = None if writer is None else writer(op, nchwc, *by_definition(op, operands))
    if found is not None:
        nchwc.check_size(op)
    return found


@in_blocks(packing.PackOp)
def pack(op: packing.PackOp, nchwc: Nchwc, x: OnnxTensor) -> OnnxTensor | None:
    if block_of(op.result) is None or op.layouts()[0].tiles:
        return None
    return nchwc.to_stored(x, op.result, order_of_value(op.input))


@in_blocks(packing.UnpackOp)
def unpack(op: packing.UnpackOp, nchwc: Nchwc, x: OnnxTensor) -> OnnxTensor | None:
    if block_of(op.input) is None:
        return None
    return nchwc.to_logical(x, op.input, order_of_value(op.result))


@in_blocks(convolution.Conv2dOp)
def conv2d(
    op: convolution.Conv2dOp, nchwc: Nchwc, x: OnnxTensor, kernel: OnnxTensor, bias: OnnxTensor | None
) -> OnnxTensor | None:
    size = block_of(op.result)
    if size is None:
        return _depthwise(op, nchwc, x, kernel, bias)
    if (sizes := _flat_sizes(op.kernel)) is None:
        return None
    data = _whole_data(op, nchwc, x, size) if op.has_whole_data() else nchwc.flat(x, op.data)
    if data is None:
        return None
    # The padding of a depthwise convolution has groups of its own.
    groups = sizes[0] if op.facts().get("depthwise") else groups_of(op)
    inputs = [data, nchwc.graph.reshape(kernel, sizes)]
    if bias is not None:
        inputs.append(nchwc.graph.reshape(bias, sizes[:1]))
    window = op.sliding_window(op.SPATIAL_RANK)
    result = nchwc.node("Conv", *inputs, group=groups, **window_attributes(window, sizes[2:]))
    return nchwc.stored(result, op.result)


def _depthwise(
    op: convolution.Conv2dOp, nchwc: Nchwc, x: OnnxTensor, kernel: OnnxTensor, bias: OnnxTensor | None
) -> OnnxTensor | None:
    """A depthwise convolution of whole data, in blocks between two reorders: it takes ten times as long without."""
    graph, (_, channels, *_), sizes = nchwc.graph, shape_of(op.data), shape_of(op.kernel)
    layouts = op.feature_layout("data", op.data), kernel_layout(op, "kernel", op.kernel)
    is_plain = all(not each.tiles and each.order_for(4) == identity(4) for each in layouts) and x.element == F32
    is_depthwise = op.facts().get("depthwise") and sizes[0] == channels and 0 not in (*sizes, *shape_of(op.data))
    if graph.block_size is None or not is_plain or not is_depthwise or DYNAMIC in (channels, *sizes):
        return None
    parameters = [each for each in (kernel, bias) if each is not None]
    arrays = [each.weights.array() for each in parameters if each.weights is not None]
    if len(arrays) < len(parameters):
        return None
    blocks = [graph.numbers(_in_blocks(array, graph.block_size), F32) for array in arrays]
    window = window_attributes(op.sliding_window(op.SPATIAL_RANK), sizes[2:])
    groups = channels + -channels % graph.block_size
    result = nchwc.node("Conv", nchwc.reordered(x, channels), *blocks, group=groups, **window)
    return nchwc.node("ReorderOutput", result, channels=channels, channels_last=0)


def _in_blocks(array: Array, size: int) -> Array:
    """Numbers with the channels first, stored in blocks of them."""
    more = -len(array) % size
    whole = np.pad(array, [(0, more), *[(0, 0)] * (array.ndim - 1)])
    blocks = np.moveaxis(whole.reshape(-1, size, *array.shape[1:]), 1, -1)
    return np.ascontiguousarray(blocks).reshape(whole.shape)


def _whole_data(op: convolution.Conv2dOp, nchwc: Nchwc, x: OnnxTensor, size: int) -> OnnxTensor | None:
    """Data without blocks, of which ONNX Runtime knows by its few channels."""
    layout, channels = op.feature_layout("data", op.data), logical_shape(op.data)[1]
    return to_logical(nchwc.graph, x, layout, 4) if 0 < channels < size else None


def _flat_sizes(kernel: SSAValue) -> list[int] | None:
    """The sizes of a kernel that is stored as ONNX Runtime wants it, with blocks counted as wholes."""
    layout, shape = layout_of(kernel), shape_of(kernel)
    if layout is None or layout.unsized not in KERNELS or DYNAMIC in shape or 0 in shape:
        return None
    outputs, inputs, height, width, *tiles = shape
    return [outputs * tiles[-1], inputs * (tiles[0] if len(tiles) == 2 else 1), height, width]


@in_blocks(pooling.MaxPoolOp)
def max_pool(op: pooling.MaxPoolOp, nchwc: Nchwc, x: OnnxTensor) -> OnnxTensor | None:
    if block_of(op.input) is None:
        return None
    window, extents, _, _ = sliding(op)
    if not sees_data(window, extents):
        return None
    return nchwc.stored(nchwc.node("MaxPool", nchwc.flat(x, op.input), **as_onnx(op, window, extents)), op.result)


@in_blocks(pooling.AvgPoolOp)
def avg_pool(op: pooling.AvgPoolOp, nchwc: Nchwc, x: OnnxTensor) -> OnnxTensor | None:
    if block_of(op.input) is None:
        return None
    window, extents, _, _ = sliding(op)
    if not sees_data(window, extents) or op.ceil is not None or any(dilation != 1 for dilation in window.dilations):
        return None
    attributes = {**as_onnx(op, window, extents), "count_include_pad": int(op.count_padding is not None)}
    return nchwc.stored(nchwc.node("AveragePool", nchwc.flat(x, op.input), **attributes), op.result)


@in_blocks(pooling.GlobalMaxPoolOp, pooling.GlobalAvgPoolOp)
def global_pool(op: pooling.GlobalPoolingOp, nchwc: Nchwc, x: OnnxTensor) -> OnnxTensor | None:
    if block_of(op.input) is None:
        return None
    kind = "GlobalMaxPool" if isinstance(op, pooling.GlobalMaxPoolOp) else "GlobalAveragePool"
    return nchwc.stored(nchwc.node(kind, nchwc.flat(x, op.input)), op.result)


@in_blocks(resampling.UpsampleOp)
def upsample(op: resampling.UpsampleOp, nchwc: Nchwc, x: OnnxTensor) -> OnnxTensor | None:
    if block_of(op.input) is None:
        return None
    scales = [1, 1, *op.factors.get_values()]
    return nchwc.stored(nchwc.node("Upsample", nchwc.flat(x, op.input), scales=scales, mode="nearest"), op.result)


@in_blocks(normalization.BatchNormOp)
def batch_norm(op: normalization.BatchNormOp, nchwc: Nchwc, x: OnnxTensor, *vectors: OnnxTensor) -> OnnxTensor | None:
    """A depthwise convolution by windows of one element, as ONNX Runtime writes it itself."""
    if block_of(op.input) is None or not op.has_vectors_in_blocks():
        return None
    graph, flat = nchwc.graph, nchwc.flat(x, op.input)
    _, count, _, _, tile = shape_of(op.input)
    channels = count * tile
    scale, bias, mean, variance = (graph.reshape(vector, [channels]) for vector in vectors)
    deviation = graph.node("Sqrt", graph.node("Add", variance, graph.like(variance, op.epsilon.value.data)))
    factor = graph.node("Div", scale, deviation)
    kernel = graph.reshape(factor, [channels, 1, 1, 1])
    offset = graph.node("Sub", bias, graph.node("Mul", mean, factor))
    result = nchwc.node("Conv", flat, kernel, offset, group=channels, kernel_shape=[1, 1])
    return nchwc.stored(result, op.result)


@in_blocks(binary.MulOp)
def mul(op: binary.MulOp, nchwc: Nchwc, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor | None:
    """A product by channels; `Mul` on blocks is slower."""
    found = _by_channels(op, lhs, rhs)
    return None if found is None else nchwc.times(*found)


@in_blocks(binary.AddOp)
def add(op: binary.AddOp, nchwc: Nchwc, lhs: OnnxTensor, rhs: OnnxTensor) -> OnnxTensor | None:
    found = _by_channels(op, lhs, rhs)
    return None if found is None else nchwc.plus(*found, op.result)


def _by_channels(
    op: binary.MulOp | binary.AddOp, lhs: OnnxTensor, rhs: OnnxTensor
) -> tuple[OnnxTensor, SSAValue, OnnxTensor] | None:
    """A tensor and its value, and the tensor of one number for each channel."""
    for value, other, x, numbers in ((op.lhs, op.rhs, lhs, rhs), (op.rhs, op.lhs, rhs, lhs)):
        if value.type == op.result.type != other.type and None not in (block_of(value), block_of(other)):
            _, count, *_, tile = shape_of(value)
            if count != DYNAMIC and shape_of(other) == (1, count, 1, 1, tile):
                return x, value, numbers
    return None


@in_blocks(reduction.ReduceMeanOp)
def mean(op: reduction.ReduceMeanOp, nchwc: Nchwc, x: OnnxTensor) -> OnnxTensor | None:
    return nchwc.mean_of_pixels(x, op)
