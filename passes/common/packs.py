"""Packs and unpacks, and the bytes that they move."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from ...dialects.npu.packing import PackingOp
from ...dialects.npu.values import shape_of, tensor_type
from ...layout import DYNAMIC
from .origins import Origins
from .transpose_cost import ASSUMED_SIZE, CONVERSION, Cost, MoveCount, cost_of_program, moved_bytes


def cost_of_conversions(module: ModuleOp, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """The cost of all transposes, packs and unpacks of a module."""
    found, packs = cost_of_program(module, assumed_size), cost_of_packs(module, assumed_size)
    return replace(
        found,
        transposes=found.transposes + packs.count,
        bytes=found.bytes + packs.bytes,
        is_assumed=found.is_assumed or packs.is_assumed,
        noun=CONVERSION,
    )


def cost_of_packs(module: ModuleOp, assumed_size: int = ASSUMED_SIZE) -> MoveCount:
    """The packs and unpacks of a module, but for those of constants and those that move nothing.

    A pack or unpack moves the bytes of the larger one of operand and result, with padding.
    """
    origins, total = Origins(), MoveCount()
    for op in module.walk():
        if isinstance(op, PackingOp) and op.moves() and not origins.is_constant(op.input):
            moved = max(moved_bytes(tensor_type(value), assumed_size) for value in (op.input, op.result))
            total = total.plus(MoveCount(1, moved, DYNAMIC in shape_of(op.input)))
    return total
