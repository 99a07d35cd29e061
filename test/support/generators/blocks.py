"""Building blocks of networks: a few ops each, on values that exist already."""

from collections.abc import Callable
from math import prod

from npu_opt.dialects.npu import (
    activations,
    binary,
    convolution,
    linear,
    movement,
    normalization,
    pooling,
    resampling,
    shape,
    spatial,
    unary,
)
from npu_opt.dialects.npu.attrs import LayoutAttr
from npu_opt.dialects.npu.base import NpuOp
from npu_opt.dialects.npu.values import element_type_of, layout_of, logical_shape, order_of_value, shape_of, tensor_type
from npu_opt.layout import Layout, invert, permute, unpermute
from xdsl.ir import SSAValue

from .net import FEATURE, NTENSOR, TENSOR, WEIGHT, Net
from .sample_source import typed
from .samplers import like, made

Block = Callable[[Net], object]

CONVOLUTIONS: dict[int, type[NpuOp]] = {
    3: convolution.Conv1dOp,
    4: convolution.Conv2dOp,
    5: convolution.Conv3dOp,
}
"""By the rank of the image."""
ACTIVATIONS = (activations.ReluOp, activations.ClipOp, activations.LeakyReluOp, unary.TanhOp)
BETWEEN: tuple[type[NpuOp], ...] = (
    *ACTIVATIONS,
    movement.PadOp,
    movement.SliceOp,
    normalization.BatchNormOp,
    normalization.InstanceNormOp,
    pooling.MaxPoolOp,
    pooling.AvgPoolOp,
    resampling.UpsampleOp,
)
"""Ops between convolutions."""
DEMANDING: tuple[type[NpuOp], ...] = (
    convolution.ConvTranspose2dOp,
    resampling.BilinearOp,
    resampling.UnpoolOp,
    resampling.MaskUnpoolOp,
    spatial.Img2colOp,
    spatial.MirrorOp,
    spatial.RotateOp,
    movement.PadOp,
    movement.ConcatOp,
    normalization.TensorNormOp,
)
"""Ops besides convolutions for which hardware demands an order."""
OF_SEQUENCES: tuple[type[NpuOp], ...] = (
    linear.MatmulOp,
    linear.GemmOp,
    normalization.LayerNormOp,
    normalization.SoftmaxOp,
    activations.GeluOp,
    binary.AddOp,
    movement.ConcatOp,
    movement.PadOp,
)
"""Ops on values without letters."""


def convolved(net: Net, value: SSAValue) -> SSAValue:
    """A convolution of the value, or of another one if it is no image."""
    return net.then(CONVOLUTIONS.get(len(shape_of(value)), convolution.Conv2dOp), value)


def convolution_block(net: Net) -> SSAValue:
    """A convolution and its usual successors."""
    value = net.image()
    if net.chance(0.2):
        value = net.then(movement.PadOp, value)
    value = convolved(net, value)
    for _ in range(net.rng.randint(0, 2)):
        value = net.then(net.one(BETWEEN), value)
    return convolved(net, value) if net.chance(0.4) else value


def residual(net: Net) -> None:
    """An image added to the result of a branch."""
    value = net.image((4,))
    other = net.then(net.one(ACTIVATIONS), value)
    if net.chance(0.8):
        other = convolved_by_positions(net, other)
    if other is not value and other.type == value.type:
        net.add(net.one((binary.AddOp, binary.AddOp, binary.MulOp, binary.MaxOp)), [value, other], tensor_type(value))


def convolved_by_positions(net: Net, value: SSAValue) -> SSAValue:
    """A pointwise convolution whose result has the operand's shape."""
    data = layout_of(value) or Layout(FEATURE, net.order(4))
    weight = net.layout(4, (WEIGHT,))
    kernel_layout = weight or Layout(WEIGHT, net.order(4))
    channels = unpermute(shape_of(value), data.order_for(4))[1]
    sizes = permute((channels, channels, 1, 1), kernel_layout.order_for(4))
    kernel = net.given(typed(element_type_of(value), sizes, weight))
    declared = {} if weight else {"data_layout": LayoutAttr(data), "kernel_layout": LayoutAttr(kernel_layout)}
    net.emit(made(convolution.Conv2dOp, [value, kernel, None], [like(value)], **declared))
    return net.values[-1]


def joined(net: Net) -> None:
    """Two images concatenated along an axis."""
    value = net.then(movement.ConcatOp, convolution_block(net))
    net.then(net.one(BETWEEN), value)


def flattened(net: Net) -> None:
    """Features that end in a matrix product."""
    value = convolution_block(net) if net.chance(0.6) else net.image()
    batch, *rest = logical_shape(value)
    value = net.reshaped(value, (batch, prod(rest)), (TENSOR,))
    value = net.then(linear.GemmOp, value)
    if net.chance(0.5):
        net.then(net.one((normalization.SoftmaxOp, activations.ReluOp)), value)


