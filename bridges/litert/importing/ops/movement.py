"""Data movement."""

from collections.abc import Sequence
from math import isfinite, prod

import numpy as np
from xdsl.dialects.builtin import FloatAttr, StringAttr, UnitAttr, f64
from xdsl.ir import Attribute, SSAValue

from .....dialects.notes.node_kinds import KIND
from .....dialects.npu import movement as ops
from .....dialects.npu.attrs import i64_array, i64_attr
from .....dialects.npu.binary import AddOp, LessOp
from .....dialects.npu.dynamic import DynamicSplitOp, DynamicTileOp
from .....dialects.npu.elementwise import SelectOp
from .....dialects.npu.shape import ReshapeOp
from .....dialects.npu.source import ConstantOp, written_integers
from .....dialects.npu.values import shape_of
from .....layout import DYNAMIC
from ....decimals import shortest
from ...exporting.elements import LiteElement
from ..errors import NotReadable
from ..file import FileTensor
from ..node import FileNode
from ..registry import reads
from .dynamic import axes_read, dynamic_pad, dynamic_slice, dynamic_strided_slice, sizes_of

LARGEST_FILL = 1 << 10
"""The number of elements up to which a constant is written out."""
MODES = ("reflect", "symmetric")


def require_same_numbers(node: FileNode, *operands: int) -> None:
    """Check that elements are moved as they are: quantised ones keep their scale."""
    tensors = [*(node.input(index) for index in operands), *node.results]
    kinds = {_kind(tensor) for tensor in tensors}
    node.require(len(kinds) == 1, "numbers with several scales")


def _kind(tensor: FileTensor) -> tuple[object, ...]:
    found = tensor.quantization
    if found is None:
        return (tensor.element,)
    return tensor.element, found.scale.tobytes(), found.zero_point.tobytes()


@reads("CONCATENATION")
def concat(node: FileNode) -> SSAValue:
    require_same_numbers(node, *range(node.count))
    axis = node.axis(node.options.axis, len(node.result.shape))
    node.require(not node.options.fusedActivationFunction, "an activation function, which kernels ignore or refuse")
    return node.add(ops.ConcatOp, [node.values()], {"axis": i64_attr(axis)})


@reads("PACK")
def pack(node: FileNode) -> SSAValue:
    """A concatenation along a new axis."""
    require_same_numbers(node, *range(node.count))
    rank = len(node.result.shape)
    axis = node.axis(node.options.axis, rank)
    node.require(all(len(node.shape(index)) == rank - 1 for index in range(node.count)), "parts of other ranks")
    shape = (*node.result.shape[:axis], 1, *node.result.shape[axis + 1 :])
    parts = [node.reshaped(x, shape) for x in node.values()]
    return node.marked(node.add(ops.ConcatOp, [parts], {"axis": i64_attr(axis)}))


@reads("SPLIT", "SPLIT_V")
def split(node: FileNode) -> Sequence[SSAValue]:
    data, place = (1, 0) if node.kind == "SPLIT" else (0, 2)
    require_same_numbers(node, data)
    (axis,) = node.ints(place)
    return _parts(node, node.value(data), node.axis(axis, len(node.shape(data))))


def _parts(node: FileNode, x: SSAValue, axis: int) -> Sequence[SSAValue]:
    sizes, types = [tensor.shape[axis] for tensor in node.results], [node.typed(tensor) for tensor in node.results]
    properties: dict[str, Attribute] = {"axis": i64_attr(axis)}
    if DYNAMIC in sizes:
        node.require(node.kind == "SPLIT", "an unknown size")
        properties |= {"parts": i64_attr(len(sizes)), "equal": UnitAttr()}
        made = DynamicSplitOp.build(operands=[x, None], result_types=[types], properties=properties)
    else:
        properties["sizes"] = i64_array(*sizes)
        made = ops.SplitOp.build(operands=[x], result_types=[types], properties=properties)
    node.function.insert(made)
    return made.results


@reads("UNPACK")
def unpack(node: FileNode) -> Sequence[SSAValue]:
    """The slices along an axis, without it."""
    require_same_numbers(node, 0)
    shape = node.known_shape()
    axis = node.axis(node.options.axis, len(shape))
    thin = (*shape[:axis], 1, *shape[axis + 1 :])
    made = ops.SplitOp.build(
        operands=[node.value(0)],
        result_types=[[node.typed(tensor, thin) for tensor in node.results]],
        properties={"axis": i64_attr(axis), "sizes": i64_array(*[1] * len(node.results))},
        attributes={KIND: StringAttr(node.kind)},
    )
    node.function.insert(made)
    return [node.reshaped(x, tensor.shape) for x, tensor in zip(made.results, node.results, strict=True)]


