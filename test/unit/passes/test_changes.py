"""The savings that `--why` promises: the program with the change costs what the answer says."""

import re
from collections.abc import Iterator

from npu_opt.compat.xdsl import retype
from npu_opt.dialects.npu.relayout import stored_in
from npu_opt.dialects.npu.shape import TransposeOp
from npu_opt.dialects.npu.values import encoding, order_of_value, tensor_type
from npu_opt.layout import Layout, Order
from npu_opt.layout.order import permutation_between
from npu_opt.passes.common.demands.target_layouts import TargetLayouts
from npu_opt.passes.common.words.reasons import Names
from npu_opt.passes.optimal.choice.mode_choice import ModeChoice, choose_modes
from npu_opt.passes.optimal.explain.changes import Changes
from npu_opt.passes.optimal.explain.conflicts import Chain
from npu_opt.passes.placement.layout_pass import colour
from npu_opt.targets import Target, load
from support.generators.programs import random_program
from support.generators.random_targets import loaded_target
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

PROMISE = re.compile(
    r"  with (?:argument|output) .* stored as (.*?)(?: \(--interface=.*\))?:"
    r" \d+ to \d+ transposes, ~?(\d+) to ~?(\d+) bytes"
)


def chosen(module: ModuleOp, target: Target) -> ModeChoice:
    return choose_modes(module, TargetLayouts(target), "bytes", 64, 60)


def main_of(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks)


def ends_of(block: Block) -> Iterator[tuple[SSAValue, Chain]]:
    """The arguments and outputs of a function with a layout."""
    yield from ((argument, Chain(argument, [], None)) for argument in block.args if encoding(argument.type))
    returned = block.last_op
    assert isinstance(returned, ReturnOp)
    ends = ((value, Chain(returned, [], index)) for index, value in enumerate(returned.operands))
    yield from (end for end in ends if encoding(end[0].type))


def store_otherwise(function: FuncOp, value: SSAValue, chain: Chain, order: Order) -> None:
    """Change a signature, with a transpose from or to the order that the rest of the function has."""
    block, present = function.body.block, order_of_value(value)
    type_ = stored_in(value, order)
    if chain.operand is None:
        transpose = TransposeOp(value, permutation_between(order, present), tensor_type(value))
        value.replace_all_uses_with(transpose.result)
        transpose.operands[0] = value
        retype(value, type_)
        Rewriter.insert_op(transpose, InsertPoint.at_start(block))
    else:
        returned = block.last_op
        assert returned is not None
        transpose = TransposeOp(value, permutation_between(present, order), type_)
        Rewriter.insert_op(transpose, InsertPoint.before(returned))
        returned.operands[chain.operand] = transpose.result
    returned = block.last_op
    assert returned is not None
    function.function_type = FunctionType.from_lists([each.type for each in block.args], [*returned.operand_types])


def check_promises(seed: int) -> int:
    """The number of promises for a random program, all of which hold."""
    target = loaded_target(seed) if seed % 3 == 2 else load("plover" if seed % 3 else "opu")
    module = random_program(seed, 25, coloured=False)
    colour(module)
    choice = chosen(module, target)
    changes = Changes(choice, Names(module), lambda target, ends: choice, 60)
    count = 0
    for place, (_, end) in enumerate(ends_of(main_of(module).body.block)):
        for promise in filter(None, map(PROMISE.fullmatch, changes.lines([end], is_converted=False))):
            changed = module.clone()
            value, chain = [*ends_of(main_of(changed).body.block)][place]
            order = Layout.parse(promise[1]).order
            assert order is not None
            store_otherwise(main_of(changed), value, chain, order)
            changed.verify()
            assert (choice.cost.bytes, chosen(changed, target).cost.bytes) == (int(promise[2]), int(promise[3]))
            count += 1
    return count


def test_a_signature_with_the_change_costs_what_was_promised():
    assert sum(check_promises(seed) for seed in range(15)) > 5
