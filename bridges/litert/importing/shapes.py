"""Shapes of results as the kernels compute them: some converters write others into the file."""

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import TypeAlias

from ....layout import DYNAMIC, permute
from ..counterparts import CLAMPS
from ..exporting.elements import LiteElement
from ..exporting.windows import SAME
from .errors import NotReadable
from .node import FileNode
from .ops.elementwise import BINARY, UNARY
from .ops.movement import strided_ranges
from .ops.reduction import REDUCTIONS
from .windows import LETTERS

Shape = tuple[int, ...]
Rule: TypeAlias = Callable[[FileNode], Sequence[Shape]]

RULES: dict[str, Rule] = {}
LARGEST = 1 << 31
"""No size is that large."""


def computed_shapes(node: FileNode) -> Sequence[Shape] | None:
    """The shapes of the results that an op has at run time; None if that is not known."""
    if (rule := RULES.get(node.kind)) is None:
        return None
    try:
        found = rule(node)
    except (NotReadable, ArithmeticError, ValueError, IndexError):
        # An op may have any numbers, which rules take for sizes, factors and places.
        return None
    return found if all(size == DYNAMIC or 0 <= size < LARGEST for shape in found for size in shape) else None


def _rule(*kinds: str) -> Callable[[Rule], Rule]:
    def enter(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(kinds, function))
        return function

    return enter


def _all(sizes: Iterable[int]) -> int:
    """The product of sizes."""
    found = list(sizes)
    return DYNAMIC if DYNAMIC in found else prod(found)


def _sum(sizes: Iterable[int]) -> int:
    found = list(sizes)
    return DYNAMIC if DYNAMIC in found else sum(found)


def _with(shape: Shape, axis: int, *sizes: int) -> Shape:
    """A shape with other sizes in place of one."""
    return (*shape[:axis], *sizes, *shape[axis + 1 :])


# Elementwise.

LIKE_THE_FIRST = (
    *UNARY,
    *CLAMPS,
    "CAST",
    "CUMSUM",
    "DEQUANTIZE",
    "GELU",
    "L2_NORMALIZATION",
    "LOCAL_RESPONSE_NORMALIZATION",
    "LOG_SOFTMAX",
    "QUANTIZE",
    "REVERSE_V2",
    "SOFTMAX",
    "SQUARE",
    "ZEROS_LIKE",
)


@_rule(*LIKE_THE_FIRST)
def _same(node: FileNode) -> Sequence[Shape]:
    return [node.shape()]


@_rule(*BINARY, "ADD_N", "ATAN2", "FLOOR_DIV", "FLOOR_MOD", "SELECT_V2", "SQUARED_DIFFERENCE")
def _broadcast(node: FileNode) -> Sequence[Shape]:
    shapes = [node.shape(index) for index in range(node.count)]
    rank = max(map(len, shapes))
    sizes = zip(*((1,) * (rank - len(shape)) + shape for shape in shapes), strict=True)
    return [tuple(_common(each) for each in sizes)]


def _common(sizes: Sequence[int]) -> int:
    """The size to which all are repeated; one that is known wins over one that is not."""
    known = [size for size in sizes if size not in (1, DYNAMIC)]
    return known[0] if known else DYNAMIC if DYNAMIC in sizes else 1


@_rule("SELECT")
def _chosen(node: FileNode) -> Sequence[Shape]:
    node.require(node.shape(1) == node.shape(2), "other shapes")
    return [node.shape(1)]


# Shapes.


