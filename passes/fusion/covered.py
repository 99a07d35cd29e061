"""The data that a whole module moves behind `fuse-ops-hw` with the best groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.npu.shape import AnyTransposeOp
from ...targets import Target
from ..common.origins import Origins
from ..common.transpose_cost import Cost, cost_of, cost_of_program, transposes
from .cover import best_cover
from .fused_functions import can_be_fused, fused_calls
from .graph import FusionNode, forward_graph
from .hardware_groups import hardware_groups
from .operand_layouts import OperandLayouts
from .stage_match import Matching
from .traffic import traffic_of


class CoveredModule(NamedTuple):
    """The data that a module moves, and its transposes that groups absorb."""

    bytes: int
    """With the price of absorbed transposes."""
    least: int
    """The data that it moves at least, in whatever groups."""
    groups: int
    absorbed: frozenset[AnyTransposeOp]
    is_assumed: bool
    """True if a size was assumed."""
    price: int = 0
    """The price of the absorbed transposes on their stages."""

    def cost_with(self, transposes: Cost) -> Cost:
        """The cost of all transposes, with the data that is moved."""
        is_assumed = transposes.is_assumed or self.is_assumed
        absorbed, price = len(self.absorbed), self.price
        return replace(
            transposes, travelling=self.bytes, absorbed=absorbed, absorbed_price=price, is_assumed=is_assumed
        )


def covered(module: ModuleOp, target: Target, assumed_size: int) -> CoveredModule:
    """The data that the functions of a module move in their best groups.

    A transpose outside of them, as in code that an op holds, reads and writes its data.
    """
    layouts, fused = OperandLayouts(module), fused_calls(module)
    total, least, groups, price, is_assumed = 0, 0, 0, 0, False
    absorbed, seen = set[AnyTransposeOp](), set[object]()
    for nodes in graphs(module):
        matching = Matching(target, layouts)
        flow = traffic_of(nodes, matching, assumed_size)
        grouping = best_cover(flow, matching, "bytes", partial(hardware_groups, nodes, matching, fused.all))
        total += flow.travelling(grouping)
        price += flow.price(grouping)
        groups += len(grouping.groups)
        assert grouping.bound is not None
        least += grouping.bound.least
        absorbed |= {
            step.op for step in flow.steps if isinstance(step.op, AnyTransposeOp) and grouping.absorbs(step.op)
        }
        is_assumed |= flow.is_assumed
        seen |= {node.source for node in nodes}
    elsewhere = _moved_elsewhere(module, seen, assumed_size)
    return CoveredModule(total + elsewhere, least + elsewhere, groups, frozenset(absorbed), is_assumed, price)


def covered_cost(module: ModuleOp, target: Target, assumed_size: int) -> Cost:
    """The cost of the transposes of a module, with the data that it moves in its best groups."""
    return covered(module, target, assumed_size).cost_with(cost_of_program(module, assumed_size))


def graphs(module: ModuleOp) -> Iterator[Sequence[FusionNode]]:
    """The graph of each function that can be fused."""
    fused = fused_calls(module)
    functions = (op for op in module.walk() if isinstance(op, FuncOp) and can_be_fused(op))
    return (forward_graph(each.body.block, fused.without_effects) for each in functions)


def _moved_elsewhere(module: ModuleOp, seen: set[object], assumed_size: int) -> int:
    """The bytes that the transposes which are no nodes read and write."""
    origins = Origins()
    moving = (op for op, not_counted in transposes(module, origins) if not_counted is None and op not in seen)
    return sum(2 * cost_of(op.input, origins, assumed_size).bytes for op in moving)
