"""Shape, and kinds of Slice, Pad, Tile and Resize whose sizes and positions are known at run time only."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from .....dialects.npu import dynamic
from .....dialects.npu.movement import GatherOp
from .....dialects.npu.values import element_type_of
from ....building import are_known
from ...errors import UnsupportedNode
from ..node import UNIT, ImportedNode
from ..registry import Converted, converts
from ..shaped import Shaped
from ..sizes import Size

COORDINATES = dynamic.DynamicResizeOp.COORDINATES
ROUNDINGS = dynamic.DynamicResizeOp.ROUNDINGS
MODES = "nearest", "linear", "cubic", "bilinear"
SPLIT_COUNTED = 18
"""The opset from which on a Split without sizes has to say the number of its parts."""
SIZES = 3
"""The input of a Resize that has sizes."""
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
    """A Resize by scales or to sizes that are inputs, or of axes of unknown size."""
    if node.proto.op_type == "Upsample" or node.opset < FIRST_WITH_ROI:
        numbers, coordinates, rounding = 1, "asymmetric", _rounding_of_scales(node)
    else:
        numbers = 2 if node.has_input(2) and node.sizes(2) != (0,) else SIZES
        coordinates = node.choice("coordinate_transformation_mode", *COORDINATES)
        rounding = node.choice("nearest_mode", *ROUNDINGS)
        node.mark_read("cubic_coeff_a", 1, 2)
    mode, policy = node.choice("mode", *MODES), node.text("keep_aspect_ratio_policy", "stretch")
    if policy != "stretch" or node.flag("antialias"):
        raise UnsupportedNode(f"{policy} or antialias")
    axes = node.axes(node.integers("axes") or range(node.rank()))
    if not axes or len(set(axes)) != len(axes):
        raise UnsupportedNode(f"axes {axes}")
    fill = node.number("extrapolation_value") if coordinates == "tf_crop_and_resize" else 0.0
    node.mark_read("extrapolation_value")
    roi = listed(node, 1, 2 * len(axes)) if coordinates == "tf_crop_and_resize" else None
    properties: dict[str, object] = {
        "coordinates": coordinates if coordinates != COORDINATES[0] else None,
        "value": fill or None,
    }
    if mode != "nearest":
        return _interpolated(node, axes, numbers, roi, properties)
    if node.flag("exclude_outside"):
        raise UnsupportedNode("exclude_outside")
    properties["rounding"] = rounding if rounding != ROUNDINGS[0] else None
    if node.has_attribute("scales"):
        given = node.constant_of(np.array(node.numbers("scales"), np.float32))
    else:
        given = listed(node, numbers, len(axes))
    operands = [node.operand(0), given, roi]
    return node.add(dynamic.DynamicResizeOp, operands, _resized_sizes(node, axes, numbers), axes=axes, **properties)


def _interpolated(
    node: ImportedNode, axes: Sequence[int], numbers: int, roi: SSAValue | None, properties: dict[str, object]
) -> SSAValue:
    """A Resize between elements along the axes whose size may change, of an image or of fewer axes."""
    mode, is_inside, factor = node.text("mode"), node.flag("exclude_outside"), node.number("cubic_coeff_a", -0.75)
    if mode == "cubic":
        properties |= {"cubic": factor, "exclude_outside": is_inside}
        if roi is not None:
            raise UnsupportedNode("ONNX Runtime takes other ends of a region with the channels last")
    elif is_inside:
        raise UnsupportedNode("exclude_outside")
    count, sizes, given = len(axes), _resized_sizes(node, axes, numbers), _Numbers(node, axes, numbers)
    places = given.places_of_image()
    if properties["coordinates"] == "align_corners" and given.may_be_rounded():
        raise UnsupportedNode("align_corners with a rounded size")
    if mode == "cubic" and not given.may_be_cubic(places):
        raise UnsupportedNode("cubics that may shrink an image")
    if len(places) < count:
        roi = None if roi is None else _picked(node, roi, [*places, *(count + place for place in places)])
    operands = [node.operand(0), given.value(places), roi]
    axes = [axes[place] for place in places]
    return node.add(dynamic.DynamicInterpolateOp, operands, sizes, axes=axes, **properties)


class _Numbers:
    """The scales or sizes of an interpolation along some axes, as far as they are known."""

    def __init__(self, node: ImportedNode, axes: Sequence[int], index: int) -> None:
        self._node, self._axes, self._index = node, axes, index
        self._is_attribute = node.has_attribute("scales")
        known = np.array(node.numbers("scales"), np.float32) if self._is_attribute else node.known(index)
        self._known: Sequence[Any] | None = None if known is None else known.reshape(-1).tolist()
        self._neutral: Sequence[Size] = [node.sizes()[axis] if index == SIZES else 1 for axis in axes]

    def places_of_image(self) -> Sequence[int]:
        """The places of the axes whose size may change; all of them if the others are not known to keep theirs."""
        rank, every = self._node.rank(), range(len(self._axes))
        if not 2 <= rank <= 4:
            raise UnsupportedNode("interpolation beyond H and W of an image")
        if self._known is None:
            return every
        pairs = [*zip(self._known, self._neutral, strict=True)]
        changing = [place for place, (number, size) in enumerate(pairs) if number != size]
        named = {self._axes[place] for place in changing}
        if rank < 4 or named <= {1, 2} or named <= {2, 3}:
            return changing or every
        if len(every) < rank or any(are_known(pairs[place]) for place in changing if self._index == SIZES):
            raise UnsupportedNode("interpolation beyond H and W of an image")
        return every

    def may_be_rounded(self) -> bool:
        """True if a scale may lead to a size that is no whole number, which ONNX and ONNX Runtime take apart."""
        if self._known is None or self._index == SIZES:
            return self._index != SIZES
        pairs = zip(self._known, (self._node.sizes()[axis] for axis in self._axes), strict=True)
        return any(bool((size if isinstance(size, int) else 1) * scale % 1) for scale, size in pairs)

    def may_be_cubic(self, places: Sequence[int]) -> bool:
        """True unless it may shrink an image, for which ONNX Runtime has no op with the channels last."""
        if self._node.rank() < 4:
            return True
        pairs = () if self._known is None else [(self._known[place], self._neutral[place]) for place in places]
        return bool(pairs) and all(isinstance(size, int) and number >= size for number, size in pairs)

    def value(self, places: Sequence[int]) -> SSAValue:
        """The numbers at some of the places."""
        found = None if self._known is None else [self._known[place] for place in places]
        is_constant = found is not None and all(isinstance(each, int | float) for each in found)
        if is_constant and (self._is_attribute or len(places) < len(self._axes)):
            return self._node.constant_of(np.array(found, np.int64 if self._index == SIZES else np.float32))
        whole = listed(self._node, self._index, len(self._axes))
        return whole if len(places) == len(self._axes) else _picked(self._node, whole, places)


def _picked(node: ImportedNode, value: SSAValue, places: Sequence[int]) -> SSAValue:
    return node.add(GatherOp, [value, node.constant_of(np.array(places))], [len(places)], axis=0)


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
