"""Makers of the convolution family."""

from collections.abc import Sequence

from npu_opt.dialects.npu import convolution, quantized_convolution
from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.base import NpuOp, element_type_of
from npu_opt.dialects.npu.feature import Window
from npu_opt.layout import Layout, LayoutClass, permute
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute, SSAValue

from .make_feature import (
    WEIGHT,
    Activation,
    activation,
    activation_of_shape,
    random_window,
    small_extents,
    window_properties,
)
from .makers import made, maker
from .supply import F32, FLOATS, I32, POSITIVE, QUANTIZED, Elements, Range, Supply, fits, typed


class Kernel:
    """A kernel or its gradient: a layout of class Weight, and a type for a logical shape."""

    def __init__(self, supply: Supply, element: Attribute, logical: Sequence[int]):
        rank = len(logical)
        layout = supply.layout(rank, WEIGHT)
        self.layout = layout or Layout(LayoutClass.WEIGHT, supply.order(rank))
        self.declared = LayoutAttr(self.layout) if layout is None or supply.chance(0.2) else None
        self.type = typed(element, permute(tuple(logical), self.layout.order_for(rank)), layout)


def channel_counts(supply: Supply, channels: int) -> tuple[int, int, int]:
    """Groups, channels of the other side, and channels of this side per group."""
    divisors = [groups for groups in (1, 2, 3, channels) if groups and channels % groups == 0]
    groups = supply.one(divisors) if supply.chance(0.5) else 1
    return groups, groups * supply.rng.randint(1, 3), channels // groups


def vector(supply: Supply, element: Attribute, size: int, values: Range | None = None) -> SSAValue:
    """One number per channel."""
    return supply.given(typed(element, (size,), supply.tensor_layout(1)), values)


def single(supply: Supply, element: Attribute, values: Range | None = None) -> SSAValue:
    """One number."""
    shape = supply.one(((), (), (1,)))
    return supply.given(typed(element, shape, supply.tensor_layout(len(shape))), values)


def maybe(supply: Supply, element: Attribute, size: int, values: Range | None = None) -> SSAValue | None:
    """One number per channel, or nothing."""
    return vector(supply, element, size, values) if supply.chance(0.5) else None


class Forward:
    """What forward convolutions share: random attributes, the kernel and the logical shape of the result."""

    def __init__(self, supply: Supply, data: Activation, kernel_element: Attribute):
        self.groups, outputs, inputs = channel_counts(supply, data.logical[1])
        extents = small_extents(supply, data.spatial)
        self.window = random_window(supply, len(data.spatial))
        self.kernel = Kernel(supply, kernel_element, (outputs, inputs, *extents))
        positions = self.window.positions(data.spatial, extents)
        self.result = (data.logical[0], outputs, *positions)
        self.properties = {
            **window_properties(supply, self.window),
            "groups": None if self.groups == 1 and supply.chance(0.8) else self.groups,
            "data_layout": data.declared,
            "kernel_layout": self.kernel.declared,
        }


def _spatial_rank(op: type[NpuOp]) -> int:
    assert issubclass(op, convolution.ConvolutionOp)
    return op.SPATIAL_RANK


CONVOLVED: Elements = (*FLOATS, I32, I32)


@maker(convolution.Conv1dOp, convolution.Conv2dOp, convolution.Conv3dOp)
def _convolution(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, CONVOLVED, (_spatial_rank(op) + 2,))
    element = element_type_of(x.value)
    forward = Forward(supply, x, element)
    if not fits(forward.result):
        return None
    kernel = supply.given(forward.kernel.type)
    bias = maybe(supply, element, forward.result[1])
    return made(op, [x.value, kernel, bias], [x.typed(forward.result)], **forward.properties)


