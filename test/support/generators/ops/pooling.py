"""Makers of pooling ops."""

from npu_opt.dialects.npu import pooling
from npu_opt.dialects.npu.base import NpuOp

from ..features import activation, random_window, small_extents, window_properties
from ..makers import made, maker
from ..supply import NUMBERS, Supply, fits


@maker(pooling.MaxPoolOp, pooling.AvgPoolOp)
def _pool(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, NUMBERS)
    extents = small_extents(supply, x.spatial)
    window = random_window(supply, len(x.spatial))
    ceil = supply.chance(0.3)
    positions = window.positions(x.spatial, extents, ceil)
    if not fits((*x.logical[:2], *positions)):
        return None
    counts = {"count_padding": True} if op is pooling.AvgPoolOp and supply.chance(0.5) else {}
    return made(
        op,
        [x.value],
        [x.typed((*x.logical[:2], *positions))],
        window=extents,
        ceil=ceil,
        data_layout=x.declared,
        **counts,
        **window_properties(supply, window),
    )


@maker(pooling.GlobalMaxPoolOp, pooling.GlobalAvgPoolOp)
def _global_pool(op: type[NpuOp], supply: Supply) -> NpuOp:
    x = activation(supply, NUMBERS)
    return made(op, [x.value], [x.typed((*x.logical[:2], *(1 for _ in x.spatial)))], data_layout=x.declared)
