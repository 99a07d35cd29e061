"""Makers of ops that make the spatial axes of an activation longer or shorter."""

from collections.abc import Sequence

from npu_opt.dialects.npu import resampling
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import layout_of
from xdsl.dialects.builtin import DenseArrayBase, StringAttr, TensorType, f64

from ..features import Activation, activation, activation_of_shape
from ..makers import made, maker
from ..supply import FLOATS, I1, NUMBERS, Elements, Supply, fits, typed


def _enlarged(x: Activation, factors: Sequence[int]) -> TensorType | None:
    sizes = (*x.logical[:2], *(size * factor for size, factor in zip(x.spatial, factors, strict=True)))
    return x.typed(sizes) if fits(sizes) else None


@maker(resampling.UpsampleOp)
def _upsample(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, NUMBERS)
    factors = [supply.rng.randint(1, 3) for _ in x.spatial]
    result = _enlarged(x, factors)
    return None if result is None else made(op, [x.value], [result], factors=factors, data_layout=x.declared)


@maker(resampling.UnpoolOp)
def _unpool(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, NUMBERS)
    window = [supply.rng.randint(1, 3) for _ in x.spatial]
    result = _enlarged(x, window)
    return None if result is None else made(op, [x.value], [result], window=window, data_layout=x.declared)


@maker(resampling.MaskUnpoolOp)
def _mask_unpool(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, NUMBERS)
    window = [supply.rng.randint(1, 3) for _ in x.spatial]
    result = _enlarged(x, window)
    if result is None:
        return None
    mask = supply.given(typed(I1, result.get_shape(), layout_of(x.value)))
    return made(op, [x.value, mask], [result], window=window, data_layout=x.declared)


@maker(resampling.BilinearOp)
def _bilinear(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, FLOATS, (4,))
    if 0 in x.spatial:
        return None
    coordinates = supply.one((None, *resampling.BilinearOp.COORDINATES))
    if supply.chance(0.5):
        sizes = [supply.rng.randint(1, 8) for _ in x.spatial]
        logical = (*x.logical[:2], *sizes)
        if not fits(logical):
            return None
        result = x.typed(logical)
        return made(op, [x.value], [result], sizes=sizes, coordinates=coordinates, data_layout=x.declared)
    factors = [supply.one((1.0, 1.5, 2.0, 0.75)) for _ in x.spatial]
    logical = (*x.logical[:2], *(int(size * factor) for size, factor in zip(x.spatial, factors, strict=True)))
    if not fits(logical):
        return None
    made_op = made(op, [x.value], [x.typed(logical)], data_layout=x.declared)
    made_op.properties["factors"] = DenseArrayBase.from_list(f64, factors)
    if coordinates is not None:
        made_op.properties["coordinates"] = StringAttr(coordinates)
    return made_op


def _blocked(supply: Supply, elements: Elements, factors: Sequence[int]) -> Activation:
    """An activation of which some sizes are multiples of these factors: C, H and W."""
    sizes = (factor * supply.rng.randint(1, 3) for factor in factors)
    return activation_of_shape(supply, supply.element(elements), (supply.one((1, 2)), *sizes))


@maker(resampling.DepthToSpaceOp)
def _depth_to_space(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    block = supply.rng.randint(1, 3)
    x = _blocked(supply, NUMBERS, (block * block, 1, 1))
    batch, channels, height, width = x.logical
    result = x.typed((batch, channels // (block * block), height * block, width * block))
    mode = supply.one((None, "crd"))
    return made(op, [x.value], [result], block=block, mode=mode, data_layout=x.declared)


@maker(resampling.SpaceToDepthOp)
def _space_to_depth(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    block = supply.rng.randint(1, 3)
    x = _blocked(supply, NUMBERS, (1, block, block))
    batch, channels, height, width = x.logical
    result = x.typed((batch, channels * block * block, height // block, width // block))
    return made(op, [x.value], [result], block=block, data_layout=x.declared)
