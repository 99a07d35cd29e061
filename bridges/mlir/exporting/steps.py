"""The lowering of ops that are defined by their steps."""

from xdsl.ir import SSAValue

from ....dialects.npu.attention import HeadsOp
from ....dialects.npu.base import NpuOp
from ....dialects.npu.elementwise import ElementwiseOp
from ....dialects.npu.quantized import SteppedOp
from ....dialects.npu.source import ConstantOp
from ....dialects.npu.values import element_type_of, rank_of
from ....dialects.program.names import by_definition
from ....interpreter.ops.source import constant
from ..errors import NotLowerable
from .arithmetic import converted
from .arrange import reshape
from .elements import element_of
from .registry import LOWERINGS
from .tensors import Tensor
from .tensors import known as known_tensor


def in_steps(op: SteppedOp | HeadsOp, *operands: Tensor) -> Tensor:
    """The result of the last step, with each step converted to the element type of its result."""
    block = op.in_steps()
    if block is None:
        raise NotLowerable(f"'{op.name}' of unknown sizes has no counterpart in MLIR")
    known: dict[SSAValue, Tensor] = dict(zip(block.args, operands, strict=True))
    result: Tensor | None = None
    for step in block.ops:
        assert isinstance(step, NpuOp), "steps are ops of the dialect"
        if isinstance(step, ConstantOp):
            known[step.result] = known_tensor(constant(step), element_of(element_type_of(step.result)))
            continue
        read = [known[value] for value in step.operands]
        if isinstance(step, ElementwiseOp):
            read = [x if x.rank == rank_of(step.result) else reshape(x, []) for x in read]
        found = LOWERINGS[type(step)](step, *by_definition(step, read))
        assert isinstance(found, Tensor), "a step has one result"
        result = converted(found, element_of(element_type_of(step.results[0])))
        known[step.results[0]] = result
    assert result is not None, "there is a step"
    return result
