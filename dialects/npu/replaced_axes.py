"""Ops whose result lacks axes of the input, or has the axes of a second operand in place of one."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import groupby, permutations

from xdsl.ir import Attribute, SSAValue

from ...layout import MAX_RANK, Layout, LayoutClass, Order, identity, order_from_keys, permute
from .axes import UNMARKED, AxisMarks, Orders, Relayout, RoleMap, agree, numbers_of, role_map
from .base import InputOp
from .values import layout_of, order_of_value, rank_of


class ReplacedAxesOp(InputOp, ABC):
    """An op that replaces the named axes of its input by those of its further operands, or by none.

    Either the result has the layout of the input, or its axes have no letters and keep their logical order.
    """

    @abstractmethod
    def keeps_layout(self) -> bool:
        """True if the axes of the result are those of the input."""

    def replaced(self) -> Sequence[int]:
        """The stored axes of the input that an attribute names."""
        return numbers_of(self.properties[self.AXES.named()[0]])

    @property
    def further(self) -> Sequence[SSAValue]:
        """The operands besides the input."""
        return self.operands[1:]

    def infer_results(self, operands: Sequence[Layout | None]) -> list[Layout | None]:
        layout, *known = operands
        if layout is None or self.keeps_layout():
            return [layout]
        given = zip(map(rank_of, self.further), known, strict=True)
        further = [identity(rank) if each is None else each.order_for(rank) for rank, each in given]
        order = replaced_order(layout.order_for(rank_of(self.input)), self.replaced(), *further)
        return [Layout(LayoutClass.TENSOR, order)]

    def infer_operands(self, results: Sequence[Layout | None]) -> list[Layout | None]:
        return [results[0] if self.keeps_layout() else None, *(None for _ in self.further)]

    def roles(self) -> RoleMap:
        """One role for each axis of the operands; the result has those that are not replaced."""
        stored, replaced = range(rank_of(self.input)), self.replaced()
        further = [[f"J{axis}" for axis in range(rank_of(value))] for value in self.further]
        inserted = [axis for axes in further for axis in axes]
        written = [each for axis in stored for each in (inserted if axis in replaced else [axis])]
        # Attributes number the axes of the input, so these are the first roles.
        axes: dict[Hashable, AxisMarks] = {axis: self.AXES.marks(self, axis) for axis in stored}
        axes.update(dict.fromkeys(inserted, UNMARKED))
        keeps_all = self.keeps_layout() and not further
        described = frozenset({*self.AXES.attributes, "keep"})
        return role_map(axes, [stored, *further], [stored if keeps_all else written], described)

    def split_axes(self, parts: Sequence[int]) -> dict[str, Attribute] | None:
        return self.AXES.split_axes(self, parts)

    def relayouts(self, operands: Orders, results: Orders) -> list[Relayout]:
        old = [order_of_value(value) for value in self.operands]
        found: list[Relayout] = []
        for read in self._read(operands, results[0]):
            if list(map(len, read)) != list(map(len, old)):
                continue
            named = [read[0].index(old[0][axis]) for axis in self.replaced()]
            result = read[0] if self.keeps_layout() else replaced_order(read[0], named, *read[1:])
            if agree(results, [result]):
                found.append(Relayout(read, (result,), self.AXES.rewritten(self, old[0], read[0])))
        return found

    def _read(self, operands: Orders, result: Order | None) -> list[tuple[Order, ...]]:
        """The orders asked for; for the others those that lead to the result, best first, or else the present ones."""
        leading = [] if result is None or None not in operands else self._operand_orders(result)
        present = [order_of_value(value) for value in self.operands]
        each = (zip(operands, orders, strict=True) for orders in (leading or [present]))
        return list(dict.fromkeys(tuple(order if asked is None else asked for asked, order in pairs) for pairs in each))

    def _operand_orders(self, result: Order) -> list[tuple[Order, ...]]:
        """The orders of the operands for this order of the result, first the one that keeps dropped axes in place."""
        old, ranks = order_of_value(self.input), list(map(rank_of, self.further))
        if self.keeps_layout():
            return [(result, *map(identity, ranks))]
        replaced = [old[axis] for axis in sorted(self.replaced())]
        if len(result) != len(old) - len(replaced) + sum(ranks):
            return []
        if sum(ranks):
            return _apart(result, len(old), replaced[0], sum(ranks))
        left = sorted({*old} - {*replaced})
        wanted = [left[axis] for axis in result]
        places = tuple(sorted(self.replaced()))
        # A further operand without axes picks along an axis, which stays.
        all_places = permutations(range(len(old)), len(places)) if len(old) <= MAX_RANK and not ranks else ()
        others = (each for each in all_places if each != places)
        orders = (_woven(wanted, dict(zip(each, replaced, strict=True))) for each in (places, *others))
        return [(order, *map(identity, ranks)) for order in orders]

    def verify_layouts(self) -> None:
        operand, result = layout_of(self.input), layout_of(self.result)
        if self.keeps_layout():
            if operand is not None:
                self.check_layout("result", self.result, operand, "like input")
            return
        self.check_tensor_class("result", self.result)
        # Further operands of a higher rank without a layout are not compared with values that have one.
        unknown = any(layout_of(value) is None and rank_of(value) > 1 for value in self.further)
        if operand is None or result is None or unknown:
            return
        expected = replaced_order(order_of_value(self.input), self.replaced(), *map(order_of_value, self.further))
        if result.order_for(len(expected)) != expected:
            why = f" ({operand} without axes {list(self.replaced())})"
            why = ", which follows from the operands" if self.further else why
            raise self.wrong("result", f"order {list(expected)}{why}", result)


def replaced_order(order: Order, axes: Collection[int], inserted: Order = ()) -> Order:
    """The order of an input after replacing physical axes, each by further axes in their order."""
    keys: list[tuple[int, int]] = []
    for place, logical in enumerate(order):
        keys += [(logical, axis) for axis in inserted] if place in axes else [(logical, 0)]
    return order_from_keys(keys)


def _apart(result: Order, rank: int, replaced: int, count: int) -> list[tuple[Order, ...]]:
    """The orders of input and second operand for an order of the result; none if it separates the inserted axes."""
    keys = [(logical, 0) for logical in range(rank)]
    keys[replaced : replaced + 1] = [(replaced, logical) for logical in range(count)]
    stored = permute(keys, result)
    order = tuple(logical for logical, _ in groupby(stored, key=lambda key: key[0]))
    return [(order, tuple(place for logical, place in stored if logical == replaced))] if len(order) == rank else []


def _woven(order: Sequence[int], placed: Mapping[int, int]) -> Order:
    """An order with further axes inserted at these positions."""
    rest = iter(order)
    return tuple(placed[place] if place in placed else next(rest) for place in range(len(order) + len(placed)))
