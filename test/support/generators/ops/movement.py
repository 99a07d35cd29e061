"""Samplers of ops that move elements."""

from npu_opt.dialects.npu import movement
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.replaced_axes import replaced_order
from npu_opt.dialects.npu.values import element_type_of, layout_of, shape_of
from npu_opt.layout import MAX_RANK, Layout, LayoutClass

from ..sample_source import ANY, I32, I64, NUMBERS, SOME_RANK, Range, SampleSource, Want, fits, typed
from ..samplers import like, made, replaced, sampler


@sampler(movement.ConcatOp)
def _concat(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(ANY, SOME_RANK))
    shape = shape_of(x)
    axis = samples.rng.randrange(len(shape))
    sizes = [samples.one((shape[axis], samples.rng.randint(1, 4))) for _ in range(samples.one((0, 1, 1, 1, 2, 3)))]
    outcome = replaced(shape, {axis: shape[axis] + sum(sizes)})
    if not fits(outcome):
        return None
    inputs = [x, *(samples.given(like(x, replaced(shape, {axis: size}))) for size in sizes)]
    samples.rng.shuffle(inputs)
    return made(op, [inputs], [like(x, outcome)], axis=axis)


@sampler(movement.SplitOp)
def _split(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = samples.some(Want(ANY, SOME_RANK))
    shape = shape_of(x)
    axis = samples.rng.randrange(len(shape))
    whole = shape[axis]
    equal = [count for count in (2, 3) if whole % count == 0]
    if equal and samples.chance(0.4):
        count = samples.one(equal)
        sizes = [whole // count] * count
    else:
        cuts = sorted(samples.rng.randint(0, whole) for _ in range(samples.one((0, 1, 1, 2))))
        sizes = [end - start for start, end in zip([0, *cuts], [*cuts, whole], strict=True)]
    outputs = [like(x, replaced(shape, {axis: size})) for size in sizes]
    return made(op, [x], [outputs], axis=axis, sizes=sizes)


@sampler(movement.PadOp)
def _pad(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(NUMBERS, SOME_RANK))
    shape = shape_of(x)
    mode = samples.one((None, None, "edge", "reflect", "symmetric"))

    def width(size: int) -> int:
        most = {
            None: 2,
            "edge": 2 if size else 0,
            "reflect": min(2, size - 1) if size else 0,
            "symmetric": min(2, size),
        }[mode]
        return samples.rng.randint(0, most) if samples.chance(0.5) else 0

    low, high = [width(size) for size in shape], [width(size) for size in shape]
    outcome = [before + size + behind for before, size, behind in zip(low, shape, high, strict=True)]
    if not fits(outcome):
        return None
    value = 3.0 if mode is None and samples.chance(0.4) else None
    return made(op, [x], [like(x, outcome)], low=low, high=high, mode=mode, value=value)


@sampler(movement.SliceOp)
def _slice(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = samples.some(Want(ANY, SOME_RANK))
    starts: list[int] = []
    limits: list[int] = []
    steps: list[int] = []
    outcome: list[int] = []
    for size in shape_of(x):
        start, limit, step = 0, movement.END_OF_AXIS, 1
        if samples.chance(0.5) and size:
            start = samples.rng.randrange(size)
            limit = samples.one((movement.END_OF_AXIS, size, samples.rng.randint(start + 1, size)))
            step = samples.one((1, 1, 2, 3))
            start = samples.one((start, start - size))
        starts.append(start)
        limits.append(limit)
        steps.append(step)
        outcome.append(len(range(size)[start:limit:step]))
    said = None if set(steps) == {1} and samples.chance(0.7) else steps
    return made(op, [x], [like(x, outcome)], starts=starts, limits=limits, steps=said)


@sampler(movement.ReverseOp)
def _reverse(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = samples.some(Want(ANY, SOME_RANK))
    return made(op, [x], [like(x)], axes=samples.subset(range(len(shape_of(x))), 1))


@sampler(movement.TileOp)
def _tile(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(ANY, SOME_RANK))
    repeats = [samples.one((1, 1, 2, 3)) for _ in shape_of(x)]
    outcome = [size * count for size, count in zip(shape_of(x), repeats, strict=True)]
    return made(op, [x], [like(x, outcome)], repeats=repeats) if fits(outcome) else None


@sampler(movement.GatherOp)
def _gather(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(ANY, SOME_RANK))
    shape, known = shape_of(x), layout_of(x)
    # A gather along an axis of one element is valid but trivial.
    large = [each for each, size in enumerate(shape) if size > 1]
    axis = samples.one(large) if large and samples.chance(0.9) else samples.rng.randrange(len(shape))
    size = shape[axis]
    rank = samples.one([rank for rank in (0, 1, 1, 1, 2, 3) if len(shape) - 1 + rank <= MAX_RANK])
    index_shape = samples.shape(rank, 12)
    outcome = (*shape[:axis], *index_shape, *shape[axis + 1 :])
    if size == 0 or not fits(outcome):
        return None
    index_layout = samples.layout(rank, (LayoutClass.TENSOR,))
    index_type = typed(samples.element((I32, I64)), index_shape, index_layout)
    indices = samples.given(index_type, Range(-size, size - 1))
    if known is None or rank == 1:
        return made(op, [x, indices], [like(x, outcome)], axis=axis)
    index_order = index_layout.order_for(rank) if index_layout else tuple(range(rank))
    order = replaced_order(known.order_for(len(shape)), [axis], index_order)
    cls = LayoutClass.NTENSOR if len(order) >= 3 and samples.chance(0.3) else LayoutClass.TENSOR
    return made(op, [x, indices], [typed(element_type_of(x), outcome, Layout(cls, order))], axis=axis)
