"""Pooling."""

from math import prod

from xdsl.ir import SSAValue

from .....dialects.npu import pooling, reduction, unary
from .....dialects.npu.binary import MulOp, PowOp
from ....building import are_known
from ...errors import UnsupportedNode
from ..node import ImportedNode
from ..registry import Converted, converts
from ..sizes import Size
from ..windows import Moves, feature, moves_of, positions_of
from .elementwise import combine


def _moves(node: ImportedNode) -> Moves:
    window = node.integers("kernel_shape")
    if window is None:
        raise UnsupportedNode("kernel_shape is missing")
    return moves_of(node, window, node.sizes(0)[2:])


def pooled_sizes(node: ImportedNode) -> tuple[Size, ...]:
    """The sizes of the result of a pool."""
    return (*node.sizes()[:2], *positions_of(node, _moves(node), node.flag("ceil_mode")))


@converts("MaxPool")
def max_pool(node: ImportedNode) -> Converted:
    value, moves = node.operand(0), _moves(node)
    layout = feature(node.rank(0))
    # It is the order of the indices alone, but ONNX Runtime has another kernel for it, with other maxima of NaN.
    if node.integer("storage_order"):
        raise UnsupportedNode("storage_order")
    properties = {**moves.properties(), "window": moves.window, "ceil": node.flag("ceil_mode")}
    return node.add(pooling.MaxPoolOp, [value], node.output().sizes, **properties, data_layout=layout)


@converts("AveragePool")
def average_pool(node: ImportedNode) -> Converted:
    return average(node, node.operand(0))


def average(node: ImportedNode, value: SSAValue) -> SSAValue:
    """The means of the windows of an AveragePool of ONNX, or of one on quantised numbers."""
    moves, rounds_up = _moves(node), node.flag("ceil_mode")
    counts_padding = node.flag("count_include_pad") and moves.pads is not None
    if rounds_up and counts_padding and not are_known(node.sizes()[2:]):
        raise UnsupportedNode("a window may end behind the padding that counts")
    layout = feature(node.rank(0))
    properties = {**moves.properties(), "window": moves.window, "ceil": rounds_up, "count_padding": counts_padding}
    return node.add(pooling.AvgPoolOp, [value], node.output().sizes, **properties, data_layout=layout)


@converts("LpPool")
def lp_pool(node: ImportedNode) -> Converted:
    """The root of the sum of powers, which is their average times the window size."""
    if node.integer("ceil_mode"):
        raise UnsupportedNode("ceil_mode: windows at the end count fewer elements")
    value, moves, p = node.operand(0), _moves(node), node.integer("p", 2)
    if p < 1:
        raise UnsupportedNode(f"a norm of order {p}")
    sizes = node.sizes_of(value)
    powers = combine(node, PowOp, node.add(unary.AbsOp, [value], sizes), node.scalar(p, value))
    properties = {**moves.properties(), "window": moves.window, "count_padding": moves.pads is not None}
    layout = feature(node.rank(0))
    average = node.add(pooling.AvgPoolOp, [powers], node.output().sizes, **properties, data_layout=layout)
    total = combine(node, MulOp, average, node.scalar(prod(moves.window), value))
    return combine(node, PowOp, total, node.scalar(1 / p, value))


@converts("GlobalAveragePool")
def global_average_pool(node: ImportedNode) -> Converted:
    layout = feature(node.rank(0))
    return node.add(pooling.GlobalAvgPoolOp, [node.operand(0)], node.output().sizes, data_layout=layout)


@converts("GlobalMaxPool")
def global_max_pool(node: ImportedNode) -> Converted:
    layout = feature(node.rank(0))
    return node.add(pooling.GlobalMaxPoolOp, [node.operand(0)], node.output().sizes, data_layout=layout)


@converts("GlobalLpPool")
def global_lp_pool(node: ImportedNode) -> Converted:
    norms = {1: reduction.ReduceL1Op, 2: reduction.ReduceL2Op}
    p = node.integer("p", 2)
    if p not in norms:
        raise UnsupportedNode(f"a norm of order {p}")
    axes = range(2, node.rank(0))
    return node.add(norms[p], [node.operand(0)], node.output().sizes, axes=axes, keep=True)
