"""Ops that find the axes of an activation by their letters, and ops that slide a window over its spatial axes.

Before the program is coloured such an op says itself which layout its data has (`data_layout`); in a coloured program
the type says it. Lists with one number per spatial axis, such as strides, are in the order of the letters D, H, W,
whatever the order of storage.
"""

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.irdl import opt_prop_def

from ...layout import DYNAMIC, Layout, LayoutClass, permute, unpermute
from .attrs import I64Array, LayoutAttr
from .base import SameLayoutOp, Shape, layout_of, shape_of


class FeatureOp(SameLayoutOp, ABC):
    """An op on an activation, whose axes it finds by their letters."""

    data_layout = opt_prop_def(LayoutAttr)
    """The layout of the activation, for values without a layout in their type."""

    def feature_layout(self, name: str, value: SSAValue) -> Layout:
        """The layout of the activation, which is of class Feature."""
        layout = self.known_layout(name, value, "data_layout", self.data_layout)
        if layout.cls is not LayoutClass.FEATURE:
            at = name if layout_of(value) else "data_layout"
            raise self.wrong(at, "a layout of class Feature", layout)
        return layout

    def check_feature(self, name: str, value: SSAValue, logical: Sequence[int], layout: Layout) -> None:
        """Check an operand or result that has the layout of the activation and this logical shape."""
        self.check_shape(name, value, permute(logical, layout.order_for(len(logical))))
        self.check_layout(name, value, layout, "like the activation")


def logical_shape(value: SSAValue, layout: Layout) -> Shape:
    """The shape of a value in the order of the letters: N, C, spatial..."""
    shape = shape_of(value)
    return unpermute(shape, layout.order_for(len(shape)))


@dataclass(frozen=True, slots=True)
class Window:
    """How a window moves over the spatial axes, with one number per axis in each list."""

    strides: Shape
    dilations: Shape
    pads_begin: Shape
    pads_end: Shape

    def positions(self, sizes: Sequence[int], window: Sequence[int], ceil: bool = False) -> Shape:
        """How many positions the window has along each axis of these sizes."""
        return tuple(
            DYNAMIC if DYNAMIC in (size, extent) else self._positions_along(axis, size, extent, ceil)
            for axis, (size, extent) in enumerate(zip(sizes, window, strict=True))
        )

    def _positions_along(self, axis: int, size: int, extent: int, ceil: bool) -> int:
        stride, begin = self.strides[axis], self.pads_begin[axis]
        room = size + begin + self.pads_end[axis] - (self.dilations[axis] * (extent - 1) + 1)
        count = (-(-room // stride) if ceil else room // stride) + 1
        # With rounding up, a window that would start in the padding behind the data is dropped.
        if ceil and (count - 1) * stride >= size + begin:
            count -= 1
        return max(count, 0)


class WindowedOp(FeatureOp, ABC):
    """An op that slides a window over the spatial axes of an activation."""

    strides = opt_prop_def(I64Array)
    """How far the window moves; 1 if absent."""
    dilations = opt_prop_def(I64Array)
    """The distance between neighbours within the window; 1 if absent."""
    pads = opt_prop_def(I64Array)
    """How many elements are added before each spatial axis, then how many behind each; 0 if absent."""

    def window(self, spatial_rank: int) -> Window:
        """The window's attributes, checked and with their defaults filled in."""
        ones = (1,) * spatial_rank
        strides = self.strides.get_values() if self.strides else ones
        dilations = self.dilations.get_values() if self.dilations else ones
        pads = self.pads.get_values() if self.pads else (0,) * (2 * spatial_rank)
        self.check_numbers("strides", strides, spatial_rank, 1)
        self.check_numbers("dilations", dilations, spatial_rank, 1)
        self.check_numbers("pads", pads, 2 * spatial_rank, 0)
        return Window(tuple(strides), tuple(dilations), tuple(pads[:spatial_rank]), tuple(pads[spatial_rank:]))
