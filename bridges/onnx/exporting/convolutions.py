"""Common parts of the exporters of convolutions, and convolutions as matrix products.

Element types that ONNX Runtime cannot convolve use matrix products: the window's columns (windows.py) times the
kernel.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.npu import convolution as ops
from ....dialects.npu.feature import Window
from ....layout import DYNAMIC, Layout
from .elements import BF16, F16, F32, F64, I64
from .graph import OnnxGraph, OnnxTensor, OperandSize, Size
from .windows import columns, known

Sizes = Sequence[int]


def kernel_layout(op: ops.ConvolutionOp, name: str, value: SSAValue) -> Layout:
    return op.known_layout(name, value, "kernel_layout", op.kernel_layout)


def groups_of(op: ops.ConvolutionOp) -> int:
    return op.groups.value.data


def has_kernel(x: OnnxTensor) -> bool:
    """True if ONNX Runtime has convolutions for the element type."""
    return x.element in (F16, BF16, F32)


def empty_sum(
    graph: OnnxGraph, op: str, element: int, shape: Sizes, origins: Mapping[int, tuple[OnnxTensor, int]]
) -> OnnxTensor:
    """Zeros for a convolution or product of nothing, on which ONNX Runtime hangs.

    `origins` has a tensor, and an axis of it, for each axis whose size is unknown.
    """
    known(op, [size for axis, size in enumerate(shape) if axis not in origins])
    sizes = [graph.size(*origins[axis]) if size == DYNAMIC else size for axis, size in enumerate(shape)]
    zero = graph.numbers(np.zeros(()), element)
    return graph.node("Expand", zero, graph.shape(sizes)) if shape else zero


def summable(graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Cast to an element type in which matrices are multiplied."""
    return x if x.element in (F32, F64) else graph.cast(x, F32 if x.element in (F16, BF16) else I64)


def window_attributes(window: Window, extents: Sizes) -> dict[str, Any]:
    """The ONNX attributes of a window, without `kernel_shape` if its size is unknown."""
    size = {} if DYNAMIC in extents else {"kernel_shape": list(extents)}
    pads = [*window.pads_begin, *window.pads_end]
    return {**size, "strides": list(window.strides), "dilations": list(window.dilations), "pads": pads}


def channels_last(graph: OnnxGraph, x: OnnxTensor, rank: int) -> OnnxTensor:
    return graph.transpose(x, (0, *range(2, rank), 1))


def channels_first(graph: OnnxGraph, x: OnnxTensor, rank: int) -> OnnxTensor:
    return graph.transpose(x, (0, rank - 1, *range(1, rank - 1)))


def convolved(
    graph: OnnxGraph, x: OnnxTensor, kernel: OnnxTensor, window: Window, groups: int, sizes: Sizes, weights: Sizes
) -> OnnxTensor:
    """A convolution of data (N, C, spatial...) by a kernel (O, I, spatial...), as matrix products.

    `sizes` are the spatial sizes of the data, and `weights` is the shape of the kernel.
    """
    outputs, inputs, *extents = weights
    rank, depth = len(weights), prod(extents) * inputs
    positions = window.positions(sizes, extents)
    seen = columns(graph, channels_last(graph, x, rank), window, extents, sizes, positions)
    matrix = graph.transpose(kernel, (*range(2, rank), 1, 0))
    if groups == 1:
        return channels_first(graph, graph.node("MatMul", seen, graph.reshape(matrix, [depth, outputs])), rank)
    stays = [OperandSize(axis) for axis in range(rank - 1)]
    split = graph.reshape(seen, [*stays, prod(extents), groups, inputs])
    # One batch of products per group: (G, N, positions..., places * I) times (G, 1..., places * I, O / G).
    apart = graph.transpose(split, (rank, *range(rank - 1), rank - 1, rank + 1))
    grouped = graph.reshape(apart, [groups, *(OperandSize(axis) for axis in range(1, rank)), depth])
    cut = graph.transpose(graph.reshape(matrix, [depth, groups, outputs // groups]), (1, 0, 2))
    wide = graph.reshape(cut, [groups, *[1] * (rank - 2), depth, outputs // groups])
    products = graph.node("MatMul", grouped, wide)
    joined_groups = graph.transpose(products, (*range(1, rank), 0, rank))
    return channels_first(graph, graph.reshape(joined_groups, [*stays, outputs]), rank)


def with_bias(graph: OnnxGraph, outcome: OnnxTensor, bias: OnnxTensor | None, rank: int) -> OnnxTensor:
    """Add one number per channel."""
    if bias is None:
        return outcome
    wide = graph.unsqueeze(graph.cast(bias, outcome.element), range(1, rank - 1))
    return graph.node("Add", outcome, wide)


def zeros_between(graph: OnnxGraph, x: OnnxTensor, shape: Sizes, window: Sizes) -> OnnxTensor:
    """Expand each element of (N, C, spatial...) to a window with the element first and zeros elsewhere."""
    if all(extent == 1 for extent in window):
        return x
    rank = len(shape)
    wide = windowed(graph, x, rank)
    # N, C, then each spatial axis and its window.
    high = [0, 0, *(number for extent in window for number in (0, extent - 1))]
    filled = graph.padded(wide, [0] * len(high), high)
    return graph.reshape(filled, joined(graph, wide, shape, window))


def windowed(graph: OnnxGraph, x: OnnxTensor, rank: int) -> OnnxTensor:
    """(N, C, spatial...) with a unit axis after each spatial axis."""
    return graph.unsqueeze(x, [2 * axis - 1 for axis in range(2, rank)])


def joined(graph: OnnxGraph, wide: OnnxTensor, shape: Sizes, factors: Sizes) -> list[Size | OperandSize]:
    """The sizes of (N, C, spatial...) times the factors; `wide` is the result of `windowed`."""
    sizes: list[Size | OperandSize] = [
        OperandSize(axis) if size == DYNAMIC else size for axis, size in enumerate(shape[:2])
    ]
    for axis, (size, factor) in enumerate(zip(shape[2:], factors, strict=True)):
        if size != DYNAMIC:
            sizes.append(size * factor)
        else:
            sizes.append(graph.node("Mul", graph.size(wide, 2 * axis + 2), graph.ints(factor)))
    return sizes
