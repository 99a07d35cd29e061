"""Ops on signals."""

import numpy as np

from ...dialects.npu import signal as ops
from ..elements import Array, accumulator
from ..registry import meaning


@meaning(ops.DftOp)
def dft(op: ops.DftOp, x: Array) -> Array:
    axis, parts = op.axis.value.data, op.parts.value.data
    data = accumulator(x)
    numbers = data.take(0, parts) + (1j * data.take(1, parts) if data.shape[parts] == 2 else 0)
    along, length = axis - (parts < axis), ops.signal_length(op, x.shape)
    if op.inverse is None:
        found = np.fft.fft(numbers, length, along)
        if op.onesided is not None:
            found = found.take(np.arange(length // 2 + 1), along)
    elif op.onesided is None:
        found = np.fft.ifft(numbers, length, along)
    else:
        return np.expand_dims(np.fft.irfft(numbers, length, along), parts)
    return np.stack([found.real, found.imag], parts)
