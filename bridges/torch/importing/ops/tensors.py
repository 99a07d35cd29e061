"""Conversion of operators that make tensors."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from .....interpreter.elements import numpy_dtype
from ....building import are_known
from ..node import CallNode
from ..registry import converts

MOST_ELEMENTS = 1 << 20
"""A larger constant stays a call."""


@converts("aten.full.default", "aten.full_like.default")
def full(node: CallNode) -> SSAValue:
    return _filled(node, node.get("fill_value"))


@converts("aten.zeros.default", "aten.zeros_like.default", "aten.new_zeros.default")
def zeros(node: CallNode) -> SSAValue:
    return _filled(node, 0)


@converts("aten.ones.default", "aten.ones_like.default", "aten.new_ones.default")
def ones(node: CallNode) -> SSAValue:
    return _filled(node, 1)


@converts("aten.scalar_tensor.default")
def scalar_tensor(node: CallNode) -> SSAValue:
    return _filled(node, node.get("s"))


def _filled(node: CallNode, number: Any) -> SSAValue:
    """One number, repeated."""
    result = node.result()
    node.require(isinstance(number, bool | int | float) and are_known(result.sizes), "a number or size that is unknown")
    node.require(node.get("memory_format") in (None, "torch.preserve_format"), "other strides")
    return node.broadcast(node.scalar(number, result.element), result.sizes)


@converts("aten.arange.default", "aten.arange.start", "aten.arange.start_step")
def arange(node: CallNode) -> SSAValue:
    start, end, step = node.get("start", 0), node.get("end"), node.get("step", 1)
    node.require(all(type(each) is int for each in (start, end, step)), "numbers that are not known whole ones")
    numbers: NDArray[np.int64] = np.arange(start, end, step)
    dtype = numpy_dtype(node.result().element)
    node.require(len(numbers) <= MOST_ELEMENTS and bool((numbers.astype(dtype) == numbers).all()), "large numbers")
    return node.constant_of(numbers)
