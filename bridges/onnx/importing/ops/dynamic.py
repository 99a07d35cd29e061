"""Shape, and the forms of Slice, Pad, Tile and Resize whose sizes and positions are known at run time only."""

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from .....dialects.npu import dynamic
from .....dialects.npu.values import element_type_of
from ...errors import UnsupportedNode
from ..node import UNIT, ImportedNode
from ..registry import Converted, converts
from ..shaped import Shaped
from ..sizes import Size

COORDINATES = dynamic.DynamicResizeOp.COORDINATES
ROUNDINGS = dynamic.DynamicResizeOp.ROUNDINGS
SPLIT_COUNTED = 18
"""The opset from which on a Split without sizes has to say the number of its parts."""
FIRST_WITH_ROI = 11
"""The opset from which on Resize has regions and coordinates of several kinds."""


@converts("Shape")
def shape(node: ImportedNode) -> Converted:
    """The sizes of a range of axes."""
    rank = node.rank()
    start, end, _ = slice(node.integer("start"), node.integer("end", rank)).indices(rank)
    if end <= start:
        raise UnsupportedNode("no axes")
    return node.add(dynamic.ShapeOfOp, [node.operand(0)], [end - start], i64, axes=range(start, end))


def is_list(node: ImportedNode, index: int) -> bool:
    """True if the numbers of an input are not known, or are sizes that are not."""
    found = node.known(index)
    return node.has_input(index) and (found is None or found.dtype.kind == "O")


def listed(node: ImportedNode, index: int, count: int) -> SSAValue:
    """An input that is a vector of this many numbers."""
    if node.sizes(index) != (count,):
        raise UnsupportedNode(f"input {index} does not have {count} numbers")
    return node.operand(index)


def named_axes(node: ImportedNode, index: int, by_default: Sequence[int]) -> list[int]:
    """The axes that an input names, from the first one on; they must be constant."""
    if not node.has_input(index):
        return list(by_default)
    axes = node.axes(node.constants(index))
    if not axes or len(set(axes)) != len(axes):
        raise UnsupportedNode(f"axes {axes}")
    return axes


def sizes_beside(node: ImportedNode, axes: Sequence[int]) -> list[Size]:
    """The sizes of the result: those of the operand along axes that are not named, and what ONNX infers along these."""
    found = node.output().sizes
    return [found[axis] if axis in axes else size for axis, size in enumerate(node.sizes())]


def dynamic_slice(node: ImportedNode) -> SSAValue:
    """A Slice between positions that are inputs, or by steps that are, or backward along axes of unknown size."""
    if not node.sizes(1) or not isinstance(count := node.sizes(1)[0], int):
        raise UnsupportedNode("an unknown number of positions")
    axes = named_axes(node, 3, range(count))
    has_steps = node.has_input(4) and (is_list(node, 4) or set(node.constants(4)) != {1})
    if has_steps and not is_list(node, 4) and 0 in node.constants(4):
        raise UnsupportedNode("a step of 0")
    bounds = [listed(node, index, len(axes)) for index in (1, 2, 4)[: 2 + has_steps]]
    operands = [node.operand(0), *bounds, *([] if has_steps else [None])]
    return node.add(dynamic.DynamicSliceOp, operands, sizes_beside(node, axes), axes=axes)


def dynamic_pad(node: ImportedNode, fill: float | SSAValue) -> SSAValue:
    """A Pad by numbers that are an input, or that may cut off more elements than there are, or of such an element."""
    axes = named_axes(node, 3, range(node.rank()))
    if node.has_attribute("pads"):
        pads = node.constant_of(np.array(node.integers("pads"), np.int64))
    else:
        pads = listed(node, 1, 2 * len(axes))
    mode = node.choice("mode", "constant", "reflect", "edge", "wrap")
    value = None if isinstance(fill, SSAValue) or not (fill or np.signbit(fill)) else fill
    properties = {"mode": mode if mode != "constant" else None, "value": value}
    operands = [node.operand(0), pads, fill if isinstance(fill, SSAValue) else None]
    return node.add(dynamic.DynamicPadOp, operands, sizes_beside(node, axes), axes=axes, **properties)


