"""The layouts a target demands or prefers for an op's values, and the relayouts that meet them."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from ....dialects.npu.axes import MatmulFreedom, Orders, Relayout, numbers_of
from ....dialects.npu.base import NpuOp
from ....dialects.npu.kinds import OpKinds
from ....dialects.npu.values import encoding, logical_shape, order_of_type
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE, assumed
from ....layout import Layout, LayoutClass, Order, permute, unpermute
from ....targets import (
    IMAGE,
    INCREASING,
    LAST,
    NEXT_TO_LAST,
    OTHER,
    AxisPlace,
    Demand,
    DemandChoice,
    DemandRule,
    MatmulRule,
    Target,
    name_of,
    operand_names,
    result_names,
)
from ..graph.op_classes import class_of, is_fixed, is_product, order_of, own_class
from ..moves.transpose_cost import moved_bytes, units_text
from ..storages.origins import Origins
from ..words.reasons import Reason
from .axis_places import are_at, place_of

if TYPE_CHECKING:
    from ....targets.facts import OpFacts
    from ....targets.prices import Price

Sources: TypeAlias = Sequence[SSAValue | None]
"""The values of the program that the operands of an op outside of it stand for, as far as they are known."""


class OpDemands(NamedTuple):
    """The layouts that a target demands of the operands and results of an op; None without a demand."""

    operands: tuple[Layout | None, ...]
    results: tuple[Layout | None, ...]

    def are_met(self, operands: Orders, results: Orders) -> bool:
        """True if values in these orders are in the demanded layouts."""
        wanted = zip((*self.operands, *self.results), (*operands, *results), strict=True)
        return all(layout is None or layout.order == order for layout, order in wanted)


class Alternative(NamedTuple):
    """Demands that an op may meet together, and the price of the op in this form, in ticks of the target."""

    demands: OpDemands
    price: int


class TargetLayouts:
    """The demands and preferences of a target."""

    def __init__(self, target: Target, assumed_size: int = ASSUMED_SIZE) -> None:
        """Unknown sizes are assumed where a price depends on them."""
        self.target = target
        self.has_prices = _has_prices(target)
        """True if the price of an op may depend on its form."""
        self._assumed_size = assumed_size
        self._origins = Origins()
        self._asking_for_constants = {
            name
            for name, rules in target.demands.items()
            if any(rule.when is not None and rule.when.asks_for_constants for rule in rules)
        }
        """The names of the ops whose demands depend on which operands are constants."""
        has_prices_of_constants = target.costs is not None and target.costs.asks_for_constants
        self._products_ask = has_prices_of_constants or any(map(_asks_for_constants, target.matmul))
        """True if the forms or prices of products do."""
        self._rank_of_all = min(map(target.max_rank, LayoutClass))
        """Up to this rank, values of all classes can have any order."""
        self._kinds = OpKinds()
        self._kinds_by_constants: dict[tuple[int, tuple[bool, ...]], int] = {}
        self._rules: dict[int, DemandRule | None] = {}
        """The rules for the ops of a kind."""
        self._alternatives: dict[int, Sequence[Alternative]] = {}
        """The demands on the ops of a kind."""
        self._examples: list[Operation] = []
        """An op of each kind with demands that was asked for."""
        self._demands: dict[int, OpDemands | None] = {}
        """The first of them that an op of a kind can meet."""
        self._unmet: dict[int, str | None] = {}
        """The demands that no form of the ops of a kind meets, in words."""
        self._preferred: dict[tuple[int, Orders | None], Relayout | None] = {}
        """The preferred relayouts of the ops of a kind, by the orders given."""
        self._prices: dict[Hashable, int] = {}
        """The prices of the ops of a kind in a form."""
        self._known: dict[tuple[int, Orders, Orders], list[Relayout]] = {}
        """The relayouts of the ops of a kind, by the orders asked for."""
        self._known_products: dict[tuple[int, Orders, Orders], list[Relayout]] = {}
        """The relayouts of the products of matrices of a kind, by the orders asked for."""

    def for_target(self, target: Target) -> "TargetLayouts":
        """The layouts of another target, with the relayouts that are known if these do not depend on its demands."""
        other = TargetLayouts(target, self._assumed_size)
        rules = (rule for each in (target, self.target) for rules in each.demands.values() for rule in rules)
        if any(rule.axes for rule in rules):
            return other
        other._kinds, other._kinds_by_constants, other._known = self._kinds, self._kinds_by_constants, self._known
        if target.matmul == self.target.matmul:
            other._known_products = self._known_products
        return other

    def kind(self, op: Operation, sources: Sources | None = None) -> int:
        """The number of the kind of an op, of which all ops have the same demands."""
        kind = self._kinds.of(op)
        if name_of(op) not in self._asking_for_constants and not (self._products_ask and is_product(op)):
            return kind
        key = kind, tuple(map(self._is_constant, op.operands if sources is None else sources))
        return self._kinds_by_constants.setdefault(key, -1 - len(self._kinds_by_constants))

    def _is_constant(self, value: SSAValue | None) -> bool:
        return value is not None and self._origins.is_constant(value)

    def rule(self, op: Operation) -> DemandRule | None:
        """The first rule of the target that holds for an op."""
        rules = self.target.demands.get(name_of(op))
        if rules is None:
            return None
        if len(rules) == 1 and rules[0].when is None:
            return rules[0]
        kind = self.kind(op)
        if kind not in self._rules:
            facts = self._facts(op)
            self._rules[kind] = next((rule for rule in rules if rule.when is None or rule.when.holds(facts)), None)
        return self._rules[kind]

    def _facts(
        self,
        op: Operation,
        operands: Sequence[SSAValue] | None = None,
        own: Mapping[str, bool | int | tuple[int, ...]] | None = None,
        sources: Sources | None = None,
    ) -> "OpFacts":
        # Imported late: few targets have conditions or prices.
        from ....targets.facts import Amount, OpFacts

        def measure(type_: TensorType) -> Amount:
            shape = unpermute(type_.get_shape(), order_of_type(type_))
            return Amount(moved_bytes(type_, self._assumed_size), prod(assumed(shape, self._assumed_size)))

        if sources is None:
            return OpFacts(op, measure, self._is_constant, operands, own)
        constants = dict(zip(op.operands, map(self._is_constant, sources), strict=True))
        return OpFacts(op, measure, lambda value: constants.get(value, False), operands, own)

    def alternatives(self, op: Operation) -> Sequence[Alternative]:
        """The demands on an op, one of which has to be met; none without a demand.

        Of equal demands the cheapest counts.
        """
        if not self.target.has_demand(name_of(op)):
            return ()
        kind = self.kind(op)
        if kind not in self._alternatives:
            self._alternatives[kind] = self._alternatives_of(op)
            self._examples.append(op)
        return self._alternatives[kind]

    def _alternatives_of(self, op: Operation) -> Sequence[Alternative]:
        rule = self.rule(op)
        if rule is None:
            return ()
        prices: dict[OpDemands, int] = {}
        for choice, demands in self._fitting(op, rule.choices):
            price = 0 if choice.price is None else choice.price.ticks(self._facts(op))
            if any(demands.operands) or any(demands.results):
                prices[demands] = min(price, prices.get(demands, price))
        return [Alternative(demands, price) for demands, price in prices.items()]

    def _fitting(self, op: Operation, choices: Sequence[DemandChoice]) -> Iterator[tuple[DemandChoice, OpDemands]]:
        """The choices with the fewest demands for another class or rank than that of their value."""
        values, border = _named_values(op), len(op.operands)
        found: list[tuple[int, DemandChoice, OpDemands]] = []
        for choice in choices:
            wanted = [choice.demands.get(name) for name, _ in values]
            given = [self._demand(value, demand) for (_, value), demand in zip(values, wanted, strict=True)]
            strange = sum(demand is not None and each is None for demand, each in zip(wanted, given, strict=True))
            found.append((strange, choice, OpDemands(tuple(given[:border]), tuple(given[border:]))))
        fewest = min((strange for strange, _, _ in found), default=0)
        return ((choice, demands) for strange, choice, demands in found if strange == fewest)

    def _demand(self, value: SSAValue, demand: Demand | None) -> Layout | None:
        layout = encoding(value.type)
        if layout is not None and isinstance(demand, Layout) and not demand.cls.is_cnn and demand.rank is not None:
            fits = demand.cls is layout.cls and demand.logical_rank(demand.rank) == len(logical_shape(value))
            return demand if fits else None
        return None if layout is None else self.target.demand(demand, layout)

    def demands(self, op: Operation) -> OpDemands | None:
        """The first demands on an op that it can meet, or the first ones if there are none; None without any."""
        if not self.target.has_demand(name_of(op)):
            return None
        kind = self.kind(op)
        if kind not in self._demands:
            self._demands[kind] = self._first_possible(op)
        return self._demands[kind]

    def _first_possible(self, op: Operation) -> OpDemands | None:
        all_demands = [each.demands for each in self.alternatives(op)]
        if len(all_demands) < 2 or not isinstance(op, NpuOp):
            return next(iter(all_demands), None)
        nothing = [None] * len(op.operands), [None] * len(op.results)
        return next((each for each in all_demands if self.all_relayouts(op, *nothing, each)), all_demands[0])

    @property
    def are_all_met(self) -> bool:
        """True if a form meets the demands on each op whose demands were asked for."""
        return not any(map(self.unmet, [*self._examples]))

    def unmet(self, op: Operation) -> str | None:
        """The demands on an op that none of its forms meets, in words; None if there is a form for them."""
        if not self.target.has_demand(name_of(op)) or not isinstance(op, NpuOp) or is_fixed(op):
            return None
        kind = self.kind(op)
        if kind not in self._unmet:
            self._unmet[kind] = self._find_unmet(op)
        return self._unmet[kind]

    def _find_unmet(self, op: NpuOp) -> str | None:
        all_demands = [each.demands for each in self.alternatives(op)]
        present = [order_of(value) for value in op.operands], [order_of(value) for value in op.results]
        nothing = [None] * len(op.operands), [None] * len(op.results)
        if not all_demands or any(
            each.are_met(*present) or self.all_relayouts(op, *nothing, each) for each in all_demands
        ):
            return None
        if self.target.blocks and any(self._meets_in_blocks(op, each) for each in all_demands):
            return None
        first = all_demands[0]
        named = zip(_named_values(op), (*first.operands, *first.results), strict=True)
        wanted = dict.fromkeys((f"{layout} of {name}", name) for (name, _), layout in named if layout is not None)
        other = ", or another choice" if len(all_demands) > 1 else ""
        return f"{' with '.join(text for text, _ in wanted)}{other} ({self.place(op, next(iter(wanted))[1])})"

    def _meets_in_blocks(self, op: NpuOp, demands: OpDemands) -> bool:
        # Imported late: few targets demand blocks.
        from ....dialects.npu.in_blocks import form_in_blocks, own_tiles

        wanted = [layout for layout in (*demands.operands, *demands.results) if layout is not None]
        tiles = next((layout.tiles for layout in wanted if layout.tiles and layout.cls is wanted[0].cls), None)
        if tiles is None:
            return False
        form = form_in_blocks(op, dict(tiles), own_tiles(op, demands.operands, demands.results))
        nothing = [None] * len(op.operands), [None] * len(op.results)
        return form is not None and bool(self.all_relayouts(form, *nothing, demands))

    def price(self, op: Operation, relayout: Relayout | None = None, sources: Sources | None = None) -> int:
        """The price of running an op as it is, or in another form, in ticks of the target.

        The cheapest demands that the form meets count, and where the form reads operands transposed or has the axes
        that attributes name. A form that meets none of the demands on its op costs no more for it. `sources` are the
        values of the program that an op outside of it reads.
        """
        if not self.has_prices or not isinstance(op, NpuOp):
            return 0
        key = self.kind(op, sources), None if relayout is None else self._kinds.of_relayout(relayout)
        if key not in self._prices:
            self._prices[key] = self._price_of_demands(op, relayout) + self._price_of_form(op, relayout, sources)
        return self._prices[key]

    def _price_of_demands(self, op: NpuOp, relayout: Relayout | None) -> int:
        if relayout is None:
            orders = [order_of(value) for value in op.operands], [order_of(value) for value in op.results]
        else:
            orders = [relayout.operands[relayout.place_of(at)] for at in range(len(op.operands))], relayout.results
        return min((each.price for each in self.alternatives(op) if each.demands.are_met(*orders)), default=0)

    def _price_of_form(self, op: NpuOp, relayout: Relayout | None, sources: Sources | None) -> int:
        """The price of a product and of reading its operands transposed, and of the places of named axes."""
        costs = self.target.costs
        if costs is None or not (costs.has_products or name_of(op) in costs.axes):
            return 0
        properties, operands = op.properties, tuple(op.operands)
        if relayout is not None:
            properties = {**properties, **relayout.properties}
            properties = {name: value for name, value in properties.items() if name not in relayout.removed}
            if relayout.operand_permutation is not None:
                operands = permute(operands, relayout.operand_permutation)
        own = op.facts_of_form(relayout is not None and relayout.operand_permutation is not None)
        facts = self._facts(op, operands, own, sources)
        places = costs.axes.get(name_of(op), {})
        prices = [price for name, each in places.items() if (price := _at(each, place_of(op, relayout, name)))]
        read = op.read_transposed(properties, operands)
        prices += [costs.matmul[name] for name in read if name in costs.matmul]
        total = sum(price.ticks(facts) for price in prices)
        return total + costs.of_product(facts) if op.IS_PRODUCT else total

    def reason(self, op: Operation, demands: OpDemands, operand: int | None = None) -> Reason:
        """The demand on an operand in words, or the first demand on the op."""
        return self.demand_reason(op, *named_demand(op, demands, operand))

    def demand_reason(self, op: Operation, name: str, layout: Layout) -> Reason:
        return Reason(op, f"demands {layout} of {name} ({self.place(op, name)})")

    def choices_reason(self, op: Operation, demands: OpDemands, operand: int | None = None) -> Reason:
        """The reason of a demand with all layouts that the target accepts there, and their prices."""
        wanted, _ = named_demand(op, demands, operand)
        prices: dict[Layout, int] = {}
        for alternative in self.alternatives(op):
            both = zip(_named_values(op), (*alternative.demands.operands, *alternative.demands.results), strict=True)
            for layout in (layout for (name, _), layout in both if name == wanted and layout is not None):
                prices[layout] = min(alternative.price, prices.get(layout, alternative.price))
        unit = "" if self.target.costs is None else f" {self.target.costs.unit}"
        layouts = (
            f"{layout} ({units_text(price)}{unit})" if price else str(layout) for layout, price in prices.items()
        )
        return Reason(op, f"demands {' or '.join(layouts)} of {wanted} ({self.place(op, wanted)})")

    def place(self, op: Operation, name: str) -> str:
        """`file:line` of a demand; the target's name if it was not read from a file."""
        rule = self.rule(op)
        return f"target {self.target.name}" if rule is None or name not in rule.places else rule.places[name]

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
            layout is None or layout.order == self.preferred(value)
            for value, layout in zip(values, wanted, strict=True)
        )

    def preferred_relayout(self, op: NpuOp, given: Orders | None = None) -> Relayout | None:
        """The relayout with the op's features or weights in the preferred order and all demands met.

        Other operands keep their `given` orders if such a relayout exists.
        """
        key = self.kind(op), given if given is None else tuple(given)
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
        others = [each.demands for each in self.alternatives(op)] if own_class(op) is LayoutClass.TENSOR else []
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
            operands, results = _overlaid(operands, demands.operands), _overlaid(results, demands.results)
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
            operands, results = _overlaid(operands, demands.operands), _overlaid(results, demands.results)
        return self._relayouts(op, operands, results, sources)

    def relayout(self, op: NpuOp, operands: Orders, results: Orders) -> Relayout | None:
        """The best relayout for these orders whose values the hardware can store.

        It does not swap the operands of a product at a price: who asks for one form weighs no prices.
        """
        found = self._relayouts(op, operands, results)
        if op.IS_PRODUCT and self.target.costs is not None and self.target.costs.products:
            most = self.price(op)
            found = [each for each in found if each.operand_permutation is None or self.price(op, each) <= most]
        return next(iter(found), None)

    def _relayouts(
        self, op: NpuOp, operands: Orders, results: Orders, sources: Sources | None = None
    ) -> Sequence[Relayout]:
        key = self.kind(op, sources), tuple(operands), tuple(results)
        known = self._known_products if op.IS_PRODUCT else self._known
        if key not in known:
            if INCREASING in self._axis_places(op).values():
                operands, results = op.in_line(operands, results)
            relayouts = op.relayouts_within(operands, results, self._freedom(op, sources))
            known[key] = [
                relayout
                for relayout in relayouts
                if self._can_be_stored(op, relayout) and self._puts_axes_in_place(op, relayout)
            ]
        return known[key]

    def _freedom(self, op: NpuOp, sources: Sources | None) -> MatmulFreedom:
        """The freedom of the target, without swapped operands where it needs a constant for that."""
        freedom = self._matmul(op, sources)
        if not freedom.needs_constant or any(map(self._is_constant, (op.operands if sources is None else sources)[:2])):
            return freedom
        return replace(freedom, result=False, needs_constant=False)

    def _matmul(self, op: NpuOp, sources: Sources | None = None) -> MatmulFreedom:
        """The freedom that the first rule of the target that holds for a product gives."""
        for rule in self.target.matmul if op.IS_PRODUCT else ():
            if rule.when is None or rule.when.holds(self._facts(op, sources=sources)):
                return rule.freedom
        return MatmulFreedom.RIGID

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
        for name, place in self._axis_places(op).items():
            own = op.properties.get(name)
            value = own if relayout is None else relayout.properties.get(name, own)
            if value is not None and not are_at(place, op, relayout, numbers_of(value)):
                return False
        return True

    def _axis_places(self, op: Operation) -> Mapping[str, AxisPlace]:
        """The places that the target demands of the axes that attributes of an op name."""
        rule = self.rule(op)
        return {} if rule is None else rule.axes

    def order_with_axes_in_place(self, op: NpuOp) -> Order | None:
        """An order of the first operand in which they are; None if they are there already."""
        present = order_of(op.operands[0])
        if present is None or self.has_axes_in_place(op):
            return None
        places = list(range(len(present)))
        for name, place in self._axis_places(op).items():
            named = numbers_of(op.properties[name]) if name in op.properties else ()
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

    def orders_with_prices(self, op: NpuOp) -> Iterator[Order]:
        """The orders of the first operand that have the axes whose place has a price where they cost less."""
        names = () if self.target.costs is None else tuple(self.target.costs.axes.get(name_of(op), {}))
        present = order_of(op.operands[0]) if names else None
        if present is None:
            return
        for name in names:
            last, other = self._prices_of_places(op, name)
            named = sorted(numbers_of(op.properties[name])) if name in op.properties else []
            rest = [place for place in range(len(present)) if place not in named]
            if last != other:
                yield permute(present, (*rest, *named) if last < other else (*named, *rest))

    def _prices_of_places(self, op: NpuOp, name: str) -> tuple[int, int]:
        """The price of the axes that an attribute names if they are last, and if they are not."""
        assert self.target.costs is not None
        places, facts = self.target.costs.axes[name_of(op)][name], self._facts(op)
        last, other = (0 if price is None else price.ticks(facts) for price in map(places.get, (LAST, OTHER)))
        return last, other

    def may_be_cut(self, op: NpuOp) -> bool:
        """True if an op may work on pieces of its axes: it has no demand that pieces could break."""
        rules = self.target.demands.get(name_of(op), ())
        if any(rule.axes for rule in rules) and any(rule.when is not None for rule in rules):
            # A condition may hold for the op and not for the op over pieces.
            return False
        places = self._axis_places(op).values()
        return self.demands(op) is None and all(place in (LAST, INCREASING) for place in places)

    def axis_reason(self, op: Operation) -> Reason | None:
        """The demand on the axes that an op names, in words."""
        for name, place in self._axis_places(op).items():
            where = f"at position {place}" if isinstance(place, int) else place
            return Reason(op, f"demands its {name} {where} ({self.place(op, name)})")
        return None

    def price_reason(self, op: Operation) -> Reason | None:
        """The price of the places of named axes, or of operands that are read transposed, in words."""
        costs = self.target.costs
        if costs is None or not isinstance(op, NpuOp):
            return None
        for name in costs.axes.get(name_of(op), {}):
            last, other = self._prices_of_places(op, name)
            if last != other:
                where = "last" if last < other else "elsewhere than last"
                return Reason(op, f"costs less with its {name} {where} ({costs.place(name_of(op))})")
        if op.IS_PRODUCT and costs.has_products:
            what = "not transposed or swapped" if costs.products else "not transposed"
            return Reason(op, f"costs less with operands that are {what} ({costs.place('matmul')})")
        return None

    def matmul_reason(self, op: Operation) -> Reason | None:
        """The entry of the target that keeps the operands of a product of matrices in their order, in words."""
        if not isinstance(op, NpuOp) or not op.IS_PRODUCT or (freedom := self._matmul(op)) == MatmulFreedom.FREE:
            return None
        return Reason(op, f"keeps its order: matmul = {freedom.text} ({self.target.matmul_place})")

    def may_have(self, value: SSAValue, order: Order) -> bool:
        """True if the hardware can store a value in this order."""
        layout = encoding(value.type)
        if layout is None or order == order_of(value):
            return True
        return layout.logical_rank(len(order)) <= self.target.max_rank(layout.cls)


