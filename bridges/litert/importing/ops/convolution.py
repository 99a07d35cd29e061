"""Convolutions: data with its channels last, kernels as O, spatial, I, or I, spatial, O for one channel per group."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Attribute, SSAValue

from .....dialects.npu import convolution as ops
from .....dialects.npu.attrs import i64_attr
from .....dialects.npu.quantized_convolution import QuantConv2dOp
from .....layout import DYNAMIC
from ...exporting.elements import LiteElement
from ...exporting.windows import SAME
from ..errors import NotReadable
from ..node import FileNode
from ..quantities import is_quantised, parameters, quantised_activation, weights
from ..registry import reads
from ..windows import layout, numbers, padded, window_of


class KernelForm(NamedTuple):
    """The letters of a kernel, its spatial sizes and the number of groups."""

    letters: str
    extents: tuple[int, ...]
    groups: int
    is_unusual: bool = False
    """True if a convolution like it is usually another kind of node."""


@reads("CONV_2D")
def conv2d(node: FileNode) -> SSAValue:
    outputs, height, width, inputs = node.known_shape(1)
    channels = node.shape(0)[-1]
    node.require(inputs > 0 and channels % inputs == 0 and len(node.shape(0)) == 4, "a kernel of other channels")
    del outputs
    return _convolved(node, KernelForm("OHWI", (height, width), channels // inputs, inputs == 1 < channels))


@reads("DEPTHWISE_CONV_2D")
def depthwise(node: FileNode) -> SSAValue:
    """A convolution with one group per channel; the multiples of a channel are adjacent outputs."""
    one, height, width, outputs = node.known_shape(1)
    channels = node.shape(0)[-1]
    node.require(one == 1 and channels > 0 and outputs % channels == 0, "a kernel of other channels")
    return _convolved(node, KernelForm("IHWO", (height, width), channels, channels == 1))


@reads("CONV_3D")
def conv3d(node: FileNode) -> SSAValue:
    *extents, inputs, _ = node.known_shape(1)
    node.require(node.shape(0)[-1] == inputs, "groups")
    return _convolved(node, KernelForm("DHWIO", tuple(extents), 1))


def _convolved(node: FileNode, kernel: KernelForm) -> SSAValue:
    letters = "NDHWC" if len(kernel.extents) == 3 else "NHWC"
    zero = float(node.quantization(node.input(0)).zero_point[0]) if is_quantised(node) else 0.0
    data, given = padded(node, 0, zero, kernel.extents)
    properties: dict[str, Attribute] = {
        **window_of(node, kernel.extents, given),
        "data_layout": layout(letters),
        "kernel_layout": layout(kernel.letters),
        "groups": i64_attr(kernel.groups),
    }
    if is_quantised(node):
        return _quantised(node, kernel, data, properties)
    node.require(node.input(0).element == node.input(1).element == node.result.element, "several element types")
    op = ops.Conv3dOp if len(kernel.extents) == 3 else ops.Conv2dOp
    result = node.add(op, [data, node.value(1), bias_of(node, 2)], properties)
    return node.activated(node.marked(result) if kernel.is_unusual else result)


def _quantised(node: FileNode, kernel: KernelForm, data: SSAValue, properties: Mapping[str, Attribute]) -> SSAValue:
    """The kernel has one scale for each of its outputs, or for all."""
    node.require(len(kernel.extents) == 2, "quantised volumes")
    has_zeros = node.input(1).element == LiteElement.I8 and node.quantization(node.input(1)).zero_point.any()
    node.require(not has_zeros, "zero points of i8, which some kernels refuse, and others do not read")
    node.require(not node.has(2) or node.is_constant(2), "a bias that is computed")
    of_kernel = weights(node, 1, kernel.letters.index("O"))
    operands = [data, node.value(1), *parameters(node, node.input(0)), *of_kernel]
    result = node.add(QuantConv2dOp, [*operands, *parameters(node, node.result), bias_of(node, 2)], properties)
    marked = node.marked(result) if kernel.is_unusual else node.marked_unsigned(result)
    return quantised_activation(node, marked)


def bias_of(node: FileNode, index: int) -> Sequence[SSAValue]:
    """The bias, if it is not zeros only."""
    if not node.has(index):
        return []
    found = node.file.numbers(node.input(index))
    return [] if found is not None and not found.any() else [node.value(index)]


@reads("TRANSPOSE_CONV")
def transposed(node: FileNode) -> SSAValue:
    """The kernel is that of the forward convolution, whose outputs are the inputs of this op."""
    node.require(node.input(2).element in (LiteElement.F32, LiteElement.F16), "quantised numbers")
    (_, *extents, inputs), (_, *sizes, channels) = node.known_shape(1), node.shape(2)
    strides = node.options.strideH, node.options.strideW
    node.require(inputs == channels and min(sizes) > 0 and min(strides) > 0, "a kernel of other channels")
    node.require(DYNAMIC not in (*node.shape(2), *node.result.shape), "an unknown size")
    whole = [(size - 1) * stride + extent for size, stride, extent in zip(sizes, strides, extents, strict=True)]
    cut = [each - size for each, size in zip(whole, node.result.shape[1:3], strict=True)]
    added = [max(-each, 0) for each in cut]
    node.require(all(each < stride for each, stride in zip(added, strides, strict=True)), "a result of another size")
    begins = [max(each, 0) // 2 if node.options.padding == SAME else 0 for each in cut]
    ends = [max(each, 0) - begin for each, begin in zip(cut, begins, strict=True)]
    properties: dict[str, Attribute] = {
        **numbers("strides", strides, 1),
        **numbers("pads", (*begins, *ends), 0),
        **numbers("output_pads", added, 0),
        "data_layout": layout("NHWC"),
        "kernel_layout": layout("IHWO"),
    }
    if node.options.padding != SAME and any(end > 0 for end in ends):
        raise NotReadable("a result that is cut off")
    return node.activated(node.add(ops.ConvTranspose2dOp, [node.value(2), node.value(1), bias_of(node, 3)], properties))
