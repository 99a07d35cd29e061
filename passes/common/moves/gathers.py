"""Gathers that re-order the elements along an axis, as transposes do, and the bytes that they move."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ....dialects.npu.movement import GatherOp
from ....dialects.npu.source import written_numbers
from ....dialects.npu.values import shape_of, tensor_type
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE
from ....layout import DYNAMIC
from ..storages.origins import Origins
from .transpose_cost import Cost, moved_bytes


def cost_of_gathers(module: ModuleOp, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """The cost of all gathers of a module that select each position of an axis once, in another order."""
    origins = Origins()
    gathers = (op for op in module.walk() if isinstance(op, GatherOp) and _reorders(op, origins))
    types = (tensor_type(op.result) for op in gathers)
    return sum((Cost(1, moved_bytes(each, assumed_size), DYNAMIC in each.get_shape()) for each in types), Cost())


def _reorders(op: GatherOp, origins: Origins) -> bool:
    numbers, size = written_numbers(op.indices), shape_of(op.input)[op.axis.value.data]
    if numbers is None or shape_of(op.indices) != (size,) or origins.is_constant(op.input):
        return False
    places = np.asarray(numbers.get_values())
    whole = np.arange(size)
    return not np.array_equal(places, whole) and np.array_equal(np.sort(places), whole)
