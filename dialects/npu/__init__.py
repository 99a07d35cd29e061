"""The npu dialect: the ops of neural networks, with the layout of every value in its type."""

from types import ModuleType

from xdsl.ir import Dialect

from . import (
    activations,
    binary,
    convolution,
    elementwise,
    linear,
    movement,
    normalization,
    pooling,
    quantization,
    quantized_convolution,
    reduction,
    resampling,
    shape,
    source,
    spatial,
    unary,
)
from .attrs import LayoutAttr, ReferenceAttr, ReshapeDimsAttr
from .base import NpuOp


def ops_of(module: ModuleType) -> list[type[NpuOp]]:
    """The ops that a module defines, in the order in which it defines them."""
    own = [member for member in vars(module).values() if getattr(member, "__module__", None) == module.__name__]
    return [
        member for member in own if isinstance(member, type) and issubclass(member, NpuOp) and "name" in vars(member)
    ]


FAMILIES = (
    convolution,
    quantized_convolution,
    linear,
    pooling,
    resampling,
    spatial,
    unary,
    activations,
    binary,
    elementwise,
    normalization,
    reduction,
    movement,
    quantization,
    shape,
    source,
)
"""The modules that define the ops, in the order of the reference."""

NPU = Dialect(
    "npu",
    [op for family in FAMILIES for op in ops_of(family)],
    [LayoutAttr, ReferenceAttr, ReshapeDimsAttr],
)
