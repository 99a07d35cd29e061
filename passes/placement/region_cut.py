"""The regions to store in the target's preferred order so that the fewest bytes move between regions.

Regions with a demand are re-ordered; unknown ops, arguments and results of functions are not. A cut between the two
decides for all other regions, and for each tensor region that could follow its operands. The minimum cut is a maximum
flow; of several the one that re-orders most is taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.npu.axes import Relayout
from ...dialects.npu.base import NpuOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import rank_of, shape_of
from ...layout import Order, same_storage, unpermute
from ..common.demands.target_layouts import TargetLayouts
from ..common.graph.maximum_flow import SINK, SOURCE, FlowGraph
from ..common.graph.op_classes import is_fixed, only_transposes, order_of
from ..common.graph.producers import Node, Use, node_of, tensor_operands
from ..common.moves.transpose_cost import cost_of
from ..common.storages.origins import Origins
from ..common.words.reasons import Reason
from .regions import Regions

TRANSPOSE = 1
"""The weight of a transpose beside its bytes, so that of two cuts with equal bytes the one with fewer transposes is
cheaper."""
BYTE = 2**40


class _Read(NamedTuple):
    """A use of a value: the side of the cut it belongs to, and its order if that side is re-ordered."""

    point: int
    order: Order


class _Given(NamedTuple):
    """A value: the side of the cut its producer belongs to, and its orders on either side."""

    point: int
    stays: Order
    moves: Order


class RegionCut:
    """The minimum cut between regions that stay and regions that are re-ordered."""

    def __init__(
        self,
        regions: Regions,
        target_layouts: TargetLayouts,
        demanded: Mapping[Node, Reason],
        carried: Mapping[Operation, Relayout],
    ) -> None:
        """`carried` holds the relayouts of tensors that could follow."""
        self._regions = regions
        self._target_layouts = target_layouts
        self._demanded = demanded
        self._carried = carried
        self._graph = FlowGraph()
        self._origins = Origins()
        self._points: dict[Node, int] = {}
        """The roots of the regions that may be on either side, with their nodes in the graph."""
        self._neighbours: dict[Node, list[Node]] = {}

    def reordered(self, module: ModuleOp) -> dict[Node, Reason]:
        """The roots of the re-ordered regions, with reasons."""
        if not self._demanded or not any(map(self._is_undecided, (*self._regions.presets, *self._carried))):
            return dict(self._demanded)
        values: dict[SSAValue, list[Use]] = {}
        for op in module.walk():
            for use in tensor_operands(op):
                self._link(use)
                values.setdefault(use.value, []).append(use)
        for value, uses in values.items():
            # Between regions whose sides are known, the cost is the same in every cut.
            if any(map(self._is_undecided, (node_of(value), *(use.op for use in uses)))):
                self._add(value, uses)
        kept = self._graph.before_sink()
        reordered = {root for root, point in self._points.items() if point not in kept}
        return self._reached(reordered)

    def _reached(self, reordered: set[Node]) -> dict[Node, Reason]:
        """The regions that a demand reaches through others."""
        reasons = dict(self._demanded)
        waiting = deque(reasons)
        while waiting:
            root = waiting.popleft()
            for other in self._neighbours.get(root, ()):
                if other in reordered and other not in reasons:
                    reasons[other] = reasons[root]
                    waiting.append(other)
        return reasons

    def _relayout(self, op: Operation) -> Relayout | None:
        """The relayout of an op if its region is re-ordered."""
        return self._carried.get(op) or self._regions.presets.get(op)

    def _is_undecided(self, node: Node) -> bool:
        """True if the cut decides on the region of a node."""
        if not isinstance(node, Operation) or self._relayout(node) is None or self._regions.is_alone(node):
            return False
        return self._regions.root(node) not in self._demanded

    def _point(self, op: Operation) -> int:
        """The graph node of an op's region: source or sink if its side is known."""
        root = self._regions.root(op)
        if not self._is_undecided(op):
            return SOURCE if root in self._demanded else SINK
        if root not in self._points:
            self._points[root] = self._graph.add_node()
        return self._points[root]

    def _given(self, value: SSAValue) -> _Given:
        present = order_of(value)
        assert present is not None
        op = value.owner
        relayout = self._relayout(op) if isinstance(op, Operation) else None
        if relayout is None or not isinstance(value, OpResult):
            return _Given(SINK, present, present)
        return _Given(self._point(value.op), present, relayout.results[value.index])

    def _read(self, use: Use, given: _Given) -> _Read:
        op, relayout = use.op, self._relayout(use.op)
        if relayout is not None and (point := self._point(op)) != SINK:
            follows = relayout.operands[relayout.place_of(use.operand)]
            if follows != given.moves and op in self._regions.presets:
                follows = self._if_given(use, given.moves, follows)
            return _Read(point, follows)
        order = self._demanded_order(use)
        return _Read(SINK, given.stays) if order is None else _Read(SOURCE, order)

    def _if_given(self, use: Use, order: Order, otherwise: Order) -> Order:
        """The order in which a relayout reads an operand."""
        op = use.op
        assert isinstance(op, NpuOp)
        orders = [order if index == use.operand else order_of(value) for index, value in enumerate(op.operands)]
        relayout = self._target_layouts.preferred_relayout(op, orders)
        return otherwise if relayout is None else relayout.operands[relayout.place_of(use.operand)]

    def _demanded_order(self, use: Use) -> Order | None:
        """The demanded order of an op outside all undecided regions."""
        if is_fixed(use.op) or only_transposes(use.op):
            return None
        demands = self._target_layouts.demands(use.op)
        wanted = None if demands is None else demands.operands[use.operand]
        return None if wanted is None else wanted.order_for(rank_of(use.value))

    def _link(self, use: Use) -> None:
        """Record that two regions are neighbours."""
        one, other = self._regions.root(node_of(use.value)), use.op
        if not other.results or order_of(other.results[0]) is None:
            return
        other = self._regions.root(other)
        if one is not other:
            self._neighbours.setdefault(one, []).append(other)
            self._neighbours.setdefault(other, []).append(one)

    def _add(self, value: SSAValue, uses: Sequence[Use]) -> None:
        """Add the cost of converting a value to the cut, once for each order in which it is read."""
        if isinstance(value.owner, ConstantOp) or self._origins.is_constant(value):
            return
        given = self._given(value)
        logical = unpermute(shape_of(value), given.stays)
        cost = cost_of(value, self._origins)
        weight = cost.bytes * BYTE + TRANSPOSE
        wanted: dict[Order, int] = {}
        for point, order in dict.fromkeys(self._read(use, given) for use in uses):
            if point != SOURCE and not same_storage(given.stays, given.moves, logical):
                self._connect(wanted, given, given.stays, weight, point)
            if point != SINK and not same_storage(order, given.stays, logical):
                self._connect(wanted, given, order, weight, point)

    def _connect(self, wanted: dict[Order, int], given: _Given, order: Order, weight: int, reader: int) -> None:
        """A use reads a value in its present order if its side stays, else in the new order."""
        stays = order == given.stays
        if order not in wanted:
            wanted[order] = self._graph.add_node()
            if stays:
                self._arc(given.point, wanted[order], weight)
            else:
                self._arc(wanted[order], given.point if order == given.moves else SINK, weight)
        if stays:
            self._arc(wanted[order], reader, FlowGraph.ENDLESS)
        else:
            self._arc(reader, wanted[order], FlowGraph.ENDLESS)

    def _arc(self, tail: int, head: int, capacity: int) -> None:
        if tail != head and head != SOURCE and tail != SINK:
            self._graph.add_arc(tail, head, capacity)
