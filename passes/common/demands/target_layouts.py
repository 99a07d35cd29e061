"""The orders that a target demands or prefers for an op's values, and the relayouts that meet them."""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.npu.axes import MatmulFreedom, Orders, Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.values import encoding, rank_of
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE
from ....layout import Layout, LayoutClass, Order, permute
from ....targets import IMAGE, INCREASING, LAST, Target, name_of
from ..graph.op_classes import class_of, order_of, own_class
from .axis_places import are_at
from .op_prices import OpPrices
from .target_rules import Kind, OpDemands, Sources, TargetRules


class TargetLayouts:
    """The forms of ops with which a target's demands and preferences are met."""

    def __init__(self, target: Target, assumed_size: int = ASSUMED_SIZE) -> None:
        """Unknown sizes are assumed where a price depends on them."""
        self.target = target
        self.rules = TargetRules(target, assumed_size)
        self.prices = OpPrices(self.rules)
        self._rank_of_all = min(map(target.max_rank, LayoutClass))
        """Up to this rank, values of all classes can have any order."""
        self._demands: dict[Kind, OpDemands | None] = {}
        """The first demands that an op of a kind can meet."""
        self._preferred: dict[tuple[Kind, Orders | None], Relayout | None] = {}
        """The preferred relayouts of the ops of a kind, by the orders given."""
        self._known: dict[tuple[Kind, MatmulFreedom, Orders, Orders], Sequence[Relayout]] = {}
        """The relayouts of the ops of a kind, by the orders asked for."""

    def for_target(self, target: Target) -> "TargetLayouts":
        """The layouts of another target, with the relayouts that are known if these do not depend on its demands."""
        other = TargetLayouts(target, self.rules.assumed_size)
        other.rules.kinds = self.rules.kinds
        rules = (rule for each in (target, self.target) for rules in each.demands.values() for rule in rules)
        if not any(rule.axes for rule in rules):
            other._known = self._known
        return other

    def demands(self, op: Operation) -> OpDemands | None:
        """The first demands on an op that it can meet, or the first ones if there are none; None without any."""
        if not self.target.has_demand(name_of(op)):
            return None
        kind = self.rules.kind(op)
        if kind not in self._demands:
            self._demands[kind] = self._first_possible(op)
        return self._demands[kind]

    def _first_possible(self, op: Operation) -> OpDemands | None:
        all_demands = [each.demands for each in self.rules.alternatives(op)]
        if len(all_demands) < 2 or not isinstance(op, NpuOp):
            return next(iter(all_demands), None)
        return next((each for each in all_demands if self.can_meet(op, each)), all_demands[0])

    def can_meet(self, op: NpuOp, demands: OpDemands) -> bool:
        """True if an op has a form that meets demands."""
        return bool(self.all_relayouts(op, [None] * len(op.operands), [None] * len(op.results), demands))

    def preferred(self, value: SSAValue) -> Order | None:
        """The preferred order of a feature or weight, if the target has a preference that needs no pack or unpack."""
        layout = encoding(value.type)
        if layout is None or layout.order is None:
            return None
        preferred = self.target.preferred(layout.cls, layout.logical_rank(len(layout.order)))
        return None if preferred is None or preferred.tiles != layout.tiles else preferred.order

    def are_preferred(self, op: Operation, demands: OpDemands) -> bool:
        """True if all demands on an op agree with the target's preferences."""
        values, wanted = (*op.operands, *op.results), (*demands.operands, *demands.results)
        return all(
            layout is None or layout.order_for(rank_of(value)) == self.preferred(value)
            for value, layout in zip(values, wanted, strict=True)
        )

    def preferred_relayout(self, op: NpuOp, given: Orders | None = None) -> Relayout | None:
        """The relayout with the op's features or weights in the preferred order and all demands met.

        Other operands keep their `given` orders if such a relayout exists.
        """
        key = self.rules.kind(op), given if given is None else tuple(given)
        if key not in self._preferred:
            self._preferred[key] = self._find_preferred(op, self.demands(op), given)
        return self._preferred[key]

    def _find_preferred(self, op: NpuOp, demands: OpDemands | None, given: Orders | None) -> Relayout | None:
        cls = own_class(op)
        operands = [self.preferred(value) if class_of(value) is cls else None for value in op.operands]
        results = [self.preferred(value) or order_of(value) for value in op.results]
        return self.relayout_for(op, operands, results, demands, given)

    def demanded_relayout(self, op: NpuOp, demands: OpDemands, given: Orders) -> Relayout | None:
        """The relayout that meets the demands and otherwise changes as little as possible.

        A tensor is stored as before if other demands of the target allow that.
        """
        nothing: Orders = [None] * len(op.operands)
        present = [order_of(value) for value in op.results]
        others = [each.demands for each in self.rules.alternatives(op)] if own_class(op) is LayoutClass.TENSOR else []
        for each in (demands, *others):
            if (relayout := self.relayout_for(op, nothing, present, each, given)) is not None:
                return relayout
        return self.relayout_for(op, nothing, [None] * len(op.results), demands, given)

    def relayout_for(
        self, op: NpuOp, operands: Orders, results: Orders, demands: OpDemands | None, given: Orders | None = None
    ) -> Relayout | None:
        """The relayout for these orders, overridden by demands; operands without an order keep the `given` one if
        possible."""
        if demands is not None:
            operands = _overlaid(operands, demands.operands, op.operands)
            results = _overlaid(results, demands.results, op.results)
        if given is not None and None in operands:
            as_given = [own if order is None else order for order, own in zip(operands, given, strict=True)]
            if (relayout := self.relayout(op, as_given, results)) is not None:
                return relayout
        return self.relayout(op, operands, results)

    def all_relayouts(
        self,
        op: NpuOp,
        operands: Orders,
        results: Orders,
        demands: OpDemands | None,
        sources: Sources | None = None,
    ) -> Sequence[Relayout]:
        """All relayouts for these orders, overridden by demands.

        `sources` are the values of the program that an op outside of it reads.
        """
        if demands is not None:
            operands = _overlaid(operands, demands.operands, op.operands)
            results = _overlaid(results, demands.results, op.results)
        return self._relayouts(op, operands, results, sources)

    def relayout(self, op: NpuOp, operands: Orders, results: Orders) -> Relayout | None:
        """The best relayout for these orders whose values the hardware can store.

        It does not swap the operands of a product at a price: who asks for one form weighs no prices.
        """
        found = self._relayouts(op, operands, results)
        if op.IS_PRODUCT and self.target.costs is not None and self.target.costs.products:
            most = self.prices.of(op)
            found = [each for each in found if each.operand_permutation is None or self.prices.of(op, each) <= most]
        return next(iter(found), None)

    def _relayouts(
        self, op: NpuOp, operands: Orders, results: Orders, sources: Sources | None = None
    ) -> Sequence[Relayout]:
        freedom = self.rules.freedom(op, sources)
        key = self.rules.kind(op, sources), freedom, tuple(operands), tuple(results)
        if key not in self._known:
            if INCREASING in self.rules.axis_places(op).values():
                operands, results = op.in_line(operands, results)
            self._known[key] = [
                relayout
                for relayout in op.relayouts_within(operands, results, freedom)
                if self._can_be_stored(op, relayout) and self._puts_axes_in_place(op, relayout)
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
        return not isinstance(op, NpuOp) or self._puts_axes_in_place(op, None)

    def _puts_axes_in_place(self, op: NpuOp, relayout: Relayout | None) -> bool:
        """True if they are in another form of the op, or in the present one."""
        for name, place in self.rules.axis_places(op).items():
            axes = op.named_axes(name, relayout)
            if axes is not None and not are_at(place, op, relayout, axes):
                return False
        return True

    def order_with_axes_in_place(self, op: NpuOp) -> Order | None:
        """An order of the first operand in which they are; None if they are there already."""
        present = order_of(op.operands[0])
        if present is None or self.has_axes_in_place(op):
            return None
        places = list(range(len(present)))
        for name, place in self.rules.axis_places(op).items():
            named = op.named_axes(name) or ()
            if place == INCREASING:
                places.sort(key=named.__getitem__)
                continue
            if place == IMAGE and len(named) == len(places):
                places = [*named]
                continue
            rest = [each for each in places if each not in named]
            at = place if isinstance(place, int) else len(rest)
            places = [*rest[:at], *sorted(named), *rest[at:]]
        return permute(present, tuple(places))

    def may_be_cut(self, op: NpuOp) -> bool:
        """True if an op may work on pieces of its axes: it has no demand that pieces could break."""
        rules = self.target.demands.get(name_of(op), ())
        if any(rule.axes for rule in rules) and any(rule.when is not None for rule in rules):
            # A condition may hold for the op and not for the op over pieces.
            return False
        places = self.rules.axis_places(op).values()
        return self.demands(op) is None and all(place in (LAST, INCREASING) for place in places)

    def may_have(self, value: SSAValue, order: Order) -> bool:
        """True if the hardware can store a value in this order."""
        layout = encoding(value.type)
        if layout is None or order == order_of(value):
            return True
        return layout.logical_rank(len(order)) <= self.target.max_rank(layout.cls)


def _overlaid(orders: Orders, demands: Sequence[Layout | None], values: Sequence[SSAValue]) -> Orders:
    """The orders of values, overridden by demands."""
    return [
        order if demand is None else demand.order_for(rank_of(value))
        for order, demand, value in zip(orders, demands, values, strict=True)
    ]
