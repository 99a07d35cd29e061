"""Makers of ops that change only what a tensor looks like."""

from collections.abc import Sequence
from random import Random

from npu_opt.dialects.npu import shape
from npu_opt.dialects.npu.attrs import OperandDim, ReshapeDimsAttr
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, order_of_value, shape_of
from npu_opt.layout import MAX_RANK, Layout, LayoutClass, carry, identity, permute, unpermute

from ..makers import like, made, maker
from ..supply import ALL_CLASSES, ANY, ANY_RANK, FLOATS, Supply, Want, class_ranks, fits, typed

PRIMES = (2, 3, 5, 7)


def factors_of(size: int) -> list[int]:
    """The prime factors of a small size, and what is left of a large one."""
    factors: list[int] = []
    for prime in PRIMES:
        while size > 1 and size % prime == 0:
            factors.append(prime)
            size //= prime
    return [*factors, size] if size > 1 else factors


def reshaped(supply: Supply, sizes: Sequence[int], most_rank: int = MAX_RANK) -> tuple[int, ...]:
    """Another shape with as many elements; without elements it may be any that has none."""
    if 0 in sizes:
        return (0, *supply.shape(supply.rng.randint(0, 2), 8))
    return reshaped_sizes(supply.rng, sizes, most_rank)


def reshaped_sizes(rng: Random, sizes: Sequence[int], most_rank: int = MAX_RANK) -> tuple[int, ...]:
    """Another shape with as many elements: axes cut and joined, rarely cut across, unit axes here and there."""
    if rng.random() < 0.15:
        # Sizes in another sequence tear the old axes apart.
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


def reshape_result(supply: Supply, rank: int, classes: Sequence[LayoutClass] = ALL_CLASSES) -> LayoutClass:
    """A class for a result of this rank."""
    return supply.one([cls for cls in classes if rank in class_ranks(cls)])


@maker(shape.ReshapeOp)
def _reshape(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = supply.some(Want(ANY, ANY_RANK))
    sizes, known = shape_of(x), layout_of(x)
    order = order_of_value(x)
    logical = unpermute(sizes, order)
    target = reshaped(supply, logical)
    if known is None:
        result = like(x, target)
        result_shape = target
    else:
        prefer = supply.order(len(target)) if supply.chance(0.3) else None
        carried = carry(order, logical, target, prefer)
        if carried is None:
            return None
        result_shape = permute(target, carried)
        layout = Layout(reshape_result(supply, len(target)), carried)
        result = typed(element_type_of(x), result_shape, layout)
    made_op = made(op, [x], [result])
    if supply.chance(0.15):
        dims = [
            OperandDim(sizes.index(size)) if size in sizes and supply.chance(0.5) else size for size in result_shape
        ]
        made_op.properties["dims"] = ReshapeDimsAttr(tuple(dims))
    return made_op


@maker(shape.BroadcastOp)
def _broadcast(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = supply.some(Want(ANY, (0, 1, 2, 3, 4)))
    sizes, known = shape_of(x), layout_of(x)
    order = order_of_value(x)
    rank = supply.rng.randint(len(sizes), min(len(sizes) + 2, MAX_RANK))
    targets = sorted(supply.rng.sample(range(rank), len(sizes)))
    logical = [supply.rng.randint(1, 3) for _ in range(rank)]
    for target, size in zip(targets, unpermute(sizes, order), strict=True):
        if size != 1:
            logical[target] = size
    if not fits(logical):
        return None
    layout = None if known is None else supply.layout(rank)
    result_order = identity(rank) if layout is None else layout.order_for(rank)
    axes = [result_order.index(targets[logical_axis]) for logical_axis in order]
    return made(op, [x], [typed(element_type_of(x), permute(logical, result_order), layout)], axes=axes)


@maker(shape.TransposeOp)
def _transpose(op: type[NpuOp], supply: Supply) -> NpuOp:
    x = supply.some(Want(ANY, (1, 2, 2, 3, 3, 4, 4, 4, 5)))
    permutation = supply.order(len(shape_of(x)))
    known = layout_of(x)
    layout = known
    if known is not None:
        # Half of them only change how the value is stored, the others what its axes mean.
        order = permute(known.order_for(len(permutation)), permutation)
        layout = known.with_order(order if supply.chance(0.5) else supply.order(len(permutation)))
    result = typed(element_type_of(x), permute(shape_of(x), permutation), layout)
    return made(op, [x], [result], permutation=permutation)


@maker(shape.RelabelOp)
def _relabel(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    ranks = (3, 4, 5) if supply.chance(0.7) else ANY_RANK
    x = supply.some(Want(ANY, ranks))
    layout = supply.layout(len(shape_of(x)))
    return None if layout is None else made(op, [x], [typed(element_type_of(x), shape_of(x), layout)])


@maker(shape.Nchw2NhwcOp, shape.Nhwc2NchwOp)
def _fixed_transpose(op: type[NpuOp], supply: Supply) -> NpuOp:
    assert issubclass(op, shape.FixedTransposeOp)
    sizes = supply.shape(4)
    x = supply.given(typed(supply.element(FLOATS), sizes, op.FROM if supply.coloured else None))
    result = typed(element_type_of(x), permute(sizes, op.PERMUTATION), op.TO if supply.coloured else None)
    return made(op, [x], [result])