def sequence_of_pixels(net: Net, value: SSAValue) -> SSAValue:
    """An image with its spatial axes merged."""
    batch, channels, *spatial_sizes = logical_shape(value)
    return net.reshaped(value, (batch, channels, prod(spatial_sizes)), (TENSOR, TENSOR, NTENSOR))


def there_and_back(net: Net) -> None:
    """Features, reshaped to a sequence and back to features."""
    image = convolution_block(net) if net.chance(0.5) else net.image((4,))
    sizes = logical_shape(image)
    value = sequence_of_pixels(net, image)
    before = shape_of(value)
    for _ in range(net.rng.randint(0, 2)):
        value = net.then(net.one((*OF_SEQUENCES, *ACTIVATIONS)), value)
    if shape_of(value) != before:
        return
    value = net.reshaped(value, sizes, (FEATURE, FEATURE, TENSOR))
    if value.type == image.type and net.chance(0.5):
        net.add(binary.AddOp, [image, value], tensor_type(image))
    convolved(net, value)


def two_branches(net: Net) -> None:
    """Two images combined as sequences, and a convolution of one."""
    first, second = convolution_block(net), net.image((4,))
    values = [sequence_of_pixels(net, each) for each in (first, second)]
    if values[0].type == values[1].type:
        net.add(binary.AddOp, values, tensor_type(values[0]))


