"""Pooling of images with channels last."""

from xdsl.ir import Attribute, SSAValue

from .....dialects.npu.attrs import i64_array
from .....dialects.npu.pooling import AvgPoolOp, MaxPoolOp
from .....dialects.npu.values import element_type_of, integer_range
from .....interpreter.elements import is_integer_type
from ...exporting.elements import LiteElement
from ...exporting.windows import SAME
from ..node import FileNode, flag
from ..registry import reads
from ..windows import LOWEST, layout, padded, window_of


def _extents(node: FileNode) -> tuple[int, int]:
    node.require(len(node.shape(0)) == 4, "no image")
    return node.options.filterHeight, node.options.filterWidth


@reads("MAX_POOL_2D")
def max_pool(node: FileNode) -> SSAValue:
    given, result = node.input(0).quantization, node.result.quantization
    node.require((given is None) == (result is None), "some of its tensors are quantised")
    extents, element = _extents(node), element_type_of(node.value(0))
    least = float(integer_range(element)[0]) if is_integer_type(element) else LOWEST
    data, pads = padded(node, 0, least, extents)
    pooled = node.add(MaxPoolOp, [data], {**_properties(node, extents), **window_of(node, extents, pads)})
    node.require(node.result.element.is_float or not node.options.fusedActivationFunction, "an activation of integers")
    return node.activated(pooled)


@reads("AVERAGE_POOL_2D")
def avg_pool(node: FileNode) -> SSAValue:
    """A mean without padding, or with the zeros of an op before it."""
    node.require(node.result.element == LiteElement.F32, "quantised numbers")
    extents = _extents(node)
    data, pads = padded(node, 0, 0.0, extents)
    counts = flag(node.options.padding != SAME and any((*pads.begins, *pads.ends)))
    properties = {**_properties(node, extents), **window_of(node, extents, pads), "count_padding": counts}
    return node.activated(node.add(AvgPoolOp, [data], properties))


def _properties(node: FileNode, extents: tuple[int, int]) -> dict[str, Attribute]:
    return {"window": i64_array(*extents), "data_layout": layout("NHWC")}
