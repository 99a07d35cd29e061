"""Activation functions."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import special  # pyright: ignore[reportMissingTypeStubs]  # SciPy ships no types.

from ...dialects.npu import activations as ops
from ...dialects.npu.elementwise import UnaryOp
from ..elements import Array, precise
from ..registry import meaning

SELU_ALPHA = 1.67326319217681884765625
SELU_GAMMA = 1.05070102214813232421875


def _exponential(x: Array, alpha: float) -> Array:
    return np.where(x > 0, x, alpha * np.expm1(x))


def _softplus(x: Array) -> Array:
    return np.logaddexp(0, x)


def _silu(x: Array) -> Array:
    return x / (1 + np.exp(-x))


def _mish(x: Array) -> Array:
    return x * np.tanh(_softplus(x))


def _softsign(x: Array) -> Array:
    return x / (1 + np.abs(x))


def _hard_swish(x: Array) -> Array:
    return x * np.clip(x / 6 + 0.5, 0, 1)


def _selu(x: Array) -> Array:
    return SELU_GAMMA * _exponential(x, SELU_ALPHA)


FUNCTIONS: Mapping[type[UnaryOp], Callable[[Array], Any]] = {
    ops.SeluOp: _selu,
    ops.SigmoidOp: special.expit,
    ops.SiluOp: _silu,
    ops.HardSwishOp: _hard_swish,
    ops.MishOp: _mish,
    ops.SoftplusOp: _softplus,
    ops.SoftsignOp: _softsign,
}


@meaning(*FUNCTIONS)
def activation(op: UnaryOp, x: Array) -> Array:
    return np.asarray(FUNCTIONS[type(op)](precise(x)))


@meaning(ops.ReluOp)
def relu(op: ops.ReluOp, x: Array) -> Array:
    return np.maximum(x, 0)


@meaning(ops.LeakyReluOp)
def leaky_relu(op: ops.LeakyReluOp, x: Array) -> Array:
    return np.where(x < 0, precise(x) * op.alpha.value.data, x)


@meaning(ops.EluOp)
def elu(op: ops.EluOp, x: Array) -> Array:
    return _exponential(precise(x), op.alpha.value.data)


@meaning(ops.GeluOp)
def gelu(op: ops.GeluOp, x: Array) -> Array:
    x = precise(x)
    if op.approximate.data == "tanh":
        return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    return x / 2 * (1 + special.erf(x / np.sqrt(2)))


@meaning(ops.HardSigmoidOp)
def hard_sigmoid(op: ops.HardSigmoidOp, x: Array) -> Array:
    return np.clip(op.alpha.value.data * precise(x) + op.beta.value.data, 0, 1)


@meaning(ops.ClipOp)
def clip(op: ops.ClipOp, x: Array) -> Array:
    return np.clip(x, *op.bounds)
