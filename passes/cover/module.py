"""The data that a whole module moves behind `fuse-ops-hw` with the best groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.carrying.callers import calls_around
from ...dialects.npu.shape import AnyTransposeOp
from ...targets import Target
from ..common.moves.conversion_ops import ConversionOp, is_conversion, moves_at_run_time
from ..common.moves.packs import cost_of_conversion
from ..common.moves.transpose_cost import CONVERSION, Cost, cost_of
from ..common.storages.origins import Origins
from ..fusion.functions.fused_functions import FusedCalls, can_be_fused, fused_calls, is_fused
from ..fusion.graph.graph import FusionNode, forward_graph
from ..fusion.groups.hardware_groups import hardware_groups
from ..fusion.groups.traffic import traffic_of
from ..fusion.stages.operand_layouts import OperandLayouts
from ..fusion.stages.stage_match import Matching
from .best import better, covered_flow, grouping
from .parts import CoveredFlow, KnownParts
from .problem import CoverProblem


class CoveredModule(NamedTuple):
    """The data that a module moves in all calls, and its conversions that groups absorb."""

    bytes: int
    """With the price of absorbed transposes."""
    least: int
    """The data that it moves at least, in whatever groups."""
    groups: int
    absorbed: frozenset[ConversionOp]
    is_assumed: bool
    """True if a size was assumed."""
    price: int = 0
    """The price of the absorbed transposes on their stages."""

    def cost_with(self, transposes: Cost) -> Cost:
        """The cost of all transposes, with the data that is moved."""
        absorbed, is_assumed = sum(map(calls_around, self.absorbed)), self.is_assumed
        moved = Cost(travelling=self.bytes, absorbed=absorbed, absorbed_price=self.price, is_assumed=is_assumed)
        return transposes.in_groups_of(moved)


class ModuleGraphs:
    """The graph of each function of a module that can be fused, with the stages of its ops."""

    def __init__(self, module: ModuleOp, target: Target) -> None:
        ops = list(module.walk())
        self.conversions = list(filter(is_conversion, ops))
        self.matching = Matching(target, OperandLayouts(module))
        self.functions = [op for op in ops if isinstance(op, FuncOp)]
        self.fused = fused_calls(module) if any(map(is_fused, self.functions)) else FusedCalls((), ())
        blocks = [function.body.block for function in self.functions if can_be_fused(function)]
        self.calls = [calls_around(op) for op in (block.last_op for block in blocks) if op is not None]
        """The calls of each function."""
        self.each = [forward_graph(block, self.fused.without_effects, has_edges=False) for block in blocks]


def covered(module: ModuleOp, target: Target, assumed_size: int, known: KnownParts | None = None) -> CoveredModule:
    """The data that the functions of a module move in their best groups.

    A transpose outside of them, as in code that an op holds, reads and writes its data. `known` are the parts that
    other programs for this target have as well.
    """
    return covered_graphs(ModuleGraphs(module, target), assumed_size, {} if known is None else known)


def covered_graphs(graphs: ModuleGraphs, assumed_size: int, known: KnownParts) -> CoveredModule:
    """The data that a module with these graphs moves in its best groups."""
    matching, found = graphs.matching, list[CoveredModule]()
    for nodes in graphs.each:
        flow = traffic_of(nodes, matching, assumed_size)
        parts = covered_flow(CoverProblem(flow, matching), known)
        found.append(_best(parts) if parts.is_all_known else _better(parts, nodes, matching, graphs.fused))
    elsewhere = _moved_elsewhere(graphs, assumed_size)
    called = [*zip(found, graphs.calls, strict=True)]
    return CoveredModule(
        sum(each.bytes * calls for each, calls in called) + elsewhere,
        sum(each.least * calls for each, calls in called) + elsewhere,
        sum(each.groups for each in found),
        frozenset[ConversionOp]().union(*(each.absorbed for each in found)),
        any(each.is_assumed for each in found),
        sum(each.price * calls for each, calls in called),
    )


def _best(found: CoveredFlow) -> CoveredModule:
    """The data that a function moves in the best groups, where no stage has a price."""
    return CoveredModule(found.least, found.least, found.count, found.absorbed, found.problem.flow.is_assumed)


def _better(found: CoveredFlow, nodes: Sequence[FusionNode], matching: Matching, fused: FusedCalls) -> CoveredModule:
    """The data that a function moves in the better ones of the groups found and those of the default."""
    flow = found.problem.flow
    best = better(grouping(found, matching), flow, lambda: hardware_groups(nodes, matching, fused.all))
    conversions = (step.op for step in flow.steps if isinstance(step.op, ConversionOp))
    absorbed = frozenset(op for op in conversions if best.absorbs(op))
    moved, price = flow.travelling(best), flow.price(best)
    return CoveredModule(moved, found.least, len(best.groups), absorbed, flow.is_assumed, price)


def covered_cost(module: ModuleOp, target: Target, assumed_size: int) -> Cost:
    """The cost of the transposes of a module, with the data that it moves in its best groups."""
    graphs = ModuleGraphs(module, target)
    return covered_graphs(graphs, assumed_size, {}).cost_with(present_cost(graphs, assumed_size))


def present_cost(graphs: ModuleGraphs, assumed_size: int) -> Cost:
    """The cost of the transposes of a module in all calls; on a target with blocks that of packs as well."""
    origins = graphs.matching.origins
    moving = (op for op in graphs.conversions if moves_at_run_time(op, origins))
    found = sum((cost_of_conversion(op, origins, assumed_size) * calls_around(op) for op in moving), Cost())
    return replace(found, noun=CONVERSION) if graphs.matching.target.blocks else found


def _moved_elsewhere(graphs: ModuleGraphs, assumed_size: int) -> int:
    """The bytes that the conversions which are no nodes read and write."""
    if not graphs.conversions:
        return 0
    origins = Origins()
    seen = {node.source for nodes in graphs.each for node in nodes}
    moving = (op for op in graphs.conversions if op not in seen and moves_at_run_time(op, origins))
    moved = ((op, (op.input, op.input if isinstance(op, AnyTransposeOp) else op.result)) for op in moving)
    return sum(
        cost_of(value, origins, assumed_size).bytes * calls_around(op) for op, values in moved for value in values
    )
