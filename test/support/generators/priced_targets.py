"""Targets with random costs, and the table of these costs for an oracle."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from npu_opt.dialects.npu.axes import MatmulFreedom
from npu_opt.layout import Layout, LayoutClass
from npu_opt.targets import DemandChoice, DemandRule, MatmulRule, PreferredOrder, Target
from npu_opt.targets.conditions import Condition, parse_condition
from npu_opt.targets.costs import Costs, PriceRule, TransposeRules
from npu_opt.targets.model import Demand
from npu_opt.targets.prices import LINES, QUANTITIES, Price, PriceTerm

from support.oracles.prices import SMALL, PricedForm, TransposeTable

CONDITIONS = {
    "keeps": "keeps the last axis",
    "swaps": "swaps blocks",
    "small": f"bytes < {SMALL}",
}
AXES = {"npu.softmax": "axis", "npu.layer_norm": "axes", "npu.reduce_sum": "axes", "npu.reduce_mean": "axes"}
OTHERS = {
    LayoutClass.FEATURE: {3: ("NCW", "NWC"), 4: ("NCHW", "NHWC", "CHWN"), 5: ("NCDHW", "NDHWC")},
    LayoutClass.WEIGHT: {3: ("OIW", "WOI"), 4: ("OIHW", "HWOI", "HWIO"), 5: ("OIDHW", "DHWOI")},
}


def priced_target(target: Target, seed: int, with_matmul: bool) -> tuple[Target, TransposeTable]:
    """A target with costs, prices of forms and demands with choices, and the costs of its transposes."""
    rng = Random(seed)
    table = _random_table(rng)
    can = [_condition(form) for form in table.can]
    costs = Costs(
        unit="cycles",
        transposes=tuple(PriceRule(_condition(each.form), _price(each)) for each in table.forms),
        rules=TransposeRules(
            tuple(each for each in can if each is not None) or None,
            None if table.fallback is None else _price(table.fallback),
        ),
        matmul={name: _random_price(rng) for name in ("lhs", "rhs") if with_matmul and rng.random() < 0.5},
        axes={
            op: {
                name: {
                    place: (PriceRule(None, _random_price(rng, (*QUANTITIES, LINES))),) for place in ("last", "other")
                }
            }
            for op, name in AXES.items()
            if rng.random() < 0.5
        },
    )
    demands = {op: tuple(_with_choices(rng, rule) for rule in rules) for op, rules in target.demands.items()}
    if rng.random() < 0.3:
        demands["npu.relu"] = (
            DemandRule(
                (
                    DemandChoice({"input": _order(rng, "data")}),
                    DemandChoice({"input": _order(rng, "data")}, _random_price(rng)),
                )
            ),
        )
    rules = _random_rules(rng, MatmulFreedom.NAMED[rng.choice([*MatmulFreedom.NAMED])])
    if with_matmul and rng.random() < 0.5:
        costs = replace(costs, products=tuple(_random_products(rng)))
    priced = replace(
        target, name=f"{target.name} priced {seed}", costs=costs, cost="target", demands=demands, matmul=rules
    )
    return priced, table


CONDITIONS_OF_PRODUCTS = (
    "columns % 2 == 0",
    "lhs is constant",
    "lhs is constant and rows % 2 == 0",
    "matrices of lhs == 1",
    None,
)


CONDITIONS_OF_MATMUL = ("lhs is constant", "not rhs is constant", "columns % 2 == 0", "rows > 2 or rhs is constant")


def _random_rules(rng: Random, last: MatmulFreedom) -> tuple[MatmulRule, ...]:
    """A rule for all products, maybe behind others with conditions."""
    conditions = rng.sample(CONDITIONS_OF_MATMUL, rng.choice((0, 0, 1, 2)))
    first = [MatmulRule(_random_freedom(rng), parse_condition(each, ("lhs", "rhs"))) for each in conditions]
    return *first, MatmulRule(last)


def _random_freedom(rng: Random) -> MatmulFreedom:
    lhs, rhs, result, batch, needs_constant = (rng.random() < 0.5 for _ in range(5))
    return MatmulFreedom(lhs, rhs, result, batch, result and needs_constant)


def _random_products(rng: Random) -> Iterator[PriceRule]:
    for _ in range(rng.randint(1, 2)):
        when = rng.choice(CONDITIONS_OF_PRODUCTS)
        yield PriceRule(None if when is None else parse_condition(when, ("lhs", "rhs")), _random_price(rng))


def _random_table(rng: Random) -> TransposeTable:
    conditions = rng.choice(((), ("keeps",), ("swaps",), ("small",), ("keeps", "swaps"), ("small", "keeps")))
    can = rng.choice(((), (), ("keeps",), ("swaps", "small"), ("small",)))
    fallback = _random_form(rng, "any", 20_000) if can and rng.random() < 0.5 else None
    return TransposeTable([_random_form(rng, each, 3000) for each in (*conditions, "any")], can, fallback)


def _random_form(rng: Random, form: str, most: int) -> PricedForm:
    return PricedForm(form, rng.choice((0, 1, 700, most)) * 1000, rng.choice((0, 0, 1, 50_000)))


def _price(form: PricedForm) -> Price:
    """Thousandths of ticks are billionths of thousands of units."""
    return Price((PriceTerm(form.per_byte * 1000, "bytes"), PriceTerm(form.per_call * 1_000_000)))


def _condition(form: str) -> Condition | None:
    return parse_condition(CONDITIONS[form], None) if form in CONDITIONS else None


def _random_price(rng: Random, quantities: Sequence[str] = QUANTITIES) -> Price:
    factor = rng.choice((0, 300_000_000, 1_000_000_000, 1_700_000_001))
    return Price((PriceTerm(factor, rng.choice(quantities)), PriceTerm(rng.choice((0, 5)) * 10**9)))


def _with_choices(rng: Random, rule: DemandRule) -> DemandRule:
    """A rule with another choice beside its own, in another order of each demanded value."""
    if rng.random() < 0.4 or not rule.choices or set(rule.choices[0].demands) == {"input", "result"}:
        return rule
    first = rule.choices[0]
    orders: Mapping[str, Demand] = {name: _order(rng, name) for name in first.demands}
    priced, other = (
        DemandChoice(first.demands, rng.choice((None, _random_price(rng)))),
        DemandChoice(orders, _random_price(rng)),
    )
    return replace(rule, choices=(priced, other) if rng.random() < 0.5 else (other, priced))


def _order(rng: Random, name: str) -> Demand:
    if rng.random() < 0.2:
        return PreferredOrder.OWN_CLASS
    cls = LayoutClass.WEIGHT if name in ("kernel", "weight") else LayoutClass.FEATURE
    return Layout.parse(rng.choice(OTHERS[cls][4]))
