"""Conversion of reductions and running sums."""

from collections.abc import Mapping, Sequence
from math import inf, prod

from xdsl.dialects.builtin import f32, i1, i64
from xdsl.ir import SSAValue

from .....dialects.npu import binary, reduction, unary
from .....dialects.npu.base import NpuOp
from .....dialects.npu.values import element_type_of, is_boolean
from ....building import UnsupportedNode
from ....formats.records import UI8
from ..arithmetic import cast, combine, is_half, known, number, scalar
from ..node import CallNode
from ..registry import Converted, converts
from .elementwise import truth

REDUCTIONS: Mapping[str, type[NpuOp]] = {
    "aten.sum.default": reduction.ReduceSumOp,
    "aten.sum.dim_IntList": reduction.ReduceSumOp,
    "aten.mean.default": reduction.ReduceMeanOp,
    "aten.mean.dim": reduction.ReduceMeanOp,
    "aten.amax.default": reduction.ReduceMaxOp,
    "aten.max.default": reduction.ReduceMaxOp,
    "aten.amin.default": reduction.ReduceMinOp,
    "aten.min.default": reduction.ReduceMinOp,
    "aten.prod.default": reduction.ReduceProdOp,
    "aten.prod.dim_int": reduction.ReduceProdOp,
    "aten.logsumexp.default": reduction.ReduceLogSumExpOp,
}
TRUTHS: Mapping[str, type[NpuOp]] = {"any": reduction.ReduceMaxOp, "all": reduction.ReduceMinOp}
NORMS: Mapping[float, type[NpuOp]] = {1: reduction.ReduceL1Op, 2: reduction.ReduceL2Op}


def axes_of(node: CallNode, x: SSAValue, name: str = "dim") -> list[int]:
    """The axes of a reduction: all if none are named."""
    rank = node.rank(x)
    named = sorted({node.axis(axis, rank) for axis in node.integers(name)})
    return (named or [*range(rank)]) if rank else []


def reduced(node: CallNode, op: type[NpuOp], x: SSAValue, axes: Sequence[int], keep: bool, **more: object) -> SSAValue:
    """A reduction along axes, of which a scalar has none."""
    if not axes:
        return x
    sizes = node.sizes_of(x)
    kept = [1 if axis in axes else size for axis, size in enumerate(sizes) if keep or axis not in axes]
    return node.add(op, [x], kept, axes=axes, keep=keep, **more)


@converts(*REDUCTIONS)
def reduce(node: CallNode) -> SSAValue:
    op, x = REDUCTIONS[node.call.name], cast(node, node.operand("self"), node.result().element)
    if is_boolean(element_type_of(x)):
        raise UnsupportedNode("truth values")
    axes = axes_of(node, x)
    if not axes and op is reduction.ReduceLogSumExpOp:
        raise UnsupportedNode("a scalar")
    return reduced(node, op, x, axes, bool(node.get("keepdim", False)))


@converts(*(f"aten.{name}.{kind}" for name in TRUTHS for kind in ("default", "dim", "dims")))
def truths(node: CallNode) -> SSAValue:
    """The largest or the least of truth values, as bytes."""
    op, x = TRUTHS[node.call.name.split(".")[1]], truth(node, node.operand("self"))
    if node.result().element != i1:
        raise UnsupportedNode("no truth values")
    # A largest and a least one are of some elements only.
    node.require(0 not in node.sizes_of(x), "no elements")
    found = reduced(node, op, cast(node, x, UI8), axes_of(node, x), bool(node.get("keepdim", False)))
    return cast(node, found, i1)


@converts("aten.max.dim", "aten.min.dim")
def extremum_and_place(node: CallNode) -> Converted:
    x, is_max = node.operand("self"), node.call.name == "aten.max.dim"
    axes, keep = axes_of(node, x), bool(node.get("keepdim", False))
    if not axes or is_boolean(element_type_of(x)):
        raise UnsupportedNode("a scalar or truth values")
    ops = (reduction.ReduceMaxOp, reduction.ArgMaxOp) if is_max else (reduction.ReduceMinOp, reduction.ArgMinOp)
    found: list[SSAValue | None] = [None, None]
    if node.op.results[0].first_use is not None:
        found[0] = reduced(node, ops[0], x, axes, keep)
    if node.op.results[1].first_use is not None:
        found[1] = place_of(node, ops[1], x, axes[0], keep)
    return found


