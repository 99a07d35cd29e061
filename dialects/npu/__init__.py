"""The npu dialect: the ops of neural networks, with the layout of every value in its type."""

from xdsl.ir import Dialect

from . import elementwise
from .attrs import LayoutAttr, ReferenceAttr, ReshapeDimsAttr
from .base import NpuOp


def ops_of(module: object) -> list[type[NpuOp]]:
    """The ops that a module defines, in the order in which it defines them."""
    return [
        member
        for member in vars(module).values()
        if isinstance(member, type) and issubclass(member, NpuOp) and "name" in vars(member)
    ]


NPU = Dialect(
    "npu",
    [op for module in (elementwise,) for op in ops_of(module)],
    [LayoutAttr, ReferenceAttr, ReshapeDimsAttr],
)