def from_sequence(net: Net) -> None:
    """A sequence that becomes an image, which is convolved."""
    value = net.sequence()
    for _ in range(net.rng.randint(0, 2)):
        value = net.then(net.one(OF_SEQUENCES), value)
    sizes = logical_shape(value)
    if len(sizes) == 3:
        wide = next((size for size in (4, 3, 2) if sizes[2] % size == 0), 1)
        convolved(net, net.reshaped(value, (*sizes[:2], sizes[2] // wide, wide), (FEATURE,)))


def attention(net: Net) -> None:
    """A sequence split into heads that are multiplied with each other."""
    value = net.value((3,), (TENSOR, NTENSOR))
    batch, length, width = logical_shape(value)
    heads = 2 if width % 2 == 0 else 1
    value = net.reshaped(value, (batch, length, heads, width // heads), (TENSOR, NTENSOR))
    if layout_of(value) in (None, Layout(NTENSOR), Layout(TENSOR)):
        value = net.transposed(value, (0, 2, 1, 3), layout_of(value))
    value = net.then(linear.MatmulOp, value)
    net.then(normalization.SoftmaxOp, value)


def channel_shuffle(net: Net) -> None:
    """Channels shuffled: reshape, transpose, reshape."""
    image = net.image((4,))
    batch, channels, high, wide = sizes = logical_shape(image)
    if channels % 2 or 0 in sizes:
        return
    cut = net.reshaped(image, (batch, 2, channels // 2, high, wide), (TENSOR, FEATURE))
    axes = order_of_value(cut)
    swapped = {1: 2, 2: 1}
    turned = net.transposed(cut, tuple(axes.index(swapped.get(axis, axis)) for axis in axes), layout_of(cut))
    convolved(net, net.reshaped(turned, sizes, (FEATURE,)))


def present_transpose(net: Net) -> None:
    """A transpose in the program: it stores the image in another order, or permutes its logical axes."""
    image = net.image()
    rank, layout = len(shape_of(image)), layout_of(image)
    permutation = net.order(rank) if net.chance(0.6) else invert(net.order(rank))
    if layout is not None:
        moved = permute(layout.order_for(rank), permutation)
        layout = layout.with_order(moved if net.chance(0.7) else net.order(rank))
    value = net.transposed(image, permutation, layout)
    if net.chance(0.4):
        value = net.transposed(value, invert(permutation), layout_of(image))
    follow(net, value)


def fixed_transpose(net: Net) -> None:
    """A fixed transpose."""
    value = net.image((4,))
    known = layout_of(value)
    op = net.one((shape.Nchw2NhwcOp, shape.Nhwc2NchwOp))
    if known is not None:
        value = net.relabelled(value, op.FROM) if net.chance(0.2) else value
        op = next((each for each in (shape.Nchw2NhwcOp, shape.Nhwc2NchwOp) if layout_of(value) == each.FROM), op)
    follow(net, net.then(op, value))


def renamed(net: Net) -> None:
    """An image relabelled, and perhaps relabelled back."""
    image = net.image()
    known = layout_of(image)
    if known is None:
        return
    layout = net.layout(len(shape_of(image)))
    value = net.relabelled(image, layout or known)
    value = net.then(net.one(ACTIVATIONS), value)
    follow(net, net.relabelled(value, known) if net.chance(0.6) else value)


def follow(net: Net, value: SSAValue) -> None:
    """Perhaps a user of the value."""
    if net.chance(0.7):
        convolved(net, value) if net.chance(0.5) else net.then(net.one(ACTIVATIONS), value)


def prepared_kernel(net: Net) -> None:
    """A computed kernel: from a sequence, from another kernel, or a gradient."""
    choice = net.rng.random()
    if choice < 0.3:
        net.then(convolution.Conv2dBpwOp, net.image((4,)))
    elif choice < 0.5:
        net.then(convolution.Conv2dBpaOp, net.image((4,)))
    kernel = net.value((4, 4, 3), (WEIGHT,))
    for _ in range(net.rng.randint(0, 2)):
        kernel = net.then(net.one((*ACTIVATIONS, movement.PadOp, movement.ReverseOp, unary.AbsOp)), kernel)
    if net.chance(0.5):
        layout, rank = layout_of(kernel), len(shape_of(kernel))
        permutation = net.order(rank)
        if layout is not None:
            layout = layout.with_order(permute(layout.order_for(rank), permutation))
        kernel = net.transposed(kernel, permutation, layout)
    use_kernel(net, kernel)


def use_kernel(net: Net, kernel: SSAValue) -> None:
    """A convolution with this kernel, if the shapes allow it."""
    known, rank = layout_of(kernel), len(shape_of(kernel))
    if rank not in CONVOLUTIONS or (known is not None and known.cls is not WEIGHT):
        return
    layout = known or Layout(WEIGHT, net.order(rank))
    outputs, inputs, *extents = sizes = unpermute(shape_of(kernel), layout.order_for(rank))
    if 0 in sizes:
        return
    coloured = net.layout(rank, (FEATURE,))
    data = coloured or Layout(FEATURE, net.order(rank))
    logical = (1, inputs, *(size + 1 for size in extents))
    image = net.given(typed(element_type_of(kernel), permute(logical, data.order_for(rank)), coloured))
    result = permute((1, outputs, *(2 for _ in extents)), data.order_for(rank))
    declared = {} if known else {"data_layout": LayoutAttr(data), "kernel_layout": LayoutAttr(layout)}
    net.emit(made(CONVOLUTIONS[rank], [image, kernel, None], [like(image, result)], **declared))


def many_users(net: Net) -> None:
    """A value with several different users."""
    value = net.image()
    for _ in range(net.rng.randint(3, 6)):
        convolved(net, value) if net.chance(0.5) else net.then(net.one((*BETWEEN, *DEMANDING)), value)


def with_itself(net: Net) -> None:
    """A value combined with itself, transposed or not."""
    value = net.image()
    other = value
    if net.chance(0.5):
        rank = len(shape_of(value))
        permutation = net.order(rank)
        if permute(shape_of(value), permutation) == shape_of(value):
            other = net.transposed(value, permutation, layout_of(value))
    net.add(binary.AddOp, [value, other], tensor_type(value))


def scaled(net: Net) -> None:
    """An image times one number, a number per channel without letters, or a row."""
    image = net.image()
    rank, layout, element = len(shape_of(image)), layout_of(image), element_type_of(image)
    kind = net.rng.randrange(3)
    if kind == 0:
        factor = net.given(typed(element, (1,) * rank if net.chance(0.5) else (), net.tensor_layout(0)))
    else:
        kept = net.rng.randrange(rank)
        sizes = tuple(size if axis == kept else 1 for axis, size in enumerate(shape_of(image)))
        factor = net.given(typed(element, sizes, net.tensor_layout(rank)))
        if net.chance(0.4):
            factor = net.then(net.one(ACTIVATIONS), factor)
        if layout is not None:
            factor = net.relabelled(factor, layout)
    if shape_of(factor) and 0 not in shape_of(image):
        net.add(net.one((binary.MulOp, binary.AddOp)), [image, factor], tensor_type(image))


def demanding(net: Net) -> None:
    """An op for which hardware demands an order."""
    follow(net, net.then(net.one(DEMANDING), net.image((4,))))


BLOCKS: dict[Block, int] = {
    convolution_block: 10,
    residual: 5,
    joined: 4,
    flattened: 4,
    there_and_back: 7,
    two_branches: 4,
    from_sequence: 4,
    attention: 3,
    channel_shuffle: 2,
    present_transpose: 6,
    fixed_transpose: 2,
    renamed: 5,
    prepared_kernel: 6,
    many_users: 4,
    with_itself: 2,
    scaled: 4,
    demanding: 6,
}
"""The weight with which each block is chosen."""
