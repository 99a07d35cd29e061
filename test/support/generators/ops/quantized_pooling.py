"""Samplers of pooling of quantised numbers."""

from npu_opt.dialects.npu import quantized_pooling
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of

from ..features import activation, random_window, small_extents, window_properties
from ..kernels import single
from ..sample_source import F32, QUANTIZED, Range, SampleSource, fits
from ..samplers import made, sampler


@sampler(quantized_pooling.QuantAvgPoolOp, quantized_pooling.QuantGlobalAvgPoolOp)
def _quantized_pool(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, QUANTIZED)
    element, values = samples.element(QUANTIZED), Range(1 / 16, 1 / 4)
    operands = [x.value]
    for each in (element_type_of(x.value), element):
        operands += [single(samples, F32, values), single(samples, each)]
    if op is quantized_pooling.QuantGlobalAvgPoolOp:
        if 0 in x.spatial:
            # The mean of nothing is no integer.
            return None
        shape = (*x.logical[:2], *(1 for _ in x.spatial))
        return made(op, operands, [x.typed(shape, element)], data_layout=x.declared)
    extents = small_extents(samples, x.spatial)
    window = random_window(samples, len(x.spatial))
    ceil = samples.chance(0.3)
    shape = (*x.logical[:2], *window.positions(x.spatial, extents, ceil))
    if not fits(shape):
        return None
    return made(
        op,
        operands,
        [x.typed(shape, element)],
        window=extents,
        ceil=ceil,
        count_padding=samples.chance(0.5),
        data_layout=x.declared,
        **window_properties(samples, window),
    )