@_rule("RESHAPE")
def _reshape(node: FileNode) -> Sequence[Shape]:
    node.require(not node.has(1) or len(node.shape(1)) == 1, "sizes that are no list")
    stated = None if node.has(1) else node.options.newShape
    node.require(node.has(1) or stated is not None, "no shape")
    wanted = node.ints(1) if stated is None else [int(size) for size in stated]
    rest = _all(size for size in wanted if size != -1)
    count = _all(node.shape())
    return [tuple((DYNAMIC if count == DYNAMIC else count // rest) if size == -1 else size for size in wanted)]


@_rule("SQUEEZE")
def _squeeze(node: FileNode) -> Sequence[Shape]:
    shape = node.shape()
    dropped = squeezed(node)
    node.require(bool(dropped) or DYNAMIC not in shape, "an unknown size that may be 1")
    dropped = dropped or {axis for axis, size in enumerate(shape) if size == 1}
    return [tuple(size for axis, size in enumerate(shape) if axis not in dropped)]


def squeezed(node: FileNode) -> set[int]:
    """The axes that SQUEEZE names; if it names none, it drops all of size 1."""
    # An array, which is neither true nor false.
    named = node.options.squeezeDims
    return {node.axis(int(axis), len(node.shape())) for axis in (() if named is None else named)}


@_rule("EXPAND_DIMS")
def _expand(node: FileNode) -> Sequence[Shape]:
    (axis,), shape = node.ints(1), node.shape()
    place = node.axis(axis, len(shape) + 1)
    return [(*shape[:place], 1, *shape[place:])]


@_rule("TRANSPOSE")
def _transpose(node: FileNode) -> Sequence[Shape]:
    return [permute(node.shape(), tuple(permutation(node)))]


def permutation(node: FileNode) -> list[int]:
    """The order of axes of TRANSPOSE, whose kernel takes integers of any type for those of 32 bits."""
    node.require(node.input(1).element == LiteElement.I32, "an order in another type")
    return [node.axis(axis, len(node.shape())) for axis in node.ints(1)]


@_rule("BROADCAST_TO")
def _repeated(node: FileNode) -> Sequence[Shape]:
    return [tuple(node.ints(1))]


@_rule("FILL")
def _filled(node: FileNode) -> Sequence[Shape]:
    return [tuple(node.ints(0))]


@_rule("SHAPE")
def _sizes(node: FileNode) -> Sequence[Shape]:
    return [(len(node.shape()),)]


# Movement.


def _known(shapes: Sequence[Shape]) -> Shape:
    """All that is known of the sizes of tensors that have the same ones."""
    return tuple(next((size for size in sizes if size != DYNAMIC), DYNAMIC) for sizes in zip(*shapes, strict=True))


@_rule("CONCATENATION")
def _concat(node: FileNode) -> Sequence[Shape]:
    shapes = [node.shape(index) for index in range(node.count)]
    axis = node.axis(node.options.axis, len(shapes[0]))
    return [_with(_known(shapes), axis, _sum(shape[axis] for shape in shapes))]


@_rule("PACK")
def _pack(node: FileNode) -> Sequence[Shape]:
    shape = _known([node.shape(index) for index in range(node.count)])
    axis = node.axis(node.options.axis, len(shape) + 1)
    return [(*shape[:axis], node.count, *shape[axis:])]


@_rule("UNPACK")
def _unpack(node: FileNode) -> Sequence[Shape]:
    shape = node.shape()
    return [_with(shape, node.axis(node.options.axis, len(shape)))] * len(node.results)


@_rule("SPLIT")
def _split(node: FileNode) -> Sequence[Shape]:
    (axis,), shape, count = node.ints(0), node.shape(1), len(node.results)
    place = node.axis(axis, len(shape))
    size = shape[place]
    return [_with(shape, place, DYNAMIC if size == DYNAMIC else size // count)] * count


@_rule("SPLIT_V")
def _split_by_sizes(node: FileNode) -> Sequence[Shape]:
    sizes, (axis,), shape = node.ints(1), node.ints(2), node.shape()
    place = node.axis(axis, len(shape))
    rest = _sum([shape[place], *(-size for size in sizes if size != -1)])
    return [_with(shape, place, rest if size == -1 else size) for size in sizes]


@_rule("PAD", "PADV2", "MIRROR_PAD")
def _pad(node: FileNode) -> Sequence[Shape]:
    widths = node.numbers(1)
    node.require(widths.shape == (len(node.shape()), 2), "pads of other axes")
    return [tuple(_sum([size, *map(int, each)]) for size, each in zip(node.shape(), widths, strict=True))]


@_rule("SLICE")
def _slice(node: FileNode) -> Sequence[Shape]:
    parts = zip(node.shape(), node.ints(1), node.ints(2), strict=True)
    return [tuple(_sum([whole, -start]) if size == -1 else size for whole, start, size in parts)]


@_rule("STRIDED_SLICE")
def _strided_slice(node: FileNode) -> Sequence[Shape]:
    dropped = node.options.shrinkAxisMask
    sizes = [DYNAMIC if each is None else len(each) for each in strided_ranges(node)]
    return [tuple(size for axis, size in enumerate(sizes) if not dropped >> axis & 1)]


@_rule("GATHER")
def _gather(node: FileNode) -> Sequence[Shape]:
    shape = node.shape()
    node.require(not node.options.batchDims, "batch axes")
    return [_with(shape, node.axis(node.options.axis, len(shape)), *node.shape(1))]


@_rule("TILE")
def _tile(node: FileNode) -> Sequence[Shape]:
    return [tuple(_all(pair) for pair in zip(node.shape(), node.ints(1), strict=True))]


# Reductions and products.


@_rule(*REDUCTIONS, "REDUCE_ALL", "REDUCE_ANY")
def _reduced(node: FileNode) -> Sequence[Shape]:
    shape = node.shape()
    axes = {node.axis(axis, len(shape)) for axis in node.ints(1)}
    sizes = [1 if axis in axes else size for axis, size in enumerate(shape)]
    return [tuple(size for axis, size in enumerate(sizes) if node.options.keepDims or axis not in axes)]


@_rule("ARG_MAX", "ARG_MIN")
def _place(node: FileNode) -> Sequence[Shape]:
    (axis,), shape = node.ints(1), node.shape()
    return [_with(shape, node.axis(axis, len(shape)))]


@_rule("FULLY_CONNECTED")
def _product(node: FileNode) -> Sequence[Shape]:
    shape, (columns, inner) = node.shape(), node.known_shape(1)
    if node.options.keepNumDims:
        return [(*shape[:-1], columns)]
    count = _all(shape)
    return [(DYNAMIC if count == DYNAMIC else count // inner, columns)]


@_rule("BATCH_MATMUL")
def _products(node: FileNode) -> Sequence[Shape]:
    left, right = node.shape(0), node.shape(1)
    rank = max(len(left), len(right))
    left, right = ((1,) * (rank - len(shape)) + shape for shape in (left, right))
    front = [_common(pair) for pair in zip(left[:-2], right[:-2], strict=True)]
    return [(*front, left[-1 if node.options.adjX else -2], right[-2 if node.options.adjY else -1])]


# Windows and images.


def _moved(node: FileNode, extents: Sequence[int]) -> list[int]:
    """The number of positions of a window along each spatial axis."""
    options = node.options
    letters = [letter for letter in LETTERS if hasattr(options, f"stride{letter}")]
    strides = [getattr(options, f"stride{letter}") for letter in letters]
    dilations = [getattr(options, f"dilation{letter}Factor", 1) for letter in letters]
    reach = [(extent - 1) * each for extent, each in zip(extents, dilations, strict=True)]
    sizes = [
        size if size == DYNAMIC or options.padding == SAME else size - each
        for size, each in zip(node.shape()[1:-1], reach, strict=True)
    ]
    return [size if size == DYNAMIC else -(-size // stride) for size, stride in zip(sizes, strides, strict=True)]


@_rule("CONV_2D")
def _convolution(node: FileNode) -> Sequence[Shape]:
    outputs, *extents, _ = node.known_shape(1)
    return [(node.shape()[0], *_moved(node, extents), outputs)]


@_rule("DEPTHWISE_CONV_2D")
def _depthwise(node: FileNode) -> Sequence[Shape]:
    _, *extents, outputs = node.known_shape(1)
    return [(node.shape()[0], *_moved(node, extents), outputs)]


@_rule("CONV_3D")
def _volume(node: FileNode) -> Sequence[Shape]:
    *extents, _, outputs = node.known_shape(1)
    return [(node.shape()[0], *_moved(node, extents), outputs)]


@_rule("AVERAGE_POOL_2D", "MAX_POOL_2D")
def _pool(node: FileNode) -> Sequence[Shape]:
    shape = node.shape()
    return [(shape[0], *_moved(node, (node.options.filterHeight, node.options.filterWidth)), shape[-1])]


@_rule("TRANSPOSE_CONV")
def _transposed(node: FileNode) -> Sequence[Shape]:
    return [tuple(node.ints(0))]


@_rule("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
def _resized(node: FileNode) -> Sequence[Shape]:
    batch, _, _, channels = node.shape()
    return [(batch, *node.ints(1), channels)]


@_rule("DEPTH_TO_SPACE")
def _spread(node: FileNode) -> Sequence[Shape]:
    batch, height, width, channels = node.shape()
    block = node.options.blockSize
    known = DYNAMIC if channels == DYNAMIC else channels // (block * block)
    return [(batch, _all((height, block)), _all((width, block)), known)]


@_rule("SPACE_TO_DEPTH")
def _gathered(node: FileNode) -> Sequence[Shape]:
    batch, *sizes, channels = node.shape()
    block = node.options.blockSize
    height, width = (size if size == DYNAMIC else size // block for size in sizes)
    return [(batch, height, width, _all((channels, block, block)))]
