"""Samplers of normalisations and softmax."""

from collections.abc import Sequence

from npu_opt.dialects.npu import normalization
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, shape_of
from xdsl.ir import SSAValue

from ..kernels import single
from ..sample_source import BF16, F16, F32, FLOATS, POSITIVE, SOME_RANK, Range, SampleSource, Want, typed
from ..samplers import like, made, sampler


def _input(samples: SampleSource) -> tuple[SSAValue, int]:
    value = samples.some(Want(FLOATS, SOME_RANK))
    return value, len(shape_of(value))


def _epsilon(samples: SampleSource) -> float | None:
    return samples.one((None, None, 1e-3, 0.25))


@sampler(normalization.SoftmaxOp, normalization.LogSoftmaxOp)
def _softmax(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x, rank = _input(samples)
    return made(op, [x], [like(x)], axis=samples.rng.randrange(rank))


@sampler(normalization.HardmaxOp)
def _hardmax(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    """No f64, for which ONNX Runtime has no kernel and no wider type."""
    x = samples.some(Want((F32, F32, F16, BF16), SOME_RANK))
    return made(op, [x], [like(x)], axis=samples.rng.randrange(len(shape_of(x))))


@sampler(normalization.LpNormOp)
def _lp_norm(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x, rank = _input(samples)
    return made(op, [x], [like(x)], axis=samples.rng.randrange(rank), p=samples.one((None, 1, 2)))


@sampler(normalization.LrnOp)
def _lrn(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x, rank = _input(samples)
    numbers = {"alpha": (None, 0.5), "beta": (None, 0.5, 1.0), "bias": (None, 2.0)}
    given = {name: samples.one(choices) for name, choices in numbers.items()}
    return made(op, [x], [like(x)], axis=samples.rng.randrange(rank), size=samples.one((1, 2, 3, 5, 8)), **given)


@sampler(normalization.TensorNormOp)
def _tensor_norm(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x, rank = _input(samples)
    return made(op, [x], [like(x)], axes=samples.subset(range(rank), 1), epsilon=_epsilon(samples))


def _repeated(samples: SampleSource, x: SSAValue, axes: Sequence[int]) -> SSAValue | None:
    """A scale or bias of the input's rank, or of one element, or none."""
    kind = samples.rng.random()
    if kind < 0.25:
        return None
    if kind < 0.4:
        return single(samples, element_type_of(x))
    everywhere = samples.chance(0.3)
    shape = [size if axis in axes or everywhere or samples.chance(0.2) else 1 for axis, size in enumerate(shape_of(x))]
    return samples.given(like(x, shape))


@sampler(normalization.LayerNormOp)
def _layer_norm(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x, rank = _input(samples)
    axes = samples.subset(range(rank), 1)
    operands = [x, _repeated(samples, x, axes), _repeated(samples, x, axes)]
    return made(op, operands, [like(x)], axes=axes, epsilon=_epsilon(samples))


@sampler(normalization.RmsNormOp)
def _rms_norm(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x, rank = _input(samples)
    axes = samples.subset(range(rank), 1)
    return made(op, [x, _repeated(samples, x, axes)], [like(x)], axes=axes, epsilon=_epsilon(samples))


def _vectors(samples: SampleSource, x: SSAValue, axis: int, values: Sequence[Range | None]) -> list[SSAValue]:
    type_ = typed(element_type_of(x), (shape_of(x)[axis],), samples.tensor_layout(1))
    return [samples.given(type_, each) for each in values]


@sampler(normalization.BatchNormOp)
def _batch_norm(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x, rank = _input(samples)
    axis = samples.rng.randrange(rank)
    vectors = _vectors(samples, x, axis, (None, None, None, POSITIVE))
    return made(op, [x, *vectors], [like(x)], axis=axis, epsilon=_epsilon(samples))


@sampler(normalization.InstanceNormOp)
def _instance_norm(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x, rank = _input(samples)
    if rank < 2:
        return None
    axis, *others = samples.rng.sample(range(rank), rank)
    operands = [x, *_vectors(samples, x, axis, (None, None))]
    return made(op, operands, [like(x)], axis=axis, axes=samples.subset(others, 1), epsilon=_epsilon(samples))


@sampler(normalization.GroupNormOp)
def _group_norm(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x, rank = _input(samples)
    axis, *others = samples.rng.sample(range(rank), rank)
    channels = shape_of(x)[axis]
    groups = samples.one([each for each in (1, 2, 3, channels) if each and channels % each == 0])
    operands = [x, *_vectors(samples, x, axis, (None, None))]
    epsilon = _epsilon(samples)
    return made(op, operands, [like(x)], groups=groups, axis=axis, axes=samples.subset(others), epsilon=epsilon)
