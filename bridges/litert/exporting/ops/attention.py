"""Attention and what turns its queries and keys, in steps."""

from xdsl.ir import SSAValue

from .....dialects.npu import attention as ops
from .....dialects.npu.base import NpuOp
from .....dialects.npu.source import ConstantOp
from .....dialects.npu.values import element_type_of
from .....dialects.program.names import by_definition
from .....interpreter.ops.source import constant
from ...errors import NotExportable
from ..elements import element_of
from ..graph import LiteGraph, LiteTensor
from ..registry import EXPORTERS, exports


@exports(ops.AttentionOp, ops.RotaryOp)
def heads(op: ops.HeadsOp, graph: LiteGraph, *operands: LiteTensor | None) -> LiteTensor:
    block = op.in_steps()
    if block is None:
        raise NotExportable(f"'{op.name}' of unknown sizes has no counterpart in LiteRT")
    given = [each for each in operands if each is not None]
    known: dict[SSAValue, LiteTensor] = dict(zip(block.args, given, strict=True))
    result = given[0]
    for step in block.ops:
        assert isinstance(step, NpuOp), "steps are ops of the dialect"
        if isinstance(step, ConstantOp):
            known[step.result] = graph.numbers(constant(step), element_of(element_type_of(step.result)))
            continue
        found = EXPORTERS[type(step)](step, graph, *by_definition(step, [known[value] for value in step.operands]))
        assert isinstance(found, LiteTensor), "a step has one result"
        known[step.results[0]] = result = found
    return result