@reads("PAD", "PADV2")
def pad(node: FileNode) -> SSAValue:
    """Pads of zeros or of a number; quantised numbers are padded with their zero point."""
    require_same_numbers(node, 0)
    value = 0.0
    if (quantization := node.result.quantization) is not None:
        value = float(quantization.zero_point[0])
    if node.kind == "PADV2":
        value = shortest(node.numbers(2))
        node.require(isfinite(value), "an infinite number")
    if not node.is_known(1):
        return dynamic_pad(node, "constant", value)
    return node.add(ops.PadOp, [node.value(0)], {**_widths(node), "value": FloatAttr(value, f64)})


def _widths(node: FileNode) -> dict[str, Attribute]:
    widths = node.numbers(1)
    node.require(widths.shape == (len(node.shape()), 2), "pads of other axes")
    return {"low": i64_array(*map(int, widths[:, 0])), "high": i64_array(*map(int, widths[:, 1]))}


@reads("MIRROR_PAD")
def mirror_pad(node: FileNode) -> SSAValue:
    require_same_numbers(node, 0)
    node.require(node.options.mode in (0, 1), "an unknown mode")
    if not node.is_known(1) and MODES[int(node.options.mode)] == "reflect":
        return dynamic_pad(node, "reflect", 0.0)
    return node.add(ops.PadOp, [node.value(0)], {**_widths(node), "mode": StringAttr(MODES[int(node.options.mode)])})


@reads("SLICE")
def slice_of(node: FileNode) -> SSAValue:
    require_same_numbers(node, 0)
    if not (node.is_known(1) and node.is_known(2)):
        return dynamic_slice(node)
    starts, sizes, rank = node.ints(1), node.ints(2), len(node.shape())
    node.require(len(starts) == len(sizes) == rank and min((*starts, 0)) >= 0, "other axes")
    limits = [ops.END_OF_AXIS if size == -1 else start + size for start, size in zip(starts, sizes, strict=True)]
    return node.add(ops.SliceOp, [node.value(0)], {"starts": i64_array(*starts), "limits": i64_array(*limits)})


@reads("STRIDED_SLICE")
def strided_slice(node: FileNode) -> SSAValue:
    """A slice; axes of which one element is taken can be dropped."""
    require_same_numbers(node, 0)
    try:
        taken, steps = strided_ranges(node), node.ints(3)
    except NotReadable:
        return dynamic_strided_slice(node)
    counts = tuple(DYNAMIC if each is None else len(each) for each in taken)
    bounds = [
        _bounds(node, axis) if each is None else (each.start, max(each.stop, 0)) for axis, each in enumerate(taken)
    ]
    properties = {
        "starts": i64_array(*(start for start, _ in bounds)),
        "limits": i64_array(*(end for _, end in bounds)),
    }
    if any(step != 1 for step in steps):
        properties["steps"] = i64_array(*steps)
    cut = node.add(ops.SliceOp, [node.value(0)], properties, node.typed(node.result, counts))
    return node.reshaped(cut, node.result.shape)


def _bounds(node: FileNode, axis: int) -> tuple[int, int]:
    """The beginning and the end of what a STRIDED_SLICE takes of an axis of unknown size."""
    has_begin, has_end = (not mask >> axis & 1 for mask in (node.options.beginMask, node.options.endMask))
    return node.ints(1)[axis] if has_begin else 0, node.ints(2)[axis] if has_end else ops.END_OF_AXIS


def strided_ranges(node: FileNode) -> list[range | None]:
    """The positions that a STRIDED_SLICE takes along each axis; None for an axis of unknown size."""
    options, shape = node.options, node.shape()
    begins, ends, steps = (node.ints(index) for index in (1, 2, 3))
    node.require(not (options.ellipsisMask or options.newAxisMask or options.offset), "a new axis")
    node.require(len(begins) == len(ends) == len(steps) == len(shape) and min((*steps, 1)) > 0, "other axes")
    return [
        _range(options, axis, size, begin, end, step)
        for axis, (size, begin, end, step) in enumerate(zip(shape, begins, ends, steps, strict=True))
    ]


