"""Dominance, compared with a search for paths around the definition."""

import random

import pytest
from npu_opt.dialects.program.dominance import DominanceError, Dominators, verify_dominance
from npu_opt.dialects.program.symbols import verify
from support.ir_text import parse
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.dialects.func import FuncOp
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.dialects.test import TestTermOp as LastOp
from xdsl.ir import Block, Region

GRAPHS = range(300)


def random_region(seed: int) -> Region:
    """A few blocks with an op each, and jumps between them."""
    choose = random.Random(seed)
    blocks = [Block([AnyOp(result_types=[i1])]) for _ in range(choose.randint(1, 7))]
    for block in blocks:
        block.add_op(LastOp(successors=choose.choices(blocks[1:], k=choose.randint(0, 3)) if blocks[1:] else []))
    return Region(blocks)


def reachable(region: Region, without: Block | None = None) -> set[Block]:
    """The blocks to which a path leads from the entry that does not touch one of them."""
    found, left = set[Block](), [region.blocks[0]]
    while left:
        block = left.pop()
        if block in found or block is without:
            continue
        found.add(block)
        assert block.last_op is not None
        left += block.last_op.successors
    return found


@pytest.mark.parametrize("seed", GRAPHS)
def test_dominators_of_random_graphs(seed: int):
    region = random_region(seed)
    dominators = Dominators(region)
    met = reachable(region)
    assert set(dominators.order) == met
    for block in region.blocks:
        cut_off = met - reachable(region, block) if block in met else set[Block]()
        for other in region.blocks:
            expected = other not in met or (other in cut_off and other is not block)
            assert dominators.properly_dominates(block, other) == expected


@pytest.mark.parametrize("seed", GRAPHS)
def test_uses_in_random_graphs(seed: int):
    region = random_region(seed)
    choose = random.Random(-seed)
    definition, user = choose.choice(region.blocks), choose.choice(region.blocks)
    value = definition.first_op
    assert value is not None
    nested = choose.random() < 0.5
    use = AnyOp(operands=value.results)
    inside = AnyOp(regions=[Region(Block([use, LastOp()]))]) if nested else use
    is_first = choose.random() < 0.5
    first, last = user.first_op, user.last_op
    assert first is not None
    assert last is not None
    user.insert_op_before(inside, first if is_first else last)
    module = ModuleOp([FuncOp("f", ((), ()), region)])
    if definition is user:
        good = not is_first or (not nested and definition not in reachable(region))
    else:
        good = user not in reachable(region) or user not in reachable(region, definition)
    assert found(module) == (None if good else "operand #0 does not dominate this use")


def found(module: ModuleOp) -> str | None:
    try:
        verify_dominance(module)
    except DominanceError as error:
        return str(error)
    return None


def test_a_value_of_a_child_region_is_not_visible():
    inner = AnyOp(result_types=[i1])
    outer = AnyOp(regions=[Region(Block([inner, LastOp()]))])
    module = ModuleOp([FuncOp("f", ((), ()), Region(Block([outer, LastOp(operands=inner.results)])))])
    with pytest.raises(DominanceError) as error:
        verify(module)
    assert error.value.definition is inner
    assert error.value.note == "operand defined here (op in a child region)"


def test_a_value_of_another_function_is_not_visible():
    op = AnyOp(result_types=[i1])
    functions = [
        FuncOp("f", ((), ()), Region(Block([op, LastOp()]))),
        FuncOp("g", ((), ()), Region(Block([LastOp(operands=op.results)]))),
    ]
    assert found(ModuleOp([*functions])) is not None
    with pytest.raises(DominanceError, match="operand #0") as error:
        verify_dominance(ModuleOp([each.detach() or each for each in functions]))
    assert error.value.note == "operand defined here (op neither in a parent nor in a child region)"


def test_deep_nesting_needs_no_stack():
    block = Block([LastOp()])
    for _ in range(5000):
        block = Block([AnyOp(regions=[Region(block)]), LastOp()])
    verify_dominance(ModuleOp([FuncOp("f", ((), ()), Region(block))]))


def test_earlier_values_are_visible_in_nested_regions():
    module = parse(
        """
        func.func @main(%x: i1) {
          %y = "test.op"(%x) : (i1) -> i1
          "test.op"() ({
            "test.op"(%x, %y) : (i1, i1) -> ()
            "test.termop"() : () -> ()
          }) : () -> ()
          func.return
        }
        """
    )
    verify_dominance(module)