def place_of(node: CallNode, op: type[NpuOp], x: SSAValue, axis: int, keep: bool) -> SSAValue:
    sizes = node.sizes_of(x)
    kept = [1 if each == axis else size for each, size in enumerate(sizes) if keep or each != axis]
    return node.add(op, [x], kept, i64, axis=axis, keep=keep)


@converts("aten.argmax.default", "aten.argmin.default")
def place(node: CallNode) -> SSAValue:
    op = reduction.ArgMaxOp if node.call.name.startswith("aten.argmax") else reduction.ArgMinOp
    x, keep = node.operand("self"), bool(node.get("keepdim", False))
    if node.get("dim") is None:
        if keep:
            raise UnsupportedNode("axes of one element")
        return place_of(node, op, node.reshape(x, (prod(known(node.sizes_of(x))),)), 0, False)
    if not node.rank(x):
        raise UnsupportedNode("a scalar")
    return place_of(node, op, x, axes_of(node, x)[0], keep)


@converts("aten.cumsum.default", "aten.cumprod.default")
def running(node: CallNode) -> SSAValue:
    op = reduction.CumsumOp if node.call.name.startswith("aten.cumsum") else reduction.CumprodOp
    x = cast(node, node.operand("self"), node.result().element)
    axes = axes_of(node, x)
    return node.add(op, [x], node.sizes_of(x), axis=axes[0]) if axes else x


# Moments and norms.


def moments(node: CallNode, keep: bool) -> tuple[SSAValue, SSAValue]:
    """The mean along axes, which it has, and the variance or the deviation; 16 bits hold no squares."""
    x = node.operand("self")
    x = cast(node, x, f32) if is_half(element_type_of(x)) else x
    axes, sizes = axes_of(node, x), node.sizes_of(x)
    correction = node.get("correction", 1)
    if "unbiased" in node.call.values:
        correction = int(node.get("unbiased"))
    count = prod(known([sizes[axis] for axis in axes]))
    if not axes or not isinstance(correction, int | float) or count <= correction:
        raise UnsupportedNode("too few elements")
    mean = reduced(node, reduction.ReduceMeanOp, x, axes, True)
    apart = combine(node, binary.SubOp, [x, mean])
    variance = reduced(node, reduction.ReduceMeanOp, combine(node, binary.MulOp, [apart, apart]), axes, keep)
    if correction:
        factor = scalar(node, count / (count - correction), element_type_of(x))
        variance = combine(node, binary.MulOp, [variance, factor])
    if node.call.name.startswith("aten.std"):
        variance = node.add(unary.SqrtOp, [variance], node.sizes_of(variance))
    return mean, cast(node, variance, node.result().element)


@converts(*(f"aten.{name}.{kind}" for name in ("var", "std") for kind in ("default", "dim", "correction")))
def variance(node: CallNode) -> SSAValue:
    return moments(node, bool(node.get("keepdim", False)))[1]


@converts(*(f"aten.{name}.{kind}" for name in ("var_mean", "std_mean") for kind in ("default", "dim", "correction")))
def variance_and_mean(node: CallNode) -> Converted:
    mean, found = moments(node, bool(node.get("keepdim", False)))
    return found, cast(node, node.reshape(mean, node.sizes_of(found)), node.result().element)


@converts("aten.linalg_vector_norm.default", "aten.norm.ScalarOpt_dim", "aten.norm.Scalar")
def norm(node: CallNode) -> SSAValue:
    x = node.operand("self")
    order = number(node, "p" if node.call.name.startswith("aten.norm") else "ord", 2)
    axes, keep = axes_of(node, x), bool(node.get("keepdim", False))
    if not axes or node.get("dtype") is not None or element_type_of(x) != node.result().element:
        raise UnsupportedNode("a scalar or another type")
    if abs(order) == inf:
        op = reduction.ReduceMaxOp if order > 0 else reduction.ReduceMinOp
        return reduced(node, op, node.add(unary.AbsOp, [x], node.sizes_of(x)), axes, keep)
    if order not in NORMS:
        raise UnsupportedNode(f"a norm of order {order}")
    return reduced(node, NORMS[order], x, axes, keep)
