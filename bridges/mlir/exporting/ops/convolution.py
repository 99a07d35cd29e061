"""The convolution family. Activations are transposed to channels last, kernels to (O, spatial..., I), as in TOSA.

f32 uses TOSA, unless the groups are not single channels; everything else is loops.
"""

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from .....dialects.npu import convolution as ops
from .....dialects.npu.feature import Window
from .....dialects.npu.values import logical_shape
from .....layout import Layout, Order
from ...bindings import AffineExpr, ir, tosa
from ..arithmetic import add, converted
from ..arrange import filled, fitted, pad, reshape, reverse, slice_of, to_order, transpose
from ..elements import F32, I32, Element
from ..loops import loop, products
from ..registry import lowers
from ..tensors import Tensor, numbers, tosa_op, zero_points

Sizes = Sequence[int]


def channels_last(rank: int) -> Order:
    """The order N, spatial..., C of an activation, which is also O, spatial..., I of a kernel."""
    return (0, *range(2, rank), 1)


def to_channels_last(x: Tensor, layout: Layout) -> Tensor:
    """Transpose a stored activation or kernel to channels last."""
    return to_order(x, layout, channels_last(x.rank))


def from_channels_last(x: Tensor, layout: Layout) -> Tensor:
    """Transpose an activation or kernel from channels last to its stored order."""
    return to_order(x, channels_last(x.rank), layout)


def kernel_layout(op: ops.ConvolutionOp, name: str, value: SSAValue) -> Layout:
    return op.known_layout(name, value, "kernel_layout", op.kernel_layout)


def groups_of(op: ops.ConvolutionOp) -> int:
    return op.groups.value.data


def reaches(window: Window, extents: Sizes, positions: Sizes) -> list[int]:
    """The extent of each axis covered by all positions of a window."""
    return [
        (count - 1) * stride + dilation * (extent - 1) + 1
        for count, stride, dilation, extent in zip(positions, window.strides, window.dilations, extents, strict=True)
    ]


def window_data(x: Tensor, window: Window, extents: Sizes, positions: Sizes, number: float = 0) -> Tensor:
    """Pad data with channels last to the extent that the window covers."""
    sizes = x.shape[1:-1]
    ends = [
        reach - begin - size
        for reach, begin, size in zip(reaches(window, extents, positions), window.pads_begin, sizes, strict=True)
    ]
    return pad(x, [0, *window.pads_begin, 0], [0, *(max(end, 0) for end in ends), 0], number)


def window_indices(window: Window, first: int, inner: int) -> list[AffineExpr]:
    """The indices at which a window reads; loops from `first` on are positions, those from `inner` window elements."""
    return [
        loop(first + axis) * stride + loop(inner + axis) * dilation
        for axis, (stride, dilation) in enumerate(zip(window.strides, window.dilations, strict=True))
    ]


def convolved(x: Tensor, kernel: Tensor, bias: Tensor | None, window: Window, groups: int) -> Tensor:
    """A convolution (N, positions..., O) of data (N, spatial..., C) by a kernel (O, spatial..., I)."""
    extents = kernel.shape[1:-1]
    positions = window.positions(x.shape[1:-1], extents)
    if x.element == F32 and x.size and kernel.size and (groups == 1 or is_depthwise(x, kernel, groups)):
        return _by_tosa(x, kernel, bias, window, positions, groups)
    return with_bias(_by_loops(x, kernel, window, positions, groups), bias)


def with_bias(outcome: Tensor, bias: Tensor | None) -> Tensor:
    """Add one number per channel."""
    if bias is None:
        return outcome
    return add(outcome, reshape(converted(bias, outcome.element), [*[1] * (outcome.rank - 1), bias.size]))


def convolved_integers(x: Tensor, kernel: Tensor, zeros: tuple[int, int], window: Window, groups: int) -> Tensor:
    """A convolution of integers minus these zero points, in i32."""
    positions = window.positions(x.shape[1:-1], kernel.shape[1:-1])
    return _by_tosa(x, kernel, None, window, positions, groups, zeros, I32)


def is_depthwise(x: Tensor, kernel: Tensor, groups: int) -> bool:
    """True if each group is one channel of an image, which TOSA supports."""
    return groups == x.shape[-1] and kernel.shape[-1] == 1 and kernel.rank == 4


