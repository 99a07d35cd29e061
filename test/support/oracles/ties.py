"""The least cost of programs with ties: all orders of each tie, tried one by one, each function alone."""

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product

from npu_opt.dialects.notes.calls import calls_of, note_calls
from npu_opt.dialects.notes.interfaces import InterfaceValue, interface_of
from npu_opt.dialects.notes.ties import TIE, Tie, ties_of
from npu_opt.dialects.npu.values import encoding
from npu_opt.layout import Order, identity, permute
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.transmit.apply import transmit
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

Orders = tuple[tuple[int, Order], ...]
"""The order of each end, by its place in the interface."""


def least_of_all_orders(module: ModuleOp) -> int:
    """The bytes that all calls of a program move at least, whose ends have no orders but those of their types yet."""
    coloured = module.clone()
    transmit(coloured)
    ties = ties_of(coloured)
    functions = [op for op in coloured.walk() if isinstance(op, FuncOp)]
    choices = [[*permutations(range(tie.ends[0].rank))] for tie in ties]
    fixed: list[FuncOp] = []
    tied: list[tuple[FuncOp, list[int]]] = []
    for function in functions:
        own = [place for place, each in enumerate(ties) if any(end.function is function for end in each.ends)]
        if own:
            tied.append((function, own))
        else:
            fixed.append(function)

    @cache
    def cost(function: FuncOp, orders: Orders) -> int:
        return calls_of(function) * _bytes_with(function, orders)

    sums = (
        sum(
            cost(function, tuple(_of(function, [(ties[place], orders[place]) for place in own])))
            for function, own in tied
        )
        for orders in product(*choices)
    )
    return min(sums) + sum(cost(function, ()) for function in fixed)


def _of(function: FuncOp, orders: list[tuple[Tie, Order]]) -> Iterator[tuple[int, Order]]:
    for place, end in enumerate(interface_of(function)):
        yield from ((place, order) for each, order in orders if end in each.ends)


def _bytes_with(function: FuncOp, orders: Orders) -> int:
    """The bytes that a function moves at least with some ends in other orders."""
    alone = function.clone()
    module = ModuleOp([alone])
    note_calls(alone, 1)
    ends = [*interface_of(alone)]
    for end in ends:
        end.set_attributes({name: each for name, each in end.attributes.data.items() if name != TIE})
    interface = ",".join(f"{_name(ends[place])}:{_stored(ends[place], order)}" for place, order in orders)
    LayoutOptimal(cost="bytes", interface=interface or "keep").apply(Context(), module)
    return cost_of_program(module).bytes


def _name(end: InterfaceValue) -> str:
    return f"{'input' if end.is_argument else 'output'}{end.index}"


def _stored(end: InterfaceValue, order: Order) -> str:
    if order == identity(end.rank):
        return "keep"
    layout = encoding(end.type)
    assert layout is not None
    return str(layout.with_order(permute(layout.order_for(end.rank), order)))
