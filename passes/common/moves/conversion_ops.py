"""The ops that store data in another way and compute nothing: transposes, packs and unpacks."""

from typing import TypeAlias, TypeGuard

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....dialects.npu.packing import PackingOp
from ....dialects.npu.shape import AnyTransposeOp
from ..graph.quick_checks import isinstance_cached
from ..storages.origins import Origins
from .transpose_cost import NotCounted, reason_not_counted

ConversionOp: TypeAlias = AnyTransposeOp | PackingOp


def is_conversion(op: Operation) -> TypeGuard[ConversionOp]:
    """True for a conversion."""
    return isinstance_cached(op, (AnyTransposeOp, PackingOp))


def moves_at_run_time(op: ConversionOp, origins: Origins) -> bool:
    """True if a conversion moves data, and that is not known at compile time."""
    return why_not_counted(op, origins) is None


def why_not_counted(op: ConversionOp, origins: Origins) -> NotCounted | None:
    """The reason why a conversion is free at run time, if it is."""
    if isinstance(op, AnyTransposeOp):
        return reason_not_counted(op, origins)
    if not op.moves():
        return NotCounted.NO_MOVE
    return NotCounted.CONSTANT if origins.is_constant(op.input) else None


def counted_conversions(module: ModuleOp, origins: Origins | None = None) -> list[ConversionOp]:
    """The conversions that move data at run time."""
    origins = origins or Origins()
    return [op for op in module.walk() if is_conversion(op) and moves_at_run_time(op, origins)]
