"""What a layout strategy decides: the orders of every op, and why. Nothing here changes the program."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.npu.axes import Relayout
from ...dialects.npu.values import encoding
from ...layout import Order
from ...targets import operand_names
from ..common.op_kinds import is_cnn_to_tensor, is_fixed, only_transposes, order_of
from ..common.producers import Use
from ..common.reasons import Names, Reason
from ..common.target_layouts import TargetLayouts


class PlacementRule(Enum):
    """Where transposes stand, and which of their readers share one."""

    AT_BORDERS = "where data enters or leaves the region that wants another order, once for all that read it"
    BEFORE_FIRST_READER = "right before the first op that reads the value, once for all that do"
    BEFORE_EACH_READER = "right before each op that reads it"


@dataclass
class LayoutPlan:
    """The orders in which the ops of a module read and give values. Where these differ, data has to be moved."""

    module: ModuleOp
    target_layouts: TargetLayouts
    rule: PlacementRule
    strategy: str
    """What inserts the transposes, for those who read of them."""
    relayouts: dict[Operation, Relayout] = field(default_factory=dict[Operation, Relayout])
    """The ops that are written in another way."""
    via: dict[Use, Order] = field(default_factory=dict[Use, Order])
    """Edges on which the value takes on an order that perhaps neither end has: right behind its producer."""
    why_via: str = ""
    """What is said of values that take on such an order."""
    reasons: dict[Operation, Reason] = field(default_factory=dict[Operation, Reason])
    """Why an op has the orders of the plan, where it does not follow from the op itself. It is about the op."""

    def given(self, value: SSAValue) -> Order | None:
        """The order in which a value is produced; None for what has no layout."""
        if isinstance(value, OpResult) and (relayout := self.relayouts.get(value.op)) is not None:
            return relayout.results[value.index]
        return order_of(value)

    def read(self, use: Use) -> Order | None:
        """The order in which an op reads a value; None for what has no layout."""
        relayout = self.relayouts.get(use.op)
        if relayout is None:
            return order_of(use.value)
        place = use.operand if relayout.operand_permutation is None else relayout.operand_permutation.index(use.operand)
        return relayout.operands[place]

    def place(self, use: Use) -> int:
        """Which operand of its op the edge is when the op is written as in the plan."""
        relayout = self.relayouts.get(use.op)
        if relayout is None or relayout.operand_permutation is None:
            return use.operand
        return relayout.operand_permutation.index(use.operand)

    def write(self, op: Operation, relayout: Relayout) -> None:
        """Let an op be written in another way, if it is another one."""
        changes = relayout.operand_permutation is not None or relayout.becomes is not None
        if changes or (relayout.operands, relayout.results) != _orders(op):
            self.relayouts[op] = relayout

    def reason(self, use: Use) -> Reason:
        """Why an op reads a value in the order of the plan."""
        op, layout = use.op, encoding(use.value.type)
        assert layout is not None
        order = self.read(use)
        assert order is not None
        wanted = layout.with_order(order)
        match op:
            case ReturnOp():
                function = op.parent_op()
                name = f"@{function.sym_name.data}" if isinstance(function, FuncOp) else "the function"
                return Reason(None, f"output {use.operand} of {name} keeps {wanted}")
            case CallOp():
                return Reason(None, f"@{op.callee.string_value()} takes {wanted} as argument {use.operand}")
            case _:
                pass
        demands = self.target_layouts.demands(op)
        if demands is not None and demands.operands[use.operand] == wanted:
            return self.target_layouts.demand_reason(op, operand_names(op)[use.operand], wanted)
        if (reason := self.reasons.get(op)) is not None:
            return Reason(op, reason.says, reason.then)
        return Reason(op, self._why_it_stays(op, str(wanted)))

    def _why_it_stays(self, op: Operation, wanted: str) -> str:
        if only_transposes(op):
            return f"reads {wanted} in the program as well"
        if is_fixed(op):
            return f"reads {wanted}, and nothing is known of it"
        if is_cnn_to_tensor(op):
            return f"reads {wanted} to give a Tensor as it is in the program"
        return f"keeps {wanted}"

    def text(self, names: Names) -> str:
        """The plan for people: what each op that changes reads and gives."""
        lines = [f"{self.strategy} on target {self.target_layouts.target.name}"]
        for op, relayout in self.relayouts.items():
            reason = f" ({self.reasons[op].text(names)})" if op in self.reasons else ""
            lines.append(f"  {names.of(op)}: {_written(op, relayout)}{reason}")
        return "\n".join(lines) + "\n"


def _orders(op: Operation) -> tuple[tuple[Order | None, ...], tuple[Order | None, ...]]:
    """The orders in which an op reads and gives its values in the program."""
    return tuple(map(order_of, op.operands)), tuple(map(order_of, op.results))


def _written(op: Operation, relayout: Relayout) -> str:
    """The layouts that an op reads and gives in the plan."""
    operands = list(op.operands)
    if relayout.operand_permutation is not None:
        operands = [operands[index] for index in relayout.operand_permutation]
    return f"{_layouts(operands, relayout.operands)} -> {_layouts(op.results, relayout.results)}"


def _layouts(values: list[SSAValue] | tuple[SSAValue, ...], orders: tuple[Order, ...]) -> str:
    layouts = [(encoding(value.type), order) for value, order in zip(values, orders, strict=True)]
    return ", ".join(str(layout.with_order(order)) if layout else "-" for layout, order in layouts)
