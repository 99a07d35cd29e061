"""The reasons in words why no stage runs an op."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.traits import Commutative

from ....dialects.npu.base import NpuOp
from ....dialects.npu.fusion import FusionKind
from ....dialects.npu.values import has_one_element
from ....targets import OperandKind, Rule, Stage, name_of
from ....targets.vocabulary import operand_names
from ...common.moves.conversion_ops import ConversionOp
from ..graph.graph import computes_only
from .stage_match import Matching, values_beside


def reason_for_no_group(op: Operation, matching: Matching) -> str:
    """The reason why an op that is in no group has none."""
    if matching.needs_no_stage(op):
        return "is free, but no single group has all its users"
    return reason_for_no_stage(op, matching)


def reason_for_no_stage(op: Operation, matching: Matching) -> str:
    """The reason why no stage runs an op as it is, or by itself."""
    stages = matching.target.stages_running(name_of(op))
    if absorbing := matching.absorbing(op):
        names = _listed([stage.name for stage in absorbing])
        return f"{names} absorbs it, but no single group has all its users"
    if not stages and isinstance(op, ConversionOp):
        absorbing = [stage for stage in matching.target.absorbing_stages if not isinstance(stage.absorbs, bool)]
        words = dict.fromkeys(stage.absorbs.text for stage in absorbing if not isinstance(stage.absorbs, bool))
        if absorbing:
            only = _listed([f"'{each}'" for each in words])
            return f"no stage runs it, and {_listed([stage.name for stage in absorbing])} absorbs only {only}"
    if not stages:
        return "no stage runs it"
    if not computes_only(op):
        return f"runs on {_listed([stage.name for stage in stages])}, but it has side effects"
    if matching.has_stage(op):
        names = _listed([stage.name for stage in matching.stages_for(op)])
        return f"runs on {names}, but only if all operands are results of the group"
    return f"runs on {_conditions(op, stages)}, but {_found(op, stages, matching)}"


def reason_for_two_groups(producer: Operation, reader: Operation, matching: Matching) -> str | None:
    """The reason why an op is in no group with one that it reads; None if it might be."""
    first, second, order = matching.in_groups(producer), matching.in_groups(reader), matching.order
    before = dict.fromkeys([*first.runs, *order.members(first.entries)])
    if first.is_free or second.is_free or not before or not second.runs:
        # Groups collect free ops.
        return None
    if not order.leads_to_any(before, sum(1 << stage for stage in second.runs)):
        runs, others = (_listed([order.stages[each].name for each in stages]) for stages in (second.runs, before))
        return f"runs on {runs}, not reachable from {others}"
    size = matching.size_of(producer)
    limits = [order.stages[each].most_bytes for each in second.runs]
    if size > max((size if limit is None else limit for limit in limits), default=size):
        return reason_for_large_value(size, max(filter(None, limits)))
    if not second.holding and any(value.owner is producer for value in values_beside(reader)):
        return "uses a result of the other group beside its data"
    return None


def reason_for_large_value(size: int, most: int) -> str:
    return f"reads {size} bytes of the other group, of which {most} stay on the chip at most"


def _conditions(op: Operation, stages: Sequence[Stage]) -> str:
    """The stages with the rules for an op, as target files have them; stages with equal ones together."""
    found: dict[str, dict[str, None]] = {}
    for stage in stages:
        for rule in stage.rules_for(name_of(op)):
            found.setdefault(_condition(rule), {})[stage.name] = None
    return _listed([f"{_listed(list(names))}{condition}" for condition, names in found.items()])


def _condition(rule: Rule) -> str:
    kind = "" if rule.operand_kind is OperandKind.ANY else f" with {rule.operand_kind}"
    return kind if rule.before is None else f" before {rule.before}"


def _found(op: Operation, stages: Sequence[Stage], matching: Matching) -> str:
    """The operands or users of an op in place of those that the rules ask for."""
    rules = [rule for stage in stages for rule in stage.rules_for(name_of(op))]
    if all(rule.before is not None for rule in rules):
        return "no op of that stage is its only user"
    if len(op.operands) == 2 and op.operands[0] is op.operands[1]:
        return "its operands are one value"
    if not op.has_trait(Commutative) and len(op.operands) == 2 and matching.is_constant(op.operands[0]):
        return "its first operand is a constant"
    others = [place for place in range(len(op.operands)) if place != _data(op)]
    words = dict.fromkeys(_described(op, place, matching) for place in others)
    return f"not with {_listed(list(words), 'and')}"


def _data(op: Operation) -> int:
    """The operand that carries the data as far as its size says: the first one that may."""
    places = range(len(op.operands))
    return next((place for place in places if isinstance(op, NpuOp) and op.carries(place)), 0)


def _described(op: Operation, place: int, matching: Matching) -> str:
    value = op.operands[place]
    noun = "constant" if matching.is_constant(value) else "value"
    if not isinstance(op, NpuOp) or op.fusion_kind() > FusionKind.BROADCAST:
        return f"a {noun} as {operand_names(op)[place]}"
    if has_one_element(value):
        return f"a {noun} of one element"
    if matching.is_per_channel(op, place, _data(op)):
        return f"a {noun} per channel"
    return f"a {noun} as large as the data" if op.carries(place) else f"a {noun} that is repeated"


def _listed(names: Sequence[str], word: str = "or") -> str:
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
