"""The rules of a target for ops: the demands on their values and named axes, and the freedom of its products."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from ....dialects.npu.axes import MatmulFreedom, Orders, Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.kinds import OpKinds
from ....dialects.npu.values import encoding, logical_shape, order_of_type
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE, assumed
from ....layout import Layout, unpermute
from ....targets import (
    AxisOrder,
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
from ..graph.op_classes import is_product
from ..moves.transpose_cost import moved_bytes
from ..storages.origins import Origins
from .axis_places import shape_in

if TYPE_CHECKING:
    from ....targets.facts import OpFacts

Sources: TypeAlias = Sequence[SSAValue | None]
"""The values of the program that the operands of an op outside of it stand for, as far as they are known."""
Kind: TypeAlias = int | tuple[int, tuple[bool, ...]]
"""The kind of an op, with which of its operands are constants where that matters."""


class OpDemands(NamedTuple):
    """The layouts that a target demands of the operands and results of an op; None without a demand."""

    operands: tuple[Layout | None, ...]
    results: tuple[Layout | None, ...]

    def are_met(self, operands: Orders, results: Orders) -> bool:
        """True if values in these orders are in the demanded layouts."""
        wanted = zip((*self.operands, *self.results), (*operands, *results), strict=True)
        return all(
            layout is None or (order is not None and layout.order_for(len(order)) == order) for layout, order in wanted
        )


class Alternative(NamedTuple):
    """Demands that an op may meet together, and the price of the op in this form, in ticks of the target."""

    demands: OpDemands
    price: int


class TargetRules:
    """The entries of a target's file that hold for an op. All ops of a kind have the same."""

    def __init__(self, target: Target, assumed_size: int = ASSUMED_SIZE) -> None:
        """Unknown sizes are assumed where a condition or price depends on them."""
        self.target = target
        self.kinds = OpKinds()
        self.assumed_size = assumed_size
        self._origins = Origins()
        self._asking_for_constants = {
            name
            for name, rules in target.demands.items()
            if any(rule.when is not None and rule.when.asks_for_constants for rule in rules)
        }
        """The names of the ops whose demands or prices depend on which operands are constants."""
        self._asking_for_constants.update(() if target.costs is None else target.costs.ops_asking_for_constants)
        has_prices_of_constants = target.costs is not None and target.costs.asks_for_constants
        self._products_ask = has_prices_of_constants or any(map(_asks_for_constants, target.matmul))
        """True if the forms or prices of products do."""
        self._rules: dict[Kind, DemandRule | None] = {}
        self._alternatives: dict[Kind, Sequence[Alternative]] = {}

    def kind(self, op: Operation, sources: Sources | None = None) -> Kind:
        """The kind of an op, of which all ops have the same demands."""
        kind = self.kinds.of(op)
        if name_of(op) not in self._asking_for_constants and not (self._products_ask and is_product(op)):
            return kind
        return kind, tuple(map(self._is_constant, op.operands if sources is None else sources))

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
            facts = self.facts(op)
            self._rules[kind] = next((rule for rule in rules if rule.when is None or rule.when.holds(facts)), None)
        return self._rules[kind]

    def facts(
        self,
        op: Operation,
        operands: Sequence[SSAValue] | None = None,
        own: Mapping[str, bool | int | tuple[int, ...]] | None = None,
        sources: Sources | None = None,
        relayout: Relayout | None = None,
    ) -> "OpFacts":
        """The facts of an op as it is, or in another form."""
        # Imported late: few targets have conditions or prices.
        from ....targets.facts import Amount, OpFacts

        def measure(type_: TensorType) -> Amount:
            shape = unpermute(type_.get_shape(), order_of_type(type_))
            return Amount(moved_bytes(type_, self.assumed_size), prod(assumed(shape, self.assumed_size)))

        def last_size(value: SSAValue) -> int:
            long = [size for size in assumed(shape_in(op, relayout, value), self.assumed_size) if size != 1]
            return long[-1] if long else 1

        if sources is None:
            return OpFacts(op, measure, self._is_constant, operands, own, last_size)
        constants = dict(zip(op.operands, map(self._is_constant, sources), strict=True))
        return OpFacts(op, measure, lambda value: constants.get(value, False), operands, own, last_size)

    def alternatives(self, op: Operation) -> Sequence[Alternative]:
        """The demands on an op, one of which has to be met; none without a demand.

        Of equal demands the cheapest counts.
        """
        if not self.target.has_demand(name_of(op)):
            return ()
        kind = self.kind(op)
        if kind not in self._alternatives:
            self._alternatives[kind] = self._alternatives_of(op)
        return self._alternatives[kind]

    def _alternatives_of(self, op: Operation) -> Sequence[Alternative]:
        rule = self.rule(op)
        if rule is None:
            return ()
        prices: dict[OpDemands, int] = {}
        for choice, demands in self._fitting(op, rule.choices):
            price = 0 if choice.price is None else choice.price.ticks(self.facts(op))
            if any(demands.operands) or any(demands.results):
                prices[demands] = min(price, prices.get(demands, price))
        return [Alternative(demands, price) for demands, price in prices.items()]

    def _fitting(self, op: Operation, choices: Sequence[DemandChoice]) -> Iterator[tuple[DemandChoice, OpDemands]]:
        """The choices with the fewest demands for another class or rank than that of their value."""
        values, border = named_values(op), len(op.operands)
        found: list[tuple[int, DemandChoice, OpDemands]] = []
        for choice in choices:
            wanted = [choice.demands.get(name) for name, _ in values]
            given = [self._demand(op, *named, demand) for named, demand in zip(values, wanted, strict=True)]
            strange = sum(demand is not None and each is None for demand, each in zip(wanted, given, strict=True))
            found.append((strange, choice, OpDemands(tuple(given[:border]), tuple(given[border:]))))
        fewest = min((strange for strange, _, _ in found), default=0)
        return ((choice, demands) for strange, choice, demands in found if strange == fewest)

    def _demand(self, op: Operation, name: str, value: SSAValue, demand: Demand | None) -> Layout | None:
        layout = encoding(value.type)
        if isinstance(demand, AxisOrder):
            letters = op.letters(name) if isinstance(op, NpuOp) else ""
            order = tuple(map(letters.index, demand.letters)) if letters else None
            return None if layout is None or order is None else layout.with_order(order)
        if layout is not None and isinstance(demand, Layout) and not demand.cls.is_cnn and demand.rank is not None:
            fits = demand.cls is layout.cls and demand.logical_rank(demand.rank) == len(logical_shape(value))
            return demand if fits else None
        return None if layout is None else self.target.demand(demand, layout)

    def axis_places(self, op: Operation) -> Mapping[str, AxisPlace]:
        """The places that the target demands of the axes that attributes of an op name."""
        rule = self.rule(op)
        return {} if rule is None else rule.axes

    def freedom(self, op: NpuOp, sources: Sources | None) -> MatmulFreedom:
        """The freedom of the target, without swapped operands where it needs a constant for that."""
        if op.LETTERED:
            # What a target lists counts, any order that it does not list is left out before.
            return MatmulFreedom.FREE if self.alternatives(op) else MatmulFreedom.RIGID
        freedom = self.matmul(op, sources)
        if not freedom.needs_constant or any(map(self._is_constant, (op.operands if sources is None else sources)[:2])):
            return freedom
        return replace(freedom, result=False, needs_constant=False)

    def matmul(self, op: NpuOp, sources: Sources | None = None) -> MatmulFreedom:
        """The freedom that the first rule of the target that holds for a product gives."""
        for rule in self.target.matmul if op.IS_PRODUCT else ():
            if rule.when is None or rule.when.holds(self.facts(op, sources=sources)):
                return rule.freedom
        return MatmulFreedom.RIGID

    def place(self, op: Operation, name: str) -> str:
        """`file:line` of a demand; the target's name if it was not read from a file."""
        rule = self.rule(op)
        return f"target {self.target.name}" if rule is None or name not in rule.places else rule.places[name]


def named_values(op: Operation) -> list[tuple[str, SSAValue]]:
    """The operands and results of an op, with their names in its definition."""
    operands = zip(operand_names(op), op.operands, strict=True)
    return [*operands, *zip(result_names(op), op.results, strict=True)]


def _asks_for_constants(rule: MatmulRule) -> bool:
    return rule.freedom.needs_constant or (rule.when is not None and rule.when.asks_for_constants)
