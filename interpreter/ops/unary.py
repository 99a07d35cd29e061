"""Elementwise ops of one operand."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import special  # pyright: ignore[reportMissingTypeStubs]  # SciPy ships no types.

from ...dialects.npu import unary as ops
from ...dialects.npu.elementwise import UnaryOp
from ..elements import Array
from ..registry import meaning


def _rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


FUNCTIONS: Mapping[type[UnaryOp], Callable[[Array], Any]] = {
    ops.AbsOp: np.abs,
    ops.NegOp: np.negative,
    ops.SignOp: np.sign,
    ops.ExpOp: np.exp,
    ops.LogOp: np.log,
    ops.SqrtOp: np.sqrt,
    ops.RsqrtOp: _rsqrt,
    ops.ReciprocalOp: np.reciprocal,
    ops.SinOp: np.sin,
    ops.CosOp: np.cos,
    ops.TanhOp: np.tanh,
    ops.TanOp: np.tan,
    ops.AsinOp: np.arcsin,
    ops.AcosOp: np.arccos,
    ops.AtanOp: np.arctan,
    ops.SinhOp: np.sinh,
    ops.CoshOp: np.cosh,
    ops.AsinhOp: np.arcsinh,
    ops.AcoshOp: np.arccosh,
    ops.AtanhOp: np.arctanh,
    ops.ErfOp: special.erf,
    ops.CeilOp: np.ceil,
    ops.FloorOp: np.floor,
    ops.RoundOp: np.rint,
    ops.NotOp: np.invert,
}


@meaning(*FUNCTIONS)
def unary(op: UnaryOp, x: Array) -> Array:
    return np.asarray(FUNCTIONS[type(op)](x))
