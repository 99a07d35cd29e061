"""Outlined groups: names, arguments, results, positions of the calls, and inlining."""

from random import Random

import pytest
from npu_opt.dialects.program.symbols import verify
from npu_opt.equivalence.compare import Verdict, compare
from npu_opt.passes.common.graph.call_graph import call_graph
from npu_opt.passes.fusion.functions.fused_functions import fused_calls, outline_groups
from npu_opt.passes.fusion.functions.outlining import LONGEST_NAME, Outliner, sort_by_operands
from npu_opt.passes.fusion.graph.graph import is_constant
from npu_opt.passes.inline_fused import InlineFused
from support.generators.programs import random_program
from support.ir_text import parse
from support.oracles.legal_groups import is_acyclic
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NameLoc, StringAttr, SymbolRefAttr, UnknownLoc
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation
from xdsl.traits import is_side_effect_free


def functions(module: ModuleOp) -> dict[str, FuncOp]:
    return {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}


def chains(count: int, length: int) -> ModuleOp:
    """A chain of ops for each of the functions."""
    lines: list[str] = []
    for number in range(count):
        lines.append(f"func.func @f{number}(%v0: tensor<4xf32>) -> tensor<4xf32> {{")
        lines += [f"%v{at + 1} = npu.relu %v{at} : tensor<4xf32>" for at in range(length)]
        lines.append(f"func.return %v{length} : tensor<4xf32> }}")
    return parse("\n".join(lines))


def test_long_names_are_cut_and_unique():
    module = chains(3, 40)
    outliner = Outliner(module)
    for function in list(functions(module).values()):
        outline_groups(outliner, function, [[op for op in function.body.block.ops if not isinstance(op, ReturnOp)]])
    verify(module)
    names = [name for name in functions(module) if name.startswith("fused")]
    assert len(names) == 3
    assert all(len(name) <= LONGEST_NAME + 2 for name in names)
    assert names[1:] == [f"{names[0]}_1", f"{names[0]}_2"]


def test_taken_names_and_positions():
    module = chains(1, 2)
    (function,) = functions(module).values()
    taken = parse("func.func @fused_relu_relu() { func.return } func.func @fused_relu_relu_1() { func.return }")
    for each in list(taken.ops):
        each.detach()
        module.body.block.add_op(each)
    ops = [op for op in function.body.block.ops if not isinstance(op, ReturnOp)]
    ops[-1].location = NameLoc(StringAttr("last"), UnknownLoc())
    outline_groups(Outliner(module), function, [ops])
    *_, made = functions(module).values()
    call = function.body.block.first_op
    assert isinstance(call, CallOp)
    assert made.sym_name.data == call.callee.string_value() == "fused_relu_relu_2"
    assert made.location == call.location == ops[-1].location


def test_referenced_functions_are_kept():
    module = chains(1, 2)
    (function,) = functions(module).values()
    outline_groups(Outliner(module), function, [[*function.body.block.ops][:-1]])
    function.attributes["other.uses"] = SymbolRefAttr("fused_relu_relu")
    InlineFused().apply(Context(), module)
    assert set(functions(module)) == {"f0", "fused_relu_relu"}
    del function.attributes["other.uses"]
    InlineFused().apply(Context(), module)
    assert set(functions(module)) == {"f0"}


@pytest.mark.parametrize("seed", range(12))
def test_any_legal_groups(seed: int):
    """Random groups compute the same, and inlining restores the program."""
    module = random_program(seed, 25, foreign=("none", "any")[seed % 2], functions=0)
    original = module.clone()
    (function,) = [each for each in functions(module).values() if each.body.blocks]
    outline_groups(Outliner(module), function, random_groups(function.body.block, Random(seed)))
    verify(module)
    assert len(functions(module)) > 1
    assert compare(original, module).verdict is Verdict.PROVED
    InlineFused().apply(Context(), module)
    verify(module)
    assert compare(original, module).verdict is Verdict.PROVED
    assert set(functions(module)) == set(functions(original))


def random_groups(block: Block, rng: Random) -> list[list[Operation]]:
    """Groups of ops without side effects that form no cycle, connected or not."""
    ops = [op for op in block.ops if is_side_effect_free(op) and not is_constant(op)]
    rng.shuffle(ops)
    groups: list[list[Operation]] = []
    for op in ops:
        joined = [[*group, op] if place == 0 else group for place, group in enumerate(groups)]
        if rng.random() < 0.8 and groups and is_acyclic(block, joined):
            groups = joined
        else:
            groups = [[op], *groups]
    return groups


def test_ops_are_sorted_by_operands_and_otherwise_keep_program_order():
    rng = Random(5)
    for seed in range(30):
        module = random_program(seed, 20, foreign="any", functions=0)
        block = next(each.body.block for each in functions(module).values() if each.body.blocks)
        before = list(block.ops)
        sort_by_operands(block)
        assert list(block.ops) == before
        # Pure ops anywhere: they are sorted behind their producers, and side effects keep their order.
        effects = [op for op in before if not is_side_effect_free(op)]
        mixed = [op for op in before if is_side_effect_free(op)]
        rng.shuffle(mixed)
        for shuffled in ([*mixed, *effects], [*effects[:-1], *mixed, effects[-1]]):
            for op in before:
                op.detach()
            block.add_ops(shuffled)
            sort_by_operands(block)
            verify(module)
            assert [op for op in block.ops if not is_side_effect_free(op)] == effects


