"""Packs and unpacks, and the bytes that they move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from ....dialects.npu.packing import PackingOp
from ....dialects.npu.values import shape_of, tensor_type
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE
from ....layout import DYNAMIC
from ..storages.origins import Origins
from .conversion_ops import moves_at_run_time
from .transpose_cost import CONVERSION, Cost, MoveCount, moved_bytes


def cost_of_packs(module: ModuleOp, assumed_size: int = ASSUMED_SIZE) -> MoveCount:
    """The packs and unpacks of a module, but for those of constants and those that move nothing."""
    total = MoveCount()
    for op in moving_packs(module, Origins()):
        total = total.plus(MoveCount(1, bytes_of_pack(op, assumed_size), DYNAMIC in shape_of(op.input)))
    return total


def moving_packs(module: ModuleOp, origins: Origins) -> Iterator[PackingOp]:
    """The packs and unpacks that move data at run time, in program order."""
    return (op for op in module.walk() if isinstance(op, PackingOp) and moves_at_run_time(op, origins))


def bytes_of_pack(op: PackingOp, assumed_size: int = ASSUMED_SIZE) -> int:
    """The bytes that a pack or unpack moves: those of the larger one of operand and result, with padding."""
    return max(moved_bytes(tensor_type(value), assumed_size) for value in (op.input, op.result))


def cost_of_pack(op: PackingOp, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """The cost of one pack or unpack that moves data."""
    return Cost(1, bytes_of_pack(op, assumed_size), DYNAMIC in shape_of(op.input), noun=CONVERSION)


def with_packs(cost: Cost, packs: MoveCount) -> Cost:
    """The cost of transposes, and of packs if there are some."""
    if not packs.count:
        return cost
    return replace(
        cost,
        transposes=cost.transposes + packs.count,
        bytes=cost.bytes + packs.bytes,
        is_assumed=cost.is_assumed or packs.is_assumed,
        noun=CONVERSION,
    )
