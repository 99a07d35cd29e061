"""Sliding windows: pads that no position reaches are dropped, signals are images, transposed windows have no pads."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import UnitAttr, f32
from xdsl.ir import Attribute

from ...dialects.npu import convolution as conv
from ...dialects.npu import pooling
from ...dialects.npu.attrs import LayoutAttr, i64_array
from ...dialects.npu.binary import AddOp
from ...dialects.npu.feature import Window, WindowedOp
from ...dialects.npu.quantized_convolution import Conv2dIntegerOp, QuantConv2dOp
from ...dialects.npu.values import logical_shape, shape_of
from ...layout import Layout
from .registry import formula
from .steps import Steps


def _seen(window: Window, sizes: Sequence[int], extents: Sequence[int], positions: Sequence[int]) -> list[int]:
    """The pads behind each axis, as far as a position of the window reaches them."""
    return [
        max((count - 1) * stride + (extent - 1) * dilation + 1 - size - begin, 0)
        for size, extent, count, stride, dilation, begin in zip(
            sizes, extents, positions, window.strides, window.dilations, window.pads_begin, strict=True
        )
    ]


def _trimmed(op: WindowedOp, steps: Steps, begins: Sequence[int], ends: Sequence[int]) -> dict[str, Attribute]:
    """The properties of an op with other pads, and its layouts as attributes."""
    properties = {name: value for name, value in op.properties.items() if name not in ("pads", "ceil")}
    return {**properties, "pads": i64_array(*begins, *ends)} if any((*begins, *ends)) else properties


@formula(conv.Conv2dOp, conv.Conv3dOp, Conv2dIntegerOp, QuantConv2dOp)
def convolution(op: conv.ForwardConvolutionOp | Conv2dIntegerOp | QuantConv2dOp, steps: Steps) -> None:
    data, kernel = _layouts(op)
    rank = len(steps.result) - 2
    if not steps.is_static() or 0 in (*shape_of(op.data), *steps.result):
        return
    window = op.sliding_window(rank)
    extents = logical_shape(op.kernel, kernel)[2:]
    ends = _seen(window, logical_shape(op.data, data)[2:], extents, logical_shape(op.result, data)[2:])
    if tuple(ends) == window.pads_end:
        return
    properties = _trimmed(op, steps, window.pads_begin, ends)
    properties |= {"data_layout": LayoutAttr(data), "kernel_layout": LayoutAttr(kernel)}
    steps.same(type(op), properties)


def _layouts(op: conv.ConvolutionOp) -> tuple[Layout, Layout]:
    data, kernel = op.operands[0], op.operands[1]
    return op.feature_layout("data", data), op.known_layout("kernel", kernel, "kernel_layout", op.kernel_layout)


@formula(conv.Conv1dOp, conv.ConvTranspose1dOp)
def signal(op: conv.Conv1dOp | conv.ConvTranspose1dOp, steps: Steps) -> None:
    """An image with a height of 1."""
    data, kernel = _layouts(op)
    if not steps.is_static():
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
        form = [wanted[1] if axis == 1 else 1 for axis in order]
        bias = steps.operand(op.bias)
        steps.binary(AddOp, x, steps.reshape(bias, form) if shape_of(bias) == (wanted[1],) else bias)


@formula(pooling.MaxPoolOp)
def max_pool(op: pooling.MaxPoolOp, steps: Steps) -> None:
    _pool(op, steps)


def _pool(op: pooling.PoolingOp, steps: Steps) -> None:
    """The same pool without pads that no position reaches, which padding is ignored by."""
    layout, rank = op.feature_layout("input", op.input), len(steps.result) - 2
    if not steps.is_static() or 0 in (*shape_of(op.input), *steps.result):
        return
    window = op.sliding_window(rank)
    ends = _seen(
        window, logical_shape(op.input, layout)[2:], op.window.get_values(), logical_shape(op.result, layout)[2:]
    )
    if tuple(ends) == window.pads_end and op.ceil is None:
        return
    properties = _trimmed(op, steps, window.pads_begin, ends) | {"data_layout": LayoutAttr(layout)}
    steps.add(type(op), [steps.operand(op.input)], None, properties)


@formula(pooling.AvgPoolOp)
def avg_pool(op: pooling.AvgPoolOp, steps: Steps) -> None:
    """A mean that counts the pads as zeros, times the share of the elements that are no pads."""
    layout, rank = op.feature_layout("input", op.input), len(steps.result) - 2
    if not (steps.is_static() and steps.is_f32()) or 0 in (*shape_of(op.input), *steps.result):
        return
    window, extents = op.sliding_window(rank), op.window.get_values()
    sizes, positions = logical_shape(op.input, layout)[2:], logical_shape(op.result, layout)[2:]
    ends = _seen(window, sizes, extents, positions)
    is_plain = tuple(ends) == window.pads_end and op.ceil is None
    if is_plain and (op.count_padding is not None or not any((*window.pads_begin, *ends))):
        return
    counts = _counts(window, sizes, extents, positions, op.count_padding is not None)
    share = np.prod(extents) / np.maximum(counts, 1)
    order = layout.order_for(rank + 2)
    properties = _trimmed(op, steps, window.pads_begin, ends) | {"data_layout": LayoutAttr(layout)}
    if any((*window.pads_begin, *ends)):
        properties["count_padding"] = UnitAttr()
    mean = steps.add(type(op), [steps.operand(op.input)], None, properties)
    if not (share == 1).all():
        form = share[None, None].transpose(order)
        steps.times(mean, steps.constant(form.astype(np.float32), f32))


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
