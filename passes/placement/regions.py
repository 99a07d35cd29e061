"""Regions: ops, arguments and constants of one class that are connected, and so share one decision."""

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ...dialects.npu.axes import Relayout
from ...dialects.npu.base import NpuOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import logical_shape, shape_of
from ...dialects.settings.assumed_sizes import ASSUMED_SIZE, assumed
from ...layout import same_storage
from ..common.demands.demand_reasons import demands_reason
from ..common.demands.target_layouts import TargetLayouts
from ..common.demands.target_rules import OpDemands
from ..common.graph.op_classes import class_of, is_fixed, only_transposes, order_of, own_class, works_on_cnn
from ..common.graph.producers import Node, class_of_node, node_of, nodes_within
from ..common.words.reasons import Reason
from .union_find import UnionFind


class Regions:
    """The regions of a module.

    An op shares a region with each producer of its operands of the same class. A transpose of the input program, a
    call and an unknown op are regions of their own; so is an op without a relayout for the preferred order, or with a
    demand for another order.
    """

    def __init__(self, module: ModuleOp, target_layouts: TargetLayouts, splits: bool = False) -> None:
        """With `splits` regions end at features and weights that are smaller than what one of the ops beside them
        computes with, such as the gate of an attention, or are stored alike in the preferred order."""
        self._target_layouts = target_layouts
        self._splits = splits
        self._members = list(nodes_within(module))
        self._nodes = UnionFind(self._members)
        self._alone: set[Node] = set()
        self.presets: dict[Operation, Relayout] = {}
        """The relayouts of ops on features or weights for the target's preferred order."""
        self._demands: list[tuple[Node, Reason]] = []
        self._form()

    def groups(self) -> list[list[Node]]:
        """The regions, each with its members, in program order."""
        return list(self._nodes.groups().values())

    def root(self, node: Node) -> Node:
        """The root of a region."""
        return self._nodes.find(node)

    def is_alone(self, node: Node) -> bool:
        """True if a node is a region of its own."""
        return node in self._alone

    def is_inside(self, value: SSAValue, root: Node) -> bool:
        """True if the producer of a value belongs to a region."""
        return self._nodes.find(node_of(value)) is root

    def join(self, one: Node, other: Node) -> None:
        """Unite two regions."""
        self._nodes.union_nodes(one, other)

    def demands(self) -> dict[Node, Reason]:
        """The first demand on each region, by the region's root."""
        demands: dict[Node, Reason] = {}
        for node, reason in self._demands:
            demands.setdefault(self._nodes.find(node), reason)
        return demands

    def _form(self) -> None:
        for node in self._members:
            if isinstance(node, BlockArgument) or isinstance(node, ConstantOp):
                continue
            demands = self._target_layouts.demands(node)
            if demands is not None:
                self._note_demands(node, demands)
            if self._stands_alone(node, demands):
                self._alone.add(node)
                continue
            cls = own_class(node)
            for value in node.operands:
                producer = node_of(value)
                if class_of(value) is not cls or self._splits_at(node, value):
                    continue
                if producer not in self._alone and class_of_node(producer) is cls:
                    self._nodes.union_nodes(producer, node)

    def _splits_at(self, op: Operation, value: SSAValue) -> bool:
        """True if a region ends between an op and an operand of it."""
        if not self._splits or isinstance(value.owner, ConstantOp):
            return self._splits
        preferred, present = self._target_layouts.preferred(value), order_of(value)
        if present is None or preferred in (None, present):
            return False
        size = _elements(value)
        sizes = [_elements(each) for each in (*op.operands, *_operands_behind(value))]
        return size < max(sizes) or same_storage(present, preferred, logical_shape(value))

    def _stands_alone(self, op: Operation, demands: OpDemands | None) -> bool:
        if is_fixed(op) or only_transposes(op):
            return True
        assert isinstance(op, NpuOp)
        if demands is not None and not self._target_layouts.are_preferred(op, demands):
            return True
        if not works_on_cnn(op):
            return False
        preset = self._target_layouts.preferred_relayout(op)
        if preset is not None:
            self.presets[op] = preset
        return preset is None

    def _note_demands(self, op: Operation, demands: OpDemands) -> None:
        """A demand for the preferred order applies to the region of the op and to that of the operand."""
        if only_transposes(op) or not self._target_layouts.are_preferred(op, demands):
            return
        reason = demands_reason(self._target_layouts, op, demands)
        self._demands.append((op, reason))
        for value, layout in zip(op.operands, demands.operands, strict=True):
            if layout is not None and isinstance(value, OpResult | BlockArgument) and not self._splits_at(op, value):
                self._demands.append((node_of(value), reason))


def _operands_behind(value: SSAValue) -> Sequence[SSAValue]:
    """The operands of the op that produces a value."""
    return value.owner.operands if isinstance(value.owner, Operation) else ()


def _elements(value: SSAValue) -> int:
    return prod(assumed(shape_of(value), ASSUMED_SIZE))
