"""Samplers of elementwise ops of one operand."""

from npu_opt.dialects.npu import unary
from npu_opt.dialects.npu.base import NpuOp

from ..sample_source import BOOLEANS, FLOATS, INTEGERS, NUMBERS, POSITIVE, SMALL, Range, SampleSource, Want
from ..samplers import like, made, sampler

SMOOTH = (unary.SinOp, unary.CosOp, unary.AtanOp, unary.TanhOp, unary.AsinhOp, unary.ErfOp)
STEEP = (unary.TanOp, unary.ExpOp, unary.SinhOp, unary.CoshOp)
BOUNDED = (unary.AsinOp, unary.AcosOp, unary.AtanhOp)


def unary_op(op: type[NpuOp], samples: SampleSource, want: Want, **properties: float | str | None) -> NpuOp:
    """An op of one operand with a result of its type."""
    operand = samples.some(want)
    return made(op, [operand], [like(operand)], **properties)


@sampler(*SMOOTH)
def _float(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(FLOATS))


@sampler(*STEEP)
def _steep(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(FLOATS, values=SMALL))


@sampler(*BOUNDED)
def _bounded(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(FLOATS, values=Range(-0.9, 0.9)))


@sampler(unary.AcoshOp)
def _above_one(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(FLOATS, values=Range(1.5, 4.0)))


@sampler(unary.LogOp, unary.SqrtOp, unary.RsqrtOp, unary.ReciprocalOp)
def _of_positive(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(FLOATS, values=POSITIVE))


@sampler(unary.CeilOp, unary.FloorOp, unary.RoundOp)
def _rounding(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(FLOATS, steady=True))


@sampler(unary.AbsOp, unary.NegOp)
def _number(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(NUMBERS))


@sampler(unary.SignOp)
def _sign(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(NUMBERS, steady=True))


@sampler(unary.NotOp)
def _not(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want((*INTEGERS, *BOOLEANS * 4)))
