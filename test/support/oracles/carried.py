"""The least cost of programs that carry tensors: all orders of each tie, tried one by one, each piece of code alone."""

from functools import cache
from itertools import permutations, product

from npu_opt.dialects.notes.interfaces import interface_of
from npu_opt.dialects.npu.values import encoding
from npu_opt.layout import Order, identity, permute
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.passes.transmit.apply import transmit
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..generators.carried import CarriedProgram

Orders = tuple[Order | None, ...]


def least_of_all_orders(program: CarriedProgram) -> int:
    """The bytes that a program moves at least."""
    alone = [program.alone(piece) for piece in program.pieces]
    ends = [[tie for _, tie in (*piece.arguments, *piece.results)] for piece in program.pieces]

    @cache
    def cost(place: int, orders: Orders) -> int:
        return program.pieces[place].calls * _bytes_with(alone[place], orders)

    def total(orders: tuple[Order, ...]) -> int:
        own = (tuple(None if tie is None else orders[tie] for tie in each) for each in ends)
        return sum(cost(place, each) for place, each in enumerate(own))

    return min(map(total, product(permutations(range(program.rank)), repeat=program.ties)))


def _bytes_with(piece: ModuleOp, orders: Orders) -> int:
    """The bytes that a piece moves at least with its arguments and results in these orders."""
    module = piece.clone()
    transmit(module)
    (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
    wanted: list[str] = []
    for end, order in zip(interface_of(function), orders, strict=True):
        layout = encoding(end.type)
        assert layout is not None
        if order is not None and order != identity(end.rank):
            stored = layout.with_order(permute(layout.order_for(end.rank), order))
            wanted.append(f"{'input' if end.is_argument else 'output'}{end.index}:{stored}")
    LayoutOptimal(cost="bytes", interface=",".join(wanted) or "keep").apply(Context(), module)
    return cost_of_program(module).bytes
