"""Samplers of ops that pick elements or convert them."""

from npu_opt.dialects.npu import elementwise
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, shape_of

from ..sample_source import ANY, I1, SampleSource, Want, typed
from ..samplers import like, made, sampler


@sampler(elementwise.CastOp)
def _cast(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    operand = samples.some(Want(ANY, steady=True))
    return made(op, [operand], [like(operand, element=samples.element(ANY))])


@sampler(elementwise.SelectOp)
def _select(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    full = samples.some(Want(ANY))
    shape, layout = shape_of(full), layout_of(full)
    repeated = tuple(1 if samples.chance(0.3) else size for size in shape)
    condition = samples.given(typed(I1, samples.one((shape, shape, repeated)), layout))
    one = typed(element_type_of(full), (), samples.tensor_layout(0))
    other = samples.given(samples.one((like(full), like(full, repeated), one)))
    choices = [full, other]
    samples.rng.shuffle(choices)
    return made(op, [condition, *choices], [like(full)])
