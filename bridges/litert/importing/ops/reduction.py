"""Reductions and cumulative sums."""

from xdsl.ir import SSAValue

from .....dialects.npu import reduction as ops
from .....dialects.npu.attrs import i64_array, i64_attr
from .....dialects.npu.quantized_pooling import QuantGlobalAvgPoolOp
from ... import counterparts
from ..node import FileNode, flag
from ..quantities import NARROW, parameters
from ..registry import reads
from ..windows import layout
from .elementwise import require_plain
from .movement import require_same_numbers

REDUCTIONS = {row.kind: row.op for row in counterparts.REDUCTIONS}


@reads(*REDUCTIONS)
def reduced(node: FileNode) -> SSAValue:
    if node.kind == "MEAN" and node.result.element in NARROW:
        return _quantised_mean(node)
    if node.kind in ("REDUCE_MAX", "REDUCE_MIN"):
        require_same_numbers(node, 0)
    else:
        require_plain(node)
    rank = len(node.shape())
    axes = sorted({node.axis(axis, rank) for axis in node.ints(1)})
    properties = {"axes": i64_array(*axes), "keep": flag(node.options.keepDims)}
    return node.add(REDUCTIONS[node.kind], [node.value(0)], properties)


def _quantised_mean(node: FileNode) -> SSAValue:
    """The mean of the numbers of each channel."""
    given, result = node.input(0), node.result
    layouts = {(1, 2): "NHWC", (2, 3): "NCHW"}
    axes = sorted({node.axis(axis, len(node.shape())) for axis in node.ints(1)})
    is_image = len(given.shape) == 4 and tuple(axes) in layouts and node.options.keepDims
    node.require(is_image and given.element == result.element, "a mean of quantised numbers that is no pool")
    operands = [node.value(0), *parameters(node, given), *parameters(node, result)]
    mean = node.add(QuantGlobalAvgPoolOp, operands, {"data_layout": layout(layouts[axes[0], axes[1]])})
    return node.marked_unsigned(mean)


@reads("ARG_MAX", "ARG_MIN")
def arg_reduced(node: FileNode) -> SSAValue:
    op = ops.ArgMaxOp if node.kind == "ARG_MAX" else ops.ArgMinOp
    node.require(node.options.outputType == node.result.element, "places of another type")
    (axis,) = node.ints(1)
    return node.add(op, [node.value(0)], {"axis": i64_attr(node.axis(axis, len(node.shape())))})


@reads("CUMSUM")
def cumsum(node: FileNode) -> SSAValue:
    require_plain(node)
    (axis,) = node.ints(1)
    flags = {"exclusive": flag(node.options.exclusive), "reverse": flag(node.options.reverse)}
    properties = {"axis": i64_attr(node.axis(axis, len(node.shape()))), **flags}
    return node.add(ops.CumsumOp, [node.value(0)], properties)
