"""Fourier transforms as products with a matrix."""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import UnitAttr, f32

from ...dialects.npu.linear import MatmulOp
from ...dialects.npu.signal import DftOp, signal_length
from ...dialects.npu.values import shape_of
from ...layout import invert, permute
from .registry import formula
from .steps import Steps

MOST_BYTES = 1 << 24
"""A larger matrix is not made."""


@formula(DftOp)
def dft(op: DftOp, steps: Steps) -> None:
    axis, parts, given = op.axis.value.data, op.parts.value.data, shape_of(op.input)
    if not steps.is_f32() or not steps.is_static() or 0 in given:
        return
    read, made = (sizes[axis] * sizes[parts] for sizes in (given, steps.result))
    if 4 * read * made > MOST_BYTES:
        return
    order = (*(place for place in range(len(given)) if place not in (axis, parts)), axis, parts)
    rows = prod(given) // read
    flat = steps.reshape(steps.transpose(steps.block.args[0], order), (rows, read))
    factors = steps.constant(_factors(op, given, steps.result), f32)
    found = steps.add(MatmulOp, [flat, factors], (rows, made), {"trans_b": UnitAttr()})
    steps.transpose(steps.reshape(found, permute(steps.result, order)), invert(order))


def _factors(op: DftOp, given: tuple[int, ...], result: tuple[int, ...]) -> NDArray[Any]:
    """A row for each part of each element of the result, part by part of the numbers that are read."""
    axis, parts, length = op.axis.value.data, op.parts.value.data, signal_length(op, given)
    found = np.zeros((result[axis], result[parts], given[axis], given[parts]))
    sign = 1 if op.inverse is None else -1
    for element in range(min(given[axis], length)):
        angles = 2 * np.pi * (element * np.arange(result[axis]) % length) / length
        weight = 1.0 if op.inverse is None else 1.0 / length
        if op.inverse is not None and result[parts] == 1 and element and 2 * element != length:
            weight *= 2
        columns = [[np.cos(angles), sign * np.sin(angles)], [-sign * np.sin(angles), np.cos(angles)]]
        for write in range(result[parts]):
            for read in range(given[parts]):
                found[:, write, element, read] = columns[write][read] * weight
    return found.reshape(result[axis] * result[parts], -1).astype(np.float32)
