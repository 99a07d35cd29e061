"""The forms with the fewest new views, compared with all combinations of forms."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from math import prod

from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.optimal.choice.fewest_views import WayToWrite, ways_of, weight_of, with_fewest_views
from npu_opt.passes.optimal.choice.mode_choice import ModeChoice
from npu_opt.passes.optimal.choice.plan import PlanDraft
from support.generators.programs import random_program
from xdsl.ir import Operation

SEEDS = range(40)
MOST_COMBINATIONS = 300


def written(choice: ModeChoice, ways: Iterable[tuple[Operation, WayToWrite]]) -> ModeChoice:
    """The choice with other forms of some ops."""
    modes, reshaped = {**choice.modes}, {**choice.reshaped}
    for op, way in ways:
        modes[op] = way.mode
        if way.reshaped is not None:
            reshaped[op] = way.reshaped
    return replace(choice, modes=modes, reshaped=reshaped)


def weight_of_plan(choice: ModeChoice) -> int:
    return weight_of(PlanDraft(choice))


def test_no_combination_of_forms_needs_fewer_views():
    tried = improved = 0
    for seed in SEEDS:
        choice = LayoutOptimal(target="onnx").choose(random_program(seed, 40))
        draft = PlanDraft(choice)
        ways = ways_of(draft)
        if not 1 < prod(map(len, ways.values())) <= MOST_COMBINATIONS:
            continue
        found = with_fewest_views(choice).choice
        least = min(weight_of_plan(written(choice, zip(ways, each, strict=True))) for each in product(*ways.values()))
        assert weight_of_plan(found) == least, seed
        assert found.cost == choice.cost
        tried += 1
        improved += least < weight_of(draft)
    assert tried > 5
    assert improved > 0
