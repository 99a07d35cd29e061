"""The npu dialect: the ops of neural networks, with the layout of every value in its type."""

from importlib import import_module
from types import ModuleType

from xdsl.ir import Dialect

from .attrs import LayoutAttr, OpaqueType, ReferenceAttr, ReshapeDimsAttr, StringType
from .base import NpuOp


def ops_of(module: ModuleType) -> list[type[NpuOp]]:
    """The ops that a module defines, in the order of their definitions."""
    own = [member for member in vars(module).values() if getattr(member, "__module__", None) == module.__name__]
    return [
        member for member in own if isinstance(member, type) and issubclass(member, NpuOp) and "name" in vars(member)
    ]


FAMILIES = (
    "convolution",
    "quantized_convolution",
    "linear",
    "attention",
    "recurrent",
    "pooling",
    "quantized_pooling",
    "resampling",
    "sampling",
    "signal",
    "spatial",
    "unary",
    "activations",
    "binary",
    "quantized_elementwise",
    "elementwise",
    "normalization",
    "reduction",
    "movement",
    "indexing",
    "selection",
    "dynamic",
    "quantization",
    "low_precision",
    "shape",
    "packing",
    "source",
    "vendor",
)
"""The modules that define the ops, in the order of the reference.

Modules of the same names hold the entries of their ops in other tables (op_table.py).
"""

MODULES = [import_module(f".{name}", __package__) for name in FAMILIES]

NPU = Dialect(
    "npu",
    [op for module in MODULES for op in ops_of(module)],
    [LayoutAttr, OpaqueType, ReferenceAttr, ReshapeDimsAttr, StringType],
)
