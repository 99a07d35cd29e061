"""Samplers of ops that rotate the spatial axes of an activation, or unfold windows into rows."""

from npu_opt.dialects.npu import spatial
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of
from npu_opt.layout import permute

from ..features import activation, random_window, small_extents, window_properties
from ..sample_source import NUMBERS, TENSOR_CLASSES, SampleSource, fits, typed
from ..samplers import like, made, sampler


@sampler(spatial.Img2colOp)
def _img2col(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, NUMBERS, (4,))
    extents = small_extents(samples, x.spatial)
    window = random_window(samples, 2)
    high, wide = window.positions(x.spatial, extents)
    rows = (x.logical[0], high * wide, x.logical[1] * extents[0] * extents[1])
    if not fits(rows):
        return None
    layout = samples.layout(3, TENSOR_CLASSES)
    shape = rows if layout is None else permute(rows, layout.order_for(3))
    result = typed(element_type_of(x.value), shape, layout)
    properties = window_properties(samples, window)
    return made(op, [x.value], [result], window=extents, data_layout=x.declared, **properties)


@sampler(spatial.MirrorOp)
def _mirror(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = activation(samples, NUMBERS)
    order = x.layout.order_for(len(x.logical))
    axes = samples.subset([axis for axis, logical in enumerate(order) if logical >= 2], least=1)
    return made(op, [x.value], [like(x.value)], axes=axes, data_layout=x.declared)


@sampler(spatial.RotateOp)
def _rotate(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    x = activation(samples, NUMBERS, (4,))
    turns = samples.rng.randint(1, 3)
    batch, channels, height, width = x.logical
    sizes = (width, height) if turns % 2 else (height, width)
    return made(op, [x.value], [x.typed((batch, channels, *sizes))], turns=turns, data_layout=x.declared)
