"""Makers of elementwise ops of one operand."""

from npu_opt.dialects.npu import unary
from npu_opt.dialects.npu.base import NpuOp

from ..makers import like, made, maker
from ..supply import BOOLEANS, FLOATS, INTEGERS, NUMBERS, POSITIVE, SMALL, Supply, Want

SMOOTH = (unary.SinOp, unary.CosOp, unary.TanhOp, unary.ErfOp)


def unary_op(op: type[NpuOp], supply: Supply, want: Want, **properties: float | str | None) -> NpuOp:
    """An op of one operand with a result of its type."""
    operand = supply.some(want)
    return made(op, [operand], [like(operand)], **properties)


@maker(*SMOOTH)
def _float(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS))


@maker(unary.ExpOp)
def _exponential(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS, values=SMALL))


@maker(unary.LogOp, unary.SqrtOp, unary.RsqrtOp, unary.ReciprocalOp)
def _of_positive(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS, values=POSITIVE))


@maker(unary.CeilOp, unary.FloorOp, unary.RoundOp)
def _rounding(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS, steady=True))


@maker(unary.AbsOp, unary.NegOp)
def _number(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(NUMBERS))


@maker(unary.SignOp)
def _sign(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(NUMBERS, steady=True))


@maker(unary.NotOp)
def _not(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want((*INTEGERS, *BOOLEANS * 4)))
