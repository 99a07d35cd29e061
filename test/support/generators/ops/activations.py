"""Samplers of activation functions."""

from npu_opt.dialects.npu import activations
from npu_opt.dialects.npu.base import NpuOp

from ..sample_source import FLOATS, NUMBERS, SampleSource, Want
from ..samplers import sampler
from .unary import unary_op

ACTIVATIONS = (
    activations.SeluOp,
    activations.SigmoidOp,
    activations.SiluOp,
    activations.HardSwishOp,
    activations.MishOp,
    activations.SoftplusOp,
    activations.SoftsignOp,
)


@sampler(*ACTIVATIONS)
def _saturating(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(FLOATS))


@sampler(activations.ReluOp)
def _relu(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(NUMBERS))


@sampler(activations.LeakyReluOp, activations.EluOp)
def _alpha(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(FLOATS), alpha=samples.one((None, 0.125, 0.5)))


@sampler(activations.HardSigmoidOp)
def _hard_sigmoid(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    alpha, beta = samples.one((None, 0.25)), samples.one((None, 0.375))
    return unary_op(op, samples, Want(FLOATS), alpha=alpha, beta=beta)


@sampler(activations.GeluOp)
def _gelu(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    return unary_op(op, samples, Want(FLOATS), approximate=samples.one((None, "tanh")))


@sampler(activations.ClipOp)
def _clip(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    low, high = samples.one(((None, 1.0), (-1.0, None), (-1.0, 2.0), (0.0, 6.0)))
    return unary_op(op, samples, Want(NUMBERS), min=low, max=high)
