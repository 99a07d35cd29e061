"""Samples of a feature map as GATHERs of pixels and arithmetic."""

from math import prod

import numpy as np
from numpy.typing import NDArray

from .....dialects.npu import sampling as ops
from .....layout import DYNAMIC, invert
from ...errors import NotExportable
from ..elements import LiteElement
from ..graph import LiteGraph, LiteTensor
from ..registry import exports

CHANNELS_LAST = "NHWC"
"""The order in which the axes are stored for GATHER."""


@exports(ops.GridSampleOp)
def grid_sample(op: ops.GridSampleOp, graph: LiteGraph, x: LiteTensor, grid: LiteTensor) -> LiteTensor:
    """Pixels at the places of a grid, each interpolated from the four around it."""
    mode, padding = op.mode.data, op.padding.data
    if mode == "cubic" or padding == "reflection" or len(x.shape) != 4 or x.element != LiteElement.F32:
        raise NotExportable(f"'{op.name}' with {mode} and {padding} has no counterpart in LiteRT")
    if DYNAMIC in (*x.shape, *grid.shape):
        raise NotExportable(f"'{op.name}' of unknown sizes has no counterpart in LiteRT")
    layout = op.feature_layout("input", op.input)
    order = tuple(map(layout.position_of, CHANNELS_LAST))
    # One pixel of zeros where a place may be outside, and one behind the last that is read with a weight of 0.
    before = int(padding == "zeros")
    image = graph.transpose(x, order)
    sizes = np.array([image.shape[2], image.shape[1]], np.float32)
    image = graph.pad(image, [0, before, before, 0], [0, before + 1, before + 1, 0])
    places = _places(graph, grid, sizes, op.align_corners is not None)
    places = graph.binary("MAXIMUM", places, graph.like(places, -before))
    places = graph.binary("MINIMUM", places, graph.numbers(sizes - 1 + before, places.element))
    found = _read(graph, image, places, before, mode == "nearest")
    return graph.transpose(found, invert(order))


def _places(graph: LiteGraph, grid: LiteTensor, sizes: NDArray[np.float32], is_aligned: bool) -> LiteTensor:
    """The places of a grid from -1 to 1 as numbers of pixels: the column, then the row."""
    begun = graph.binary("ADD", grid, graph.like(grid, 1))
    half = graph.like(grid, 0.5)
    if is_aligned:
        return graph.binary("MUL", graph.binary("MUL", begun, half), graph.numbers(sizes - 1, grid.element))
    scaled = graph.binary("MUL", begun, graph.numbers(sizes, grid.element))
    return graph.binary("MUL", graph.binary("SUB", scaled, graph.like(grid, 1)), half)


def _read(graph: LiteGraph, image: LiteTensor, places: LiteTensor, before: int, is_nearest: bool) -> LiteTensor:
    """The pixels at some places of an image that has so many pixels before its first one."""
    batch, height, width, channels = image.shape
    whole = graph.unary("ROUND" if is_nearest else "FLOOR", places)
    scaled = graph.binary("MUL", graph.cast(whole, LiteElement.I32), graph.ints(1, width))
    firsts = np.arange(batch).reshape(batch, 1, 1) * (height * width) + before * (width + 1)
    first = graph.binary("ADD", graph.reduce("SUM", scaled, [3], keep=False), graph.numbers(firsts, LiteElement.I32))
    pixels = graph.reshape(image, (prod(image.shape[:3]), channels))

    def at(offset: int) -> LiteTensor:
        index = graph.binary("ADD", first, graph.like(first, offset)) if offset else first
        return graph.node("GATHER", [pixels, index], (*index.shape, channels), axis=0, batchDims=0)

    if is_nearest:
        return at(0)
    part = graph.binary("SUB", places, whole)
    across, down = (graph.slice(part, [0, 0, 0, axis], (*part.shape[:3], 1)) for axis in (0, 1))
    upper = _between(graph, at(0), at(1), across)
    lower = _between(graph, at(width), at(width + 1), across)
    return _between(graph, upper, lower, down)


def _between(graph: LiteGraph, one: LiteTensor, other: LiteTensor, part: LiteTensor) -> LiteTensor:
    return graph.binary("ADD", one, graph.binary("MUL", graph.binary("SUB", other, one), part))
