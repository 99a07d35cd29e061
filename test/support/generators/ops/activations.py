"""Makers of activation functions."""

from npu_opt.dialects.npu import activations
from npu_opt.dialects.npu.base import NpuOp

from ..makers import maker
from ..supply import FLOATS, NUMBERS, Supply, Want
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


@maker(*ACTIVATIONS)
def _saturating(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS))


@maker(activations.ReluOp)
def _relu(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(NUMBERS))


@maker(activations.LeakyReluOp, activations.EluOp)
def _alpha(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS), alpha=supply.one((None, 0.125, 0.5)))


@maker(activations.HardSigmoidOp)
def _hard_sigmoid(op: type[NpuOp], supply: Supply) -> NpuOp:
    alpha, beta = supply.one((None, 0.25)), supply.one((None, 0.375))
    return unary_op(op, supply, Want(FLOATS), alpha=alpha, beta=beta)


@maker(activations.GeluOp)
def _gelu(op: type[NpuOp], supply: Supply) -> NpuOp:
    return unary_op(op, supply, Want(FLOATS), approximate=supply.one((None, "tanh")))


@maker(activations.ClipOp)
def _clip(op: type[NpuOp], supply: Supply) -> NpuOp:
    low, high = supply.one(((None, 1.0), (-1.0, None), (-1.0, 2.0), (0.0, 6.0)))
    return unary_op(op, supply, Want(NUMBERS), min=low, max=high)
