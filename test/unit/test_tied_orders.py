"""The orders of ties that `--what-if` solves: each costs what the program does that is placed with it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr
from dataclasses import replace
from io import StringIO

import pytest
from npu_opt.dialects.notes.calls import CALLS
from npu_opt.dialects.notes.ties import ties_of
from npu_opt.dialects.npu.values import encoding
from npu_opt.layout import permute
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.placement.layout_pass import colour
from npu_opt.tools.observers.tied_orders import SolvedOrder, orders_of_ties
from support.campaign import amount, counted
from support.generators.tied import tied_programs
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

SETS = amount(6, 300)
CHUNK = 2
PASS = LayoutOptimal(cost="bytes")


def problems(seed: int, tally: Counter[str]) -> Iterator[str]:
    module = tied_programs(seed)
    ties = [*map(len, (tie.ends for tie in ties_of(module)))]
    if len(ties) != 1:
        return
    for found in orders_of_ties(PASS, module):
        if not found.orders:
            continue
        least = min(row.cost.bytes for row in found.orders)
        taken = [row for row in found.orders if row.is_least]
        if len(taken) != 1 or taken[0].cost.bytes != least:
            yield f"seed {seed}: the order that is taken costs {taken} instead of {least}"
        for row in found.orders[:: max(1, len(found.orders) // 4)]:
            tally["orders"] += 1
            yield from (f"seed {seed}: {text}" for text in _wrong(module, row))


def _wrong(module: ModuleOp, row: SolvedOrder) -> Iterator[str]:
    """The differences between the costs of an order and those of the program that has it."""
    copy = module.clone()
    colour(copy)
    (tie,) = ties_of(copy)
    flags: list[str] = []
    for end in tie.ends:
        layout = encoding(end.type)
        assert layout is not None
        order = permute(layout.order_for(end.rank), row.order)
        stored = "keep" if order == layout.order_for(end.rank) else layout.with_order(order)
        flags.append(f"@{end.function.sym_name.data}:{'input' if end.is_argument else 'output'}{end.index}:{stored}")
    with redirect_stderr(StringIO()):
        replace(PASS, interface=",".join(flags)).apply(Context(), copy)
    if (placed := cost_of_program(copy)).bytes != row.cost.bytes:
        yield f"{row.order} costs {row.cost.bytes}, and {placed.bytes} as placed"
    for function in [op for op in copy.walk() if isinstance(op, FuncOp)]:
        alone = function.clone()
        alone.attributes.pop(CALLS, None)
        cost = cost_of_program(ModuleOp([alone]))
        if row.by_function.get(function.sym_name.data, cost).bytes != cost.bytes:
            yield f"{row.order}: a call of @{function.sym_name.data} costs {cost.bytes}, not {row.by_function}"


def test_each_order_costs_what_it_does(capsys: pytest.CaptureFixture[str]):
    tally = counted(problems, range(SETS), CHUNK, capsys)
    assert tally["orders"] > SETS
