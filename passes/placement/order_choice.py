"""The choice of a layout strategy: the orders of every op, with reasons. Nothing here changes the program."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias, cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ...dialects.npu.axes import Relayout
from ...dialects.npu.relayout import stored_in
from ...dialects.npu.values import encoding
from ...layout import Order
from ...targets import operand_names
from ..common.demands.demand_reasons import demand_reason
from ..common.demands.target_layouts import TargetLayouts
from ..common.graph.op_classes import is_cnn_to_tensor, is_fixed, only_transposes, order_of
from ..common.graph.producers import Use
from ..common.plans.plan import Reshaped
from ..common.words.pins import signature_reason
from ..common.words.reasons import Reason

Stored: TypeAlias = Order | TensorType
"""The order in which a value is stored, or its type over pieces of its axes or in blocks."""


class PlacementRule(Enum):
    """The insertion points of conversions, and the uses that share one."""

    AT_BORDERS = "where data enters or leaves a region of another order, shared by all uses of the storage"
    BEFORE_FIRST_USER = "right before the first user, shared by all uses of the value"
    BEFORE_EACH_USER = "right before each user"


@dataclass
class OrderChoice:
    """The orders in which ops read their operands and produce their results. Where these differ, data is converted."""

    module: ModuleOp
    target_layouts: TargetLayouts
    rule: PlacementRule
    strategy: str
    """The name of the pass, for locations."""
    relayouts: dict[Operation, Relayout | Reshaped] = field(default_factory=dict[Operation, Relayout | Reshaped])
    """The new forms of ops."""
    via: dict[Use, Order] = field(default_factory=dict[Use, Order])
    """Uses whose value is first converted to this order, right behind its producer."""
    why_via: str = ""
    """The reason for the conversions of `via`."""
    reasons: dict[Operation, Reason] = field(default_factory=dict[Operation, Reason])
    """The reasons for orders that do not follow from the op itself."""

    def given(self, value: SSAValue) -> Order | None:
        """The order in which a value is produced; None without a layout."""
        if isinstance(value, OpResult) and isinstance(relayout := self.relayouts.get(value.op), Relayout):
            return relayout.results[value.index]
        return order_of(value)

    def read(self, use: Use) -> Order | None:
        """The order in which a use reads its value; None without a layout."""
        if isinstance(relayout := self.relayouts.get(use.op), Relayout):
            return relayout.operands[relayout.place_of(use.operand)]
        return order_of(use.value)

    def produced(self, value: SSAValue) -> Stored | None:
        """The order of a value as it is produced, or its type."""
        if isinstance(value, OpResult) and isinstance(form := self.relayouts.get(value.op), Reshaped):
            return _stored(value, form.results[value.index])
        return self.given(value)

    def wanted(self, use: Use) -> Stored | None:
        """The order of a value as a use reads it, or its type."""
        if isinstance(form := self.relayouts.get(use.op), Reshaped):
            return _stored(use.value, form.operands[use.operand])
        return self.read(use)

    def write(self, op: Operation, form: Relayout | Reshaped) -> None:
        """Choose a form for an op, unless it is a no-op."""
        changes = isinstance(form, Reshaped) or form.operand_permutation is not None or form.becomes is not None
        if changes or (form.operands, form.results) != _orders(op):
            self.relayouts[op] = form

    def reason(self, use: Use) -> Reason:
        """The reason for the order in which a use reads its value."""
        op = use.op
        if (pinned := signature_reason(op, use.operand)) is not None:
            return Reason(None, pinned)
        demands, order = self.target_layouts.demands(op), self.wanted(use)
        demanded = None if demands is None else demands.operands[use.operand]
        if demanded is not None and (isinstance(order, TensorType) or demanded.order_for(len(order or ())) == order):
            return demand_reason(self.target_layouts, op, operand_names(op)[use.operand], demanded)
        if (reason := self.reasons.get(op)) is not None:
            return Reason(op, reason.says, reason.then)
        assert order is not None
        return Reason(op, self._why_it_stays(op, str(encoding(type_of(use.value, order)))))

    def _why_it_stays(self, op: Operation, wanted: str) -> str:
        if only_transposes(op):
            return f"reads {wanted} in the program as well"
        if is_fixed(op):
            return f"reads {wanted}: nothing is known of its axes"
        if is_cnn_to_tensor(op):
            return f"reads {wanted} to produce a Tensor as in the program"
        return f"keeps {wanted}"


def _stored(value: SSAValue, type_: Attribute) -> Stored | None:
    return order_of(value) if type_ == value.type else cast("TensorType", type_)


def type_of(value: SSAValue, stored: Stored) -> TensorType:
    """The type of a value that is stored so."""
    return stored if isinstance(stored, TensorType) else stored_in(value, stored)


def _orders(op: Operation) -> tuple[tuple[Order | None, ...], tuple[Order | None, ...]]:
    """The orders of an op in the input program."""
    return tuple(map(order_of, op.operands)), tuple(map(order_of, op.results))