def named_demand(op: Operation, demands: OpDemands, operand: int | None = None) -> tuple[str, Layout]:
    """The name of an operand and the layout demanded of it; without a demand on it, the first demand on the op."""
    named = [*zip((name for name, _ in _named_values(op)), (*demands.operands, *demands.results), strict=True)]
    first = [] if operand is None else [named[operand]]
    return next((name, layout) for name, layout in (*first, *named) if layout is not None)


def _asks_for_constants(rule: MatmulRule) -> bool:
    return rule.freedom.needs_constant or (rule.when is not None and rule.when.asks_for_constants)


def _overlaid(orders: Orders, demands: Sequence[Layout | None]) -> Orders:
    """The orders, overridden by demands."""
    return [order if demand is None else demand.order for order, demand in zip(orders, demands, strict=True)]


def _named_values(op: Operation) -> list[tuple[str, SSAValue]]:
    """The operands and results of an op, with their names in its definition."""
    operands = zip(operand_names(op), op.operands, strict=True)
    return [*operands, *zip(result_names(op), op.results, strict=True)]


def _at(prices: Mapping[str, "Price"], place: str) -> "Price | None":
    """The price of axes at a place: next to the last one as anywhere else, unless it has a price of its own."""
    return prices.get(place, prices.get(OTHER) if place == NEXT_TO_LAST else None)


def _has_prices(target: Target) -> bool:
    """True if the price of an op may depend on its form."""
    rules = (rule for rules in target.demands.values() for rule in rules)
    if any(choice.price is not None for rule in rules for choice in rule.choices):
        return True
    return target.costs is not None and bool(target.costs.has_products or target.costs.axes)
