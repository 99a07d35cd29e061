"""Pooling of images in NHWC."""

from xdsl.ir import Attribute, SSAValue

from .....dialects.npu.attrs import i64_array
from .....dialects.npu.pooling import AvgPoolOp, MaxPoolOp
from .....dialects.npu.values import is_float
from ..node import ImportedOp, Operand
from ..registry import reads
from .convolution import layout, pads_of, window


def _window(node: ImportedOp) -> dict[str, Attribute]:
    moves = window(node.ints("stride"), [1, 1], pads_of(node.ints("pad")))
    return {"window": i64_array(*node.ints("kernel")), **moves, "data_layout": layout("NHWC")}


@reads("tosa.max_pool2d")
def max_pool(node: ImportedOp, x: Operand) -> SSAValue:
    node.require_nan_propagates()
    return node.add(MaxPoolOp, [x.value], _window(node))


@reads("tosa.avg_pool2d")
def avg_pool(node: ImportedOp, x: Operand, zero: Operand, result_zero: Operand) -> SSAValue:
    """An average without padding."""
    node.require(is_float(x.type), "integer averages round differently")
    node.require_no_zero_points(zero, result_zero)
    return node.add(AvgPoolOp, [x.value], _window(node))
