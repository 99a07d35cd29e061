"""The meaning of ops that are defined by their steps."""

import numpy as np
from xdsl.ir import SSAValue

from ..dialects.npu.base import NpuOp
from ..dialects.npu.quantized import SteppedOp
from ..dialects.npu.values import element_type_of
from ..dialects.program.names import by_definition
from .elements import Array, store
from .registry import MEANINGS


def in_steps(op: SteppedOp, *operands: Array) -> Array:
    """The result of the last step, with each step stored in the element type of its result."""
    block = op.in_steps()
    known: dict[SSAValue, Array] = dict(zip(block.args, operands, strict=True))
    result: Array | None = None
    for step in block.ops:
        assert isinstance(step, NpuOp), "steps are ops of the dialect"
        found = MEANINGS[type(step)](step, *by_definition(step, [known[value] for value in step.operands]))
        result = store(np.asarray(found), element_type_of(step.results[0]))
        known[step.results[0]] = result
    assert result is not None, "there is a step"
    return result
