"""The choices of the strategies of `layout-preset` and `layout-preset-npu` on targets that demand blocks.

Their modes are those of `layout-optimal`, so the same ops can work on blocks; rules choose among them.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...common.demands.target_layouts import TargetLayouts
from ...common.plans.plan import LayoutPlan
from ...common.words.reasons import Names
from ...optimal.choice.mode_choice import ModeChoice
from ...optimal.choice.partial_choice import first_modes
from ...optimal.choice.plan import PlanDraft
from ...optimal.explain.conflicts import Conflicts
from ...optimal.explain.value_text import explanation
from ..naive import choose_alone
from ..order_choice import OrderChoice
from .greedy import choose_greedy
from .regions import choose_cheapest_regions, choose_regions
from .table import RuleTable


@dataclass(frozen=True)
class RuleChoice:
    """A mode for each op: storages are converted where these differ."""

    choice: ModeChoice
    pass_name: str

    @property
    def target_layouts(self) -> TargetLayouts:
        return self.choice.table.target_layouts

    def plan(self, names: Names) -> LayoutPlan | None:
        choice = first_modes(self.choice, self.pass_name, names)
        if all(mode.relayout is None for mode in choice.modes.values()):
            return None
        return PlanDraft(choice).plan(Conflicts(choice, names, are_minimal=False).text, self.pass_name)

    def explain(self, value: SSAValue, names: Names) -> list[str]:
        return explanation(self.choice, value, names, is_minimal=False).lines


def choose_by_rule(
    module: ModuleOp, target_layouts: TargetLayouts, strategy: str, pass_name: str, everywhere: bool = False
) -> RuleChoice | OrderChoice:
    """The choice of a strategy for a coloured program, or that of ops that are wrapped alone. Changes nothing."""
    table = RuleTable(module, target_layouts)
    chosen = table.present() if table.meets_demands else _chosen(table, strategy, everywhere)
    if chosen is None or not table.is_possible(table.cost(chosen)):
        # Where no single op converts a storage, two do: out of blocks, and into others.
        return choose_alone(module, target_layouts, table.choice(table.present()).forms, pass_name)
    return RuleChoice(table.choice(chosen), pass_name)


def _chosen(table: RuleTable, strategy: str, everywhere: bool) -> list[int] | None:
    """The modes that a strategy chooses; None if it wraps each op alone."""
    match strategy:
        case "naive":
            return None
        case "greedy":
            return choose_greedy(table)
        case "regions-plus":
            return choose_cheapest_regions(table, everywhere)
        case _:
            return choose_regions(table, everywhere or strategy == "record", strategy == "seed-plus")
