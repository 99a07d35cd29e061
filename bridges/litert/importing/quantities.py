"""Quantised numbers: scales and zero points are in the types of tensors here, and operands in the program."""

import numpy as np
from xdsl.dialects.builtin import FloatAttr, f64
from xdsl.ir import SSAValue

from ....dialects.npu.activations import ClipOp
from ..exporting.elements import LiteElement
from .file import FileTensor
from .node import FileNode

NARROW = (LiteElement.I8, LiteElement.U8)
BOUNDS = {0: (None, None), 1: (0.0, None), 2: (-1.0, 1.0), 3: (0.0, 6.0)}
"""The range of each activation function, by its number in the format."""


def is_quantised(node: FileNode) -> bool:
    """True if data, weights and result of an op are quantised; the result is made in the type of the data."""
    found = [tensor.element in NARROW and tensor.quantization is not None for tensor in (*_data(node), node.result)]
    node.require(all(found) or not any(found), "some of its tensors are quantised")
    node.require(not all(found) or node.input(0).element == node.result.element, "a result of another type")
    return all(found)


def _data(node: FileNode) -> list[FileTensor]:
    return [node.input(0), node.input(1)]


def weights(node: FileNode, index: int, axis: int) -> list[SSAValue]:
    """The scale and zero point of weights; without the zero point, which is 0 by rights, those of i8 stay in i8."""
    tensor = node.input(index)
    found, zeros = node.quantization(tensor), node.quantization(tensor).zero_point.astype(np.int64)
    node.require(len(found.scale) == 1 or found.axis == axis, "scales of another axis")
    if node.is_constant(index) and tensor.element == LiteElement.I8:
        shape = [-1 if each == axis else 1 for each in range(len(tensor.shape))] if zeros.size > 1 else []
        centred = node.numbers(index).astype(np.int64) - zeros.reshape(shape)
        node.require(bool(((centred >= -128) & (centred <= 127)).all()), "weights that need their zero point")
    return parameters(node, tensor)


def parameters(node: FileNode, tensor: FileTensor) -> list[SSAValue]:
    """The scale and the zero point of a tensor; one for all integers, or one per channel."""
    found = node.quantization(tensor)
    shape = () if len(found.scale) == 1 else found.scale.shape
    scale = node.constant(found.scale.reshape(shape), LiteElement.F32)
    return [scale, node.constant(found.zero_point.reshape(shape), tensor.element)]


def quantised_activation(node: FileNode, x: SSAValue) -> SSAValue:
    """The activation function that an op applies to its quantised result, as a range of integers."""
    number = node.activation
    node.require(number in BOUNDS, "an unknown activation function")
    numbers = node.quantization(node.result)
    least, most = (-128, 127) if node.result.element == LiteElement.I8 else (0, 255)
    ends = [None if each is None else np.float32(each) / numbers.scale[0] for each in BOUNDS[number]]
    is_between = any(each is not None and np.abs(each) % 1 == 0.5 for each in ends)
    node.require(not is_between, "a range that ends in the middle of two integers, of which each kernel takes another")
    low, high = (None if each is None else int(np.rint(each)) + int(numbers.zero_point[0]) for each in ends)
    bounds = {
        name: FloatAttr(float(bound), f64)
        for name, bound, is_needed in (
            ("min", low, low is not None and low > least),
            ("max", high, high is not None and high < most),
        )
        if is_needed and bound is not None
    }
    return node.add(ClipOp, [x], bounds) if bounds else x
