"""Samplers of convolutions and their gradients."""

from npu_opt.dialects.npu import convolution
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.feature import Window
from npu_opt.dialects.npu.values import element_type_of

from ..features import activation, activation_of_shape, random_window, window_properties
from ..kernels import Forward, Kernel, channel_counts, maybe
from ..sample_source import FLOATS, I32, Elements, SampleSource, fits
from ..samplers import made, sampler


def _spatial_rank(op: type[NpuOp]) -> int:
    assert issubclass(op, convolution.ConvolutionOp)
    return op.SPATIAL_RANK


CONVOLVED: Elements = (*FLOATS, I32, I32)


@sampler(convolution.Conv1dOp, convolution.Conv2dOp, convolution.Conv3dOp)
def _convolution(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, CONVOLVED, (_spatial_rank(op) + 2,))
    element = element_type_of(x.value)
    forward = Forward(samples, x, element)
    if not fits(forward.result):
        return None
    kernel = samples.given(forward.kernel.type)
    bias = maybe(samples, element, forward.result[1])
    return made(op, [x.value, kernel, bias], [x.typed(forward.result)], **forward.properties)


@sampler(convolution.ConvTranspose1dOp, convolution.ConvTranspose2dOp, convolution.ConvTranspose3dOp)
def _transposed_convolution(op: type[NpuOp], samples: SampleSource) -> NpuOp | None:
    x = activation(samples, CONVOLVED, (_spatial_rank(op) + 2,))
    element = element_type_of(x.value)
    groups, per_group = channel_counts(samples, x.logical[1])[0], samples.rng.randint(1, 3)
    extents = tuple(samples.rng.randint(1, 3) for _ in x.spatial)
    window = random_window(samples, len(x.spatial), [1] * len(x.spatial))
    kernel = Kernel(samples, element, (x.logical[1], per_group, *extents))
    more = [samples.rng.randint(0, 1) for _ in x.spatial] if samples.chance(0.4) else None
    sizes = [
        (size - 1) * window.strides[axis]
        + window.dilations[axis] * (extents[axis] - 1)
        + 1
        - window.pads_begin[axis]
        - window.pads_end[axis]
        + (more[axis] if more else 0)
        for axis, size in enumerate(x.spatial)
    ]
    logical = (x.logical[0], groups * per_group, *(max(size, 0) for size in sizes))
    if not fits(logical) or 0 in x.spatial or min(sizes) < 1:
        return None
    operands = [x.value, samples.given(kernel.type), maybe(samples, element, groups * per_group)]
    return made(
        op,
        operands,
        [x.typed(logical)],
        output_pads=more,
        groups=groups,
        data_layout=x.declared,
        kernel_layout=kernel.declared,
        **window_properties(samples, window),
    )


def _relation(samples: SampleSource) -> tuple[Window, int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """A window, a number of groups, and the logical shapes of a matching activation, kernel and result."""
    groups = samples.one((1, 1, 2))
    inputs, outputs = samples.rng.randint(1, 3), groups * samples.rng.randint(1, 2)
    batch = samples.rng.randint(1, 2)
    sizes = (samples.rng.randint(3, 6), samples.rng.randint(3, 6))
    extents = (samples.rng.randint(1, 3), samples.rng.randint(1, 3))
    window = Window((samples.one((1, 2)), samples.one((1, 1, 2))), (1, samples.one((1, 1, 2))), (0, 1), (1, 0))
    positions = window.positions(sizes, extents)
    return (
        window,
        groups,
        (batch, groups * inputs, *sizes),
        (outputs, inputs, *extents),
        (batch, outputs, *positions),
    )


@sampler(convolution.Conv2dBpaOp)
def _gradient_of_data(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    window, groups, data, kernel_shape, outcome = _relation(samples)
    element = samples.element(FLOATS)
    grad = activation_of_shape(samples, element, outcome)
    kernel = Kernel(samples, element, kernel_shape)
    operands = [grad.value, samples.given(kernel.type)]
    return made(
        op,
        operands,
        [grad.typed(data)],
        groups=groups,
        data_layout=grad.declared,
        kernel_layout=kernel.declared,
        **window_properties(samples, window),
    )


@sampler(convolution.Conv2dBpwOp)
def _gradient_of_kernel(op: type[NpuOp], samples: SampleSource) -> NpuOp:
    window, groups, data, kernel_shape, outcome = _relation(samples)
    element = samples.element(FLOATS)
    x = activation_of_shape(samples, element, data)
    grad = samples.given(x.typed(outcome))
    kernel = Kernel(samples, element, kernel_shape)
    return made(
        op,
        [x.value, grad],
        [kernel.type],
        groups=groups,
        data_layout=x.declared,
        kernel_layout=kernel.declared,
        **window_properties(samples, window),
    )
