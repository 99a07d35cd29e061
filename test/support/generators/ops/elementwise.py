"""Samplers of ops that pick elements or convert them."""

from npu_opt.dialects.npu import elementwise
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import bits_in_memory, element_type_of, is_narrow_float, layout_of, shape_of

from ..sample_source import ANY, I1, NARROW_FLOATS, SampleSource, Want, typed
from ..samplers import like, made, sampler


@sampler(elementwise.CastOp)
def _cast(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    operand = samples.some(Want(ANY, steady=True))
    element = samples.element(ANY)
    if samples.IS_OF_ONE_OP and samples.chance(0.1):
        element = samples.one(NARROW_FLOATS)
    overflows = is_narrow_float(element) and samples.chance(0.5)
    return made(op, [operand], [like(operand, element=element)], overflows=overflows)


@sampler(elementwise.BitcastOp)
def _bitcast(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    operand = samples.some(Want(ANY))
    bits = bits_in_memory(element_type_of(operand))
    types = sorted({*ANY, *NARROW_FLOATS}, key=str) if samples.IS_OF_ONE_OP else [element_type_of(operand)]
    alike = [element for element in types if bits_in_memory(element) == bits]
    return made(op, [operand], [like(operand, element=samples.one(alike))])


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
