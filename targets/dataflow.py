"""The stages of a target file and the edges between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from . import keys
from .model import OperandKind, Rule, Stage
from .toml_lines import KeyPath
from .toml_table import Text, TomlTable, hint, listed
from .vocabulary import Vocabulary, full_name, known_op, short_name

if TYPE_CHECKING:
    from .conditions import Condition
    from .prices import Price

_OPERAND_KINDS = [kind.value for kind in OperandKind if kind is not OperandKind.ANY]
_RULE_HELP = f"expected 'op', 'op before stage' or 'op with' {listed(_OPERAND_KINDS)}"


@dataclass(frozen=True)
class DataFlow:
    """The fusion part of a target file; empty if the file has none."""

    root: Stage | None = None
    stages: Mapping[str, Stage] = field(default_factory=dict[str, Stage])
    forbids_escaping: bool = False

    @property
    def ops(self) -> frozenset[str]:
        return frozenset(rule.op for stage in self.stages.values() for rule in stage.rules)


def read_data_flow(file: TomlTable, vocabulary: Vocabulary, bases: Sequence[TomlTable] = ()) -> DataFlow:
    """Read the tables `data-flow` and `stages`: both or neither.

    A file that extends another one adds stages to those of its bases, the nearest first. Its data-flow replaces the
    other, and leaves out the stages of the bases to which no edge leads.
    """
    if "data-flow" not in file.values and "stages" not in file.values:
        return DataFlow()
    inherited = dict[str, TomlTable]()
    for base in reversed(bases):
        inherited |= dict(base.table("stages").tables()) if "stages" in base.values else {}
    flow = next((each for each in (file, *bases) if "data-flow" in each.values), file).table("data-flow")
    flow.allow_only(keys.DATA_FLOW)
    own = dict(file.table("stages").tables()) if "stages" in file.values or not inherited else {}
    stage_tables = inherited | own
    root = flow.text("root")
    _check_stage(flow, root, flow.at("root"), stage_tables)
    successors = _edges(flow, stage_tables)
    reachable = _reachable(root, successors)
    stages: dict[str, Stage] = {}
    stage_tables = {name: table for name, table in stage_tables.items() if name in reachable or name in own}
    for name, table in stage_tables.items():
        if name not in reachable:
            raise table.error(f"no edge leads from the root '{root}' to the stage '{name}'")
        table.allow_only(keys.STAGE)
        absorbs = _absorbs(table)
        rules = _rules(table, name, stage_tables, vocabulary) if absorbs is False or "runs" in table.values else ()
        runs_conversions = any(vocabulary[short_name(rule.op)].is_conversion for rule in rules)
        price = _price(table, absorbs is not False or runs_conversions)
        uses, holds, most = table.number("uses", low=1), table.flag("holds"), table.number("most-bytes", low=1)
        stages[name] = Stage(name, rules, tuple(successors[name]), uses, absorbs, holds, price, most)
    return DataFlow(stages[root], stages, flow.flag("forbids-escaping"))


def _absorbs(table: TomlTable) -> "Condition | bool":
    if "absorbs" not in table.values:
        return False
    if isinstance(table.values["absorbs"], str):
        # Imported late: few targets have conditions.
        from .expression_keys import condition_of

        return condition_of(table, Text(table.text("absorbs"), table.at("absorbs")), None)
    return table.flag("absorbs")


def _price(table: TomlTable, has_conversions: bool) -> "Price | None":
    if "price" not in table.values:
        return None
    if not has_conversions:
        message = "'price' is that of transposes: it needs 'absorbs', or 'transpose' in 'runs'"
        raise table.error(message, table.at("price"))
    # Imported late: few stages have prices.
    from .expression_keys import price_at

    return price_at(table, "price", None)


def _check_stage(table: TomlTable, name: str, path: KeyPath, stages: Mapping[str, TomlTable]) -> None:
    if name not in stages:
        raise table.error(f"unknown stage '{name}'{hint(name, stages.keys())}", path)


def _edges(flow: TomlTable, stages: Mapping[str, TomlTable]) -> Mapping[str, list[str]]:
    """The successors of each stage, in the order of the file."""
    successors: dict[str, list[str]] = {name: [] for name in stages}
    for chain in flow.texts("edges"):
        steps = [[name.strip() for name in step.split("|")] for step in chain.value.split(">")]
        if len(steps) < 2:
            raise flow.error(f"'{chain.value}' is not an edge: expected 'a > b' or 'a > b | c'", chain.path)
        for name in (name for step in steps for name in step):
            _check_stage(flow, name, chain.path, stages)
        for sources, ends in pairwise(steps):
            for source in sources:
                _add_edges(flow, chain, successors[source], source, ends)
    return successors


def _add_edges(flow: TomlTable, chain: Text, successors: list[str], source: str, ends: list[str]) -> None:
    for end in ends:
        if end in successors:
            raise flow.error(f"the edge '{source} > {end}' is listed twice", chain.path)
        successors.append(end)


def _reachable(root: str, successors: Mapping[str, list[str]]) -> set[str]:
    reachable = {root}
    pending = [root]
    while pending:
        fresh = [name for name in successors[pending.pop()] if name not in reachable]
        reachable.update(fresh)
        pending += fresh
    return reachable


def _rules(table: TomlTable, stage: str, stages: Mapping[str, TomlTable], vocabulary: Vocabulary) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    for text in table.texts("runs"):
        rule = _rule(table, text, stages, vocabulary)
        if rule in rules:
            raise table.error(f"'{text.value}' is listed twice", text.path)
        rules.append(rule)
    if not rules:
        raise table.error(f"the stage '{stage}' runs no op", table.at("runs"))
    return tuple(rules)


def _rule(table: TomlTable, text: Text, stages: Mapping[str, TomlTable], vocabulary: Vocabulary) -> Rule:
    match text.value.split():
        case [op]:
            known_op(op, vocabulary, table, text.path)
            return Rule(full_name(op))
        case [op, "before", stage]:
            known_op(op, vocabulary, table, text.path)
            _check_stage(table, stage, text.path, stages)
            return Rule(full_name(op), before=stage)
        case [op, "with", kind]:
            names = known_op(op, vocabulary, table, text.path)
            if kind not in _OPERAND_KINDS:
                raise table.error(f"unknown operand kind '{kind}'{hint(kind, _OPERAND_KINDS)}", text.path)
            if not names.takes_several:
                raise table.error(f"'{op}' has one operand, so 'with {kind}' has no meaning", text.path)
            return Rule(full_name(op), OperandKind(kind))
        case _:
            raise table.error(f"'{text.value}' is not a rule: {_RULE_HELP}", text.path)
