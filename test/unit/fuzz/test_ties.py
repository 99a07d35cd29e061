"""Random sets of programs with ties: the minimum is that of all orders, tried one by one, and all ties hold."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from npu_opt.dialects.notes.ties import ties_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.layout import identity
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from support.campaign import amount, counted
from support.generators.carried_sets import carried_set
from support.generators.tied import tied_programs
from support.oracles import carried
from support.oracles.ties import least_of_all_orders
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

SETS = amount(8, 1000)
CARRIED = amount(3, 1000)
CHUNK = 10


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    module = tied_programs(seed)
    yield from _problems(seed, module, lambda: least_of_all_orders(module), tally)


def problems_of_carried(seed: int, tally: Counter[str]) -> Iterator[str]:
    program = carried_set(seed)
    yield from _problems(seed, program.module, lambda: carried.least_of_all_orders(program), tally)


def _problems(seed: int, module: ModuleOp, count: Callable[[], int], tally: Counter[str]) -> Iterator[str]:
    placed = module.clone()
    LayoutOptimal(cost="bytes").apply(Context(), placed)
    placed.verify()
    ties = ties_of(placed)
    if any(len(tie.orders) > 1 for tie in ties):
        yield f"seed {seed}: a tie is broken"
    answer = compare(module, placed)
    tally[answer.verdict.name.lower()] += 1
    if answer.verdict is Verdict.DIFFERENT:
        yield f"seed {seed}: {answer.text}"
    tally["moved"] += any(tie.orders != {identity(tie.ends[0].rank)} for tie in ties)
    found, least = cost_of_program(placed).bytes, count()
    if found != least:
        yield f"seed {seed}: {found} bytes move, and {least} are enough"


def test_random_sets(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, range(SETS), CHUNK, capsys)
    assert tally["moved"] > SETS / 8


def test_random_sets_with_calls_and_loops(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems_of_carried, range(CARRIED), CHUNK, capsys)
    assert tally["proved"] == CARRIED
