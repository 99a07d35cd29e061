"""Packs and unpacks, and the bytes that they move."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp

from ....dialects.carrying.callers import counting_calls
from ....dialects.npu.packing import PackingOp
from ....dialects.npu.values import shape_of, tensor_type
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE
from ....layout import DYNAMIC
from ..storages.origins import Origins
from .conversion_ops import ConversionOp, moves_at_run_time
from .transpose_cost import CONVERSION, Cost, cost_of, in_all_calls, moved_bytes


def cost_of_packs(module: ModuleOp, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """The cost of the packs and unpacks of a module, but for those of constants and those that move nothing."""
    moving = moving_packs(module, Origins())
    with counting_calls():
        return sum((in_all_calls(cost_of_pack(op, assumed_size), op) for op in moving), Cost())


def moving_packs(module: ModuleOp, origins: Origins) -> Iterator[PackingOp]:
    """The packs and unpacks that move data at run time, in program order."""
    return (op for op in module.walk() if isinstance(op, PackingOp) and moves_at_run_time(op, origins))


def bytes_of_pack(op: PackingOp, assumed_size: int = ASSUMED_SIZE) -> int:
    """The bytes that a pack or unpack moves: those of the larger one of operand and result, with padding."""
    return max(moved_bytes(tensor_type(value), assumed_size) for value in (op.input, op.result))


def cost_of_conversion(op: ConversionOp, origins: Origins, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """The cost of one transpose, pack or unpack that moves data."""
    if isinstance(op, PackingOp):
        return cost_of_pack(op, assumed_size)
    return cost_of(op.input, origins, assumed_size)


def cost_of_pack(op: PackingOp, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """The cost of one pack or unpack that moves data."""
    return Cost(1, bytes_of_pack(op, assumed_size), DYNAMIC in shape_of(op.input), noun=CONVERSION)
