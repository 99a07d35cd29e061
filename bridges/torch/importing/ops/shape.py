"""Conversion of operators that say how data are read."""

from xdsl.ir import SSAValue

from .....dialects.npu.elementwise import CastOp
from .....dialects.npu.values import element_type_of
from ..node import CallNode
from ..registry import converts

CONTIGUOUS = (None, "torch.contiguous_format", "torch.preserve_format")


@converts("aten.permute.default", "aten.permute_copy.default")
def permute(node: CallNode) -> SSAValue:
    x = node.operand("self")
    rank = node.rank(x)
    return node.transpose(x, [node.axis(axis, rank) for axis in node.integers("dims")])


@converts("aten.transpose.int", "aten.transpose_copy.int", "aten.swapaxes.default", "aten.swapdims.default")
def transpose(node: CallNode) -> SSAValue:
    x = node.operand("self")
    names = ("dim0", "dim1") if "dim0" in node.call.values else ("axis0", "axis1")
    first, second = (node.axis(node.integers(name)[0], node.rank(x)) for name in names)
    return _swapped(node, x, first, second)


@converts("aten.t.default", "aten.t_copy.default", "aten.numpy_T.default")
def reversed_axes(node: CallNode) -> SSAValue:
    x = node.operand("self")
    return node.transpose(x, [*reversed(range(node.rank(x)))])


@converts("aten.mT.default")
def transposed_matrices(node: CallNode) -> SSAValue:
    x = node.operand("self")
    return _swapped(node, x, node.axis(-2, node.rank(x)), node.axis(-1, node.rank(x)))


def _swapped(node: CallNode, x: SSAValue, first: int, second: int) -> SSAValue:
    order = [*range(node.rank(x))]
    if order:
        order[first], order[second] = second, first
    return node.transpose(x, order)


@converts("aten.movedim.int", "aten.movedim.intlist", "aten.moveaxis.int", "aten.moveaxis.intlist")
def movedim(node: CallNode) -> SSAValue:
    x = node.operand("self")
    rank = node.rank(x)
    moved, places = ([node.axis(axis, rank) for axis in node.integers(name)] for name in ("source", "destination"))
    order = [axis for axis in range(rank) if axis not in moved]
    for place, axis in sorted(zip(places, moved, strict=True)):
        order.insert(place, axis)
    return node.transpose(x, order)


@converts(
    "aten.view.default",
    "aten.view_copy.default",
    "aten.reshape.default",
    "aten._unsafe_view.default",
    "aten._reshape_alias.default",
    "aten.unsqueeze.default",
    "aten.unsqueeze_copy.default",
    "aten.squeeze.default",
    "aten.squeeze.dim",
    "aten.squeeze.dims",
    "aten.squeeze_copy.default",
    "aten.squeeze_copy.dim",
    "aten.squeeze_copy.dims",
    "aten.flatten.using_ints",
    "aten.unflatten.int",
    "aten.ravel.default",
)
def reshape(node: CallNode) -> SSAValue:
    return node.reshape(node.operand("self"), node.result().sizes, is_own=True)


@converts("aten.expand.default", "aten.expand_copy.default", "aten.broadcast_to.default", "aten.expand_as.default")
def expand(node: CallNode) -> SSAValue:
    return node.broadcast(node.operand("self"), node.result().sizes)


@converts(
    "aten.alias.default",
    "aten.alias_copy.default",
    "aten.clone.default",
    "aten.contiguous.default",
    "aten.detach.default",
    "aten.detach_copy.default",
    "aten.lift_fresh.default",
    "aten.lift_fresh_copy.default",
    "aten.resolve_conj.default",
    "aten.resolve_neg.default",
    "dim_order_ops._clone_dim_order.default",
    "dim_order_ops._to_dim_order_copy.default",
)
def copy(node: CallNode) -> SSAValue:
    """The operand, as values have no strides, or a cast; a call for other strides stays."""
    node.require(node.get("memory_format") in CONTIGUOUS, "other strides")
    # The reader leaves out that of the operand.
    node.require(node.get("dim_order") is None, "another order of dimensions")
    x = next(iter(node.call.operands.values()))
    element = node.result().element
    return x if element_type_of(x) == element else node.add(CastOp, [x], node.sizes_of(x), element)


@converts("aten.dropout.default", "aten.feature_dropout.default", "aten.alpha_dropout.default")
def dropout(node: CallNode) -> SSAValue:
    node.require(node.get("train") is False or node.get("p") == 0, "random numbers")
    return node.operand("input")
