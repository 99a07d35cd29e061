"""Ops whose operands and results share one layout."""

from abc import ABC
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from xdsl.ir import Attribute, SSAValue

from ...layout import MAX_RANK, Layout, Order, identity, prevailing
from .axes import AxisMarks, Marks, Orders, Relayout, RoleMap, numbers_of, role_map
from .base import NpuOp
from .declared_axes import expanded
from .values import (
    has_one_element,
    layout_of,
    logical_shape,
    order_of_value,
    rank_of,
    shape_of,
    shape_text,
)


def _ends_in_zeros(value: SSAValue) -> bool:
    """True if a value has padding, which is known to be zeros."""
    layout = layout_of(value)
    return layout is not None and bool(layout.padded_axes) and layout.has_zeros


def layouts_at(places: Iterable[int], layout: Layout, count: int) -> list[Layout | None]:
    """A list of length `count` with this layout at some places, and None elsewhere."""
    layouts: list[Layout | None] = [None] * count
    for place in places:
        layouts[place] = layout
    return layouts


def _orders(values: Iterable[SSAValue], asked: Orders, sharing: Sequence[int], shared: Order) -> tuple[Order, ...]:
    """The order of each operand or result: the shared one, or else the one asked for, or else the present one.

    A value of one element has the shared order unless another one is asked for.
    """
    orders: list[Order] = []
    shares = frozenset(sharing)
    for index, (value, order) in enumerate(zip(values, asked, strict=True)):
        if index in shares:
            order = shared
        elif order is None:
            follows = len(shared) == rank_of(value) and has_one_element(value)
            order = shared if follows else order_of_value(value)
        orders.append(order)
    return tuple(orders)


