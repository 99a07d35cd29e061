"""Problems of a target that can be read and yet does not say all that it seems to say."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..dialects.npu.shape import TransposeOp
from ..layout import identity
from .conditions import Expression, FactComparison, Junction
from .costs import PriceRule
from .impossible_conditions import why_never_holds
from .impossible_demands import why_never_met
from .model import DemandRule, MatmulRule, OperandKind, PreferredOrder, Rule, Stage, Target
from .toml_lines import KeyPath
from .vendor_ops import vocabulary_of
from .vocabulary import Vocabulary, dialect_vocabulary, short_name


class Finding(NamedTuple):
    """A problem, with the key of the file that it is about."""

    path: KeyPath
    message: str
    is_error: bool = False
    """True if the key can have no effect at all."""


def findings(target: Target) -> list[Finding]:
    """The problems that a target has with any program."""
    target = target.with_prices
    return [
        *(finding for op, rules in target.demands.items() for finding in _of_rules(target, op, rules)),
        *_of_preferred(target),
        *_of_matmul(target),
        *_of_costs(target),
        *(finding for stage in target.stages.values() for finding in _of_stage(target, stage)),
        *_without_stage(target),
    ]


def _vocabulary(target: Target) -> Vocabulary:
    return {**dialect_vocabulary(), **vocabulary_of(target.vendor_ops)}


def rule_path(op_name: str, rules: Sequence[DemandRule], place: int) -> KeyPath:
    """The key of a rule: an op has one table, or a list of them."""
    path = ("demands", short_name(op_name))
    return (*path, place) if len(rules) > 1 else path


def _of_rules(target: Target, op: str, rules: Sequence[DemandRule]) -> Iterator[Finding]:
    name = short_name(op)
    for place, rule in enumerate(rules):
        path = rule_path(op, rules, place)
        earlier = next((number for number, other in enumerate(rules[:place], 1) if _hides(other, rule)), None)
        if earlier is not None:
            reason = "has no 'when'" if rules[earlier - 1].when is None else "has the same 'when'"
            yield Finding(
                path, f"rule {place + 1} of '{name}' is never reached: rule {earlier}, before it, {reason}", True
            )
        names = _vocabulary(target).get(name)
        if rule.when is not None and names and (reason := why_never_holds(f"'{name}'", names, rule.when.expression)):
            yield Finding((*path, "when"), f"'when' never holds: {reason}", True)
        if target.costs is None and any(choice.price is not None for choice in rule.choices):
            reason = "the file has no table 'costs', which says the unit"
            yield Finding((*path, "costs"), f"the prices of '{name}' are never read: {reason}", True)
        yield from _of_choices(target, op, path, rule)


def _hides(earlier: DemandRule | MatmulRule | PriceRule, rule: DemandRule | MatmulRule | PriceRule) -> bool:
    """True if an earlier rule or price holds wherever a later one does."""
    same = earlier.when is not None and rule.when is not None and earlier.when.expression == rule.when.expression
    return earlier.when is None or same


def _of_choices(target: Target, op: str, path: KeyPath, rule: DemandRule) -> Iterator[Finding]:
    name, names = short_name(op), _vocabulary(target).get(short_name(op))
    for place, choice in enumerate(rule.choices):
        if choice.demands in [other.demands for other in rule.choices[:place]]:
            yield Finding((*path, "choices", place), f"choice {place + 1} of '{name}' demands what an earlier one does")
    # A list of layouts is combined with the others, so that each of them is in several choices.
    demands = dict.fromkeys(demand for choice in rule.choices for demand in choice.demands.items())
    for value, demand in demands if names is not None else ():
        assert names is not None
        if reason := why_never_met(target, names, value, demand):
            message = f"the demand of {demand} for '{value}' of '{name}' is never met: {reason}"
            yield Finding((*path, value), message, True)


def _of_preferred(target: Target) -> Iterator[Finding]:
    demands = {
        demand
        for rules in target.demands.values()
        for rule in rules
        for choice in rule.choices
        for demand in choice.demands.values()
    }
    for preferred in (PreferredOrder.FEATURE, PreferredOrder.WEIGHT):
        if not demands & {preferred, PreferredOrder.OWN_CLASS}:
            yield Finding(("preferred", preferred.value), f"no op demands the preferred {preferred.value} layouts")


def _of_matmul(target: Target) -> Iterator[Finding]:
    """The rules for products that are never reached, or hold for none."""
    yield from _never_reached(("matmul",), "rule", "'matmul'", target.matmul)
    yield from _never_holding(("matmul",), target.matmul)


def _of_costs(target: Target) -> Iterator[Finding]:
    """The prices that are never reached, or hold for nothing that costs something."""
    if (costs := target.costs) is None:
        return
    yield from _never_reached(("costs", "transpose"), "price", "transposes", costs.transposes)
    yield from _never_reached(("costs", "matmul", "product"), "price", "products", costs.products)
    for name, rules in costs.recompute.items():
        op = short_name(name)
        yield from _never_reached(("costs", "recompute", op), "price", f"second runs of '{op}'", rules)
    for name, attributes in costs.axes.items():
        for attribute, places in attributes.items():
            for place, rules in places.items():
                path = ("costs", "axes", short_name(name), attribute, place)
                yield from _never_reached(path, "price", f"'{short_name(name)}' with its {attribute} {place}", rules)
    for place, price in enumerate(costs.transposes):
        if price.when is not None and _moves_nothing(price.when.expression):
            message = f"price {place + 1} of transposes is for packs alone: transposes that move nothing are free"
            yield Finding(("costs", "transpose", place), message)
    yield from _never_holding(("costs", "matmul", "product"), costs.products)


def _never_holding(path: KeyPath, entries: Sequence[PriceRule | MatmulRule]) -> Iterator[Finding]:
    """The entries whose conditions hold for no product."""
    products = [names for names in dialect_vocabulary().values() if "columns" in names.facts]
    for place, entry in enumerate(entries):
        when = None if entry.when is None else entry.when.expression
        reasons = [] if when is None else [why_never_holds("a product", names, when) for names in products]
        if when is not None and all(reasons):
            yield Finding((*path, place), f"'when' never holds: {reasons[0]}", True)


def _never_reached(path: KeyPath, what: str, of: str, entries: Sequence[PriceRule | MatmulRule]) -> Iterator[Finding]:
    for place, entry in enumerate(entries):
        earlier = next((number for number, other in enumerate(entries[:place], 1) if _hides(other, entry)), None)
        if earlier is not None:
            reason = "has no 'when'" if entries[earlier - 1].when is None else "has the same 'when'"
            message = f"{what} {place + 1} of {of} is never reached: {what} {earlier}, before it, {reason}"
            yield Finding((*path, place), message, True)


def _moves_nothing(expression: Expression) -> bool:
    """True if a condition holds at most for transposes that leave all data where it is."""
    if isinstance(expression, Junction) and expression.word == "and":
        return any(map(_moves_nothing, expression.parts))
    if not isinstance(expression, FactComparison) or expression.term.name != "permutation":
        return False
    identities = (isinstance(value, tuple) and value == identity(len(value)) for value in expression.values)
    return expression.sign != "!=" and all(identities)


def _of_stage(target: Target, stage: Stage) -> Iterator[Finding]:
    if stage.price is not None and target.is_free(TransposeOp.name):
        yield Finding(("stages", stage.name, "price"), "'transpose' is free, and does not cost this price")
    for place, rule in enumerate(stage.rules):
        path = ("stages", stage.name, "runs", place)
        others = [other for other in stage.rules if other != rule and _covers(other, rule)]
        if others:
            yield Finding(path, f"'{rule_text(rule)}' is not needed: the stage runs '{rule_text(others[0])}'")
        elif nearer := _always_nearer(target, stage, rule):
            takers = " or ".join(f"'{name}'" for name in nearer)
            message = f"the greedy strategy never runs '{rule_text(rule)}' here: {takers} is always nearer"
            yield Finding(path, message)


def rule_text(rule: Rule) -> str:
    """A rule as target files have it."""
    kind = "" if rule.operand_kind is OperandKind.ANY else f" with {rule.operand_kind.value}"
    return short_name(rule.op) + (kind if rule.before is None else f" before {rule.before}")


def _covers(other: Rule, rule: Rule) -> bool:
    """True if a rule matches all ops that another one matches."""
    is_wider = other.operand_kind in (OperandKind.ANY, rule.operand_kind)
    return other.op == rule.op and is_wider and other.before in (None, rule.before)


def _always_nearer(target: Target, stage: Stage, rule: Rule) -> list[str]:
    """The stages that take all ops of a rule before a stage can; empty if it gets some of them."""
    found: dict[str, None] = {}
    for order in _search_orders(target):
        if stage.name not in order:
            continue
        before = order[: order.index(stage.name)]
        taker = next((name for name in before if _takes_all(target.stage(name), rule)), None)
        if taker is None:
            return []
        found[taker] = None
    return list(found)


def _takes_all(stage: Stage, rule: Rule) -> bool:
    return stage.uses is None and any(_covers(other, rule) for other in stage.rules)


def _search_orders(target: Target) -> Iterator[list[str]]:
    """The order in which stages are asked for the first op of a group, and for one behind each stage."""
    assert target.root is not None
    for first in ([target.root.name], *(stage.successors for stage in target.stages.values())):
        order = list(dict.fromkeys(first))
        for name in order:
            order += [each for each in target.stage(name).successors if each not in order]
        yield order


def _without_stage(target: Target) -> Iterator[Finding]:
    """The ops that the target speaks of, and that no stage runs."""
    if not target.stages:
        return
    demanded = [short_name(op) for op in target.demands if not _has_place(target, op)]
    if demanded:
        message = f"no stage runs {len(demanded)} of the {len(target.demands)} ops with demands: {', '.join(demanded)}"
        yield Finding(("demands",), message)
    for op in target.vendor_ops:
        if not _has_place(target, op):
            yield Finding(("ops", op), f"no stage runs '{op}', and it is not free")


def _has_place(target: Target, op: str) -> bool:
    return bool(target.stages_running(op)) or target.is_free(op)
