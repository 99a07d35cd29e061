"""The prices of ops in their forms, in ticks of a target."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.fusion import FusionKind
from ....layout import Order, permute
from ....targets import LAST, NEXT_TO_LAST, OTHER, Target, name_of
from ..graph.op_classes import order_of
from .axis_places import place_of
from .target_rules import Sources, TargetRules

if TYPE_CHECKING:
    from ....targets.costs import PriceRule


class OpPrices:
    """The prices that a target's file gives to ops, by the demands that they meet and the axes that they name."""

    def __init__(self, rules: TargetRules) -> None:
        self.matter = _has_prices(rules.target)
        """True if the price of an op may depend on its form."""
        self._rules = rules
        self._costs = rules.target.costs
        self._prices: dict[Hashable, int] = {}
        """The prices of the ops of a kind in a form."""

    def of(self, op: Operation, relayout: Relayout | None = None, sources: Sources | None = None) -> int:
        """The price of running an op as it is, or in another form, in ticks of the target.

        The cheapest demands that the form meets count, and where the form reads operands transposed or has the axes
        that attributes name. A form that meets none of the demands on its op costs no more for it. `sources` are the
        values of the program that an op outside of it reads.
        """
        if not self.matter or not isinstance(op, NpuOp):
            return 0
        key = self._rules.kind(op, sources), None if relayout is None else self._rules.kinds.of_relayout(relayout)
        if key not in self._prices:
            self._prices[key] = self._price_of_demands(op, relayout) + self._price_of_form(op, relayout, sources)
        return self._prices[key]

    def _price_of_demands(self, op: NpuOp, relayout: Relayout | None) -> int:
        if relayout is None:
            orders = [order_of(value) for value in op.operands], [order_of(value) for value in op.results]
        else:
            orders = relayout.reads, relayout.results
        return min((each.price for each in self._rules.alternatives(op) if each.demands.are_met(*orders)), default=0)

    def _price_of_form(self, op: NpuOp, relayout: Relayout | None, sources: Sources | None) -> int:
        """The price of a product and of reading its operands transposed, and of the places of named axes."""
        costs = self._costs
        if costs is None or not (costs.has_products or name_of(op) in costs.axes):
            return 0
        properties, operands = op.properties, tuple(op.operands)
        if relayout is not None:
            properties = {**properties, **relayout.properties}
            properties = {name: value for name, value in properties.items() if name not in relayout.removed}
            if relayout.operand_permutation is not None:
                operands = permute(operands, relayout.operand_permutation)
        own = op.facts_of_form(relayout is not None and relayout.operand_permutation is not None)
        facts = self._rules.facts(op, operands, own, sources, relayout)
        places = costs.axes.get(name_of(op), {})
        found = (costs.price_in(_at(each, place_of(op, relayout, name)), facts) for name, each in places.items())
        prices = [price for price in found if price is not None]
        read = op.read_transposed(properties, operands)
        prices += [costs.matmul[name] for name in read if name in costs.matmul]
        total = sum(price.ticks(facts) for price in prices)
        return total + costs.of_product(facts) if op.IS_PRODUCT else total

    @property
    def has_second_runs(self) -> bool:
        """True if some op may run twice."""
        return self._costs is not None and bool(self._costs.recompute)

    def of_second_run(self, op: NpuOp) -> int | None:
        """The price of running an op a second time, in ticks of the target; None if it runs once only."""
        if self._costs is None or not self._costs.recompute:
            return None
        is_elementwise = op.SHARES_LAYOUT and op.fusion_kind() <= FusionKind.BROADCAST
        return self._costs.of_second_run(name_of(op), is_elementwise, self._rules.facts(op))

    def favoured_orders(self, op: NpuOp) -> Iterator[Order]:
        """The orders of the first operand that have the axes whose place has a price where they cost less."""
        names = () if self._costs is None else tuple(self._costs.axes.get(name_of(op), {}))
        present = order_of(op.operands[0]) if names else None
        if present is None:
            return
        for name in names:
            last, other = self.at_places(op, name)
            named = sorted(op.named_axes(name) or ())
            rest = [place for place in range(len(present)) if place not in named]
            if last != other:
                yield permute(present, (*rest, *named) if last < other else (*named, *rest))

    def at_places(self, op: NpuOp, name: str) -> tuple[int, int]:
        """The price of the axes that an attribute names if they are last, and if they are not."""
        assert self._costs is not None
        places, facts = self._costs.axes[name_of(op)][name], self._rules.facts(op)
        prices = (self._costs.price_in(places.get(place, ()), facts) for place in (LAST, OTHER))
        last, other = (0 if price is None else price.ticks(facts) for price in prices)
        return last, other


def _at(prices: "Mapping[str, tuple[PriceRule, ...]]", place: str) -> "Sequence[PriceRule]":
    """The prices of axes at a place: next to the last one as anywhere else, unless that has prices of its own."""
    return prices.get(place, prices.get(OTHER, ()) if place == NEXT_TO_LAST else ())


def _has_prices(target: Target) -> bool:
    """True if the price of an op may depend on its form."""
    rules = (rule for rules in target.demands.values() for rule in rules)
    if any(choice.price is not None for rule in rules for choice in rule.choices):
        return True
    return target.costs is not None and bool(target.costs.has_products or target.costs.axes)
