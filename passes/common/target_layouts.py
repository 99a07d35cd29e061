"""The layouts a target demands or prefers for an op's values, and the relayouts that meet them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.npu.axes import MatmulFreedom, Orders, Relayout, numbers_of
from ...dialects.npu.base import NpuOp
from ...dialects.npu.kinds import OpKinds
from ...dialects.npu.linear import LinearOp, relayouts_of
from ...dialects.npu.values import encoding, rank_of
from ...layout import Layout, LayoutClass, Order, permute
from ...targets import LAST, Target, operand_names, result_names
from .op_classes import class_of, order_of, own_class
from .reasons import Reason


class OpDemands(NamedTuple):
    """The layouts that a target demands of the operands and results of an op; None without a demand."""

    operands: Sequence[Layout | None]
    results: Sequence[Layout | None]


class TargetLayouts:
    """The demands and preferences of a target."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._rank_of_all = min(map(target.max_rank, LayoutClass))
        """Up to this rank, values of all classes can have any order."""
        self._kinds = OpKinds()
        self._demands: dict[int, OpDemands | None] = {}
        """The demands on the ops of a kind."""
        self._preferred: dict[tuple[int, Orders | None], Relayout | None] = {}
        """The preferred relayouts of the ops of a kind, by the orders given."""
        self._known: dict[tuple[int, Orders, Orders], list[Relayout]] = {}
        """The relayouts of the ops of a kind, by the orders asked for."""

    def demands(self, op: Operation) -> OpDemands | None:
        """The demands on an op; None without any."""
        if not self.target.has_demand(op.name):
            return None
        kind = self._kinds.of(op)
        if kind not in self._demands:
            self._demands[kind] = self._demands_on(op)
        return self._demands[kind]

    def _demands_on(self, op: Operation) -> OpDemands | None:
        operands = [self._demand(op, name, value) for name, value in zip(operand_names(op), op.operands, strict=True)]
        results = [self._demand(op, name, value) for name, value in zip(result_names(op), op.results, strict=True)]
        return OpDemands(operands, results) if any(operands) or any(results) else None

    def _demand(self, op: Operation, name: str, value: SSAValue) -> Layout | None:
        layout = encoding(value.type)
        return None if layout is None else self.target.demand(op.name, name, layout)

    def reason(self, op: Operation, demands: OpDemands, operand: int | None = None) -> Reason:
        """The demand on an operand in words, or the first demand on the op."""
        return self.demand_reason(op, *named_demand(op, demands, operand))

    def demand_reason(self, op: Operation, name: str, layout: Layout) -> Reason:
        return Reason(op, f"demands {layout} of {name}{self._place(op, name)}")

    def _place(self, op: Operation, name: str) -> str:
        return f" ({self.target.place_of_demand(op.name, name)})"

    def preferred(self, value: SSAValue) -> Order | None:
        """The preferred order of a feature or weight, if the target has a preference."""
        layout = encoding(value.type)
        if layout is None or layout.order is None:
            return None
        preferred = self.target.preferred_layouts.get((layout.cls, len(layout.order)))
        return None if preferred is None else preferred.order

    def are_preferred(self, op: Operation, demands: OpDemands) -> bool:
        """True if all demands on an op agree with the target's preferences."""
        values, wanted = (*op.operands, *op.results), (*demands.operands, *demands.results)
        return all(
            layout is None or layout.order == self.preferred(value)
            for value, layout in zip(values, wanted, strict=True)
        )

    def preferred_relayout(self, op: NpuOp, given: Orders | None = None) -> Relayout | None:
        """The relayout with the op's features or weights in the preferred order and all demands met.

        Other operands keep their `given` orders if such a relayout exists.
        """
        key = self._kinds.of(op), given if given is None else tuple(given)
        if key not in self._preferred:
            self._preferred[key] = self._find_preferred(op, self.demands(op), given)
        return self._preferred[key]

    def _find_preferred(self, op: NpuOp, demands: OpDemands | None, given: Orders | None) -> Relayout | None:
        cls = own_class(op)
        operands = [self.preferred(value) if class_of(value) is cls else None for value in op.operands]
        results = [self.preferred(value) or order_of(value) for value in op.results]
        return self.relayout_for(op, operands, results, demands, given)

    def demanded_relayout(self, op: NpuOp, demands: OpDemands, given: Orders) -> Relayout | None:
        """The relayout that meets the demands and otherwise changes as little as possible."""
        nothing: Orders = [None] * len(op.operands)
        present = [order_of(value) for value in op.results]
        return self.relayout_for(op, nothing, present, demands, given) or self.relayout_for(
            op, nothing, [None] * len(op.results), demands, given
        )

    def relayout_for(
        self, op: NpuOp, operands: Orders, results: Orders, demands: OpDemands | None, given: Orders | None = None
    ) -> Relayout | None:
        """The relayout for these orders, overridden by demands; operands without an order keep the `given` one if
        possible."""
        if demands is not None:
            operands, results = _overlaid(operands, demands.operands), _overlaid(results, demands.results)
        if given is not None and None in operands:
            as_given = [own if order is None else order for order, own in zip(operands, given, strict=True)]
            if (relayout := self.relayout(op, as_given, results)) is not None:
                return relayout
        return self.relayout(op, operands, results)

    def all_relayouts(
        self, op: NpuOp, operands: Orders, results: Orders, demands: OpDemands | None
    ) -> Sequence[Relayout]:
        """All relayouts for these orders, overridden by demands."""
        if demands is not None:
            operands, results = _overlaid(operands, demands.operands), _overlaid(results, demands.results)
        return self._relayouts(op, operands, results)

    def relayout(self, op: NpuOp, operands: Orders, results: Orders) -> Relayout | None:
        """The best relayout for these orders whose values the hardware can store."""
        return next(iter(self._relayouts(op, operands, results)), None)

    def _relayouts(self, op: NpuOp, operands: Orders, results: Orders) -> Sequence[Relayout]:
        key = self._kinds.of(op), tuple(operands), tuple(results)
        if key not in self._known:
            relayouts = relayouts_of(op, operands, results, self.target.matmul)
            self._known[key] = [
                relayout
                for relayout in relayouts
                if self._can_be_stored(op, relayout) and self._puts_axes_in_place(op, relayout.properties)
            ]
        return self._known[key]

    def _can_be_stored(self, op: NpuOp, relayout: Relayout) -> bool:
        if all(len(order) <= self._rank_of_all for order in (*relayout.operands, *relayout.results)):
            return True
        permutation = relayout.operand_permutation or range(len(op.operands))
        read = zip((op.operands[index] for index in permutation), relayout.operands, strict=True)
        return all(self.may_have(value, order) for value, order in (*read, *zip(op.results, relayout.results)))

    def has_axes_in_place(self, op: Operation) -> bool:
        """True if the axes that the attributes of an op name are where the target demands them."""
        return not isinstance(op, NpuOp) or self._puts_axes_in_place(op, {})

    def _puts_axes_in_place(self, op: NpuOp, changed: Mapping[str, Attribute]) -> bool:
        """True if they are with these changes of the attributes."""
        for name, place in self.target.axis_demands.get(op.name, {}).items():
            value = changed.get(name, op.properties.get(name))
            if value is None:
                continue
            axes, rank = numbers_of(value), rank_of(op.operands[0])
            wanted = range(rank - len(axes), rank) if place == LAST else [place]
            if sorted(axes) != [*wanted]:
                return False
        return True

    def order_with_axes_in_place(self, op: NpuOp) -> Order | None:
        """An order of the first operand in which they are; None if they are there already."""
        present = order_of(op.operands[0])
        if present is None or self.has_axes_in_place(op):
            return None
        places = list(range(len(present)))
        for name, place in self.target.axis_demands[op.name].items():
            named = numbers_of(op.properties[name]) if name in op.properties else ()
            rest = [each for each in places if each not in named]
            at = len(rest) if place == LAST else place
            places = [*rest[:at], *sorted(named), *rest[at:]]
        return permute(present, tuple(places))

    def may_be_cut(self, op: NpuOp) -> bool:
        """True if an op may work on pieces of its axes: it has no demand that pieces could break."""
        places = self.target.axis_demands.get(op.name, {})
        return self.demands(op) is None and all(place == LAST for place in places.values())

    def axis_reason(self, op: Operation) -> Reason | None:
        """The demand on the axes that an op names, in words."""
        for name, place in self.target.axis_demands.get(op.name, {}).items():
            where = "last" if place == LAST else f"at position {place}"
            return Reason(op, f"demands its {name} {where}{self._place(op, name)}")
        return None

    def matmul_reason(self, op: Operation) -> Reason | None:
        """The entry of the target that keeps the operands of a product of matrices in their order, in words."""
        if not isinstance(op, LinearOp) or self.target.matmul is MatmulFreedom.FREE:
            return None
        return Reason(op, f'keeps its order: matmul = "{self.target.matmul.value}" ({self.target.matmul_place})')

    def may_have(self, value: SSAValue, order: Order) -> bool:
        """True if the hardware can store a value in this order."""
        layout = encoding(value.type)
        return layout is None or order == order_of(value) or len(order) <= self.target.max_rank(layout.cls)


def named_demand(op: Operation, demands: OpDemands, operand: int | None = None) -> tuple[str, Layout]:
    """The name of an operand and the layout demanded of it; without a demand on it, the first demand on the op."""
    named = [*zip(operand_names(op), demands.operands), *zip(result_names(op), demands.results)]
    first = [] if operand is None else [named[operand]]
    return next((name, layout) for name, layout in (*first, *named) if layout is not None)


def _overlaid(orders: Orders, demands: Sequence[Layout | None]) -> Orders:
    """The orders, overridden by demands."""
    return [order if demand is None else demand.order for order, demand in zip(orders, demands, strict=True)]
