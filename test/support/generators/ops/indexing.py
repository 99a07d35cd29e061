"""Samplers of ops on elements or slices at positions along one axis."""

from npu_opt.dialects.npu import indexing
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import shape_of
from xdsl.ir import SSAValue

from ..sample_source import ANY, I1, I32, I64, NUMBERS, SOME_RANK, Range, SampleSource, Want, fits, typed
from ..samplers import like, made, replaced, sampler


def _axis(samples: SampleSource, x: SSAValue) -> int:
    return samples.rng.randrange(len(shape_of(x)))


def _vector(samples: SampleSource, count: int, values: Range) -> SSAValue:
    return samples.given(typed(samples.element((I32, I64)), (count,), samples.tensor_layout(1)), values)


def _indices(samples: SampleSource, x: SSAValue, axis: int) -> SSAValue | None:
    """Positions along an axis, for as many elements as the others have, or for fewer."""
    shape = shape_of(x)
    sizes = [size if samples.chance(0.7) else samples.rng.randint(min(size, 1), size) for size in shape]
    sizes[axis] = samples.rng.randint(1, 4)
    if shape[axis] == 0 or not fits(sizes):
        return None
    return samples.given(like(x, sizes, samples.element((I32, I64))), Range(-shape[axis], shape[axis] - 1))


@sampler(indexing.GatherElementsOp)
def _gather_elements(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(ANY, SOME_RANK))
    axis = _axis(samples, x)
    if (indices := _indices(samples, x, axis)) is None:
        return None
    return made(op, [x, indices], [like(x, shape_of(indices))], axis=axis)


def _reduction(samples: SampleSource) -> str | None:
    return samples.one((None, None, "add", "mul", "max", "min"))


@sampler(indexing.ScatterElementsOp)
def _scatter_elements(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    reduction = _reduction(samples)
    x = samples.some(Want(NUMBERS if reduction else ANY, SOME_RANK))
    axis = _axis(samples, x)
    if (indices := _indices(samples, x, axis)) is None:
        return None
    updates = samples.given(like(x, shape_of(indices)))
    return made(op, [x, indices, updates], [like(x)], axis=axis, reduction=reduction)


@sampler(indexing.ScatterOp)
def _scatter(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    reduction = _reduction(samples)
    x = samples.some(Want(NUMBERS if reduction else ANY, SOME_RANK))
    axis, count = _axis(samples, x), samples.rng.randint(1, 4)
    size, outcome = shape_of(x)[axis], replaced(shape_of(x), {axis: count})
    if size == 0 or not fits(outcome):
        return None
    operands = [x, _vector(samples, count, Range(-size, size - 1)), samples.given(like(x, outcome))]
    return made(op, operands, [like(x)], axis=axis, reduction=reduction)


@sampler(indexing.TopKOp)
def _top_k(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = samples.some(Want(NUMBERS, SOME_RANK, steady=True))
    axis = _axis(samples, x)
    outcome = replaced(shape_of(x), {axis: samples.rng.randint(min(shape_of(x)[axis], 1), shape_of(x)[axis])})
    places = like(x, outcome, samples.element((I32, I64)))
    return made(op, [x, None], [like(x, outcome), places], axis=axis, smallest=samples.chance(0.4))


@sampler(indexing.CompressOp)
def _compress(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    """All conditions are equal, so that the size of the result is known."""
    x = samples.some(Want(ANY, SOME_RANK))
    axis = _axis(samples, x)
    size = shape_of(x)[axis]
    count, value = samples.rng.randint(min(size, 1), size), samples.rng.randint(0, 1)
    condition = samples.given(typed(I1, (count,), samples.tensor_layout(1)), Range(value, value))
    return made(op, [x, condition], [like(x, replaced(shape_of(x), {axis: count * value}))], axis=axis)


@sampler(indexing.ReverseSequenceOp)
def _reverse_sequence(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(ANY, SOME_RANK))
    if len(shape_of(x)) < 2:
        return None
    axis, batch = samples.rng.sample(range(len(shape_of(x))), 2)
    lengths = _vector(samples, shape_of(x)[batch], Range(0, shape_of(x)[axis]))
    return made(op, [x, lengths], [like(x)], axis=axis, batch=batch)
