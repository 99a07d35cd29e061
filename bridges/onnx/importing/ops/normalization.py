"""Normalisations and softmax."""

from collections.abc import Sequence

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from .....dialects.npu import binary, normalization, reduction, unary
from .....dialects.npu.values import element_type_of
from ... import counterparts
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts, types
from ..shaped import Shaped
from ..sizes import Unknown, product
from ..windows import numbers
from .elementwise import cast, combine

SOFTMAX = {row.kind: row.op for row in counterparts.SOFTMAX}
OF_SUMS = ("com.microsoft.SkipLayerNormalization", "com.microsoft.SkipSimplifiedLayerNormalization")
EPSILON_OF_SUMS = 1e-12
"""The default of normalisations of a sum."""


@converts(*SOFTMAX)
def softmax(node: ImportedNode) -> Converted:
    """Before opset 13 all axes from `axis` on are merged into one."""
    op, value = SOFTMAX[node.proto.op_type], node.operand(0)
    rank, sizes = node.rank(), node.sizes()
    axis = node.axis(node.integer("axis", -1 if node.opset >= 13 else 1))
    if node.opset >= 13 or axis == rank - 1:
        return node.add(op, [value], sizes, axis=axis)
    if sum(isinstance(size, Unknown) for size in sizes[axis:]) > (0 not in sizes):
        return _softmax_of_axes(node, value, list(range(axis, rank)))
    flat = node.reshape(value, (*sizes[:axis], product(sizes[axis:])))
    return node.reshape(node.add(op, [flat], node.sizes_of(flat), axis=axis), sizes)


def _softmax_of_axes(node: ImportedNode, value: SSAValue, axes: Sequence[int]) -> SSAValue:
    """The arithmetic of softmax along several axes, for unknown sizes: no reshape could split these axes again."""
    if node.proto.op_type == "Hardmax":
        raise UnsupportedNode("several axes of unknown sizes")
    sizes = node.sizes()
    kept = [1 if axis in axes else size for axis, size in enumerate(sizes)]
    largest = node.add(reduction.ReduceMaxOp, [value], kept, axes=axes, keep=True)
    moved = node.add(binary.SubOp, [value, largest], sizes)
    powers = node.add(unary.ExpOp, [moved], sizes)
    total = node.add(reduction.ReduceSumOp, [powers], kept, axes=axes, keep=True)
    if node.proto.op_type == "LogSoftmax":
        return node.add(binary.SubOp, [moved, node.add(unary.LogOp, [total], kept)], sizes)
    return node.add(binary.DivOp, [powers, total], sizes)


@converts("BatchNormalization")
def batch_norm(node: ImportedNode) -> Converted:
    if node.flag("training_mode"):
        return _trained(node)
    node.mark_read("momentum")
    axis = 1 if node.rank() > 1 else 0
    epsilon = node.number("epsilon", 1e-5)
    return node.add(normalization.BatchNormOp, node.operands(), node.sizes(), axis=axis, epsilon=epsilon)


def _trained(node: ImportedNode) -> Sequence[SSAValue]:
    """By the statistics of the batch, with which the running ones are mixed."""
    value, sizes, epsilon = node.operand(0), node.sizes(), node.number("epsilon", 1e-5)
    if len(sizes) < 2 or len({element_type_of(each) for each in node.operands()}) > 1:
        raise UnsupportedNode("training without channels, or with statistics of another type")
    others, channels = [axis for axis in range(len(sizes)) if axis != 1], sizes[1:2]
    mean = node.add(reduction.ReduceMeanOp, [value], channels, axes=others)
    upright = node.reshape(mean, [size if axis == 1 else 1 for axis, size in enumerate(sizes)])
    apart = combine(node, binary.SubOp, value, upright)
    variance = node.add(reduction.ReduceMeanOp, [combine(node, binary.MulOp, apart, apart)], channels, axes=others)
    operands = [value, node.operand(1), node.operand(2), mean, variance]
    result = node.add(normalization.BatchNormOp, operands, sizes, axis=1, epsilon=epsilon)
    share = node.number("momentum", 0.9)
    mixed: list[SSAValue] = []
    for index, now in ((3, mean), (4, variance)):
        before = combine(node, binary.MulOp, node.operand(index), node.scalar(share, now))
        mixed.append(combine(node, binary.AddOp, before, combine(node, binary.MulOp, now, node.scalar(1 - share, now))))
    return result, *mixed


