"""GridSample of ONNX as GATHERs of pixels and arithmetic."""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerAttr, StringAttr

from ....dialects.npu.source import ForeignOp
from ....layout import DYNAMIC, Order, invert
from ..errors import NotExportable
from .elements import LiteElement
from .graph import LiteGraph, LiteTensor

BILINEAR, NEAREST = ("bilinear", "linear"), "nearest"
MODES = (*BILINEAR, NEAREST)
ZEROS = "zeros"
PADDINGS = ("border", ZEROS)
CHANNELS_LAST = (0, 2, 3, 1)
"""The order in which ONNX's axes are stored for GATHER."""


def grid_sample(
    op: ForeignOp, graph: LiteGraph, inputs: Sequence[LiteTensor], order: Order = CHANNELS_LAST
) -> Sequence[LiteTensor]:
    """Pixels at the places of a grid, each interpolated from the four around it.

    `order` takes the image to channels last, and the result has the order of the image.
    """
    x, grid = inputs
    mode, padding = _text(op, "mode", BILINEAR[0]), _text(op, "padding_mode", ZEROS)
    if mode not in MODES or padding not in PADDINGS or len(x.shape) != 4 or x.element != LiteElement.F32:
        raise NotExportable(f"'{op.op_name.data}' with {mode} and {padding} has no counterpart in LiteRT")
    if DYNAMIC in (*x.shape, *grid.shape):
        raise NotExportable(f"'{op.op_name.data}' of unknown sizes has no counterpart in LiteRT")
    # One pixel of zeros where a place may be outside, and one behind the last that is read with a weight of 0.
    before = 1 if padding == ZEROS else 0
    image = graph.transpose(x, order)
    sizes = np.array([image.shape[2], image.shape[1]], np.float32)
    image = graph.pad(image, [0, before, before, 0], [0, before + 1, before + 1, 0])
    places = _places(op, graph, grid, sizes)
    places = graph.binary("MAXIMUM", places, graph.like(places, -before))
    places = graph.binary("MINIMUM", places, graph.numbers(sizes - 1 + before, places.element))
    found = _read(graph, image, places, before, mode == NEAREST)
    return (graph.transpose(found, invert(order)),)


def _text(op: ForeignOp, name: str, default: str) -> str:
    found = op.attributes.get(name)
    return found.data if isinstance(found, StringAttr) else default


def _places(op: ForeignOp, graph: LiteGraph, grid: LiteTensor, sizes: NDArray[np.float32]) -> LiteTensor:
    """The places of a grid from -1 to 1 as numbers of pixels: the column, then the row."""
    aligned = op.attributes.get("align_corners")
    begun = graph.binary("ADD", grid, graph.like(grid, 1))
    half = graph.like(grid, 0.5)
    if isinstance(aligned, IntegerAttr) and aligned.value.data:
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
