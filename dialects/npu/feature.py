"""Ops that find the axes of a feature map by name, and ops that slide a window over its spatial axes.

In an uncoloured program such an op has the layout of its feature map as an attribute (`data_layout`); in a coloured
program the type has it. Lists with one number per spatial axis, such as strides, are in the order D, H, W,
independent of the order of storage.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import opt_prop_def

from ...layout import DYNAMIC, MAX_RANK, Layout, LayoutClass, Order, permutation_between, permute
from .attrs import I64Array, LayoutAttr
from .axes import AxisTable, DeclaredAxis, Marks, PossibleLayouts, numbers_of
from .base import Declared, InputOp
from .declared_axes import axes_of
from .fusion import FusionKind
from .same_layout import SameLayoutOp, layouts_at
from .sum_blocks import CHANNELS
from .values import (
    Shape,
    element_type_of,
    layout_of,
    logical_shape,
    order_of_value,
    rank_of,
    shape_text,
    shapes_agree,
)


class FeatureOp(SameLayoutOp, ABC):
    """An op on a feature map, whose axes it finds by name."""

    TAKES_BLOCKS: ClassVar[bool] = False
    SPATIAL_LISTS: ClassVar[tuple[str, ...]] = ()
    """The attributes with a number for each spatial axis."""
    SPATIAL_RANK: ClassVar[int] = 0
    """The number of spatial axes, if that follows from the kind of op."""

    data_layout = opt_prop_def(LayoutAttr)
    """The layout of the feature map, for values without a layout in their type."""

    def facts(self) -> Mapping[str, bool | int | tuple[int, ...]]:
        return {"kernel": numbers_of(self.properties["window"])} if "window" in self.properties else {}

    @classmethod
    def fact_names(cls) -> tuple[str, ...]:
        return ("kernel",) if "window" in cls.get_irdl_definition().properties else ()

    @classmethod
    def possible_layouts(cls) -> Mapping[str, PossibleLayouts]:
        ranks = (2 + cls.SPATIAL_RANK,) if cls.SPATIAL_RANK else (3, 4, 5)
        values = cls.AXES.values.items()
        return {name: _possible_layouts(axes, name in cls.AXES.independent, ranks) for name, axes in values}

    def sharing_operands(self) -> list[int]:
        """All dependent operands; the shape of the result needs the letters of one element, too."""
        return [index for index, name in enumerate(self.operand_names()) if name not in self.AXES.independent]

    def feature_layout(self, name: str, value: SSAValue) -> Layout:
        """The layout of the feature map, which is of class Feature."""
        layout = self.known_layout(name, value, "data_layout", self.data_layout)
        if layout.cls is not LayoutClass.FEATURE:
            at = name if layout_of(value) else "data_layout"
            raise self.wrong(at, "a layout of class Feature", layout)
        return layout

    def shared_layout(self) -> Layout:
        """The layout of the values that share one."""
        return self.feature_layout(self.AXES.feature_map, getattr(self, self.AXES.feature_map))

    def declared(self) -> Declared | None:
        feature_map: SSAValue = getattr(self, self.AXES.feature_map)
        if self.data_layout is None and layout_of(feature_map) is None:
            return None
        layout = self.feature_layout(self.AXES.feature_map, feature_map)
        operands = layouts_at(self.sharing_operands(), layout, len(self.operands))
        return Declared(operands, layouts_at(self.sharing_results(), layout, len(self.results)))

    def axis_marks(self, axis: int) -> tuple[Marks, bool]:
        layout = self.shared_layout()
        marks, splits = super().axis_marks(axis)
        logical, declared = layout.axis_at(axis), self.AXES.values[self.AXES.feature_map]
        if not declared[min(logical, len(declared) - 1)].is_related:
            return marks, splits
        return (*marks, ("letter", layout.letters_stored()[axis]), *self.spatial_marks(logical - 2)), False

    def split_axes(self, parts: Sequence[int]) -> dict[str, Attribute] | None:
        """An axis cannot be split, because there are no letters for the parts."""
        return {} if all(count == 1 for count in parts) else None

    def merge_axes(self, counts: Sequence[int]) -> dict[str, Attribute] | None:
        return {} if all(count == 1 for count in counts) else None

    def spatial_marks(self, index: int) -> Marks:
        """The numbers that the lists have for a spatial axis, by its index among the letters D, H, W."""
        lists = [(name, numbers_of(self.properties[name])) for name in self.SPATIAL_LISTS if name in self.properties]
        return tuple((name, numbers[index]) for name, numbers in lists if index >= 0)

    def described(self) -> frozenset[str]:
        return super().described() | {*self._stated(), *self.SPATIAL_LISTS}

    def _stated(self) -> dict[str, str]:
        """The attributes that state a layout, each with the name of the value that has it."""
        names = self.AXES.by_letters
        return {"data_layout": self.AXES.feature_map, **({"kernel_layout": names["OI"]} if "OI" in names else {})}

    def data_layouts(self) -> list[tuple[str, SSAValue]]:
        return [(attribute, getattr(self, name)) for attribute, name in self._stated().items()]

    def layout_properties(self, operands: Sequence[Order], results: Sequence[Order]) -> dict[str, Attribute]:
        orders = dict(zip((*self.operand_names(), *self.result_names()), (*operands, *results), strict=True))
        return {
            attribute: _stored_as(layout, getattr(self, name), orders[name])
            for attribute, name in self._stated().items()
            if isinstance(layout := self.properties.get(attribute), LayoutAttr)
        }

    def verify_blocks(self) -> None:
        for name, layout in self.cut_layouts():
            if any(axis > CHANNELS for axis, _ in layout.tiles):
                raise self.wrong(name, "blocks of N and C only", layout)
        super().verify_blocks()

    def check_feature(self, name: str, value: SSAValue, logical: Sequence[int], layout: Layout) -> None:
        """Check an operand or result that has the layout of the feature map and this logical shape."""
        found = layout_of(value)
        stored = found if found is not None and self.have_one_layout(found, layout) else layout
        self.check_shape(name, value, stored.stored_shape(logical))
        self.check_layout(name, value, layout, "like the feature map")
        if found is not None and not shapes_agree(sizes := logical_shape(value, found), logical):
            raise self.wrong(name, f"logical shape {shape_text(logical)}", shape_text(sizes))


def _possible_layouts(
    axes: Sequence[DeclaredAxis], is_independent: bool, open_ranks: tuple[int, ...]
) -> PossibleLayouts:
    """The layouts of a feature map, of a kernel, or of a value without letters, such as a number for each channel."""
    ranks = open_ranks if axes[-1:] and axes[-1].is_any_number else (len(axes),)
    if not is_independent:
        return PossibleLayouts((LayoutClass.FEATURE,), ranks)
    if [axis.name for axis in axes[:2]] == ["O", "I"]:
        return PossibleLayouts((LayoutClass.WEIGHT,), ranks)
    return PossibleLayouts((LayoutClass.TENSOR, LayoutClass.NTENSOR), tuple(range(MAX_RANK + 1)))


class FeatureMapOp(FeatureOp, InputOp, ABC):
    """An op with one feature map, and a result of the same layout and element type."""

    FUSION_KIND: ClassVar[FusionKind] = FusionKind.INJECTIVE
    AXES: ClassVar[AxisTable] = axes_of("input[N, C, *S~] -> result[N, C, *S~]")
    TAKES_BLOCKS: ClassVar[bool] = True

    def verify_input(self) -> None:
        """Check the rank and the element type of the input."""

    @abstractmethod
    def result_shape(self, shape: Shape) -> Shape:
        """Check the attributes, and return the logical shape of the result for an input of this logical shape."""

    def verify_meaning(self) -> None:
        self.verify_input()
        self.check_element_type("result", self.result, element_type_of(self.input))
        layout = self.feature_layout("input", self.input)
        self.check_feature("result", self.result, self.result_shape(logical_shape(self.input, layout)), layout)


def times(size: int, factor: int) -> int:
    """The product of a size and a factor; dynamic for a dynamic size."""
    return DYNAMIC if size == DYNAMIC else size * factor


def _stored_as(declared: LayoutAttr, value: SSAValue, order: Order) -> LayoutAttr:
    """The attribute value for the layout of a value that gets another order."""
    letters = declared.data.order_for(len(order))
    moved = permute(letters, permutation_between(order_of_value(value), order))
    return LayoutAttr(declared.data.with_order(moved))


@dataclass(frozen=True, slots=True)
class Window:
    """The parameters of a sliding window, with one number per spatial axis in each list."""

    strides: Shape
    dilations: Shape
    pads_begin: Shape
    pads_end: Shape

    def positions(self, sizes: Sequence[int], window: Sequence[int], ceil: bool = False) -> Shape:
        """The number of positions of the window along each axis of these sizes."""
        return tuple(
            DYNAMIC if DYNAMIC in (size, extent) else self._positions_along(axis, size, extent, ceil)
            for axis, (size, extent) in enumerate(zip(sizes, window, strict=True))
        )

    def _positions_along(self, axis: int, size: int, extent: int, ceil: bool) -> int:
        stride, begin = self.strides[axis], self.pads_begin[axis]
        room = size + begin + self.pads_end[axis] - (self.dilations[axis] * (extent - 1) + 1)
        count = (-(-room // stride) if ceil else room // stride) + 1
        # With rounding up, a window that would start in the padding at the end is dropped.
        if ceil and (count - 1) * stride >= size + begin:
            count -= 1
        return max(count, 0)


class WindowedOp(FeatureOp, ABC):
    """An op that slides a window over the spatial axes of a feature map."""

    strides = opt_prop_def(I64Array)
    """Steps of the window; 1 if absent."""
    dilations = opt_prop_def(I64Array)
    """The distance between neighbours within the window; 1 if absent."""
    pads = opt_prop_def(I64Array)
    """Number of padding elements before each spatial axis, then after each; 0 if absent."""

    def facts(self) -> Mapping[str, bool | int | tuple[int, ...]]:
        window = self.sliding_window(self._spatial_rank())
        pads = *window.pads_begin, *window.pads_end
        return {**super().facts(), "stride": window.strides, "dilation": window.dilations, "pads": pads}

    @classmethod
    def fact_names(cls) -> tuple[str, ...]:
        return (*super().fact_names(), "stride", "dilation", "pads")

    def spatial_marks(self, index: int) -> Marks:
        if index < 0:
            return ()
        window = self.sliding_window(self._spatial_rank())
        moves = window.strides[index], window.dilations[index], window.pads_begin[index], window.pads_end[index]
        return (("window", moves), *super().spatial_marks(index))

    def _spatial_rank(self) -> int:
        feature_map: SSAValue = getattr(self, self.AXES.feature_map)
        rank, layout = rank_of(feature_map), layout_of(feature_map)
        return (rank if layout is None else layout.logical_rank(rank)) - 2

    def described(self) -> frozenset[str]:
        return super().described() | {"strides", "dilations", "pads"}

    def sliding_window(self, spatial_rank: int) -> Window:
        """The window, with attributes checked and defaults filled in."""
        ones = (1,) * spatial_rank
        strides = self.strides.get_values() if self.strides else ones
        dilations = self.dilations.get_values() if self.dilations else ones
        pads = self.pads.get_values() if self.pads else (0,) * (2 * spatial_rank)
        self.check_numbers("strides", strides, spatial_rank, 1)
        self.check_numbers("dilations", dilations, spatial_rank, 1)
        self.check_numbers("pads", pads, 2 * spatial_rank, 0)
        return Window(tuple(strides), tuple(dilations), tuple(pads[:spatial_rank]), tuple(pads[spatial_rank:]))
