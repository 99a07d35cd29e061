"""Fourier transforms as products with a matrix: LiteRT's own are of real numbers, along two axes."""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .....dialects.npu import signal as ops
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC, invert, permute
from ...errors import NotExportable
from ..elements import LiteElement
from ..graph import LiteGraph, LiteTensor
from ..registry import exports

MOST_BYTES = 1 << 24
"""The largest matrix."""


@exports(ops.DftOp)
def dft(op: ops.DftOp, graph: LiteGraph, x: LiteTensor) -> LiteTensor:
    axis, parts, result = op.axis.value.data, op.parts.value.data, shape_of(op.result)
    if DYNAMIC in x.shape or 0 in x.shape or x.element != LiteElement.F32:
        raise NotExportable(f"'{op.name}' of unknown sizes or other numbers than f32 has no counterpart in LiteRT")
    read, made = (shape[axis] * shape[parts] for shape in (x.shape, result))
    if 4 * read * made > MOST_BYTES:
        raise NotExportable(f"'{op.name}' of {x.shape[axis]} elements has no counterpart in LiteRT")
    order = (*(place for place in range(len(x.shape)) if place not in (axis, parts)), axis, parts)
    rows = prod(x.shape) // read
    flat = graph.reshape(graph.transpose(x, order), (rows, read))
    matrix = graph.numbers(_matrix(op, x.shape), LiteElement.F32)
    found = graph.node("FULLY_CONNECTED", [flat, matrix], (rows, made), keepNumDims=False, weightsFormat=0)
    return graph.transpose(graph.reshape(found, permute(result, order)), invert(order))


def _matrix(op: ops.DftOp, shape: tuple[int, ...]) -> NDArray[Any]:
    """The factors of each part of each element of the operand for each part of each element of the result."""
    size, length = shape[op.axis.value.data], ops.signal_length(op, shape)
    parts, made = (shape_of(value)[op.parts.value.data] for value in (op.input, op.result))
    bins, is_inverse = shape_of(op.result)[op.axis.value.data], op.inverse is not None
    read, places = np.arange(size), np.arange(bins)[:, np.newaxis]
    angles = 2 * np.pi * (read * places % length) / length
    weights = np.where(read < length, 1.0, 0.0) / (length if is_inverse else 1)
    if is_inverse and made == 1:
        # The other half of the spectrum has the same numbers.
        weights = weights * np.where((read == 0) | (2 * read == length), 1, 2)
    cosine, sine = np.cos(angles) * weights, np.sin(angles) * weights * (-1 if is_inverse else 1)
    whole = np.array([[cosine, sine], [-sine, cosine]])[:made, :parts]
    return whole.transpose(2, 0, 3, 1).reshape(bins * made, size * parts).astype(np.float32)
