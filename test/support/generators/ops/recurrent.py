"""Samplers of recurrent ops."""

from npu_opt.dialects.npu import recurrent
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, shape_of
from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import SSAValue

from ..sample_source import F32, F64, I32, SMALL, Range, SampleSource, fits, typed
from ..samplers import made, sampler


@sampler(recurrent.RnnOp, recurrent.GruOp, recurrent.LstmOp)
def _recurrent(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    assert issubclass(op, recurrent.RecurrentOp)
    x = samples.given(typed(samples.element((F32, F32, F64)), samples.shape(3, 60), samples.tensor_layout(3)), SMALL)
    element, (steps, batch, inputs) = element_type_of(x), shape_of(x)
    direction, size = samples.one(recurrent.DIRECTIONS), samples.rng.randint(1, 3)
    count = 1 + (direction == recurrent.BIDIRECTIONAL)
    if not fits((count, op.GATES * size, inputs)) or not fits((steps, count, batch, size)):
        return None

    def given(*shape: int) -> SSAValue:
        return samples.given(typed(element, shape, samples.tensor_layout(len(shape))), SMALL)

    def maybe(*shape: int) -> SSAValue | None:
        return given(*shape) if samples.chance(0.5) else None

    state, has_lengths = (count, batch, size), samples.chance(0.3)
    lengths = samples.given(typed(I32, (batch,), samples.tensor_layout(1)), Range(0, steps)) if has_lengths else None
    operands = [x, given(count, op.GATES * size, inputs), given(count, op.GATES * size, size)]
    operands += [maybe(count, 2 * op.GATES * size), lengths, maybe(*state)]
    is_lstm = op is recurrent.LstmOp
    operands += [maybe(*state), maybe(count, 3 * size)] if is_lstm else []
    results = [(steps, *state), state, *([state] if is_lstm else [])]
    names = [StringAttr(samples.one(op.ACTIVATIONS)) for _ in range(count * len(op.DEFAULTS))]
    return made(
        op,
        operands,
        [typed(element, shape, samples.tensor_layout(len(shape))) for shape in results],
        direction=direction if direction != recurrent.FORWARD or samples.chance(0.3) else None,
        activations=ArrayAttr(names) if samples.chance(0.3) else None,
        **({"linear_before_reset": samples.chance(0.5)} if op is recurrent.GruOp else {}),
    )
