"""Conversion of normalisations and softmax."""

from collections.abc import Mapping

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.npu import normalization
from .....dialects.npu.base import NpuOp
from .....dialects.npu.values import element_type_of
from .....interpreter.elements import numpy_dtype
from ....building import UnsupportedNode
from ..arithmetic import cast, is_half, known, number, optional_number
from ..node import CallNode
from ..registry import Converted, converts

SOFTMAX: Mapping[str, type[NpuOp]] = {
    "aten.softmax.int": normalization.SoftmaxOp,
    "aten._softmax.default": normalization.SoftmaxOp,
    "aten.log_softmax.int": normalization.LogSoftmaxOp,
    "aten._log_softmax.default": normalization.LogSoftmaxOp,
}


@converts(*SOFTMAX)
def softmax(node: CallNode) -> SSAValue:
    x = cast(node, node.operand("self"), node.result().element)
    if not node.rank(x) or node.get("half_to_float"):
        raise UnsupportedNode("a scalar or another type")
    axis = node.axis(node.integers("dim")[0], node.rank(x))
    return node.add(SOFTMAX[node.call.name], [x], node.sizes_of(x), axis=axis)


@converts("aten.layer_norm.default", "aten.native_layer_norm.default")
def layer_norm(node: CallNode) -> Converted:
    x = node.operand("input")
    axes = last_axes(node, x)
    parameters = [parameter(node, name, x) for name in ("weight", "bias")]
    found = node.add(
        normalization.LayerNormOp,
        [x, *parameters],
        node.sizes_of(x),
        axes=axes,
        epsilon=float(number(node, "eps", 1e-5)),
    )
    return [found, *[None] * (len(node.op.results) - 1)]


def last_axes(node: CallNode, x: SSAValue) -> list[int]:
    """The axes of the normalised shape."""
    rank, count = node.rank(x), len(node.integers("normalized_shape"))
    if not count:
        raise UnsupportedNode("no axes")
    return [*range(rank - count, rank)]


def parameter(node: CallNode, name: str, x: SSAValue) -> SSAValue | None:
    """A parameter of the type and rank of the data, with unit axes in front."""
    given = node.optional(name)
    if given is None:
        return None
    given = cast(node, given, element_type_of(x))
    return node.reshape(given, (*(1,) * (node.rank(x) - node.rank(given)), *node.sizes_of(given)))


@converts("aten.rms_norm.default", "aten._fused_rms_norm.default")
def rms_norm(node: CallNode) -> Converted:
    """Without an epsilon it is the least difference of the element type."""
    x = node.operand("input")
    element = element_type_of(x)
    epsilon = optional_number(node, "eps")
    if epsilon is None:
        if is_half(element):
            raise UnsupportedNode("no epsilon for 16 bits")
        epsilon = float(np.finfo(numpy_dtype(element)).eps)
    operands = [x, parameter(node, "weight", x)]
    axes = last_axes(node, x)
    found = node.add(normalization.RmsNormOp, operands, node.sizes_of(x), axes=axes, epsilon=float(epsilon))
    return [found, *[None] * (len(node.op.results) - 1)]


def vector(node: CallNode, name: str, count: int, default: float, like: SSAValue) -> SSAValue:
    """A number for each channel; the default for one that is left out."""
    given, element = node.optional(name), element_type_of(like)
    if given is not None:
        return cast(node, given, element)
    return node.constant_of(np.full(count, default), element)


def channels(node: CallNode, x: SSAValue) -> int:
    if node.rank(x) < 2:
        raise UnsupportedNode("no channels")
    return known(node.sizes_of(x)[1:2])[0]


@converts(
    "aten.batch_norm.default",
    "aten._native_batch_norm_legit_no_training.default",
    "aten.native_batch_norm.default",
)
def batch_norm(node: CallNode) -> Converted:
    if node.get("training") or not (node.has("running_mean") and node.has("running_var")):
        raise UnsupportedNode("the statistics of the batch")
    x = node.operand("input")
    count = channels(node, x)
    vectors = [
        vector(node, name, count, default, x)
        for name, default in (("weight", 1), ("bias", 0), ("running_mean", 0), ("running_var", 1))
    ]
    epsilon = float(number(node, "eps", 1e-5))
    found = node.add(normalization.BatchNormOp, [x, *vectors], node.sizes_of(x), axis=1, epsilon=epsilon)
    return [found, *[None] * (len(node.op.results) - 1)]


@converts("aten.instance_norm.default")
def instance_norm(node: CallNode) -> SSAValue:
    if not node.get("use_input_stats", True):
        raise UnsupportedNode("running statistics")
    if node.has("running_mean") or node.has("running_var"):
        raise UnsupportedNode("running statistics are changed")
    x = node.operand("input")
    count, axes = channels(node, x), range(2, node.rank(x))
    vectors = [vector(node, name, count, default, x) for name, default in (("weight", 1), ("bias", 0))]
    epsilon = float(number(node, "eps", 1e-5))
    return node.add(normalization.InstanceNormOp, [x, *vectors], node.sizes_of(x), axis=1, axes=axes, epsilon=epsilon)


@converts("aten._native_batch_norm_legit.no_stats")
def norm_of_batch(node: CallNode) -> Converted:
    """The statistics of the batch: along all axes but that of the channels."""
    x = node.operand("input")
    count, rank = channels(node, x), node.rank(x)
    node.require(bool(node.get("training", True)), "no statistics")
    vectors = [vector(node, name, count, default, x) for name, default in (("weight", 1), ("bias", 0))]
    axes, epsilon = [0, *range(2, rank)], float(number(node, "eps", 1e-5))
    op = normalization.InstanceNormOp
    return [node.add(op, [x, *vectors], node.sizes_of(x), axis=1, axes=axes, epsilon=epsilon), None, None]


@converts("aten.group_norm.default", "aten.native_group_norm.default")
def group_norm(node: CallNode) -> Converted:
    x = node.operand("input")
    count, axes = channels(node, x), range(2, node.rank(x))
    vectors = [vector(node, name, count, default, x) for name, default in (("weight", 1), ("bias", 0))]
    groups = int(number(node, "num_groups" if "num_groups" in node.call.values else "group"))
    epsilon = float(number(node, "eps", 1e-5))
    found = node.add(
        normalization.GroupNormOp,
        [x, *vectors],
        node.sizes_of(x),
        groups=groups,
        axis=1,
        axes=axes,
        epsilon=epsilon,
    )
    return [found, *[None] * (len(node.op.results) - 1)]