def dynamic_split(node: ImportedNode, axis: int) -> Sequence[SSAValue]:
    """A Split into parts of sizes that are an input, or into a number of them along an axis of unknown size.

    Before opset 18 the latter have one size, or the node is an error.
    """
    value, before, count = node.operand(0), node.sizes(), node.output_count
    found = [node.output(index).sizes[axis] for index in range(count)]
    results = [Shaped(element_type_of(value), (*before[:axis], size, *before[axis + 1 :])) for size in found]
    sizes = listed(node, 1, count) if node.has_input(1) else None
    is_counted = node.has_attribute("num_outputs")
    if sizes is None and not is_counted and node.opset >= SPLIT_COUNTED:
        raise UnsupportedNode("neither sizes nor a number of parts")
    is_equal = UNIT if sizes is None and not is_counted else None
    return node.add_many(dynamic.DynamicSplitOp, [value, sizes], results, True, axis=axis, parts=count, equal=is_equal)


def dynamic_tile(node: ImportedNode) -> SSAValue:
    """A Tile by numbers that are an input."""
    axes = range(node.rank())
    operands = [node.operand(0), listed(node, 1, len(axes))]
    if not axes:
        raise UnsupportedNode("a tensor without axes")
    return node.add(dynamic.DynamicTileOp, operands, node.output().sizes, axes=axes)


def dynamic_resize(node: ImportedNode) -> SSAValue:
    """A Resize to the nearest elements by scales or to sizes that are inputs, or of axes of unknown size."""
    if node.proto.op_type == "Upsample" or node.opset < FIRST_WITH_ROI:
        numbers, coordinates, rounding = 1, "asymmetric", _rounding_of_scales(node)
    else:
        numbers = 2 if node.has_input(2) and node.sizes(2) != (0,) else 3
        coordinates = node.choice("coordinate_transformation_mode", *COORDINATES)
        rounding = node.choice("nearest_mode", *ROUNDINGS)
        node.mark_read("cubic_coeff_a", 1, 2)
    kinds = (
        node.choice("mode", "nearest", "linear", "cubic", "bilinear"),
        node.text("keep_aspect_ratio_policy", "stretch"),
    )
    if kinds != ("nearest", "stretch") or node.integer("antialias") or node.integer("exclude_outside"):
        raise UnsupportedNode(f"{kinds[0]} of unknown sizes")
    axes = node.axes(node.integers("axes") or range(node.rank()))
    if not axes or len(set(axes)) != len(axes):
        raise UnsupportedNode(f"axes {axes}")
    fill = node.number("extrapolation_value") if coordinates == "tf_crop_and_resize" else 0.0
    node.mark_read("extrapolation_value")
    roi = listed(node, 1, 2 * len(axes)) if coordinates == "tf_crop_and_resize" else None
    properties = {
        "coordinates": coordinates if coordinates != COORDINATES[0] else None,
        "rounding": rounding if rounding != ROUNDINGS[0] else None,
        "value": fill or None,
    }
    if node.has_attribute("scales"):
        given = node.constant_of(np.array(node.numbers("scales"), np.float32))
    else:
        given = listed(node, numbers, len(axes))
    operands = [node.operand(0), given, roi]
    return node.add(dynamic.DynamicResizeOp, operands, _resized_sizes(node, axes, numbers), axes=axes, **properties)


def _rounding_of_scales(node: ImportedNode) -> str:
    """The rounding of ONNX Runtime before opset 11: down where it repeats elements, and up where it drops some.

    An Upsample only repeats them.
    """
    if node.proto.op_type == "Upsample":
        return "floor"
    scales = node.constant(1)
    if (scales >= 1).all():
        return "floor"
    if (scales <= 1).all():
        return "ceil"
    raise UnsupportedNode("scales of both kinds")


def _resized_sizes(node: ImportedNode, axes: Sequence[int], numbers: int) -> list[Size]:
    """The sizes of the result; an axis that is scaled by 1 keeps its own."""
    sizes, scales = sizes_beside(node, axes), node.known(numbers)
    if scales is not None and scales.dtype.kind == "f":
        for axis, scale in zip(axes, scales.reshape(-1), strict=True):
            sizes[axis] = node.sizes()[axis] if scale == 1 else sizes[axis]
    return sizes
