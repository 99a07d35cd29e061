"""Samplers of ops that change only the shape or the order of axes."""

from collections.abc import Sequence
from random import Random

from npu_opt.dialects.npu import shape
from npu_opt.dialects.npu.attrs import OperandDim, ReshapeDimsAttr
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, order_of_value, shape_of
from npu_opt.layout import MAX_RANK, Layout, LayoutClass, carry, identity, permute, unpermute

from ..sample_source import ALL_CLASSES, ANY, ANY_RANK, FLOATS, SampleSource, Want, class_ranks, fits, typed
from ..samplers import like, made, sampler

PRIMES = (2, 3, 5, 7)


def factors_of(size: int) -> list[int]:
    """The prime factors of a small size, and the remainder of a large one."""
    factors: list[int] = []
    for prime in PRIMES:
        while size > 1 and size % prime == 0:
            factors.append(prime)
            size //= prime
    return [*factors, size] if size > 1 else factors


def reshaped(samples: SampleSource, sizes: Sequence[int], most_rank: int = MAX_RANK) -> tuple[int, ...]:
    """Another shape with as many elements; without elements any such shape."""
    if 0 in sizes:
        return (0, *samples.shape(samples.rng.randint(0, 2), 8))
    return reshaped_sizes(samples.rng, sizes, most_rank)


def reshaped_sizes(rng: Random, sizes: Sequence[int], most_rank: int = MAX_RANK) -> tuple[int, ...]:
    """Another shape with as many elements: axes split and merged, rarely across, with unit axes inserted."""
    if rng.random() < 0.15:
        # Permuted factors split the old axes.
        sizes = rng.sample(sizes, len(sizes))
    factors = [factor for size in sizes for factor in (factors_of(size) if rng.random() < 0.5 else [size])]
    result: list[int] = []
    for factor in factors:
        if result and rng.random() < 0.4:
            result[-1] *= factor
        else:
            result.append(factor)
    while rng.random() < 0.3:
        result.insert(rng.randint(0, len(result)), 1)
    while len(result) > most_rank:
        result[-2:] = [result[-2] * result[-1]]
    return tuple(result)


def reshape_result(samples: SampleSource, rank: int, classes: Sequence[LayoutClass] = ALL_CLASSES) -> LayoutClass:
    """A class for a result of this rank."""
    return samples.one([cls for cls in classes if rank in class_ranks(cls)])


@sampler(shape.ReshapeOp)
def _reshape(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(ANY, ANY_RANK))
    sizes, known = shape_of(x), layout_of(x)
    order = order_of_value(x)
    logical = unpermute(sizes, order)
    target = reshaped(samples, logical)
    if known is None:
        result = like(x, target)
        result_shape = target
    else:
        prefer = samples.order(len(target)) if samples.chance(0.3) else None
        carried = carry(order, logical, target, prefer)
        if carried is None:
            return None
        result_shape = permute(target, carried)
        layout = Layout(reshape_result(samples, len(target)), carried)
        result = typed(element_type_of(x), result_shape, layout)
    made_op = made(op, [x], [result])
    if samples.chance(0.15):
        dims = [
            OperandDim(sizes.index(size)) if size in sizes and samples.chance(0.5) else size for size in result_shape
        ]
        made_op.properties["dims"] = ReshapeDimsAttr(tuple(dims))
    return made_op


@sampler(shape.BroadcastOp)
def _broadcast(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(ANY, (0, 1, 2, 3, 4)))
    sizes, known = shape_of(x), layout_of(x)
    order = order_of_value(x)
    rank = samples.rng.randint(len(sizes), min(len(sizes) + 2, MAX_RANK))
    targets = sorted(samples.rng.sample(range(rank), len(sizes)))
    logical = [samples.rng.randint(1, 3) for _ in range(rank)]
    for target, size in zip(targets, unpermute(sizes, order), strict=True):
        if size != 1:
            logical[target] = size
    if not fits(logical):
        return None
    layout = None if known is None else samples.layout(rank)
    result_order = identity(rank) if layout is None else layout.order_for(rank)
    axes = [result_order.index(targets[logical_axis]) for logical_axis in order]
    return made(op, [x], [typed(element_type_of(x), permute(logical, result_order), layout)], axes=axes)


@sampler(shape.TransposeOp)
def _transpose(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = samples.some(Want(ANY, (1, 2, 2, 3, 3, 4, 4, 4, 5)))
    permutation = samples.order(len(shape_of(x)))
    known = layout_of(x)
    layout = known
    if known is not None:
        # Half of them only change the stored order, the others the meaning of the axes.
        order = permute(known.order_for(len(permutation)), permutation)
        layout = known.with_order(order if samples.chance(0.5) else samples.order(len(permutation)))
    result = typed(element_type_of(x), permute(shape_of(x), permutation), layout)
    return made(op, [x], [result], permutation=permutation)


@sampler(shape.RelabelOp)
def _relabel(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    ranks = (3, 4, 5) if samples.chance(0.7) else ANY_RANK
    x = samples.some(Want(ANY, ranks))
    layout = samples.layout(len(shape_of(x)))
    return None if layout is None else made(op, [x], [typed(element_type_of(x), shape_of(x), layout)])


@sampler(shape.Nchw2NhwcOp, shape.Nhwc2NchwOp)
def _fixed_transpose(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    assert issubclass(op, shape.FixedTransposeOp)
    sizes = samples.shape(4)
    x = samples.given(typed(samples.element(FLOATS), sizes, op.FROM if samples.coloured else None))
    result = typed(element_type_of(x), permute(sizes, op.PERMUTATION), op.TO if samples.coloured else None)
    return made(op, [x], [result])
