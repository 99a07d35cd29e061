"""What the exporters of convolutions share, and convolutions as products of matrices.

The products are for element types that ONNX Runtime cannot convolve: what the kernel's window sees (windows.py) times
the kernel.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ....dialects.npu import convolution as ops
from ....dialects.npu.feature import Window
from ....layout import DYNAMIC, Layout
from .elements import BF16, F16, F32, F64, I64
from .graph import Kept, OnnxGraph, OnnxTensor, Size
from .windows import columns, known

Sizes = Sequence[int]


def kernel_layout(op: ops.ConvolutionOp, name: str, value: SSAValue) -> Layout:
    return op.known_layout(name, value, "kernel_layout", op.kernel_layout)


def groups_of(op: ops.ConvolutionOp) -> int:
    return op.groups.value.data


def has_kernel(x: OnnxTensor) -> bool:
    """Whether ONNX Runtime can convolve numbers like these."""
    return x.element in (F16, BF16, F32)


def sum_of_nothing(
    graph: OnnxGraph, op: str, element: int, shape: Sizes, batch: OnnxTensor | None = None
) -> OnnxTensor:
    """Zeros: ONNX Runtime never comes back from data or a kernel without elements.

    The first size may be unknown if it is that of another tensor, the `batch`.
    """
    first = [] if batch is None or not shape or shape[0] != DYNAMIC else [graph.size(batch, 0)]
    known(op, shape[len(first) :])
    zero = graph.numbers(np.zeros(()), element)
    return graph.node("Expand", zero, graph.shape([*first, *shape[len(first) :]])) if shape else zero


def summable(graph: OnnxGraph, x: OnnxTensor) -> OnnxTensor:
    """Numbers in an element type in which matrices are multiplied."""
    return x if x.element in (F32, F64) else graph.cast(x, F32 if x.element in (F16, BF16) else I64)


def window_attributes(window: Window, extents: Sizes) -> dict[str, Any]:
    """The attributes of ONNX for a window; where its size is not known, the kernel says it at run time."""
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
    """The outcome (N, O, spatial...) of data (N, C, spatial...) and a kernel (O, I, spatial...), as products.

    `sizes` are the spatial sizes of the data, and `weights` is the shape of the kernel.
    """
    outputs, inputs, *extents = weights
    rank, depth = len(weights), prod(extents) * inputs
    positions = window.positions(sizes, extents)
    seen = columns(graph, channels_last(graph, x, rank), window, extents, sizes, positions)
    matrix = graph.transpose(kernel, (*range(2, rank), 1, 0))
    if groups == 1:
        return channels_first(graph, graph.node("MatMul", seen, graph.reshape(matrix, [depth, outputs])), rank)
    stays = [Kept(axis) for axis in range(rank - 1)]
    split = graph.reshape(seen, [*stays, prod(extents), groups, inputs])
    # One batch of products per group: (G, N, positions..., places * I) times (G, 1..., places * I, O / G).
    apart = graph.transpose(split, (rank, *range(rank - 1), rank - 1, rank + 1))
    grouped = graph.reshape(apart, [groups, *(Kept(axis) for axis in range(1, rank)), depth])
    cut = graph.transpose(graph.reshape(matrix, [depth, groups, outputs // groups]), (1, 0, 2))
    wide = graph.reshape(cut, [groups, *[1] * (rank - 2), depth, outputs // groups])
    products = graph.node("MatMul", grouped, wide)
    joined_groups = graph.transpose(products, (*range(1, rank), 0, rank))
    return channels_first(graph, graph.reshape(joined_groups, [*stays, outputs]), rank)


def with_bias(graph: OnnxGraph, outcome: OnnxTensor, bias: OnnxTensor | None, rank: int) -> OnnxTensor:
    """The outcome plus one number per channel."""
    if bias is None:
        return outcome
    wide = graph.unsqueeze(graph.cast(bias, outcome.element), range(1, rank - 1))
    return graph.node("Add", outcome, wide)


def zeros_between(graph: OnnxGraph, x: OnnxTensor, shape: Sizes, window: Sizes) -> OnnxTensor:
    """Each element of (N, C, spatial...) at the first place of a window of its own, and zeros at the other places."""
    if all(extent == 1 for extent in window):
        return x
    rank = len(shape)
    wide = windowed(graph, x, rank)
    # N, C, then each spatial axis and its window.
    high = [0, 0, *(number for extent in window for number in (0, extent - 1))]
    filled = graph.padded(wide, [0] * len(high), high)
    return graph.reshape(filled, joined(graph, wide, shape, window))


def windowed(graph: OnnxGraph, x: OnnxTensor, rank: int) -> OnnxTensor:
    """(N, C, spatial...) with an axis of one element behind each spatial one."""
    return graph.unsqueeze(x, [2 * axis - 1 for axis in range(2, rank)])


def joined(graph: OnnxGraph, wide: OnnxTensor, shape: Sizes, factors: Sizes) -> list[Size | Kept]:
    """The sizes of (N, C, spatial...), each spatial one so many times as large; `wide` is what `windowed` gives."""
    sizes: list[Size | Kept] = [Kept(axis) if size == DYNAMIC else size for axis, size in enumerate(shape[:2])]
    for axis, (size, factor) in enumerate(zip(shape[2:], factors, strict=True)):
        if size != DYNAMIC:
            sizes.append(size * factor)
        else:
            sizes.append(graph.node("Mul", graph.size(wide, 2 * axis + 2), graph.ints(factor)))
    return sizes
