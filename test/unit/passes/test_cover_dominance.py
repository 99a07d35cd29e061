"""States of the search for groups that are left out, as another one allows all that they do."""

from pathlib import Path
from random import Random

import pytest
from npu_opt.passes.cover import dominance as cover_dominance
from npu_opt.passes.cover.best import cover
from npu_opt.passes.cover.dominance import undominated
from npu_opt.passes.cover.state import OpenGroup, State, Value
from npu_opt.passes.fusion.groups.traffic import traffic_of
from support.campaign import amount
from support.generators.hardware import matching, nodes_of
from support.generators.small_groups import SHAPES, random_hardware, random_program

PROGRAMS = amount(8, 400)
WIDE = 100_000


def state(cost: int, *groups: OpenGroup) -> State:
    """A state with some groups, of each of which one value is still read."""
    values = {10 + number: Value(number) for number in range(len(groups))}
    return State(dict(enumerate(groups)), values, cost)


SHORT, LONG, OTHER = OpenGroup((1,)), OpenGroup((1, 2)), OpenGroup((3,))
BELOW = OpenGroup((1,), below=frozenset({1}))


@pytest.mark.parametrize(
    ("first", "second", "is_left_out"),
    [
        (state(5, SHORT, OTHER), state(6, LONG, OTHER), True),
        (state(5, SHORT, OTHER), state(5, SHORT, OTHER), True),
        (state(5, SHORT, OTHER), state(6, BELOW, OTHER), True),
        (state(5, LONG, OTHER), state(6, SHORT, OTHER), False),
        (state(5, BELOW, OTHER), state(6, SHORT, OTHER), False),
        (state(5, SHORT, OTHER), state(6, OTHER, OTHER), False),
        (state(5, SHORT, OTHER), state(6, LONG), False),
        (state(5, OpenGroup((1,), ((1, 2),))), state(6, OpenGroup((1,), ((1, 1),))), False),
        (state(5, OpenGroup((1,), entries=1)), state(6, OpenGroup((1,))), False),
        (state(5, OpenGroup((1,), owed=3)), state(6, OpenGroup((1,), owed=4)), False),
    ],
)
def test_a_state_is_left_out_if_a_cheaper_one_allows_as_much(first: State, second: State, is_left_out: bool):
    unlike = State({}, {99: Value(is_written=False)}, 4)
    assert undominated([unlike, first, second]) == [unlike, first, *[second] * (not is_left_out)]


def test_groups_are_as_good_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for seed in range(PROGRAMS):
        rng = Random(seed)
        target = random_hardware(rng, tmp_path)
        module = random_program(rng, SHAPES[seed % len(SHAPES)], rng.randint(8, 14))
        stages = matching(target, module)
        flow = traffic_of(nodes_of(module), stages)
        found: list[int] = []
        for fewest in (2, WIDE):
            monkeypatch.setattr(cover_dominance, "FEWEST", fewest)
            groups = cover(flow, stages, WIDE)
            found.append(flow.travelling(groups))
        assert found[0] == found[1], f"seed {seed}\n{module}"
