"""Samplers of pooling ops."""

from npu_opt.dialects.npu import pooling
from npu_opt.dialects.npu.base import NpuOp

from ..features import activation, random_window, small_extents, window_properties
from ..sample_source import NUMBERS, SampleSource, fits
from ..samplers import made, sampler


@sampler(pooling.MaxPoolOp, pooling.AvgPoolOp)
def _pool(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, NUMBERS)
    extents = small_extents(samples, x.spatial)
    window = random_window(samples, len(x.spatial))
    ceil = samples.chance(0.3)
    positions = window.positions(x.spatial, extents, ceil)
    if not fits((*x.logical[:2], *positions)):
        return None
    counts = {"count_padding": True} if op is pooling.AvgPoolOp and samples.chance(0.5) else {}
    return made(
        op,
        [x.value],
        [x.typed((*x.logical[:2], *positions))],
        window=extents,
        ceil=ceil,
        data_layout=x.declared,
        **counts,
        **window_properties(samples, window),
    )


@sampler(pooling.GlobalMaxPoolOp, pooling.GlobalAvgPoolOp)
def _global_pool(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = activation(samples, NUMBERS)
    return made(op, [x.value], [x.typed((*x.logical[:2], *(1 for _ in x.spatial)))], data_layout=x.declared)
