"""Tensor regions that can be re-ordered together with the regions that they read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from math import prod

from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects.npu.axes import Relayout
from ...dialects.npu.base import NpuOp
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import encoding, has_one_element, shape_of
from ...layout import Layout, LayoutClass, Order
from ..common.demands.target_layouts import TargetLayouts
from ..common.graph.op_classes import is_cnn, is_cnn_to_tensor, order_of
from ..common.graph.producers import Node, Use, class_of_node, node_of, tensor_operands
from ..common.words.reasons import Reason
from .regions import Regions


@dataclass
class Joined:
    """The result of joining."""

    relayouts: dict[Operation, Relayout] = field(default_factory=dict[Operation, Relayout])
    """The relayouts of the ops in joined regions."""
    reasons: dict[Operation, Reason] = field(default_factory=dict[Operation, Reason])
    """For ops that lead into a region that did not join, the reason."""


def join_tensor_regions(
    regions: Regions, target_layouts: TargetLayouts, unites: bool = True, pins_constants: bool = True
) -> Joined:
    """Join each tensor region with all regions that it reads, where no signature or effect can observe it.

    All inputs of the region must have one class and one layout, so that all are re-ordered alike, and each op must have
    a relayout for the resulting orders. A joined region counts as an input region with that layout, so candidates are
    retried until no more of them joins. Features and weights behind it that read that order belong to the same region.
    Without `unites` the regions stay unchanged, and only candidates are found. Without `pins_constants` a constant is
    stored in the order in which an op reads it, and so is what is computed from constants alone.
    """
    joining = _Joining(regions, target_layouts, unites, pins_constants)
    waiting = [_Candidate(members) for members in regions.groups() if class_of_node(members[0]) is LayoutClass.TENSOR]
    waiting = [candidate for candidate in waiting if not regions.is_alone(candidate.members[0])]
    while True:
        left = [candidate for candidate in waiting if not joining.joins(candidate)]
        if len(left) == len(waiting):
            break
        waiting = left
    for candidate in left:
        joining.explain(candidate)
    if unites:
        joining.unite_behind()
    return joining.joined


class _Candidate:
    """A tensor region."""

    def __init__(self, members: list[Node]) -> None:
        self.members = members
        self.ops = [node for node in members if isinstance(node, NpuOp) and not isinstance(node, ConstantOp)]
        self.reason: Reason | None = None

    def pinned(self, pins_constants: bool) -> Reason | None:
        """A member whose order is observable."""
        for node in self.members:
            if isinstance(node, BlockArgument):
                return Reason(None, "it reads an argument of class Tensor")
            if pins_constants and isinstance(node, ConstantOp) and prod(shape_of(node.result)) > 1:
                return Reason(node, "is a constant of class Tensor")
        return None

    def inputs(self, regions: Regions) -> Iterator[Use]:
        """The operands that other regions produce."""
        root = regions.root(self.members[0])
        for op in self.ops:
            for use in tensor_operands(op):
                is_tensor_constant = isinstance(use.value.owner, ConstantOp) and not is_cnn(use.value)
                if not is_tensor_constant and not regions.is_inside(use.value, root):
                    yield use


class _Joining:
    def __init__(self, regions: Regions, target_layouts: TargetLayouts, unites: bool, pins_constants: bool) -> None:
        self.joined = Joined()
        self._regions = regions
        self._target_layouts = target_layouts
        self._unites = unites
        self._pins_constants = pins_constants
        self._layouts: dict[Node, Layout] = {}
        """For the ops of joined regions, the layout of the region inputs in the input program."""

    def joins(self, candidate: _Candidate) -> bool:
        """Join a region with those that it reads, or record the reason why not."""
        uses = list(candidate.inputs(self._regions))
        layout = self._common_layout(candidate, uses)
        if isinstance(layout, Reason):
            candidate.reason = layout
            return False
        relayouts = self._carried(candidate)
        if isinstance(relayouts, Reason):
            candidate.reason = relayouts
            return False
        self.joined.relayouts |= relayouts
        self._layouts |= dict.fromkeys(candidate.ops, layout)
        for use in uses:
            producer = node_of(use.value)
            if self._unites and not self._regions.is_alone(producer):
                self._regions.join(producer, use.op)
        return True

    def unite_behind(self) -> None:
        """Unite joined regions with the feature and weight regions that read them in the same order."""
        for op in self._regions.presets:
            assert isinstance(op, NpuOp)
            given = [self._given(value, {}) for value in op.operands]
            producers = [node_of(value) for value in op.operands]
            if not any(producer in self.joined.relayouts for producer in producers):
                continue
            preset = self._target_layouts.preferred_relayout(op, given)
            if preset is None or preset.operand_permutation is not None:
                continue
            for producer, order, read in zip(producers, given, preset.operands, strict=True):
                if producer in self.joined.relayouts and order == read:
                    self._regions.join(producer, op)

    def explain(self, candidate: _Candidate) -> None:
        """Record why a region did not join, for the ops that lead into it."""
        for op in candidate.ops:
            if is_cnn_to_tensor(op):
                reason = candidate.reason
                if reason is not None and reason.about is op:
                    reason = Reason(None, f"it {reason.says}")
                self.joined.reasons[op] = Reason(None, "produces a Tensor that keeps its layout:", reason)

    def _common_layout(self, candidate: _Candidate, uses: list[Use]) -> Layout | Reason:
        """The common layout of all inputs in the input program."""
        if (pinned := candidate.pinned(self._pins_constants)) is not None:
            return pinned
        layouts: dict[Layout, Use] = {}
        for use in uses:
            layout = encoding(use.value.type) if is_cnn(use.value) else self._layouts.get(node_of(use.value))
            if layout is None:
                return _unknown(use.value)
            layouts[layout] = use
        if len(layouts) == 1:
            return next(iter(layouts))
        found = " and ".join(map(str, layouts)) or "no value with named axes"
        return Reason(None, f"its region reads {found}")

    def _carried(self, candidate: _Candidate) -> dict[Operation, Relayout] | Reason:
        """The relayouts of a region's ops if its inputs are in the target's preferred order."""
        carried: dict[Operation, Relayout] = {}
        following = set[Operation]() if self._pins_constants else _of_constants(candidate.ops)
        for op in candidate.ops:
            if op in following:
                continue
            given = [self._given(value, carried, following) for value in op.operands]
            relayout = self._target_layouts.relayout_for(
                op, given, [None] * len(op.results), self._target_layouts.demands(op)
            )
            if relayout is None:
                return Reason(op, "has no form for the order that it would read")
            self._follow(op, relayout, carried, following)
            carried[op] = relayout
        return carried

    def _follow(
        self, op: Operation, relayout: Relayout, carried: dict[Operation, Relayout], following: set[Operation]
    ) -> None:
        """Write what an op reads of constants in the order in which it reads it, where that is possible."""
        waiting = [(op, relayout)]
        while waiting:
            reader, read = waiting.pop()
            for place, value in enumerate(reader.operands):
                producer = value.owner
                if not isinstance(producer, NpuOp) or producer not in following or producer in carried:
                    continue
                orders = [None] * len(producer.operands), [read.operands[read.place_of(place)]]
                found = self._target_layouts.relayout_for(producer, *orders, self._target_layouts.demands(producer))
                if found is not None:
                    carried[producer] = found
                    waiting.append((producer, found))

    def _given(
        self, value: SSAValue, carried: dict[Operation, Relayout], following: AbstractSet[Operation] = frozenset()
    ) -> Order | None:
        """The order in which a value is produced; None for constants, and what is computed from them."""
        if is_cnn(value):
            return self._target_layouts.preferred(value) or order_of(value)
        producer = value.owner
        if isinstance(producer, ConstantOp) and not self._pins_constants:
            return None
        if not isinstance(producer, Operation) or has_one_element(value):
            return order_of(value)
        relayout = carried.get(producer) or self.joined.relayouts.get(producer)
        if relayout is None:
            return None if producer in following else order_of(value)
        return relayout.results[value.index]  # pyright: ignore  # an op's result


def _of_constants(ops: Sequence[NpuOp]) -> set[Operation]:
    """The ops, of these in program order, with one result that is computed from constants alone."""
    found: set[Operation] = set()
    for op in ops:
        sources = [value.owner for value in op.operands]
        if sources and len(op.results) == 1 and all(isinstance(each, ConstantOp) or each in found for each in sources):
            found.add(op)
    return found


def _unknown(value: SSAValue) -> Reason:
    if isinstance(value.owner, Operation):
        return Reason(value.owner, "produces a Tensor that is never re-ordered")
    return Reason(None, "it reads an argument of class Tensor")
