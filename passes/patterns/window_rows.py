"""Windows as rows that are written as slices or gathers."""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ...dialects.npu.attrs import LayoutAttr, i64_array
from ...dialects.npu.base import NpuOp
from ...dialects.npu.feature import Window
from ...dialects.npu.movement import ConcatOp, GatherOp, PadOp, SliceOp
from ...dialects.npu.shape import ReshapeOp, TransposeOp
from ...dialects.npu.source import ConstantOp, written_integers
from ...dialects.npu.spatial import Img2colOp
from ...dialects.npu.values import element_type_of, is_boolean, layout_of, shape_of
from ...layout import DYNAMIC, Layout, permute
from .replaced import Replaced, adds_zeros, made

NCHW, NHWC = Layout.parse("NCHW"), Layout.parse("NHWC")


@dataclass(frozen=True, slots=True)
class _Steps:
    """The positions of a window along an axis, and those of its elements."""

    extent: int
    dilation: int
    count: int
    stride: int


def sliced_windows(op: ConcatOp) -> Replaced | None:
    """One slice for each element of the window, one behind the other along the channels of an image in NHWC."""
    slices = [each.owner for each in op.inputs if isinstance(each.owner, SliceOp) and each.has_one_use()]
    if len(slices) < max(len(op.inputs), 2) or op.axis.value.data != 3 or len(shape_of(op.result)) != 4:
        return None
    source = slices[0].input
    if any(each.input is not source for each in slices) or not _is_image(source):
        return None
    taken = [_ranges(each) for each in slices]
    sizes = shape_of(source)
    if any(each[0] != range(sizes[0]) or each[3] != range(sizes[3]) for each in taken):
        return None
    firsts = [(each[1].start, each[2].start) for each in taken]
    rows, columns = (list(dict.fromkeys(first[axis] for first in firsts)) for axis in (0, 1))
    if firsts != [(row, column) for row in rows for column in columns]:
        return None
    axes = [_steps_of(starts, [each[axis] for each in taken]) for axis, starts in ((1, rows), (2, columns))]
    known = [each for each in axes if each is not None]
    if len(known) < 2 or (new := _columns(source, NHWC, known)) is None:
        return None
    batch, _, _, channels = sizes
    (high, wide), window = (each.count for each in known), known[0].extent * known[1].extent
    new.append(made(ReshapeOp, [new[-1].results[0]], (batch, high, wide, window * channels)))
    return Replaced(op, new, [*_pads_above(source), *slices])


def _ranges(op: SliceOp) -> list[range]:
    sizes = shape_of(op.input)
    steps = op.steps.get_values() if op.steps else (1,) * len(sizes)
    bounds = zip(sizes, op.starts.get_values(), op.limits.get_values(), steps, strict=True)
    return [range(size)[start:limit:step] for size, start, limit, step in bounds]


def _steps_of(starts: Sequence[int], taken: Sequence[range]) -> _Steps | None:
    """The window along an axis whose elements begin at these places."""
    dilation = starts[1] - starts[0] if len(starts) > 1 else 1
    is_even = starts == list(range(0, dilation * len(starts), dilation)) if dilation > 0 else False
    counts, strides = {len(each) for each in taken}, {each.step for each in taken}
    if not is_even or len(counts) > 1 or len(strides) > 1 or 0 in counts:
        return None
    return _Steps(len(starts), dilation, counts.pop(), strides.pop())


def gathered_windows(op: GatherOp) -> Replaced | None:
    """Rows and then columns of an image in NCHW, gathered by matrices of the place in the window and its position."""
    rows = op.input.owner
    if not isinstance(rows, GatherOp) or not rows.result.has_one_use() or not _is_image(rows.input):
        return None
    if (rows.axis.value.data, op.axis.value.data) != (2, 4):
        return None
    source, found = rows.input, [_steps_in(each.indices) for each in (rows, op)]
    known = [each for each in found if each is not None]
    if len(known) < 2 or (new := _columns(source, NCHW, known)) is None:
        return None
    batch, channels, *_ = shape_of(source)
    cut = (batch, known[0].count, known[1].count, known[0].extent, known[1].extent, channels)
    order = (0, 5, 3, 1, 4, 2)
    new.append(made(ReshapeOp, [new[-1].results[0]], cut))
    moved = {"permutation": i64_array(*order)}
    new.append(made(TransposeOp, [new[-1].results[0]], permute(cut, order), moved))
    matrices = [each.owner for each in (rows.indices, op.indices) if isinstance(each.owner, ConstantOp)]
    return Replaced(op, new, [*_pads_above(source), *matrices, rows])


def _steps_in(indices: SSAValue) -> _Steps | None:
    """The window along an axis whose places are a matrix: element by position."""
    shape, numbers = shape_of(indices), written_integers(indices)
    if len(shape) != 2 or numbers is None or 0 in shape:
        return None
    extent, count = shape
    dilation = numbers[count] if extent > 1 else 1
    stride = numbers[1] if count > 1 else 1
    even = [element * dilation + position * stride for element in range(extent) for position in range(count)]
    return _Steps(extent, dilation, count, stride) if numbers == even and min(dilation, stride) > 0 else None


def _is_image(value: SSAValue) -> bool:
    """True if a value may be an image of known sizes; with a layout, it has been placed."""
    sizes = shape_of(value)
    is_number = not is_boolean(element_type_of(value))
    return len(sizes) == 4 and DYNAMIC not in sizes and 0 not in sizes and layout_of(value) is None and is_number


def _columns(source: SSAValue, layout: Layout, axes: Sequence[_Steps]) -> list[NpuOp] | None:
    """The windows of an image as rows; zeros around the image become pads."""
    places = [layout.position_of(letter) for letter in "HW"]
    pad, low, high = source.owner, (0, 0), (0, 0)
    if isinstance(pad, PadOp) and adds_zeros(pad) and _pads_only(pad, places):
        source = pad.input
        low, high = (tuple(ends.get_values()[axis] for axis in places) for ends in (pad.low, pad.high))
    sizes = [shape_of(source)[axis] for axis in places]
    # Slices may leave out what is behind the last position.
    seen = [(each.count - 1) * each.stride + (each.extent - 1) * each.dilation + 1 for each in axes]
    ends = tuple(max(reach - size - begin, 0) for reach, size, begin in zip(seen, sizes, low, strict=True))
    window = Window(tuple(each.stride for each in axes), tuple(each.dilation for each in axes), low, ends)
    counts, extents = tuple(each.count for each in axes), tuple(each.extent for each in axes)
    if window.positions(sizes, extents) != counts or any(end > most for end, most in zip(ends, high, strict=True)):
        return None
    batch, channels = shape_of(source)[0], shape_of(source)[layout.position_of("C")]
    properties = {
        "window": i64_array(*extents),
        "strides": i64_array(*window.strides) if max(window.strides) > 1 else None,
        "dilations": i64_array(*window.dilations) if max(window.dilations) > 1 else None,
        "pads": i64_array(*low, *ends) if any((*low, *ends)) else None,
        "data_layout": LayoutAttr(layout),
    }
    rows = (batch, counts[0] * counts[1], extents[0] * extents[1] * channels)
    return [made(Img2colOp, [source], rows, properties)]


def _pads_above(source: SSAValue) -> list[Operation]:
    return [source.owner] if isinstance(source.owner, PadOp) else []


def _pads_only(pad: PadOp, places: Sequence[int]) -> bool:
    ends = enumerate(zip(pad.low.get_values(), pad.high.get_values(), strict=True))
    return all(min(pair) >= 0 and (axis in places or pair == (0, 0)) for axis, pair in ends)
