"""Convolutions: data with its channels last, kernels as (O, spatial..., I)."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, SSAValue

from .....dialects.npu import convolution as ops
from .....dialects.npu.attrs import LayoutAttr, i64_array, i64_attr
from .....dialects.npu.binary import AddOp
from .....dialects.npu.quantized_convolution import Conv2dIntegerOp
from .....interpreter.elements import is_integer_type
from .....layout import Layout
from ..node import ImportedOp, Operand
from ..registry import reads
from .elementwise import build


def layout(letters: str) -> LayoutAttr:
    return LayoutAttr(Layout.parse(letters))


def pads_of(pairs: Sequence[int]) -> Sequence[int]:
    """Reorder pads from (begin, end) per axis to all begins, then all ends."""
    return (*pairs[::2], *pairs[1::2])


def window(strides: Sequence[int], dilations: Sequence[int], pads: Sequence[int]) -> dict[str, Attribute]:
    """The window properties without defaults."""
    lists = {"strides": (strides, 1), "dilations": (dilations, 1), "pads": (pads, 0)}
    return {
        name: i64_array(*numbers)
        for name, (numbers, default) in lists.items()
        if any(number != default for number in numbers)
    }


def window_of(node: ImportedOp) -> dict[str, Attribute]:
    return window(node.ints("stride"), node.ints("dilation"), pads_of(node.ints("pad")))


def layouts(data: str, kernel: str) -> dict[str, Attribute]:
    return {"data_layout": layout(data), "kernel_layout": layout(kernel)}


@reads("tosa.conv2d")
def conv2d(
    node: ImportedOp, x: Operand, kernel: Operand, bias: Operand, zero: Operand, kernel_zero: Operand
) -> SSAValue:
    properties = {**window_of(node), **layouts("NHWC", "OHWI")}
    if is_integer_type(x.type):
        return _of_integers(node, x, kernel.value, bias, (zero, kernel_zero), properties)
    node.require_no_zero_points(zero, kernel_zero)
    return _convolved(node, ops.Conv2dOp, x.value, kernel.value, bias, properties)


@reads("tosa.conv3d")
def conv3d(
    node: ImportedOp, x: Operand, kernel: Operand, bias: Operand, zero: Operand, kernel_zero: Operand
) -> SSAValue:
    node.require_no_zero_points(zero, kernel_zero)
    properties = {**window_of(node), **layouts("NDHWC", "ODHWI")}
    return _convolved(node, ops.Conv3dOp, x.value, kernel.value, bias, properties)


@reads("tosa.depthwise_conv2d")
def depthwise(
    node: ImportedOp, x: Operand, kernel: Operand, bias: Operand, zero: Operand, kernel_zero: Operand
) -> SSAValue:
    """A convolution with one group per channel; the multiples of a channel are adjacent outputs."""
    height, width, channels, multiples = kernel.shape
    properties = {**window_of(node), **layouts("NHWC", "HWOI"), "groups": i64_attr(channels)}
    flat = node.reshaped(kernel, [height, width, channels * multiples, 1])
    if is_integer_type(x.type):
        return _of_integers(node, x, flat, bias, (zero, kernel_zero), properties)
    node.require_no_zero_points(zero, kernel_zero)
    return _convolved(node, ops.Conv2dOp, x.value, flat, bias, properties)


@reads("tosa.transpose_conv2d")
def transposed(
    node: ImportedOp, x: Operand, kernel: Operand, bias: Operand, zero: Operand, kernel_zero: Operand
) -> SSAValue:
    """The kernel is that of the forward convolution, whose outputs are the inputs of this op."""
    node.require_no_zero_points(zero, kernel_zero)
    top, bottom, left, right = node.ints("out_pad")
    node.require(top <= 0 and left <= 0, "positive output pads at the front")
    pads = (-top, -left, max(-bottom, 0), max(-right, 0))
    properties = {**window(node.ints("stride"), [1, 1], pads), **layouts("NHWC", "IHWO")}
    if bottom > 0 or right > 0:
        properties["output_pads"] = i64_array(max(bottom, 0), max(right, 0))
    return _convolved(node, ops.ConvTranspose2dOp, x.value, kernel.value, bias, properties)


def _convolved(
    node: ImportedOp,
    op: type[ops.ConvolutionOp],
    x: SSAValue,
    kernel: SSAValue,
    bias: Operand,
    properties: dict[str, Attribute],
) -> SSAValue:
    added = [] if bias.is_all(0) else [_whole(node, bias, node.shape[-1])]
    return node.add(op, [x, kernel, added], properties)


def _whole(node: ImportedOp, bias: Operand, channels: int) -> SSAValue:
    """A bias with one number per channel; TOSA broadcasts a single one."""
    if bias.shape == (channels,):
        return bias.value
    return node.constant(np.broadcast_to(bias.numbers, (channels,)), bias.type)


def _of_integers(
    node: ImportedOp,
    x: Operand,
    kernel: SSAValue,
    bias: Operand,
    zeros: tuple[Operand, Operand],
    properties: dict[str, Attribute],
) -> SSAValue:
    """A convolution of integers in i32, plus the bias."""
    node.require(node.element == i32, "an accumulator other than i32")
    operands = [x.value, kernel, *(node.reshaped(zero, []) for zero in zeros)]
    total = node.add(Conv2dIntegerOp, operands, properties)
    if bias.is_all(0):
        return total
    return build(node, AddOp, total, node.reshaped(bias, [1, 1, 1, *bias.shape]))