def _by_tosa(
    x: Tensor,
    kernel: Tensor,
    bias: Tensor | None,
    window: Window,
    positions: Sizes,
    groups: int,
    zeros: tuple[int, int] = (0, 0),
    total: Element = F32,
) -> Tensor:
    if x.rank == 3:
        flat = Window((1, *window.strides), (1, *window.dilations), (0, *window.pads_begin), (0, *window.pads_end))
        wide, tall = (reshape(each, [each.shape[0], 1, *each.shape[1:]]) for each in (x, kernel))
        outcome = _by_tosa(wide, tall, bias, flat, (1, *positions), groups, zeros, total)
        return reshape(outcome, [outcome.shape[0], *outcome.shape[2:]])
    x, pads = with_exact_pads(x, window, kernel.shape[1:-1], positions, zeros[0])
    outputs = kernel.shape[0]
    build: Callable[..., object] = {4: tosa.Conv2DOp, 5: tosa.Conv3DOp}[x.rank]
    if groups > 1:
        build, kernel = tosa.DepthwiseConv2DOp, _depthwise(kernel, groups)
    added = numbers([0], total) if bias is None else bias
    points = zero_points(x, kernel, zeros)
    element = ir.TypeAttr.get(total.type)
    shape = [x.shape[0], *positions, outputs]
    lists = [ir.DenseI64ArrayAttr.get(list(each)) for each in (pads, window.strides, window.dilations)]
    return tosa_op(build, shape, total, x.value, kernel.value, added.value, *points, *lists, element)


def with_exact_pads(
    x: Tensor, window: Window, extents: Sizes, positions: Sizes, padding: float = 0
) -> tuple[Tensor, list[int]]:
    """Data and pads such that the last window position ends at the padded end, as TOSA requires."""
    reached = reaches(window, extents, positions)
    ends = [reach - begin - size for reach, begin, size in zip(reached, window.pads_begin, x.shape[1:-1], strict=True)]
    if sees_padding_only(x, window, extents, positions):
        whole = window_data(x, window, extents, positions, padding)
        return slice_of(whole, [0] * x.rank, [x.shape[0], *reached, x.shape[-1]]), [0] * (2 * len(ends))
    x = fitted(x, [0] * x.rank, [0, *(min(end, 0) for end in ends), 0])
    return x, [pad for begin, end in zip(window.pads_begin, ends, strict=True) for pad in (begin, max(end, 0))]


def sees_padding_only(x: Tensor, window: Window, extents: Sizes, positions: Sizes) -> bool:
    """True if the window covers only padding along some axis."""
    reached = reaches(window, extents, positions)
    return any(reach <= begin for reach, begin in zip(reached, window.pads_begin, strict=True))


