"""The orders of ties that `--what-if` solves: each costs what the program does that is placed with it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr
from dataclasses import replace
from io import StringIO

import pytest
from npu_opt.dialects.notes.calls import CALLS
from npu_opt.dialects.notes.interfaces import arguments_of, dims_of
from npu_opt.dialects.notes.ties import tie_names, ties_of
from npu_opt.dialects.npu.values import encoding
from npu_opt.layout import permute
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.placement.layout_pass import colour
from npu_opt.tools.observers.tied_orders import SetOfTies, SolvedOrder, orders_of_ties
from support.campaign import amount, counted
from support.generators.tied import tied_programs
from support.ir_text import parse
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


STEP = """
func.func @step(%query: tensor<1x2x1x8xf32>, %new: tensor<1x2x1x8xf32>,
    %past_0: tensor<1x2x?x8xf32> {npu.tie = "0", onnx.name = "past_0"},
    %past_1: tensor<1x2x?x8xf32> {npu.tie = "1", onnx.name = "past_1"})
    -> (tensor<1x2x1x8xf32>, tensor<1x2x?x8xf32> {npu.tie = "0"}, tensor<1x2x?x8xf32> {npu.tie = "1"}) {
  %keys = npu.concat %past_0, %new axis = 2 : (tensor<1x2x?x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x2x?x8xf32>
  %values = npu.concat %past_1, %new axis = 2 : (tensor<1x2x?x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x2x?x8xf32>
  %turned = npu.transpose %keys permutation = [0, 1, 3, 2] : (tensor<1x2x?x8xf32>) -> tensor<1x2x8x?xf32>
  %scores = npu.matmul %query, %turned : (tensor<1x2x1x8xf32>, tensor<1x2x8x?xf32>) -> tensor<1x2x1x?xf32>
  %y = npu.matmul %scores, %values : (tensor<1x2x1x?xf32>, tensor<1x2x?x8xf32>) -> tensor<1x2x1x8xf32>
  func.return %y, %keys, %values : tensor<1x2x1x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>
}
"""


def solved(layout_pass: LayoutOptimal = PASS, text: str = STEP) -> list[SetOfTies]:
    return [*orders_of_ties(layout_pass, parse(text))]


def test_keys_and_values_are_two_sets():
    """Their names differ in a number alone, and the minimum stores them in two orders."""
    keys, values, both = solved()
    assert [each.ends for each in (keys, values)] == [
        "step:past_0 = step:output1",
        "step:past_1 = step:output2",
    ]
    assert both.ends == "step:past_* = step:output* (2 ties)"
    assert [each.orders[0].letters for each in (keys, values)] == ["BHCN", "BHNC"]
    assert [[row.is_least for row in each.orders[:2]] for each in (keys, values)] == [[True, False]] * 2
    assert not any(row.is_least for row in both.orders)
    assert all(row.is_proved and row.cost.is_assumed for row in both.orders if row.cost.bytes)


def test_tokens_before_heads():
    """The dimension that grows is the second one."""
    text = """
func.func @step(%past: tensor<1x16x2x8xf32> {npu.tie = "0"}, %new: tensor<1x1x2x8xf32>)
    -> (tensor<1x17x2x8xf32> {npu.tie = "0"}) {
  %all = npu.concat %past, %new axis = 1 : (tensor<1x16x2x8xf32>, tensor<1x1x2x8xf32>) -> tensor<1x17x2x8xf32>
  func.return %all : tensor<1x17x2x8xf32>
}
"""
    (cache,) = solved(text=text)
    assert {row.order: row.letters for row in cache.orders}[0, 2, 1, 3] == "BHNC"
    assert len(cache.orders) == 6
    (no_cache,) = solved(text=text.replace("1x17x2", "1x16x2").replace("1x1x2", "1x0x2"))
    assert not any(row.letters for row in no_cache.orders)


def test_kept_ties_have_no_orders():
    assert [each.ends for each in solved(replace(PASS, interface="past_0:keep"))] == ["step:past_1 = step:output2"]


def test_no_orders_where_bytes_travel():
    assert solved(replace(PASS, cost="traffic")) == []


def test_the_module_stays():
    module = parse(STEP)
    before = str(module)
    assert orders_of_ties(PASS, module)
    assert str(module) == before


CALLED = """
func.func @step(%past: tensor<2x3x4xf32> {npu.tie = "k"}) -> tensor<2x3x4xf32> attributes {npu.calls = 8 : i64} {
  %y = func.call @scaled(%past) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}
func.func private @scaled(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %t = npu.transpose %x permutation = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %r = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %s = npu.add %t, %r : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %y = npu.transpose %s permutation = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}
"""


def test_a_call_costs_what_the_functions_that_it_calls_do():
    # Nothing but the private function moves data.
    (found,) = orders_of_ties(PASS, parse(CALLED))
    for row in found.orders:
        assert row.cost.bytes == 8 * row.by_function["step"].bytes > 0


def test_arrays_of_anything_else_are_no_names():
    """Nobody verifies what files of others have under the names of notes."""
    module = parse(
        """func.func @main(%x: tensor<2x3xf32> {npu.tie = ["a", "b"]}, %y: tensor<2x3xf32> {npu.tie = ["a", 3]}) {
          %0 = "npu.relu"(%x) {onnx.dims = [["n", "m"]]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
          %1 = "npu.relu"(%x) {onnx.dims = ["n"]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
          func.return
        }"""
    )
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    assert [tie_names(each) for each in arguments_of(function)] == [{"a", "b"}, set()]
    assert [len(dims_of(result)) for op in function.body.block.ops for result in op.results] == [2, 0]
