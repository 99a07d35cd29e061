"""The strategy `greedy`: every op sees to its own operands, in the sequence of the text."""

from collections import Counter

from xdsl.dialects.builtin import ModuleOp

from ...dialects.npu.axes import Orders, Relayout
from ...dialects.npu.base import NpuOp
from ...dialects.npu.values import has_one_element, tensor_type
from ...layout import LayoutClass, Order
from ..common.op_kinds import class_of, is_cnn, is_fixed, only_transposes, order_of, works_on_cnn
from ..common.reasons import Reason
from ..common.target_layouts import TargetLayouts
from ..common.transpose_cost import moved_bytes
from .order_choice import OrderChoice, PlacementRule


def choose_greedy(module: ModuleOp, target_layouts: TargetLayouts) -> OrderChoice:
    """Let every op read what it demands, and otherwise take what comes. Tensors are never stored in another order."""
    choice = OrderChoice(module, target_layouts, PlacementRule.BEFORE_FIRST_USER, "layout-preset-npu")
    for op in module.walk():
        if isinstance(op, NpuOp) and not is_fixed(op) and (relayout := _written(choice, op)) is not None:
            choice.write(op, relayout)
    return choice


def _written(choice: OrderChoice, op: NpuOp) -> Relayout | None:
    """How an op is written for what its operands are by now; None if it stays as it is."""
    target_layouts, demands = choice.target_layouts, choice.target_layouts.demands(op)
    given = [choice.given(value) for value in op.operands]
    original = [order_of(value) for value in op.results]
    if only_transposes(op):
        return target_layouts.relayout(op, given, original)
    if works_on_cnn(op) and any(map(is_cnn, op.operands)):
        results = [None if is_cnn(value) else order for value, order in zip(op.results, original, strict=True)]
        if (relayout := target_layouts.written(op, given, results, demands)) is not None:
            return relayout
        choice.reasons[op] = Reason(None, "reads all of its operands in one order")
        return target_layouts.written(op, _aligned(target_layouts, op, given), results, demands)
    if demands is None:
        return None
    return target_layouts.written(op, [order_of(value) for value in op.operands], original, demands)


def _aligned(target_layouts: TargetLayouts, op: NpuOp, given: Orders) -> Orders:
    """The operands of an op that disagree, with one order for each class. One element has no order to agree on."""
    leaders = {cls: _leader(target_layouts, op, given, cls) for cls in (LayoutClass.FEATURE, LayoutClass.WEIGHT)}
    orders: list[Order | None] = []
    for value, order in zip(op.operands, given, strict=True):
        cls = class_of(value)
        orders.append(order if cls is None or has_one_element(value) else leaders.get(cls, order))
    return orders


def _leader(target_layouts: TargetLayouts, op: NpuOp, given: Orders, cls: LayoutClass) -> Order | None:
    """The order that the operands of a class take: the target's if one of them has it, else that of most bytes."""
    size: Counter[Order] = Counter()
    for value, order in zip(op.operands, given, strict=True):
        if class_of(value) is cls and order is not None and not has_one_element(value):
            if order == target_layouts.preferred(value):
                return order
            size[order] += moved_bytes(tensor_type(value))
    return min(size, key=lambda order: (-size[order], order), default=None)
