"""Samplers of ops whose results are as long as the numbers of the run say, with numbers for which that is known."""

from npu_opt.dialects.npu import selection
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, shape_of

from ..sample_source import ANY_RANK, F32, F64, I8, I32, I64, Range, SampleSource, Want, typed
from ..samplers import made, replaced, sampler


@sampler(selection.RangeOp)
def _range(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    element, count = samples.element((F32, F64, I32, I64)), samples.rng.randint(0, 7)
    start, step = samples.rng.randint(-3, 3), samples.one((1, 2, -3))
    scalar = typed(element, (), samples.tensor_layout(0))
    ends = [samples.given(scalar, Range(each, each)) for each in (start, start + count * step, step)]
    return made(op, ends, [typed(element, (count,), samples.tensor_layout(1))])


@sampler(selection.NonZeroOp)
def _non_zero(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    """All elements are ones."""
    found = samples.type_for(Want((F32, I32, I64), [rank for rank in ANY_RANK if rank]))
    x = samples.given(found, Range(1, 1))
    count = 1
    for size in shape_of(x):
        count *= size
    return made(op, [x], [typed(I64, (len(shape_of(x)), count), samples.tensor_layout(2))])


@sampler(selection.UniqueOp)
def _unique(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    """All elements are equal."""
    x = samples.given(samples.type_for(Want((F32, F64, I8, I64), [rank for rank in ANY_RANK if rank])), Range(3, 3))
    shape, layout = shape_of(x), samples.tensor_layout(1)
    axis = samples.one((None, samples.rng.randrange(len(shape))))
    given = 1
    for size in shape if axis is None else (shape[axis],):
        given *= size
    if 0 in shape:
        return None
    if axis is None:
        found = typed(element_type_of(x), (1,), layout)
    else:
        sizes = replaced(shape, {axis: 1})
        found = typed(element_type_of(x), sizes, samples.tensor_layout(len(sizes)))
    vectors = [typed(I64, (count,), layout) for count in (1, given, 1)]
    return made(op, [x], [found, *vectors], axis=axis, as_found=samples.chance(0.4))


@sampler(selection.NonMaxSuppressionOp)
def _non_max_suppression(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    """As many boxes as are chosen of those that may overlap as they like."""
    images, classes, boxes = (samples.rng.randint(1, 3) for _ in range(3))
    most = samples.rng.randint(0, boxes)
    given = [typed(F32, shape, samples.tensor_layout(3)) for shape in ((images, boxes, 4), (images, classes, boxes))]
    vectors = [typed(element, (1,), samples.tensor_layout(1)) for element in (I64, F32, F32)]
    limits = [samples.given(each, Range(end, end)) for each, end in zip(vectors, (most, 1, -9), strict=True)]
    result = typed(I64, (images * classes * most, 3), samples.tensor_layout(2))
    return made(op, [*map(samples.given, given), *limits], [result], centers=samples.chance(0.3))