def test_ops_follow_the_side_effect_before_them():
    module = parse(
        """
        func.func @main(%x: tensor<4xf32>) {
          %a = npu.relu %x : tensor<4xf32>
          npu.opaque "other.print"(%a) : (tensor<4xf32>) -> ()
          npu.opaque "other.print"(%x) : (tensor<4xf32>) -> ()
          func.return
        }"""
    )
    block = functions(module)["main"].body.block
    relu, first, second, last = block.ops
    block.detach_op(relu)
    block.insert_op_before(relu, last)
    sort_by_operands(block)
    assert list(block.ops) == [relu, first, second, last]
    block.detach_op(relu)
    block.insert_op_before(relu, last)
    sort_by_operands(block, {first})
    assert list(block.ops) == [second, relu, first, last]


def test_inlining_nested_calls_but_not_recursion():
    module = parse(
        """
        func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
          %a = func.call @outer(%x) : (tensor<4xf32>) -> tensor<4xf32>
          %b = func.call @endless(%a) : (tensor<4xf32>) -> tensor<4xf32>
          func.return %a, %b : tensor<4xf32>, tensor<4xf32>
        }
        func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> attributes {npu.primitive} {
          %a = func.call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
          %b = func.call @inner(%a) : (tensor<4xf32>) -> tensor<4xf32>
          func.return %b : tensor<4xf32>
        }
        func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> attributes {npu.primitive} {
          %a = npu.relu %x : tensor<4xf32>
          func.return %a : tensor<4xf32>
        }
        func.func private @endless(%x: tensor<4xf32>) -> tensor<4xf32> attributes {npu.primitive} {
          %y = npu.abs %x : tensor<4xf32>
          %a = func.call @endless(%y) : (tensor<4xf32>) -> tensor<4xf32>
          func.return %a : tensor<4xf32>
        }
        func.func @public(%x: tensor<4xf32>) -> tensor<4xf32> attributes {npu.primitive} {
          func.return %x : tensor<4xf32>
        }"""
    )
    InlineFused().apply(Context(), module)
    verify(module)
    assert set(functions(module)) == {"main", "endless", "public"}
    names = [op.name for op in functions(module)["main"].body.block.ops]
    assert names == ["npu.relu", "npu.relu", "func.call", "func.return"]
    assert len(call_graph(module).callees) == 2


def test_fused_functions_with_effects_inside():
    module = parse(
        """
        func.func @main(%x: tensor<4xf32>) {
          %a = func.call @computes(%x) : (tensor<4xf32>) -> tensor<4xf32>
          %b = func.call @shows(%a) : (tensor<4xf32>) -> tensor<4xf32>
          %c = func.call @somewhere(%b) : (tensor<4xf32>) -> tensor<4xf32>
          %d = func.call @calls(%c) : (tensor<4xf32>) -> tensor<4xf32>
          %e = func.call @unfused(%d) : (tensor<4xf32>) -> tensor<4xf32>
          func.return
        }
        func.func private @computes(%x: tensor<4xf32>) -> tensor<4xf32> attributes {npu.primitive} {
          %a = npu.relu %x : tensor<4xf32>
          func.return %a : tensor<4xf32>
        }
        func.func private @shows(%x: tensor<4xf32>) -> tensor<4xf32> attributes {npu.primitive} {
          npu.opaque "other.print"(%x) : (tensor<4xf32>) -> ()
          func.return %x : tensor<4xf32>
        }
        func.func private @somewhere(tensor<4xf32>) -> tensor<4xf32> attributes {npu.primitive}
        func.func private @calls(%x: tensor<4xf32>) -> tensor<4xf32> attributes {npu.primitive} {
          %a = func.call @computes(%x) : (tensor<4xf32>) -> tensor<4xf32>
          func.return %a : tensor<4xf32>
        }
        func.func private @unfused(%x: tensor<4xf32>) -> tensor<4xf32> {
          func.return %x : tensor<4xf32>
        }"""
    )
    calls = fused_calls(module)
    # The callees of a fused function are not checked.
    assert sorted(call.results[0].name_hint or "" for call in calls.without_effects) == ["a", "a"]
    assert sorted(call.results[0].name_hint or "" for call in calls.all) == ["a", "a", "b", "c", "d"]


def test_ten_thousand_groups_of_one_kind():
    """Names and arguments take no longer for the last group than for the first."""
    module = chains(1, 20_000)
    (function,) = functions(module).values()
    ops = [op for op in function.body.block.ops if not isinstance(op, ReturnOp)]
    outline_groups(Outliner(module), function, [ops[at : at + 2] for at in range(0, len(ops), 2)])
    assert list(functions(module))[-1] == "fused_relu_relu_9999"
    InlineFused().apply(Context(), module)
    assert len(list(function.body.block.ops)) == 20_001
    verify(module)
