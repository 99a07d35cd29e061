"""Resizing images."""

from collections.abc import Callable, Sequence
from math import isfinite

import numpy as np
from xdsl.ir import SSAValue

from .....dialects.npu.movement import GatherOp
from .....dialects.npu.resampling import BilinearOp, UpsampleOp
from .....layout import Order, identity, unpermute
from ....building import are_known
from ...errors import OnnxError, UnsupportedNode
from ..node import ImportedNode
from ..order import label
from ..registry import Converted, converts
from ..sizes import Size
from ..types import Array
from ..windows import feature_in
from .dynamic import COORDINATES, MODES, dynamic_resize

ROUNDINGS: dict[str, Callable[[Array], Array]] = {
    "round_prefer_floor": lambda places: np.ceil(places - 0.5),
    "round_prefer_ceil": lambda places: np.floor(places + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}
UNSURE = 1e-5
"""The distance from a border between two elements within which 32 bits may be on its other side."""


class Scales:
    """The scale of each axis, and the result sizes if the node has sizes instead of scales."""

    def __init__(self, node: ImportedNode):
        rank = node.rank()
        at_scales, at_sizes = (1, 3) if node.proto.op_type == "Upsample" or node.opset < 11 else (2, 3)
        axes = node.axes(node.integers("axes") or list(range(rank)))
        self.sizes: list[int] | None = None
        scales = [1.0] * rank
        if node.has_attribute("scales"):
            given: Sequence[float] = node.numbers("scales") or []
        elif node.has_input(at_scales) and node.constant(at_scales).size:
            given = [float(each) for each in node.constant(at_scales)]
        elif node.has_input(at_sizes):
            policy = node.choice("keep_aspect_ratio_policy", "stretch", "not_larger", "not_smaller")
            if policy != "stretch":
                if any(axis < 0 for axis in node.integers("axes") or ()):
                    raise OnnxError(
                        f"{label(node.proto)}: ONNX Runtime keeps the sizes of axes that this keep_aspect_ratio_policy"
                        " counts from the end, and ONNX does not: count them from the front"
                    )
            given = []
            self.sizes = [size if isinstance(size, int) else -1 for size in node.sizes()]
            for axis, size in zip(axes, node.constants(at_sizes), strict=True):
                self.sizes[axis] = size
                before = node.sizes()[axis]
                if not isinstance(before, int):
                    raise UnsupportedNode("an unknown scale")
                scales[axis] = float(np.float32(size / before))
            if policy != "stretch":
                self._keep_ratio(node, axes, scales, min if policy == "not_larger" else max)
        else:
            raise UnsupportedNode("neither scales nor sizes")
        for axis, scale in zip(axes, given, strict=False):
            scales[axis] = scale
        self.scales = scales
        if given:
            _check_sizes(node, scales)

    def _keep_ratio(
        self, node: ImportedNode, axes: Sequence[int], scales: list[float], choose: Callable[..., float]
    ) -> None:
        """One scale for all axes, to sizes that are rounded."""
        one = choose(scales[axis] for axis in axes)
        assert self.sizes is not None
        for axis in axes:
            before = node.sizes()[axis]
            assert isinstance(before, int)
            exact = float(np.float32(one) * np.float32(before))
            scales[axis], self.sizes[axis] = one, int(exact + 0.5)
            if exact % 1 and node.text("mode", MODES[0]) != MODES[0]:
                raise UnsupportedNode("interpolation at another scale than that of the sizes")


def _check_sizes(node: ImportedNode, scales: Sequence[float]) -> None:
    """Check that the sizes of the result do not depend on the precision of a product."""
    for before, scale, after in zip(node.sizes(), scales, node.output().sizes, strict=True):
        if isinstance(before, int) and isinstance(after, int) and int(np.float32(before) * np.float32(scale)) != after:
            raise OnnxError(
                f"{label(node.proto)}: {before} * {scale} is {after} elements in ONNX and"
                f" {int(np.float32(before) * np.float32(scale))} in ONNX Runtime: give it sizes instead of scales"
            )


@converts("Resize", "Upsample")
def resize(node: ImportedNode) -> Converted:
    """An op of fixed sizes, or one whose sizes are known at run time only."""
    mark = node.graph.mark()
    try:
        return _resized(node)
    except UnsupportedNode:
        if node.text("mode", MODES[0]) == MODES[0] and are_known(node.sizes()) and are_known(node.output().sizes):
            raise
        node.graph.roll_back(mark)
        return dynamic_resize(node)


def _resized(node: ImportedNode) -> SSAValue:
    value, scales = node.operand(0), Scales(node)
    if node.integer("antialias") or node.integer("exclude_outside"):
        raise UnsupportedNode("antialias or exclude_outside")
    # They are for modes that are not supported, but the nearest mode.
    node.mark_read("cubic_coeff_a", "extrapolation_value", "nearest_mode", 1)
    is_upsample = node.proto.op_type == "Upsample" or node.opset < 11
    coordinates = "asymmetric" if is_upsample else node.choice("coordinate_transformation_mode", *COORDINATES)
    keeps_sizes = are_known(node.sizes()) and node.sizes() == node.output().sizes
    if keeps_sizes and set(scales.scales) != {1.0} and coordinates != "tf_crop_and_resize":
        # ONNX Runtime copies what keeps its sizes, whatever the scales.
        return value
    match node.choice("mode", *MODES):
        case "nearest":
            rounding = "" if is_upsample else node.choice("nearest_mode", *ROUNDINGS)
            return _nearest(node, value, scales, coordinates, rounding)
        case "linear":
            return _linear(node, value, scales, coordinates)
        case mode:
            raise UnsupportedNode(mode)


def _nearest(node: ImportedNode, value: SSAValue, scales: Scales, coordinates: str, rounding: str) -> SSAValue:
    """npu.upsample if each element is repeated a fixed number of times, else a gather per axis of an image.

    Along other axes as well it stays one op, which is one node in other orders, too.
    """
    sizes = node.sizes()
    if coordinates == "tf_crop_and_resize":
        raise UnsupportedNode(coordinates)
    factors = [int(scale) for scale in scales.scales]
    order = _order_of_image(scales.scales)
    if order is not None and all(
        factor == scale and _repeats(node, factor, coordinates, rounding)
        for factor, scale in zip(factors, scales.scales, strict=True)
    ):
        result = [size * factor for size, factor in zip(sizes, factors, strict=True)]
        repeated = unpermute(factors, order)[2:]
        return node.add(UpsampleOp, [value], result, factors=repeated, data_layout=feature_in(order))
    resized = (axis for axis, scale in enumerate(scales.scales) if scale != 1)
    results = node.output().sizes
    # Those that shrink come first: the values between are small.
    places = [
        (axis, _places(node, sizes[axis], scales.scales[axis], results[axis], coordinates, rounding))
        for axis in sorted(resized, key=lambda axis: scales.scales[axis])
    ]
    if order is None and rounding and len(places) > 1:
        return dynamic_resize(node)
    for axis, found in places:
        value = _picked(node, value, axis, found)
    return value


def _order_of_image(scales: Sequence[float]) -> Order | None:
    """The order in which an image is resized along its spatial axes alone: with channels second, or last.

    None if other axes are resized.
    """
    rank = len(scales)
    places = (identity(rank), (0, *range(2, rank), 1)) if 3 <= rank <= 5 else ()
    return next((order for order in places if unpermute(scales, order)[:2] == (1, 1)), None)


def _repeats(node: ImportedNode, factor: int, coordinates: str, rounding: str) -> bool:
    """True if an axis is resized by repeating each element `factor` times."""
    if factor < 1:
        return False
    found = _places(node, 8, factor, 8 * factor, coordinates, rounding)
    return bool((found == np.arange(8 * factor) // factor).all())


def _picked(node: ImportedNode, value: SSAValue, axis: int, places: Array) -> SSAValue:
    sizes = node.sizes_of(value)
    result = (*sizes[:axis], len(places), *sizes[axis + 1 :])
    return node.add(GatherOp, [value, node.constant_of(places)], result, axis=axis)


def _places(node: ImportedNode, size: Size, scale: float, result: Size, coordinates: str, rounding: str) -> Array:
    """The operand position of each result position along an axis."""
    if not (isinstance(size, int) and isinstance(result, int)):
        raise UnsupportedNode("an unknown size")
    if not (isfinite(scale) and scale > 0):
        raise UnsupportedNode(f"a scale of {scale}")
    node.reserve([result])
    # Before opset 11 ONNX Runtime rounds down where it repeats elements, and up where it drops some.
    rounding = rounding or ("floor" if scale > 1 else "ceil")
    origins = _origins(size, scale, result, coordinates)
    border = 0.5 if rounding.startswith("round") else 0.0
    distance = np.abs(origins + border - np.round(origins + border))
    # Scales such as 1.3 are not exact in binary, and engines compute in 32 bits.
    is_exact = (distance == 0) & (float(scale * 1024).is_integer() or coordinates == "align_corners")
    if ((distance < UNSURE) & ~is_exact).any():
        raise UnsupportedNode("the last digit of a position decides which element it is")
    return np.clip(ROUNDINGS[rounding](origins), 0, size - 1).astype(np.int64)


def _origins(size: int, scale: float, result: int, coordinates: str) -> Array:
    """The operand coordinate of each result position along an axis."""
    places = np.arange(result, dtype=np.float64)
    match coordinates:
        case "half_pixel":
            return (places + 0.5) / scale - 0.5
        case "pytorch_half_pixel":
            return (places + 0.5) / scale - 0.5 if result > 1 else places * 0
        case "half_pixel_symmetric":
            # The change of size by rounding is split between both ends.
            return size / 2 * (1 - result / (scale * size)) + (places + 0.5) / scale - 0.5
        case "asymmetric":
            return places / scale
        case "align_corners":
            return places * (size - 1) / (result - 1) if result > 1 else places * 0
        case "tf_half_pixel_for_nn":
            return (places + 0.5) / scale
        case _:
            raise UnsupportedNode(coordinates)


def _linear(node: ImportedNode, value: SSAValue, scales: Scales, coordinates: str) -> SSAValue:
    result = node.output().sizes
    order = _order_of_image(scales.scales) if node.rank() == 4 else None
    if order is None:
        raise UnsupportedNode("interpolation beyond H and W of an image")
    if coordinates == "pytorch_half_pixel" and 1 not in unpermute(result, order)[2:]:
        coordinates = "half_pixel"
    if coordinates not in BilinearOp.COORDINATES:
        raise UnsupportedNode(coordinates)
    if coordinates == "align_corners" and any(
        isinstance(size, int) and size * scale % 1 for size, scale in zip(node.sizes(), scales.scales, strict=True)
    ):
        raise UnsupportedNode("align_corners with a rounded size")
    how = coordinates if coordinates != "half_pixel" else None
    name, numbers = ("factors", scales.scales) if scales.sizes is None else ("sizes", scales.sizes)
    asked = {name: unpermute(numbers, order)[2:]}
    return node.add(BilinearOp, [value], result, coordinates=how, data_layout=feature_in(order), **asked)
