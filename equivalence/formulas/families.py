"""The formulas of all families."""

from collections.abc import Callable

from xdsl.ir import Operation

from ...dialects.npu.source import OpaqueOp
from ...dialects.npu.values import is_whole
from . import (
    elementwise,
    foreign,
    grid_sample,
    indexing,
    linear,
    movement,
    normalization,
    quantization,
    recurrent,
    reduction,
    signal,
    windows,
)
from .registry import FOREIGN, FORMULAS, Known
from .steps import Steps

FAMILIES = (
    elementwise,
    foreign,
    grid_sample,
    indexing,
    linear,
    movement,
    normalization,
    quantization,
    recurrent,
    reduction,
    signal,
    windows,
)
"""The modules that fill the tables."""


def steps_of(op: Operation, known: Known, is_padded: Callable[[int], bool]) -> Steps | None:
    """The steps of an op, or None if it has no formula."""
    if isinstance(op, OpaqueOp) and any(map(is_whole, (*op.operands, *op.results))):
        return None
    chosen = FOREIGN.get(op.op_name.data) if isinstance(op, OpaqueOp) else FORMULAS.get(type(op))
    if chosen is None:
        return None
    steps = Steps(op, known, is_padded)
    chosen(op, steps)
    return steps if steps.made else None
