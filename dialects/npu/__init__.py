"""The npu dialect: the ops of neural networks, with the layout of every value in its type."""

from xdsl.ir import Dialect

from . import convolution, elementwise, quantised_convolution, shape, source
from .attrs import LayoutAttr, ReferenceAttr, ReshapeDimsAttr
from .base import NpuOp


def ops_of(module: object) -> list[type[NpuOp]]:
    """The ops that a module defines, in the order in which it defines them."""
    return [
        member
        for member in vars(module).values()
        if isinstance(member, type) and issubclass(member, NpuOp) and "name" in vars(member)
    ]


FAMILIES = (
    convolution,
    quantised_convolution,
    elementwise,
    shape,
    source,
)
"""The modules that define the ops, in the order of the reference."""

NPU = Dialect(
    "npu",
    [op for family in FAMILIES for op in ops_of(family)],
    [LayoutAttr, ReferenceAttr, ReshapeDimsAttr],
)
