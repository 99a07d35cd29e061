"""Random sets of programs with ties: the minimum is that of all orders, tried one by one, and all ties hold."""

from collections import Counter
from collections.abc import Iterator

import pytest
from npu_opt.dialects.notes.ties import ties_of
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.layout import identity
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from support.campaign import amount, counted
from support.generators.tied import tied_programs
from support.oracles.ties import least_of_all_orders
from xdsl.context import Context

SETS = amount(8, 1000)
CHUNK = 10


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    module = tied_programs(seed)
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
    found, least = cost_of_program(placed).bytes, least_of_all_orders(module)
    if found != least:
        yield f"seed {seed}: {found} bytes move, and {least} are enough"


def test_random_sets(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, range(SETS), CHUNK, capsys)
    assert tally["moved"] > SETS / 8