@maker(convolution.ConvTranspose1dOp, convolution.ConvTranspose2dOp, convolution.ConvTranspose3dOp)
def _transposed_convolution(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, CONVOLVED, (_spatial_rank(op) + 2,))
    element = element_type_of(x.value)
    groups, per_group = channel_counts(supply, x.logical[1])[0], supply.rng.randint(1, 3)
    extents = tuple(supply.rng.randint(1, 3) for _ in x.spatial)
    window = random_window(supply, len(x.spatial), [1] * len(x.spatial))
    kernel = Kernel(supply, element, (x.logical[1], per_group, *extents))
    more = [supply.rng.randint(0, 1) for _ in x.spatial] if supply.chance(0.4) else None
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
    operands = [x.value, supply.given(kernel.type), maybe(supply, element, groups * per_group)]
    return made(
        op,
        operands,
        [x.typed(logical)],
        output_pads=more,
        groups=groups,
        data_layout=x.declared,
        kernel_layout=kernel.declared,
        **window_properties(supply, window),
    )


def _relation(supply: Supply) -> tuple[Window, int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """A window, a number of groups, and the logical shapes of a fitting activation, kernel and outcome."""
    groups = supply.one((1, 1, 2))
    inputs, outputs = supply.rng.randint(1, 3), groups * supply.rng.randint(1, 2)
    batch = supply.rng.randint(1, 2)
    sizes = (supply.rng.randint(3, 6), supply.rng.randint(3, 6))
    extents = (supply.rng.randint(1, 3), supply.rng.randint(1, 3))
    window = Window((supply.one((1, 2)), supply.one((1, 1, 2))), (1, supply.one((1, 1, 2))), (0, 1), (1, 0))
    positions = window.positions(sizes, extents)
    return (
        window,
        groups,
        (batch, groups * inputs, *sizes),
        (outputs, inputs, *extents),
        (batch, outputs, *positions),
    )


@maker(convolution.Conv2dBpaOp)
def _gradient_of_data(op: type[NpuOp], supply: Supply) -> NpuOp:
    window, groups, data, kernel_shape, outcome = _relation(supply)
    element = supply.element(FLOATS)
    grad = activation_of_shape(supply, element, outcome)
    kernel = Kernel(supply, element, kernel_shape)
    operands = [grad.value, supply.given(kernel.type)]
    return made(
        op,
        operands,
        [grad.typed(data)],
        groups=groups,
        data_layout=grad.declared,
        kernel_layout=kernel.declared,
        **window_properties(supply, window),
    )


@maker(convolution.Conv2dBpwOp)
def _gradient_of_kernel(op: type[NpuOp], supply: Supply) -> NpuOp:
    window, groups, data, kernel_shape, outcome = _relation(supply)
    element = supply.element(FLOATS)
    x = activation_of_shape(supply, element, data)
    grad = supply.given(x.typed(outcome))
    kernel = Kernel(supply, element, kernel_shape)
    return made(
        op,
        [x.value, grad],
        [kernel.type],
        groups=groups,
        data_layout=x.declared,
        kernel_layout=kernel.declared,
        **window_properties(supply, window),
    )


@maker(quantized_convolution.Conv2dIntegerOp)
def _integer_convolution(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, QUANTIZED, (4,))
    kernel_element = supply.element(QUANTIZED)
    forward = Forward(supply, x, kernel_element)
    if not fits(forward.result):
        return None
    operands = [
        x.value,
        supply.given(forward.kernel.type),
        single(supply, element_type_of(x.value)),
        maybe(supply, kernel_element, forward.result[1]) or single(supply, kernel_element),
    ]
    return made(op, operands, [x.typed(forward.result, i32)], **forward.properties)


@maker(quantized_convolution.QuantConv2dOp)
def _quantized_convolution(op: type[NpuOp], supply: Supply) -> NpuOp | None:
    x = activation(supply, QUANTIZED, (4,))
    kernel_element, result_element = supply.element(QUANTIZED), supply.element(QUANTIZED)
    forward = Forward(supply, x, kernel_element)
    if not fits(forward.result):
        return None
    outputs = forward.result[1]
    operands = [
        x.value,
        supply.given(forward.kernel.type),
        single(supply, F32, POSITIVE),
        single(supply, element_type_of(x.value)),
        maybe(supply, F32, outputs, POSITIVE) or single(supply, F32, POSITIVE),
        maybe(supply, kernel_element, outputs) or single(supply, kernel_element),
        single(supply, F32, Range(64, 512)),
        single(supply, result_element),
        maybe(supply, i32, outputs),
    ]
    return made(op, operands, [x.typed(forward.result, result_element)], **forward.properties)