@converts("InstanceNormalization")
def instance_norm(node: ImportedNode) -> Converted:
    axes = range(2, node.rank())
    epsilon = node.number("epsilon", 1e-5)
    return node.add(normalization.InstanceNormOp, node.operands(), node.sizes(), axis=1, axes=axes, epsilon=epsilon)


@types("GroupNormalization", "MeanVarianceNormalization")
def same_type(node: ImportedNode) -> Shaped:
    """ONNX infers nothing for these if the sizes of the input are not in the model, or none at all."""
    return node.shaped(0)


@converts("GroupNormalization")
def group_norm(node: ImportedNode) -> Converted:
    """Before opset 21 scale and bias are per group."""
    value, groups = node.operand(0), node.integer("num_groups")
    vectors = [node.operand(1), node.operand(2)]
    if node.opset < 21:
        vectors = [_per_channel(node, vector, groups) for vector in vectors]
    axes, epsilon = range(2, node.rank()), node.number("epsilon", 1e-5)
    op = normalization.GroupNormOp
    return node.add(op, [value, *vectors], node.sizes(), groups=groups, axis=1, axes=axes, epsilon=epsilon)


def _per_channel(node: ImportedNode, vector: SSAValue, groups: int) -> SSAValue:
    """A per-group vector, repeated to one element per channel."""
    (channels,) = numbers(node.sizes()[1:2])
    if channels % groups:
        raise UnsupportedNode("groups of different sizes")
    repeated = node.broadcast(node.reshape(vector, (groups, 1)), (groups, channels // groups))
    return node.reshape(repeated, (channels,))


@converts("LayerNormalization")
def layer_norm(node: ImportedNode) -> Converted:
    value, sizes = node.operand(0), node.sizes()
    rank = len(sizes)
    axes = list(range(node.axis(node.integer("axis", -1)), rank))
    epsilon = node.number("epsilon", 1e-5)
    scale, bias = (node.optional(index) for index in (1, 2))
    aligned = [None if each is None else node.aligned(each, rank) for each in (scale, bias)]
    result = node.add(normalization.LayerNormOp, [value, *aligned], sizes, axes=axes, epsilon=epsilon)
    if not (node.has_output(1) or node.has_output(2)):
        return result
    return result, *_moments(node, value, axes, epsilon)


def _moments(node: ImportedNode, value: SSAValue, axes: list[int], epsilon: float) -> tuple[SSAValue, SSAValue]:
    """The mean along axes and the inverse standard deviation, in f32."""
    wide = cast(node, value, f32)
    sizes = node.sizes_of(value)
    kept = tuple(1 if axis in axes else size for axis, size in enumerate(sizes))
    mean = node.add(reduction.ReduceMeanOp, [wide], kept, axes=axes, keep=True)
    distance = combine(node, binary.SubOp, wide, mean)
    square = combine(node, binary.MulOp, distance, distance)
    variance = node.add(reduction.ReduceMeanOp, [square], kept, axes=axes, keep=True)
    shifted = combine(node, binary.AddOp, variance, node.scalar(epsilon, wide))
    return mean, node.add(unary.RsqrtOp, [shifted], kept)


@converts("RMSNormalization")
def rms_norm(node: ImportedNode) -> Converted:
    value, sizes = node.operand(0), node.sizes()
    axes = range(node.axis(node.integer("axis", -1)), len(sizes))
    scale = node.optional(1)
    aligned = None if scale is None else node.aligned(scale, len(sizes))
    epsilon = node.number("epsilon", 1e-5)
    return node.add(normalization.RmsNormOp, [value, aligned], sizes, axes=axes, epsilon=epsilon)


@converts("LpNormalization")
def lp_norm(node: ImportedNode) -> Converted:
    axis, p = node.axis(node.integer("axis", -1)), node.integer("p", 2)
    return node.add(normalization.LpNormOp, [node.operand(0)], node.sizes(), axis=axis, p=p if p != 2 else None)


@converts("MeanVarianceNormalization")
def mean_variance_norm(node: ImportedNode) -> Converted:
    """(x - mean) / standard deviation, with so small an epsilon that it only counts where that is 0.

    ONNX adds 1e-9 to the standard deviation, ONNX Runtime nothing.
    """
    axes = node.axes(node.integers("axes") or [0, 2, 3])
    return node.add(normalization.TensorNormOp, [node.operand(0)], node.sizes(), axes=axes, epsilon=1e-18)


@converts("LRN")
def local_response_norm(node: ImportedNode) -> Converted:
    numbers = {name: node.number(name, default) for name, default in (("alpha", 1e-4), ("beta", 0.75), ("bias", 1.0))}
    size = node.integer("size")
    return node.add(normalization.LrnOp, [node.operand(0)], node.sizes(), axis=1, size=size, **numbers)


@types(*OF_SUMS)
def sum_types(node: ImportedNode) -> list[Shaped]:
    """The result, its mean and inverse deviation, and the sum before it."""
    moments = Shaped(f32, (*node.sizes()[:-1], 1))
    return [node.shaped(0), moments, moments, node.shaped(0)]


@types("SimplifiedLayerNormalization")
def square_types(node: ImportedNode) -> list[Shaped]:
    """The result, which has the type of the scale, and its inverse root mean square."""
    axis = node.axis(node.integer("axis", -1))
    kept = tuple(size if place < axis else 1 for place, size in enumerate(node.sizes()))
    return [Shaped(node.shaped(1).element, node.sizes()), Shaped(f32, kept)]


@converts(*OF_SUMS)
def normalised_sum(node: ImportedNode) -> Converted:
    """The norm of input + skip + bias; the sum is a result as well."""
    if node.has_output(1) or node.has_output(2):
        raise UnsupportedNode("ONNX Runtime computes no mean and no deviation")
    has_shift = node.proto.op_type == "SkipLayerNormalization"
    total = combine(node, binary.AddOp, node.operand(0), node.operand(1))
    if (bias := node.optional(4 if has_shift else 3)) is not None:
        total = combine(node, binary.AddOp, total, bias)
    rank, epsilon = node.rank(), node.number("epsilon", EPSILON_OF_SUMS)
    parameters = [_aligned(node, index, rank) for index in ((2, 3) if has_shift else (2,))]
    op = normalization.LayerNormOp if has_shift else normalization.RmsNormOp
    return node.add(op, [total, *parameters], node.sizes_of(total), axes=[rank - 1], epsilon=epsilon), None, None, total


@converts("SimplifiedLayerNormalization")
def early_rms_norm(node: ImportedNode) -> Converted:
    """RMSNormalization, as models had it before ONNX."""
    if node.has_output(1):
        raise UnsupportedNode("the inverse root mean square is used")
    axes, epsilon = range(node.axis(node.integer("axis", -1)), node.rank()), node.number("epsilon", 1e-5)
    node.mark_read("stash_type")
    operands = [node.operand(0), _aligned(node, 1, node.rank())]
    return node.add(normalization.RmsNormOp, operands, node.sizes(), axes=axes, epsilon=epsilon)


def _aligned(node: ImportedNode, index: int, rank: int) -> SSAValue | None:
    """An optional input of this rank, or of one element."""
    value = node.optional(index)
    return None if value is None else node.aligned(value, rank)