def _range(options: object, axis: int, size: int, begin: int, end: int, step: int) -> range | None:
    """The positions that are taken along an axis; None if its size is unknown."""

    def has(mask: str) -> bool:
        return bool(getattr(options, mask) >> axis & 1)

    if size == DYNAMIC:
        if has("shrinkAxisMask"):
            raise NotReadable("an element of an axis of unknown size")
        return None
    if has("shrinkAxisMask"):
        # The end is ignored, and with its mask the beginning as well.
        start = 0 if has("beginMask") else begin + size if begin < 0 else begin
        if not 0 <= start < size:
            raise NotReadable("an element outside of an axis")
        return range(start, start + 1)
    bounds = slice(None if has("beginMask") else begin, None if has("endMask") else end, step)
    return range(*bounds.indices(size))


@reads("REVERSE_V2")
def reverse(node: FileNode) -> SSAValue:
    require_same_numbers(node, 0)
    axes = [node.axis(axis, len(node.shape())) for axis in node.ints(1)]
    return node.add(ops.ReverseOp, [node.value(0)], {"axes": i64_array(*axes)})


@reads("TILE")
def tile(node: FileNode) -> SSAValue:
    require_same_numbers(node, 0)
    axes = range(len(node.shape()))
    if not node.is_known(1):
        node.require(node.shape(1) == (len(axes),) and bool(axes), "repeats of other axes")
        return node.add(DynamicTileOp, [node.value(0), node.value(1)], {"axes": i64_array(*axes)})
    repeats = node.ints(1)
    node.require(min((*repeats, 1)) > 0, "a result without elements")
    return node.add(ops.TileOp, [node.value(0)], {"repeats": i64_array(*repeats)})


@reads("GATHER")
def gather(node: FileNode) -> SSAValue:
    """Indices that are counted from the end where they are negative are those of the dialect.

    LiteRT fails for other negative ones, so those of a file are not negative; it is written again without counting.
    """
    # Integers without a scale are moved as they are, also if those of the result have one.
    if node.input(0).quantization is not None or node.input(0).element != node.result.element:
        require_same_numbers(node, 0)
    node.require(not node.options.batchDims, "batch axes")
    axis = node.axis(node.options.axis, len(node.shape()))
    given = node.value(1)
    indices = _from_either_end(node, given, axis)
    made = node.add(ops.GatherOp, [node.value(0), indices], {"axis": i64_attr(axis)})
    return node.marked(made) if indices is given and not isinstance(given.owner, ConstantOp) else made


def _from_either_end(node: FileNode, x: SSAValue, axis: int) -> SSAValue:
    """y, for x = select(y < 0, y + the size of the axis, y)."""
    chosen = x.owner
    if not isinstance(chosen, SelectOp):
        return x
    below, moved, y = chosen.condition.owner, chosen.on_true.owner, chosen.on_false
    if not (isinstance(below, LessOp) and isinstance(moved, AddOp)) or below.lhs is not y or moved.lhs is not y:
        return x
    size = node.shape()[axis]
    is_size = _is_read_size(node, moved.rhs, axis) if size == DYNAMIC else written_integers(moved.rhs) == [size]
    return y if written_integers(below.rhs) == [0] and is_size else x


def _is_read_size(node: FileNode, x: SSAValue, axis: int) -> bool:
    """True if SHAPE has read a value as the size of an axis of the data."""
    vector = x.owner.input if isinstance(x.owner, ReshapeOp) else x
    return axes_listed(vector, node.value(0)) == [axis]


def axes_listed(x: SSAValue, data: SSAValue) -> list[int] | None:
    """The axes of the data whose sizes a vector, or a part of one, lists; None if it lists something else."""
    if not isinstance(part := x.owner, ops.SliceOp):
        return None if (axes := axes_read(x, data)) is None else list(axes)
    axes = axes_read(part.input, data) if part.steps is None and len(shape_of(part.input)) == 1 else None
    return None if axes is None else list(axes[part.starts.get_values()[0] : part.limits.get_values()[0]])


@reads("SHAPE")
def shape(node: FileNode) -> SSAValue:
    node.require(node.options.outType == node.result.element, "sizes of another type")
    if DYNAMIC in node.shape():
        return sizes_of(node)
    return node.constant(np.array(node.shape(), np.int64), node.result.element)


@reads("FILL")
def fill(node: FileNode) -> SSAValue:
    """A constant of equal numbers."""
    node.require(DYNAMIC not in node.result.shape and node.result.element != LiteElement.BOOL, "an unknown size")
    number = node.numbers(1)
    node.require(prod(node.result.shape) <= LARGEST_FILL, "a large constant")
    return node.constant(np.full(node.result.shape, number.reshape(())), node.result.element)
