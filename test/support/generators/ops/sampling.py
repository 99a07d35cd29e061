"""Samplers of ops that read a feature map at places."""

from npu_opt.dialects.npu import sampling
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of
from xdsl.ir import SSAValue

from ..features import activation, random_window, window_properties
from ..sample_source import F32, F64, I32, I64, SMALL, Range, SampleSource, fits, typed
from ..samplers import made, sampler


@sampler(sampling.GridSampleOp)
def _grid_sample(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, (F32, F32, F64), (4, 4, 5))
    batch, channels, *sizes = x.logical
    places = [samples.rng.randint(1, 3) for _ in sizes]
    result, element = (batch, channels, *places), element_type_of(x.value)
    mode = samples.one(("linear", "nearest", "cubic") if len(sizes) == 2 else ("linear", "nearest"))
    grid_shape = (batch, *places, len(sizes))
    if not fits(result) or not fits(grid_shape) or 0 in sizes:
        return None
    grid = samples.given(typed(element, grid_shape, samples.tensor_layout(len(grid_shape))), SMALL, mode == "nearest")
    return made(
        op,
        [x.value, grid],
        [x.typed(result)],
        mode=None if mode == "linear" else mode,
        padding=samples.one((None, "border", "reflection")),
        align_corners=samples.chance(0.5),
        data_layout=x.declared,
    )


@sampler(sampling.RoiAlignOp)
def _roi_align(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, (F32, F32, F64), (4,))
    batch, channels, *sizes = x.logical
    count, parts = samples.rng.randint(1, 3), [samples.rng.randint(1, 3) for _ in sizes]
    result, element = (count, channels, *parts), element_type_of(x.value)
    if not fits(result) or 0 in (batch, *sizes):
        return None
    boxes = samples.given(typed(element, (count, 4), samples.tensor_layout(2)), Range(-2, 4))
    which = samples.given(typed(samples.element((I32, I64)), (count,), samples.tensor_layout(1)), Range(0, batch - 1))
    return made(
        op,
        [x.value, boxes, which],
        [x.typed(result)],
        sizes=parts,
        scale=samples.one((None, 0.5)),
        # As many samples as there are elements, rounded up, would depend on the last digit.
        ratio=samples.rng.randint(1, 2),
        mode=samples.one((None, "max")),
        half_pixel=samples.chance(0.5),
        data_layout=x.declared,
    )


@sampler(sampling.DeformConvOp)
def _deform_conv(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, (F32, F32, F64), (4,))
    batch, channels, *sizes = x.logical
    element, extents = element_type_of(x.value), tuple(samples.rng.randint(1, min(2, size or 1)) for size in sizes)
    window = random_window(samples, 2, (1, 1))
    positions = window.positions(sizes, extents)
    groups, parts = (samples.one([each for each in (1, 2, 3) if channels % each == 0]) for _ in range(2))
    outputs, places = groups * samples.rng.randint(1, 2), parts * extents[0] * extents[1]
    result = (batch, outputs, *positions)
    if not all(map(fits, (result, (batch, 2 * places, *positions)))) or 0 in (channels, *sizes, *positions):
        return None

    def given(*shape: int) -> SSAValue:
        return samples.given(typed(element, shape, samples.tensor_layout(len(shape))), SMALL)

    operands = [x.value, given(batch, 2 * places, *positions), given(outputs, channels // groups, *extents)]
    bias, mask = (samples.chance(0.5) for _ in range(2))
    further = [given(outputs) if bias else None, given(batch, places, *positions) if mask else None]
    return made(
        op,
        [*operands, *further],
        [x.typed(result)],
        groups=groups if groups > 1 else None,
        offset_groups=parts if parts > 1 else None,
        data_layout=x.declared,
        **window_properties(samples, window),
    )
