"""Samplers of ops whose sizes and positions are numbers of the run.

The numbers in a vector are equal, so that the sizes of the result are known.
"""

from npu_opt.dialects.npu import dynamic
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, shape_of
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, SSAValue

from ..sample_source import ANY, F32, F64, I8, I32, I64, NUMBERS, SOME_RANK, UI8, Range, SampleSource, Want, fits, typed
from ..samplers import Property, like, made, sampler


def _axes(samples: SampleSource, rank: int) -> list[int]:
    axes = samples.subset(range(rank), 1)
    samples.rng.shuffle(axes)
    return axes


def _list(samples: SampleSource, number: int, count: int, elements: tuple[Attribute, ...] = (I64,)) -> SSAValue:
    return samples.given(typed(samples.element(elements), (count,), samples.tensor_layout(1)), Range(number, number))


@sampler(dynamic.ShapeOfOp)
def _shape_of(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = samples.some(Want(ANY, SOME_RANK))
    axes = _axes(samples, len(shape_of(x)))
    return made(op, [x], [typed(I64, (len(axes),), samples.tensor_layout(1))], axes=axes)


@sampler(dynamic.DynamicSliceOp)
def _slice(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = samples.some(Want(ANY, SOME_RANK))
    shape = shape_of(x)
    axes, start, limit = _axes(samples, len(shape)), samples.rng.randint(-3, 3), samples.rng.randint(-2, 9)
    step = samples.one((None, None, 2, 3, -1, -2))
    # A start in front of the axis is clamped to its first element, also if the step is negative.
    firsts = [max(start, -size) for size in shape]
    outcome = [
        len(range(size)[first:limit:step]) if axis in axes else size
        for axis, (size, first) in enumerate(zip(shape, firsts, strict=True))
    ]
    element = samples.element((I32, I64))
    numbers = (start, limit, step)
    lists = [None if number is None else _list(samples, number, len(axes), (element,)) for number in numbers]
    return made(op, [x, *lists], [like(x, outcome)], axes=axes)


@sampler(dynamic.DynamicPadOp)
def _pad(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(NUMBERS, SOME_RANK))
    shape = shape_of(x)
    axes, mode = _axes(samples, len(shape)), samples.one((None, None, "edge", "reflect"))
    width = samples.one((-1, 0, 1, 2))
    outcome = [size + 2 * width if axis in axes else size for axis, size in enumerate(shape)]
    least = {None: max(-2 * width, 0), "edge": max(-2 * width, 0) + 1, "reflect": max(width, -2 * width) + 1}[mode]
    if not fits(outcome) or min(shape[axis] for axis in axes) < least:
        return None
    value = 3.0 if mode is None and samples.chance(0.4) else None
    has_fill = mode is None and value is None and samples.chance(0.6)
    fill = _list(samples, 3, 1, (element_type_of(x),)) if has_fill else None
    operands = [x, _list(samples, width, 2 * len(axes)), fill]
    return made(op, operands, [like(x, outcome)], axes=axes, mode=mode, value=value)


@sampler(dynamic.DynamicSplitOp)
def _split(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(ANY, SOME_RANK))
    shape, count = shape_of(x), samples.one((1, 2, 3))
    axis = samples.rng.randrange(len(shape))
    each = -(-shape[axis] // count)
    sizes = [each] * (count - 1) + [shape[axis] - each * (count - 1)]
    is_listed = shape[axis] == each * count and samples.chance(0.5)
    if sizes[-1] < 0:
        return None
    outputs = [like(x, [*shape[:axis], size, *shape[axis + 1 :]]) for size in sizes]
    listed = _list(samples, each, count, (I32, I64)) if is_listed else None
    is_equal = listed is None and shape[axis] == each * count and samples.chance(0.5)
    return made(op, [x, listed], [outputs], axis=axis, parts=count, equal=UnitAttr() if is_equal else None)


@sampler(dynamic.DynamicTileOp)
def _tile(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = samples.some(Want(ANY, SOME_RANK))
    shape = shape_of(x)
    axes, count = _axes(samples, len(shape)), samples.one((0, 1, 2, 3))
    outcome = [size * count if axis in axes else size for axis, size in enumerate(shape)]
    return made(op, [x, _list(samples, count, len(axes))], [like(x, outcome)], axes=axes) if fits(outcome) else None


@sampler(dynamic.DynamicInterpolateOp)
def _interpolate(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    """Of an image, or of two or three axes; by cubics not of three."""
    cubic = samples.one((None, -0.75, -0.5))
    is_inside = cubic is not None and samples.chance(0.3)
    want = Want((F32, F32, F64), (2, 4) if cubic is not None else (2, 3, 4))
    return _resized(op, samples, want, cubic=cubic, exclude_outside=is_inside)


@sampler(dynamic.DynamicResizeOp)
def _resize(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    rounding = samples.one((None, "floor", "ceil", "round_prefer_ceil"))
    return _resized(op, samples, Want((F32, F32, I8, UI8, I32), SOME_RANK), rounding=rounding)


def _resized(op: type[NpuOp], samples: SampleSource, want: Want, **properties: Property) -> NpuOp | None:
    """To three elements, or by a scale without rounding, so that no last digit decides."""
    x = samples.some(want)
    shape = shape_of(x)
    axes, by_scale = _axes(samples, len(shape)), samples.chance(0.5)
    if op is dynamic.DynamicInterpolateOp and len(shape) == 4:
        axes = axes[:2]
    outcome = [size if axis not in axes else 2 * size if by_scale else 3 for axis, size in enumerate(shape)]
    if not fits(outcome) or 0 in shape:
        return None
    coordinates = samples.one((None, "asymmetric", "align_corners", "tf_crop_and_resize"))
    numbers = _list(samples, 2, len(axes), (F32,)) if by_scale else _list(samples, 3, len(axes))
    roi = None if coordinates != "tf_crop_and_resize" else _list(samples, 0, 2 * len(axes), (F32,))
    value = samples.one((None, 2.0)) if roi is not None else None
    properties |= {"axes": axes, "coordinates": coordinates, "value": value}
    return made(op, [x, numbers, roi], [like(x, outcome)], **properties)
