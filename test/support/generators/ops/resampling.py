"""Samplers of ops that resample the spatial axes of an activation."""

from collections.abc import Sequence

from npu_opt.dialects.npu import resampling
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import layout_of
from xdsl.dialects.builtin import DenseArrayBase, StringAttr, TensorType, f64

from ..features import Activation, activation, activation_of_shape
from ..sample_source import FLOATS, I1, NUMBERS, Elements, SampleSource, fits, typed
from ..samplers import made, sampler


def _enlarged(x: Activation, factors: Sequence[int]) -> TensorType | None:
    sizes = (*x.logical[:2], *(size * factor for size, factor in zip(x.spatial, factors, strict=True)))
    return x.typed(sizes) if fits(sizes) else None


@sampler(resampling.UpsampleOp)
def _upsample(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, NUMBERS)
    factors = [samples.rng.randint(1, 3) for _ in x.spatial]
    result = _enlarged(x, factors)
    return None if result is None else made(op, [x.value], [result], factors=factors, data_layout=x.declared)


@sampler(resampling.UnpoolOp)
def _unpool(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, NUMBERS)
    window = [samples.rng.randint(1, 3) for _ in x.spatial]
    result = _enlarged(x, window)
    return None if result is None else made(op, [x.value], [result], window=window, data_layout=x.declared)


@sampler(resampling.MaskUnpoolOp)
def _mask_unpool(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, NUMBERS)
    window = [samples.rng.randint(1, 3) for _ in x.spatial]
    result = _enlarged(x, window)
    if result is None:
        return None
    mask = samples.given(typed(I1, result.get_shape(), layout_of(x.value)))
    return made(op, [x.value, mask], [result], window=window, data_layout=x.declared)


@sampler(resampling.BilinearOp)
def _bilinear(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, FLOATS, (4,))
    if 0 in x.spatial:
        return None
    coordinates = samples.one((None, *resampling.BilinearOp.COORDINATES))
    if samples.chance(0.5):
        sizes = [samples.rng.randint(1, 8) for _ in x.spatial]
        logical = (*x.logical[:2], *sizes)
        if not fits(logical):
            return None
        result = x.typed(logical)
        return made(op, [x.value], [result], sizes=sizes, coordinates=coordinates, data_layout=x.declared)
    factors = [samples.one((1.0, 1.5, 2.0, 0.75)) for _ in x.spatial]
    logical = (*x.logical[:2], *(int(size * factor) for size, factor in zip(x.spatial, factors, strict=True)))
    if not fits(logical):
        return None
    made_op = made(op, [x.value], [x.typed(logical)], data_layout=x.declared)
    made_op.properties["factors"] = DenseArrayBase.from_list(f64, factors)
    if coordinates is not None:
        made_op.properties["coordinates"] = StringAttr(coordinates)
    return made_op


def _blocked(samples: SampleSource, elements: Elements, factors: Sequence[int]) -> Activation:
    """An activation of which some sizes are multiples of these factors: C, H and W."""
    sizes = (factor * samples.rng.randint(1, 3) for factor in factors)
    return activation_of_shape(samples, samples.element(elements), (samples.one((1, 2)), *sizes))


@sampler(resampling.DepthToSpaceOp)
def _depth_to_space(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    block = samples.rng.randint(1, 3)
    x = _blocked(samples, NUMBERS, (block * block, 1, 1))
    batch, channels, height, width = x.logical
    result = x.typed((batch, channels // (block * block), height * block, width * block))
    mode = samples.one((None, "crd"))
    return made(op, [x.value], [result], block=block, mode=mode, data_layout=x.declared)


@sampler(resampling.SpaceToDepthOp)
def _space_to_depth(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    block = samples.rng.randint(1, 3)
    x = _blocked(samples, NUMBERS, (1, block, block))
    batch, channels, height, width = x.logical
    result = x.typed((batch, channels * block * block, height // block, width // block))
    return made(op, [x.value], [result], block=block, data_layout=x.declared)
