"""The ops that store data in another way and compute nothing: transposes, packs and unpacks."""

from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp

from ...dialects.npu.packing import PackingOp
from ...dialects.npu.shape import AnyTransposeOp
from .origins import Origins
from .transpose_cost import reason_not_counted

ConversionOp: TypeAlias = AnyTransposeOp | PackingOp


def moves_at_run_time(op: ConversionOp, origins: Origins) -> bool:
    """True if a conversion moves data, and that is not known at compile time."""
    if isinstance(op, AnyTransposeOp):
        return reason_not_counted(op, origins) is None
    return op.moves() and not origins.is_constant(op.input)


def counted_conversions(module: ModuleOp) -> list[ConversionOp]:
    """The conversions that move data at run time."""
    origins = Origins()
    return [op for op in module.walk() if isinstance(op, ConversionOp) and moves_at_run_time(op, origins)]
