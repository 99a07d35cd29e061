"""Images with zeros between their elements, or around the one that was the largest in a window."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import BytesAttr, DenseArrayBase, DenseIntOrFPElementsAttr, TensorType, i1, i64
from xdsl.ir import Operation, SSAValue

from ...dialects.npu.attrs import LayoutAttr, i64_array
from ...dialects.npu.base import NpuOp
from ...dialects.npu.binary import EqualOp, SubOp
from ...dialects.npu.elementwise import SelectOp
from ...dialects.npu.movement import PadOp
from ...dialects.npu.resampling import MaskUnpoolOp, UnpoolOp, UpsampleOp
from ...dialects.npu.shape import ReshapeOp
from ...dialects.npu.source import ConstantOp, OpaqueOp
from ...dialects.npu.values import element_type_of, is_boolean, layout_of, shape_of
from ...dialects.npu.zeros import are_zeros
from ...layout import DYNAMIC, Layout
from .replaced import Replaced, adds_zeros, made

CUT: dict[tuple[int, int], Layout] = {
    (1, 3): Layout.parse("NHWC"),
    (2, 4): Layout.parse("NHWC"),
    (3, 5): Layout.parse("NCHW"),
}
"""The places of the axes of one element that are padded, behind H and behind W; N and H may be one axis in NHWC."""


def spread_by_pads(op: ReshapeOp) -> Replaced | None:
    """Zeros behind each row and column: a reshape adds an axis behind each, a pad fills it, and a reshape merges it."""
    pad = op.input.owner
    if not isinstance(pad, PadOp) or not adds_zeros(pad) or not pad.result.has_one_use():
        return None
    cut, result, high = shape_of(pad.input), shape_of(op.result), pad.high.get_values()
    if len(result) != 4 or DYNAMIC in (*cut, *result) or 0 in result or layout_of(op.result) is not None:
        return None
    if any(pad.low.get_values()) or min(high) < 0 or not any(high) or is_boolean(element_type_of(op.result)):
        return None
    for places, layout in CUT.items():
        if len(cut) != (5 if places == (1, 3) else 6) or any(high[a] for a in range(len(cut)) if a not in places):
            continue
        window = tuple(high[axis] + 1 for axis in places)
        by_axis = {layout.position_of("H"): window[0], layout.position_of("W"): window[1]}
        sizes = tuple(size // by_axis.get(axis, 1) for axis, size in enumerate(result))
        found = [size for axis, size in enumerate(cut) if axis not in places]
        wanted = list(sizes) if len(found) == 4 else [sizes[0] * sizes[1], *sizes[2:]]
        is_whole = all(not size % by_axis.get(axis, 1) for axis, size in enumerate(result))
        if is_whole and found == wanted and all(cut[axis] == 1 for axis in places):
            above = pad.input.owner
            cutting = [above] if isinstance(above, ReshapeOp) else []
            source, new = _image(pad.input, sizes)
            properties = {"window": i64_array(*window), "data_layout": LayoutAttr(layout)}
            return Replaced(op, [*new, made(UnpoolOp, [source], result, properties)], [*cutting, pad])
    return None


def _image(cut: SSAValue, sizes: Sequence[int]) -> tuple[SSAValue, list[NpuOp]]:
    """The value that was cut, if it has these sizes, or else a reshape to them."""
    if isinstance(cut.owner, ReshapeOp) and shape_of(cut.owner.input) == sizes:
        return cut.owner.input, []
    image = made(ReshapeOp, [cut], sizes)
    return image.results[0], [image]


def chosen_by_mask(op: SelectOp) -> Replaced | None:
    """Elements that are repeated where a mask is true, else zeros."""
    repeated = op.on_true.owner
    if not isinstance(repeated, UpsampleOp) or not repeated.result.has_one_use() or not are_zeros(op.on_false):
        return None
    is_whole = shape_of(op.condition) == shape_of(op.result) == shape_of(repeated.result)
    if not is_whole or layout_of(op.result) is not None or is_boolean(element_type_of(op.result)):
        return None
    properties = {"window": repeated.factors, "data_layout": repeated.data_layout}
    new = made(MaskUnpoolOp, [repeated.input, op.condition], shape_of(op.result), properties)
    return Replaced(op, [new], [repeated])


def put_back(op: OpaqueOp) -> Replaced | None:
    """MaxUnpool of ONNX, to the places of a MaxPool: the mask is true at the places in its windows."""
    if op.op_name.data != "onnx.MaxUnpool" or len(op.operands) != 2:
        return None
    x, places = op.operands
    pool, result, given = places.owner, shape_of(op.results[0]), shape_of(x)
    if not isinstance(pool, OpaqueOp) or pool.op_name.data != "onnx.MaxPool" or places is not pool.results[-1]:
        return None
    window = _window(op)
    is_whole = len(result) == 4 and DYNAMIC not in (*result, *given) and 0 not in result
    if window is None or window != _window(pool) or not is_whole or shape_of(pool.operands[0]) != result:
        return None
    if shape_of(places) != given or result != (*given[:2], given[2] * window[0], given[3] * window[1]):
        return None
    batch, channels, height, width = result
    before = np.arange(batch * channels).reshape(batch, channels, 1, 1) * (height * width)
    inside = np.arange(height * width).reshape(1, 1, height, width)
    return Replaced(op, _unpooled(x, places, window, before, inside), [])


def _window(op: Operation) -> tuple[int, ...] | None:
    """The window of a pool that moves by its own size and has no pads; None for other pools."""
    found = {
        name: tuple(value.get_values())
        for name, value in op.attributes.items()
        if name in ("kernel_shape", "strides") and isinstance(value, DenseArrayBase)
    }
    window = found.get("kernel_shape")
    is_plain = op.attributes.keys() == {"kernel_shape", "strides"} and found.get("strides") == window
    return window if is_plain and window is not None and len(window) == 2 else None


def _unpooled(
    x: SSAValue, places: SSAValue, window: Sequence[int], before: NDArray[np.int64], inside: NDArray[np.int64]
) -> list[NpuOp]:
    """The ops for places that are counted over the whole tensor: they are counted within each image first."""
    sizes, layout = shape_of(x), LayoutAttr(Layout.parse("NCHW"))
    shape = (*sizes[:2], sizes[2] * window[0], sizes[3] * window[1])
    images, positions = _constant(before), _constant(inside)
    counted = made(SubOp, [places, images.result], sizes)
    properties = {"factors": i64_array(*window), "data_layout": layout}
    wide = made(UpsampleOp, [counted.results[0]], shape, properties)
    mask = made(EqualOp, [wide.results[0], positions.result], shape, element=i1)
    placed = made(MaskUnpoolOp, [x, mask.results[0]], shape, {"window": i64_array(*window), "data_layout": layout})
    return [images, counted, wide, positions, mask, placed]


def _constant(numbers: NDArray[np.int64]) -> ConstantOp:
    return ConstantOp(DenseIntOrFPElementsAttr(TensorType(i64, numbers.shape), BytesAttr(numbers.tobytes())))
