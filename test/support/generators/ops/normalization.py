"""Makers of normalisations and softmax."""

from collections.abc import Sequence

from npu_opt.dialects.npu import normalization
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, shape_of
from xdsl.ir import SSAValue

from ..kernels import single
from ..makers import like, made, maker
from ..supply import FLOATS, POSITIVE, SOME_RANK, Range, Supply, Want, typed


def _input(supply: Supply) -> tuple[SSAValue, int]:
    value = supply.some(Want(FLOATS, SOME_RANK))
    return value, len(shape_of(value))


def _epsilon(supply: Supply) -> float | None:
    return supply.one((None, None, 1e-3, 0.25))


@maker(normalization.SoftmaxOp, normalization.LogSoftmaxOp)
def _softmax(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    return made(op, [x], [like(x)], axis=supply.rng.randrange(rank))


@maker(normalization.LpNormOp)
def _lp_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    return made(op, [x], [like(x)], axis=supply.rng.randrange(rank), p=supply.one((None, 1, 2)))


@maker(normalization.TensorNormOp)
def _tensor_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    return made(op, [x], [like(x)], axes=supply.subset(range(rank), 1), epsilon=_epsilon(supply))


def _repeated(supply: Supply, x: SSAValue, axes: Sequence[int]) -> SSAValue | None:
    """A scale or bias of the input's rank, or of one element, or none."""
    kind = supply.rng.random()
    if kind < 0.25:
        return None
    if kind < 0.4:
        return single(supply, element_type_of(x))
    everywhere = supply.chance(0.3)
    shape = [size if axis in axes or everywhere or supply.chance(0.2) else 1 for axis, size in enumerate(shape_of(x))]
    return supply.given(like(x, shape))


@maker(normalization.LayerNormOp)
def _layer_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    axes = supply.subset(range(rank), 1)
    operands = [x, _repeated(supply, x, axes), _repeated(supply, x, axes)]
    return made(op, operands, [like(x)], axes=axes, epsilon=_epsilon(supply))


@maker(normalization.RmsNormOp)
def _rms_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    axes = supply.subset(range(rank), 1)
    return made(op, [x, _repeated(supply, x, axes)], [like(x)], axes=axes, epsilon=_epsilon(supply))


def _vectors(supply: Supply, x: SSAValue, axis: int, values: Sequence[Range | None]) -> list[SSAValue]:
    type_ = typed(element_type_of(x), (shape_of(x)[axis],), supply.tensor_layout(1))
    return [supply.given(type_, each) for each in values]


@maker(normalization.BatchNormOp)
def _batch_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    axis = supply.rng.randrange(rank)
    vectors = _vectors(supply, x, axis, (None, None, None, POSITIVE))
    return made(op, [x, *vectors], [like(x)], axis=axis, epsilon=_epsilon(supply))


@maker(normalization.InstanceNormOp)
def _instance_norm(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x, rank = _input(supply)
    if rank < 2:
        return None
    axis, *others = supply.rng.sample(range(rank), rank)
    operands = [x, *_vectors(supply, x, axis, (None, None))]
    return made(op, operands, [like(x)], axis=axis, axes=supply.subset(others, 1), epsilon=_epsilon(supply))


@maker(normalization.GroupNormOp)
def _group_norm(op: type[NpuOp], supply: Supply) -> NpuOp:
    x, rank = _input(supply)
    axis, *others = supply.rng.sample(range(rank), rank)
    channels = shape_of(x)[axis]
    groups = supply.one([each for each in (1, 2, 3, channels) if each and channels % each == 0])
    operands = [x, *_vectors(supply, x, axis, (None, None))]
    epsilon = _epsilon(supply)
    return made(op, operands, [like(x)], groups=groups, axis=axis, axes=supply.subset(others), epsilon=epsilon)
