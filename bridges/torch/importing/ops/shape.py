"""Conversion of operators that say how data are read."""

from xdsl.ir import SSAValue

from ..node import CallNode
from ..registry import converts


@converts("aten.permute.default", "aten.permute_copy.default")
def permute(node: CallNode) -> SSAValue:
    x = node.operand("self")
    rank = node.rank(x)
    return node.transpose(x, [node.axis(axis, rank) for axis in node.integers("dims")])


@converts("aten.transpose.int", "aten.transpose_copy.int")
def transpose(node: CallNode) -> SSAValue:
    x = node.operand("self")
    order = [*range(node.rank(x))]
    if not order:
        return x
    first, second = (node.axis(node.integers(name)[0], len(order)) for name in ("dim0", "dim1"))
    order[first], order[second] = second, first
    return node.transpose(x, order)


@converts(
    "aten.view.default",
    "aten.view_copy.default",
    "aten.reshape.default",
    "aten._unsafe_view.default",
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
)
def reshape(node: CallNode) -> SSAValue:
    return node.reshape(node.operand("self"), node.result().sizes, is_own=True)
