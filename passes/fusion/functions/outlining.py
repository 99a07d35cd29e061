"""Outlining of groups of ops into functions, and inlining of those functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from heapq import heappop, heappush

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...common.graph.call_graph import call_graph
from ..graph.graph import effects_before, is_constant, is_scalar_constant, values_used_by

PRIMITIVE = "npu.primitive"
"""Attribute of functions that are one group of ops."""
COMPILER = "npu.compiler"
"""Attribute of functions that are compiled by another compiler."""
LONGEST_NAME = 60
PRIVATE = StringAttr("private")


class Outliner:
    """Outlines groups of ops into private functions at the end of a module."""

    def __init__(self, module: ModuleOp) -> None:
        self._module = module
        self._names = {op.get_attr_or_prop("sym_name") for op in module.ops}
        self._count = Counter[str]()

    def outline(self, ops: Sequence[Operation]) -> CallOp:
        """Move ops of one block, given in program order, into a function, and insert a call of it after the last op.

        Its arguments are the values that the ops use from outside, in the order of their uses; its results are the
        values with uses outside. Constants of one element are moved in, or copied if they have other users.
        """
        ops = [*_own_constants(ops), *ops]
        inside = set(ops)
        last = ops[-1]
        arguments = _read_from_elsewhere(ops, inside)
        returned = [result for op in ops for result in op.results if _is_read_elsewhere(result, inside)]
        takes, gives = [value.type for value in arguments], [value.type for value in returned]
        block = Block(arg_types=takes)
        name = self._free_name(ops)
        # Of many groups, xDSL's general constructors would take most of the time.
        function = FuncOp.create(
            properties={
                "sym_name": name,
                "function_type": FunctionType.from_lists(takes, gives),
                "sym_visibility": PRIVATE,
            },
            attributes={PRIMITIVE: UnitAttr()},
            regions=[Region(block)],
        )
        function.location = last.location
        for value, argument in zip(arguments, block.args, strict=True):
            argument.name_hint = value.name_hint
        call = CallOp.create(operands=arguments, result_types=gives, properties={"callee": SymbolRefAttr(name)})
        call.location = last.location
        Rewriter.insert_op(call, InsertPoint.after(last))
        for value, result in zip(returned, call.results, strict=True):
            result.name_hint = value.name_hint
            value.replace_uses_with_if(result, lambda use: use.operation not in inside)
        argument_for = dict(zip(arguments, block.args, strict=True))
        for op in ops:
            for index, value in enumerate(op.operands):
                if value in argument_for:
                    op.operands[index] = argument_for[value]
            op.detach()
            block.add_op(op)
        block.add_op(ReturnOp.create(operands=returned))
        self._module.body.block.add_op(function)
        return call

    def _free_name(self, ops: Iterable[Operation]) -> StringAttr:
        words = [op.name.rpartition(".")[2] for op in ops if not is_constant(op)]
        name = f"fused_{'_'.join(words)}"[:LONGEST_NAME].rstrip("_")
        free = StringAttr(name)
        while free in self._names:
            self._count[name] += 1
            free = StringAttr(f"{name}_{self._count[name]}")
        self._names.add(free)
        return free


def _own_constants(ops: Sequence[Operation]) -> list[Operation]:
    """Copy the constants of one element that ops use from outside, and let the ops use the copies."""
    inside = set(ops)
    copies: dict[Operation, Operation] = {}
    for op in ops:
        for index, value in enumerate(op.operands):
            constant = value.owner
            if isinstance(constant, Operation) and constant not in inside and is_scalar_constant(constant):
                if constant not in copies:
                    copies[constant] = constant.clone()
                    Rewriter.insert_op(copies[constant], InsertPoint.before(ops[0]))
                op.operands[index] = copies[constant].results[0]
    for constant in copies:
        if constant.results[0].first_use is None:
            Rewriter.erase_op(constant)
    return list(copies.values())


def _read_from_elsewhere(ops: Sequence[Operation], inside: set[Operation]) -> list[SSAValue]:
    read = (value for op in ops for value in op.operands)
    return list(dict.fromkeys(value for value in read if value.owner not in inside))


def _is_read_elsewhere(result: OpResult, inside: set[Operation]) -> bool:
    return any(use.operation not in inside for use in result.uses)


def inline(call: CallOp, function: FuncOp) -> None:
    """Replace a call by the ops of its callee."""
    block = function.body.clone().block
    end = block.last_op
    assert isinstance(end, ReturnOp)
    Rewriter.inline_block(block, InsertPoint.before(call), call.operands)
    for result, value in zip(call.results, end.operands, strict=True):
        result.replace_all_uses_with(value)
    Rewriter.erase_op(end)
    Rewriter.erase_op(call)


def inline_fused(module: ModuleOp) -> list[FuncOp]:
    """Replace the calls of fused functions by their ops, and return these functions; recursive ones are kept."""
    graph = call_graph(module)
    calls: dict[FuncOp, list[CallOp]] = {}
    for call, callee in graph.callees.items():
        calls.setdefault(callee, []).append(call)
    fused = [each for each in graph.callees_first if is_fused(each) and each not in graph.recursive]
    for function in fused:
        for call in calls.get(function, []):
            inline(call, function)
    return fused


def is_fused(function: FuncOp) -> bool:
    """True for a group of ops that was outlined."""
    return PRIMITIVE in function.attributes and len(function.body.blocks) == 1


def sort_by_operands(block: Block, without_effects: Container[Operation] = ()) -> None:
    """Sort the ops of a block so that each follows its producers, and keep program order otherwise.

    Ops with side effects keep their order; `without_effects` are known to have none.
    """
    ops = list(block.ops)
    places = {op: place for place, op in enumerate(ops)}
    missing = [0] * len(ops)
    readers: list[list[int]] = [[] for _ in ops]
    previous = effects_before(ops, without_effects)
    for place, op in enumerate(ops):
        producers = (value.owner for value in values_used_by(op))
        before = {places[each] for each in producers if isinstance(each, Operation) and each in places}
        if op in previous:
            before.add(places[previous[op]])
        missing[place] = len(before)
        for other in before:
            readers[other].append(place)
    ready = [place for place, count in enumerate(missing) if not count]
    order: list[int] = []
    while ready:
        place = heappop(ready)
        order.append(place)
        for reader in readers[place]:
            missing[reader] -= 1
            if not missing[reader]:
                heappush(ready, reader)
    assert len(order) == len(ops), "a cycle of ops"
    if order != sorted(order):
        for op in ops:
            op.detach()
        block.add_ops(ops[place] for place in order)
