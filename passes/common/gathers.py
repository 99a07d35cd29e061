"""Gathers that re-order the elements along an axis, as transposes do, and the bytes that they move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp

from ...dialects.npu.movement import GatherOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import shape_of, tensor_type
from ...layout import DYNAMIC
from .origins import Origins
from .transpose_cost import ASSUMED_SIZE, moved_bytes


class GatherCost(NamedTuple):
    """The number of such gathers, and the bytes that they move."""

    gathers: int = 0
    bytes: int = 0
    is_assumed: bool = False
    """True if a size was assumed."""

    def plus(self, other: GatherCost) -> GatherCost:
        return GatherCost(self.gathers + other.gathers, self.bytes + other.bytes, self.is_assumed or other.is_assumed)

    @property
    def bytes_text(self) -> str:
        return f"~{self.bytes}" if self.is_assumed else str(self.bytes)


def cost_of_gathers(module: ModuleOp, assumed_size: int = ASSUMED_SIZE) -> GatherCost:
    """The cost of all gathers of a module that select each position of an axis once, in another order."""
    origins, total = Origins(), GatherCost()
    for op in module.walk():
        if isinstance(op, GatherOp) and _reorders(op, origins):
            type_ = tensor_type(op.result)
            total = total.plus(GatherCost(1, moved_bytes(type_, assumed_size), DYNAMIC in type_.get_shape()))
    return total


def _reorders(op: GatherOp, origins: Origins) -> bool:
    constant, size = op.indices.owner, shape_of(op.input)[op.axis.value.data]
    if not isinstance(constant, ConstantOp) or not isinstance(constant.value, DenseIntOrFPElementsAttr):
        return False
    if shape_of(op.indices) != (size,) or origins.is_constant(op.input):
        return False
    places = np.asarray(constant.value.get_values())
    whole = np.arange(size)
    return not np.array_equal(places, whole) and np.array_equal(np.sort(places), whole)
