"""Samplers of ops on signals."""

from npu_opt.dialects.npu import signal
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import shape_of

from ..sample_source import F32, F64, SampleSource, Want, fits
from ..samplers import like, made, replaced, sampler


@sampler(signal.DftOp)
def _dft(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    given = samples.some(Want((F32, F32, F64), (2, 3, 4)))
    sizes = shape_of(given)
    axis, parts = samples.rng.sample(range(len(sizes)), 2)
    is_inverse, is_half = samples.chance(0.4), samples.chance(0.4)
    count = samples.one((1, 2)) if not is_half else 1 + is_inverse
    shape = replaced(sizes, {parts: count})
    x = given if shape == sizes else samples.given(like(given, shape))
    # ONNX Runtime takes the other half of a spectrum otherwise if the length is another one.
    length = samples.rng.randint(1, 6) if samples.chance(0.4) and not (is_half and is_inverse) else None
    whole = length or (2 * (shape[axis] - 1) if is_half and is_inverse else shape[axis])
    if whole < 1 or 0 in shape:
        return None
    bins = whole // 2 + 1 if is_half and not is_inverse else whole
    result = replaced(shape, {axis: bins, parts: 1 if is_half and is_inverse else 2})
    if not fits(result):
        return None
    return made(op, [x], [like(x, result)], axis=axis, parts=parts, length=length, inverse=is_inverse, onesided=is_half)
