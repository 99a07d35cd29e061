"""Makers of ops that pick elements or convert them."""

from npu_opt.dialects.npu import elementwise
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, shape_of

from ..makers import like, made, maker
from ..supply import ANY, I1, Supply, Want, typed


@maker(elementwise.CastOp)
def _cast(op: type[NpuOp], supply: Supply) -> NpuOp:
    operand = supply.some(Want(ANY, steady=True))
    return made(op, [operand], [like(operand, element=supply.element(ANY))])


@maker(elementwise.SelectOp)
def _select(op: type[NpuOp], supply: Supply) -> NpuOp:
    full = supply.some(Want(ANY))
    shape, layout = shape_of(full), layout_of(full)
    repeated = tuple(1 if supply.chance(0.3) else size for size in shape)
    condition = supply.given(typed(I1, supply.one((shape, shape, repeated)), layout))
    one = typed(element_type_of(full), (), supply.tensor_layout(0))
    other = supply.given(supply.one((like(full), like(full, repeated), one)))
    choices = [full, other]
    supply.rng.shuffle(choices)
    return made(op, [condition, *choices], [like(full)])
