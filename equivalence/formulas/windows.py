"""Sliding windows: pads are ops of their own as far as positions reach them, and signals are images."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, SSAValue

from ...dialects.npu import convolution as conv
from ...dialects.npu import pooling
from ...dialects.npu.attrs import LayoutAttr, i64_array
from ...dialects.npu.binary import AddOp
from ...dialects.npu.feature import Window, WindowedOp
from ...dialects.npu.quantized_convolution import Conv2dIntegerOp, QuantConv2dOp
from ...dialects.npu.values import logical_shape, shape_of
from ...layout import DYNAMIC, Layout
from .registry import formula
from .steps import Steps


def _seen(op: WindowedOp, given: Sequence[int], extents: Sequence[int], result: Sequence[int]) -> list[int] | None:
    """The elements and pads along each axis in front of the last one that a position reaches; None if not known."""
    positions = result[2:]
    if DYNAMIC in (*given[2:], *extents, *positions) or 0 in (*given, *result):
        return None
    window = op.sliding_window(len(positions))
    sizes = zip(extents, positions, window.strides, window.dilations, strict=True)
    return [(count - 1) * stride + (extent - 1) * dilation + 1 for extent, count, stride, dilation in sizes]


def _pads_seen(window: Window, given: Sequence[int], seen: Sequence[int]) -> tuple[int, ...]:
    """The pads behind each axis, as far as a position reaches them."""
    sizes = zip(seen, given[2:], window.pads_begin, strict=True)
    return tuple(max(whole - size - begin, 0) for whole, size, begin in sizes)


def _trimmed(op: WindowedOp, begins: Sequence[int], ends: Sequence[int]) -> dict[str, Attribute]:
    """The properties of an op with other pads, and its layouts as attributes."""
    properties = {name: value for name, value in op.properties.items() if name not in ("pads", "ceil")}
    return {**properties, "pads": i64_array(*begins, *ends)} if any((*begins, *ends)) else properties


@formula(conv.Conv2dOp, conv.Conv3dOp)
def convolution(op: conv.ForwardConvolutionOp, steps: Steps) -> None:
    """A convolution of data that have the pads in them, as far as positions reach them."""
    if _without_zeros(op, steps):
        return
    data, kernel = _layouts(op)
    rank, given = len(steps.result) - 2, logical_shape(op.data, data)
    seen = _seen(op, given, logical_shape(op.kernel, kernel)[2:], logical_shape(op.result, data))
    padded = None if seen is None else _padded(steps, op.sliding_window(rank), data, given, seen)
    if padded is None:
        return
    properties = _trimmed(op, [0] * rank, [0] * rank)
    properties |= {"data_layout": LayoutAttr(data), "kernel_layout": LayoutAttr(kernel)}
    bias = [] if op.bias is None else [steps.operand(op.bias)]
    steps.add(type(op), [padded, steps.operand(op.kernel), bias], None, properties)


@formula(Conv2dIntegerOp, QuantConv2dOp)
def convolution_of_integers(op: Conv2dIntegerOp | QuantConv2dOp, steps: Steps) -> None:
    """A convolution without pads that no position reaches."""
    data, kernel = _layouts(op)
    window, given = op.sliding_window(2), logical_shape(op.data, data)
    seen = _seen(op, given, logical_shape(op.kernel, kernel)[2:], logical_shape(op.result, data))
    if seen is None or (ends := _pads_seen(window, given, seen)) == window.pads_end:
        return
    properties = _trimmed(op, window.pads_begin, ends)
    properties |= {"data_layout": LayoutAttr(data), "kernel_layout": LayoutAttr(kernel)}
    steps.same(type(op), properties)


def _without_zeros(op: conv.ForwardConvolutionOp | conv.TransposedConvolutionOp, steps: Steps) -> bool:
    """Add the same convolution without a bias of zeros, if it has one."""
    if op.bias is None or not steps.is_zero(2):
        return False
    data, kernel = _layouts(op)
    properties = {**op.properties, "data_layout": LayoutAttr(data), "kernel_layout": LayoutAttr(kernel)}
    steps.add(type(op), [steps.operand(op.data), steps.operand(op.kernel), []], None, properties)
    return True


def _padded(steps: Steps, window: Window, layout: Layout, given: Sequence[int], seen: Sequence[int]) -> SSAValue | None:
    """The first operand with zeros in place of pads, without pads that no position reaches; None if that is itself."""
    ends = _pads_seen(window, given, seen)
    order, begins = layout.order_for(len(given)), (0, 0, *window.pads_begin)
    data = steps.block.args[0]
    x = steps.pad(data, [begins[axis] for axis in order], [(0, 0, *ends)[axis] for axis in order])
    left = [DYNAMIC, DYNAMIC, *seen]
    if steps.is_padded(0) and any(a != b for a, b in zip(seen, logical_shape(x, layout)[2:], strict=True)):
        x = steps.begin(x, [left[axis] for axis in order])
    has_pads = any((*window.pads_begin, *window.pads_end))
    return x if has_pads or x is not data else None


def _layouts(op: conv.ConvolutionOp) -> tuple[Layout, Layout]:
    data, kernel = op.operands[0], op.operands[1]
    return op.feature_layout("data", data), op.known_layout("kernel", kernel, "kernel_layout", op.kernel_layout)


@formula(conv.Conv1dOp, conv.ConvTranspose1dOp)
def signal(op: conv.Conv1dOp | conv.ConvTranspose1dOp, steps: Steps) -> None:
    """An image with a height of 1."""
    data, kernel = _layouts(op)
    unknown = [sizes.count(DYNAMIC) for sizes in (shape_of(op.kernel), shape_of(op.data), steps.result)]
    # A reshape has one unknown size at most.
    if _without_zeros(op, steps) or unknown[0] or max(unknown) > 1:
        return
    window = op.sliding_window(1)
    letters, own = str(data), str(kernel)
    properties: dict[str, Attribute] = {
        "strides": i64_array(1, *window.strides),
        "dilations": i64_array(1, *window.dilations),
        "pads": i64_array(0, *window.pads_begin, 0, *window.pads_end),
        "groups": op.groups,
        "data_layout": LayoutAttr(Layout.parse(letters.replace("W", "HW"))),
        "kernel_layout": LayoutAttr(Layout.parse(own.replace("W", "HW"))),
    }
    on_images = conv.Conv2dOp
    if isinstance(op, conv.ConvTranspose1dOp):
        on_images = conv.ConvTranspose2dOp
        if op.output_pads is not None:
            properties["output_pads"] = i64_array(0, *op.output_pads.get_values())
    given = [(op.data, letters), (op.kernel, own)]
    images = [
        steps.reshape(steps.operand(value), _with_height(shape_of(value), names.index("W"))) for value, names in given
    ]
    place = letters.index("W")
    bias = [] if op.bias is None else [steps.operand(op.bias)]
    result = steps.add(on_images, [*images, bias], _with_height(steps.result, place), properties)
    steps.reshape(result, steps.result)


def _with_height(sizes: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*sizes[:place], 1, *sizes[place:])


@formula(conv.ConvTranspose2dOp)
def transposed(op: conv.ConvTranspose2dOp, steps: Steps) -> None:
    """The whole result of each group, of which the pads are cut off, plus the bias."""
    if _without_zeros(op, steps):
        return
    data, kernel = _layouts(op)
    window, groups = op.sliding_window(2), op.groups.value.data
    is_simple = groups == 1 and window.dilations == (1, 1) and steps.is_static()
    has_more = any(window.pads_begin) or any(window.pads_end) or op.output_pads is not None or op.bias is not None
    if not is_simple or not has_more:
        return
    order = data.order_for(4)
    extents, sizes = logical_shape(op.kernel, kernel)[2:], logical_shape(op.data, data)[2:]
    full = [(size - 1) * stride + extent for size, stride, extent in zip(sizes, window.strides, extents, strict=True)]
    wanted = logical_shape(op.result, data)
    whole = tuple({0: wanted[0], 1: wanted[1], 2: full[0], 3: full[1]}[axis] for axis in order)
    names = ("pads", "output_pads")
    properties = {name: value for name, value in op.properties.items() if name not in names}
    properties |= {"data_layout": LayoutAttr(data), "kernel_layout": LayoutAttr(kernel)}
    x = steps.add(type(op), [steps.operand(op.data), steps.operand(op.kernel), []], whole, properties)
    begins = [0 if axis < 2 else window.pads_begin[axis - 2] for axis in order]
    behind = [max(begin + size - each, 0) for begin, size, each in zip(begins, steps.result, whole, strict=True)]
    x = steps.slice(steps.pad(x, [0] * 4, behind), begins, steps.result)
    if op.bias is not None:
        shape = [wanted[1] if axis == 1 else 1 for axis in order]
        bias = steps.operand(op.bias)
        steps.binary(AddOp, x, steps.reshape(bias, shape) if shape_of(bias) == (wanted[1],) else bias)


@formula(pooling.MaxPoolOp)
def max_pool(op: pooling.MaxPoolOp, steps: Steps) -> None:
    """A pool, which ignores padding, without pads that no position reaches."""
    layout = op.feature_layout("input", op.input)
    window, given = op.sliding_window(len(steps.result) - 2), logical_shape(op.input, layout)
    seen = _seen(op, given, op.window.get_values(), logical_shape(op.result, layout))
    if seen is None or ((ends := _pads_seen(window, given, seen)) == window.pads_end and op.ceil is None):
        return
    properties = _trimmed(op, window.pads_begin, ends) | {"data_layout": LayoutAttr(layout)}
    steps.add(type(op), [steps.operand(op.input)], None, properties)


@formula(pooling.AvgPoolOp)
def avg_pool(op: pooling.AvgPoolOp, steps: Steps) -> None:
    """A mean of data that have the pads in them as zeros, times the share of the elements that are no pads."""
    layout, rank = op.feature_layout("input", op.input), len(steps.result) - 2
    window, extents, given = op.sliding_window(rank), op.window.get_values(), logical_shape(op.input, layout)
    result = logical_shape(op.result, layout)
    seen = _seen(op, given, extents, result) if steps.is_f32() else None
    padded = None if seen is None else _padded(steps, window, layout, given, seen)
    if padded is None and (seen is None or op.ceil is None):
        return
    counts = _counts(window, given[2:], extents, result[2:], op.count_padding is not None)
    share = np.prod(extents) / np.maximum(counts, 1)
    properties = _trimmed(op, [0] * rank, [0] * rank) | {"data_layout": LayoutAttr(layout)}
    properties.pop("count_padding", None)
    mean = steps.add(type(op), [steps.operand(op.input) if padded is None else padded], None, properties)
    if not (share == 1).all():
        shares = share[None, None].transpose(layout.order_for(rank + 2))
        steps.times(mean, steps.constant(shares.astype(np.float32), f32))


def _counts(
    window: Window, sizes: Sequence[int], extents: Sequence[int], positions: Sequence[int], with_pads: bool
) -> np.ndarray:
    """The number of counted elements at each position."""
    result = np.ones((), np.float64)
    for axis, (size, extent, count) in enumerate(zip(sizes, extents, positions, strict=True)):
        begin, end = window.pads_begin[axis], window.pads_end[axis]
        places = np.arange(count)[:, None] * window.strides[axis] + np.arange(extent) * window.dilations[axis]
        low, high = (0, begin + size + end) if with_pads else (begin, begin + size)
        result = result[..., None] * ((places >= low) & (places < high)).sum(1)
    return result