def _depthwise(kernel: Tensor, channels: int) -> Tensor:
    """The kernel (C * multiples, H, W, 1) as (H, W, C, multiples)."""
    outputs, *extents, _ = kernel.shape
    return transpose(reshape(kernel, [channels, outputs // channels, *extents]), (2, 3, 0, 1))


def _by_loops(x: Tensor, kernel: Tensor, window: Window, positions: Sizes, groups: int) -> Tensor:
    outputs, *extents, inputs = kernel.shape
    rank = len(extents)
    x = window_data(x, window, extents, positions)
    x = reshape(x, [*x.shape[:-1], groups, inputs])
    kernel = reshape(kernel, [groups, outputs // groups, *extents, inputs])
    # Loops: N, positions, groups, O; window, I.
    group, inner = rank + 1, rank + 3
    shape = (x.shape[0], *positions, groups, outputs // groups)
    data = [loop(0), *window_indices(window, 1, inner), loop(group), loop(inner + rank)]
    weights = [loop(group), loop(group + 1), *(loop(inner + axis) for axis in range(rank + 1))]
    result = products(shape, (*extents, inputs), (x, data), (kernel, weights))
    return reshape(result, [x.shape[0], *positions, outputs])


def transposed_convolution(
    outcome: Tensor, kernel: Tensor, bias: Tensor | None, window: Window, groups: int, sizes: Sizes
) -> Tensor:
    """The transposed convolution with these spatial result sizes: a convolution by the mirrored kernel."""
    outputs, *extents, inputs = kernel.shape
    rank = len(extents)
    grouped = reshape(kernel, [groups, outputs // groups, *extents, inputs])
    turned = transpose(grouped, (0, rank + 2, *range(2, rank + 2), 1))
    mirrored = reverse(reshape(turned, [groups * inputs, *extents, outputs // groups]), range(1, rank + 1))
    x = with_zeros_between(outcome, window.strides)
    low = [
        dilation * (extent - 1) - begin
        for dilation, extent, begin in zip(window.dilations, extents, window.pads_begin, strict=True)
    ]
    high = [
        size + dilation * (extent - 1) - before - wide
        for size, dilation, extent, before, wide in zip(
            sizes, window.dilations, extents, low, x.shape[1:-1], strict=True
        )
    ]
    flat = Window((1,) * rank, window.dilations, (0,) * rank, (0,) * rank)
    if any(
        wide + min(before, 0) + min(behind, 0) < 0
        for wide, before, behind in zip(x.shape[1:-1], low, high, strict=True)
    ):
        # No element of the operand is left: zeros.
        x = filled(
            [
                x.shape[0],
                *(size + before + behind for size, before, behind in zip(x.shape[1:-1], low, high, strict=True)),
                x.shape[-1],
            ],
            0,
            x.element,
        )
    else:
        x = fitted(x, [0, *low, 0], [0, *high, 0])
    return convolved(x, mirrored, bias, flat, groups)


def with_zeros_between(x: Tensor, strides: Sizes) -> Tensor:
    """Insert zeros between neighbours along the spatial axes of data with channels last."""
    if all(stride == 1 for stride in strides) or not x.size:
        return x
    batch, *sizes, channels = x.shape
    apart = reshape(x, [batch, *(size for each in sizes for size in (each, 1)), channels])
    high = [0, *(width for stride in strides for width in (0, stride - 1)), 0]
    whole = reshape(
        pad(apart, [0] * len(high), high),
        [batch, *(size * stride for size, stride in zip(sizes, strides, strict=True)), channels],
    )
    return fitted(whole, [0] * x.rank, [0, *(1 - stride for stride in strides), 0])


@lowers(ops.Conv1dOp, ops.Conv2dOp, ops.Conv3dOp)
def convolution(op: ops.ForwardConvolutionOp, x: Tensor, kernel: Tensor, bias: Tensor | None) -> Tensor:
    layout = op.feature_layout("data", op.data)
    weights = to_channels_last(kernel, kernel_layout(op, "kernel", op.kernel))
    window = op.sliding_window(op.SPATIAL_RANK)
    return from_channels_last(convolved(to_channels_last(x, layout), weights, bias, window, groups_of(op)), layout)


@lowers(ops.ConvTranspose1dOp, ops.ConvTranspose2dOp, ops.ConvTranspose3dOp)
def transposed(op: ops.TransposedConvolutionOp, x: Tensor, kernel: Tensor, bias: Tensor | None) -> Tensor:
    layout = op.feature_layout("data", op.data)
    return _gradient_of_data(op, layout, x, kernel, bias, op.kernel)


@lowers(ops.Conv2dBpaOp)
def activation_gradient(op: ops.Conv2dBpaOp, grad: Tensor, kernel: Tensor) -> Tensor:
    return _gradient_of_data(op, op.feature_layout("grad", op.grad), grad, kernel, None, op.kernel)


def _gradient_of_data(
    op: ops.TransposedConvolutionOp | ops.Conv2dBpaOp,
    layout: Layout,
    outcome: Tensor,
    kernel: Tensor,
    bias: Tensor | None,
    kernel_value: SSAValue,
) -> Tensor:
    weights = to_channels_last(kernel, kernel_layout(op, "kernel", kernel_value))
    sizes = logical_shape(op.result, layout)[2:]
    window = op.sliding_window(op.SPATIAL_RANK)
    return from_channels_last(
        transposed_convolution(to_channels_last(outcome, layout), weights, bias, window, groups_of(op), sizes), layout
    )


@lowers(ops.Conv2dBpwOp)
def kernel_gradient(op: ops.Conv2dBpwOp, data: Tensor, grad: Tensor) -> Tensor:
    layout, target = op.feature_layout("data", op.data), kernel_layout(op, "result", op.result)
    outputs, inputs, *extents = logical_shape(op.result, target)
    x, outcome = to_channels_last(data, layout), to_channels_last(grad, layout)
    window, groups = op.sliding_window(op.SPATIAL_RANK), groups_of(op)
    batch, *positions, _ = outcome.shape
    rank = len(extents)
    x = window_data(x, window, extents, positions)
    x = reshape(x, [*x.shape[:-1], groups, inputs])
    outcome = reshape(outcome, [batch, *positions, groups, outputs // groups])
    # Loops: groups, O, window, I; N, positions.
    inner = rank + 3
    shape = (groups, outputs // groups, *extents, inputs)
    read = [loop(inner), *window_indices(window, inner + 1, 2), loop(0), loop(rank + 2)]
    weighed = [*(loop(inner + axis) for axis in range(rank + 1)), loop(0), loop(1)]
    result = products(shape, (batch, *positions), (x, read), (outcome, weighed))
    return from_channels_last(reshape(result, [outputs, *extents, inputs]), target)