class SameLayoutOp(NpuOp, ABC):
    """An op whose operands and results share one layout.

    The layout of an operand of one element does not matter.
    """

    SHARES_LAYOUT: ClassVar[bool] = True
    TAKES_BLOCKS: ClassVar[bool] = True
    TAKES_PADDING: ClassVar[bool] = True
    """True if axes that the attributes do not name may end in padding."""

    def keeps_zeros(self) -> bool:
        """True if an element is zero where those of all operands are zeros."""
        return False

    def verify_blocks(self) -> None:
        """Check that each position along a padded axis is computed alone, and that zeros are."""
        padded: dict[int, int] = {}
        for name, layout in self.cut_layouts():
            self.check_padding(name, layout)
            padded.update(layout.padded_axes)
        if padded:
            self._check_same_padding(padded)
            self._check_zeros()

    def relates(self, position: int) -> bool:
        """True if the op relates elements at different places along a stored axis to each other."""
        return bool(self.axis_marks(position)[0])

    def treats_alike(self, outer: int, inner: int) -> bool:
        """True if these pieces of an axis could be one axis for the op, which repeats both or none of them."""
        marks, splits = self.axis_marks(outer)
        if not splits or self.axis_marks(inner) != (marks, splits):
            return False
        if not self.AXES.repeats:
            return True
        full = [shape_of(value) for value in self.shared() if not has_one_element(value)]
        return len({(shape[outer], shape[inner]) for shape in full} - {(1, 1)}) <= 1

    def axes_in_blocks(self, tiles: Mapping[int, int]) -> dict[str, Attribute] | None:
        rank = rank_of(self.results[0])
        return self.AXES.split_axes(self, [1 + (axis in tiles) for axis in range(rank)])

    def axes_uncut(self, tiles: Mapping[int, int]) -> dict[str, Attribute]:
        rank = rank_of(self.results[0])
        return self.AXES.merge_axes(self, [1 + (axis in tiles) for axis in range(rank)])

    def check_padding(self, name: str, layout: Layout) -> None:
        """Check that the op computes each position along a padded axis alone."""
        if not layout.padded_axes:
            return
        if name in self.AXES.independent or not self.TAKES_PADDING:
            raise self.wrong(name, "a layout without padding, which an unpack drops", layout)
        for position in range(layout.rank or 0):
            if layout.axis_at(position) in layout.padded_axes and self.relates(position):
                raise self.wrong(name, f"no padding along dimension {position}, over which the op computes", layout)

    def _check_same_padding(self, padded: Mapping[int, int]) -> None:
        """Check that the axes end in the same place in all values, but for those in which they have one element."""
        for name, value in self._shared_by_name():
            layout, shape = layout_of(value), logical_shape(value)
            if layout is None:
                raise self.wrong(
                    name, "a layout in its type, as other values have padding", shape_text(shape_of(value))
                )
            wrong = {axis: size for axis, size in padded.items() if layout.padded_axes.get(axis) != size}
            for axis, size in wrong.items():
                if shape[axis] != 1 or axis in layout.padded_axes:
                    raise self.wrong(name, f"{size} elements along axis {axis} like other values", layout)

    def _check_zeros(self) -> None:
        """Check that padding of the results is zeros only if it is computed from zeros."""
        are_zeros = self.keeps_zeros() and all(map(_ends_in_zeros, self.operands))
        for name, value in zip(self.result_names(), self.results, strict=True):
            if not are_zeros and _ends_in_zeros(value):
                raise self.wrong(name, "padding that may be anything", layout_of(value))

    def sharing_operands(self) -> list[int]:
        sharing = [index for index, operand in enumerate(self.operands) if not has_one_element(operand)]
        return self._dependent(sharing, self.operand_names()) if self.AXES.independent else sharing

    def sharing_results(self) -> list[int]:
        sharing = [*range(len(self.results))]
        return self._dependent(sharing, self.result_names()) if self.AXES.independent else sharing

    def _dependent(self, indices: Iterable[int], names: Sequence[str]) -> list[int]:
        """The indices of the values that have no layouts of their own."""
        return [index for index in indices if names[index] not in self.AXES.independent]

    def shared(self) -> list[SSAValue]:
        operands = [self.operands[index] for index in self.sharing_operands()]
        return [*operands, *(self.results[index] for index in self.sharing_results())]

    def verify_layouts(self) -> None:
        if len({layout_of(value) for value in (*self.operands, *self.results)} - {None}) <= 1:
            return
        layouts = [(name, layout) for name, value in self._shared_by_name() if (layout := layout_of(value)) is not None]
        for name, layout in layouts[1:]:
            if not self.have_one_layout(layout, layouts[0][1]):
                raise self.wrong(name, f"layout {layouts[0][1].unsized} like {layouts[0][0]}", layout)

    def have_one_layout(self, one: Layout, other: Layout) -> bool:
        """True if values in these layouts share one."""
        return one.unsized == other.unsized

    def _shared_by_name(self) -> list[tuple[str, SSAValue]]:
        """The operands and results that share the layout, by name."""
        names = [self.operand_names()[index] for index in self.sharing_operands()]
        names += [self.result_names()[index] for index in self.sharing_results()]
        return [*zip(names, self.shared(), strict=True)]

    def infer_results(self, operands: Sequence[Layout | None]) -> list[Layout | None]:
        """The prevailing layout of the operands, independent of their order."""
        shared = prevailing(operands[index] for index in self.sharing_operands())
        if shared is None:
            return [None] * len(self.results)
        return layouts_at(self.sharing_results(), shared, len(self.results))

    def infer_operands(self, results: Sequence[Layout | None]) -> list[Layout | None]:
        known = [layout for index in self.sharing_results() if (layout := results[index]) is not None]
        if not known:
            return [None] * len(self.operands)
        return layouts_at(self.sharing_operands(), known[0], len(self.operands))

    # Axes.

    def axis_marks(self, axis: int) -> tuple[Marks, bool]:
        """The marks of an axis, and True if it may be split."""
        return self.AXES.marks(self, axis)

    def roles(self) -> RoleMap | None:
        return self.known_roles()

    def known_roles(self) -> RoleMap:
        """One role for each shared axis, to which vectors along it belong, and for each axis of a value's own."""
        axes: Mapping[Hashable, AxisMarks] = {axis: self.axis_marks(axis) for axis in range(rank_of(self.shared()[-1]))}
        return role_map(
            axes,
            self._stored_axes(self.operand_fields(), self.operands, self.sharing_operands()),
            self._stored_axes(self.result_fields(), self.results, self.sharing_results()),
            self.described(),
        )

    def _stored_axes(
        self, names: Sequence[str], values: Iterable[SSAValue], sharing: Sequence[int]
    ) -> Iterator[Iterable[Hashable]]:
        """The axes of each value: positions of shared axes, or names of its own."""
        for index, (name, value) in enumerate(zip(names, values, strict=True)):
            declared = self.AXES.values.get(name, ())
            if index in sharing:
                yield range(rank_of(value))
            elif name not in self.AXES.independent or (name in self.AXES.vectors and has_one_element(value)):
                yield ()
            elif name in self.AXES.vectors:
                yield [numbers_of(self.properties[axis.name])[0] for axis in declared]
            else:
                yield [(name, axis) for axis in expanded(declared, rank_of(value))]

    def described(self) -> frozenset[str]:
        """The properties that the roles describe completely."""
        return frozenset(self.AXES.attributes)

    def split_axes(self, parts: Sequence[int]) -> dict[str, Attribute] | None:
        return self.AXES.split_axes(self, parts)

    def merge_axes(self, counts: Sequence[int]) -> dict[str, Attribute] | None:
        return self.AXES.merge_axes(self, counts)

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        places, result_places = self.sharing_operands(), self.sharing_results()
        values, result_values = [*self.operands], self.results
        shared = [values[place] for place in places] + [result_values[place] for place in result_places]
        asked = {operands[place] for place in places} | {results[place] for place in result_places}
        asked.discard(None)
        rank = rank_of(shared[0])
        old = next((order_of_value(value) for value in shared if layout_of(value)), identity(rank))
        new = asked.pop() if asked else old
        if asked or new is None or len(new) != rank or (new != old and rank > MAX_RANK):
            return []
        orders = _orders(values, operands, places, new), _orders(result_values, results, result_places, new)
        properties = {**self.AXES.rewritten(self, old, new), **self.layout_properties(*orders)}
        return [Relayout(*orders, properties)]

    def layout_properties(self, operands: Sequence[Order], results: Sequence[Order]) -> dict[str, Attribute]:
        """The properties that state layouts, with the values for operands and results in these orders."""
        return {}


class KeepsZeros(SameLayoutOp, ABC):
    """An op that computes zeros from zeros, whatever its attributes."""

    def keeps_zeros(self) -> bool:
        return True
