"""The strategy `greedy`: one decision per op, in program order."""

from collections import Counter

from xdsl.dialects.builtin import ModuleOp

from ...dialects.npu.axes import Orders, Relayout
from ...dialects.npu.base import NpuOp
from ...dialects.npu.values import has_one_element, logical_shape, tensor_type
from ...layout import LayoutClass, Order, same_storage
from ..common.demands.target_layouts import TargetLayouts
from ..common.graph.op_classes import class_of, is_cnn, is_fixed, only_transposes, order_of, works_on_cnn
from ..common.moves.transpose_cost import moved_bytes
from ..common.words.reasons import Reason
from .order_choice import OrderChoice, PlacementRule


def choose_greedy(module: ModuleOp, target_layouts: TargetLayouts) -> OrderChoice:
    """Give every op the orders that it demands, and otherwise those of its operands. Tensors are never re-ordered."""
    choice = OrderChoice(module, target_layouts, PlacementRule.BEFORE_FIRST_USER, "layout-preset-npu")
    for op in module.walk():
        if isinstance(op, NpuOp) and not is_fixed(op) and (relayout := _written(choice, op)) is not None:
            choice.write(op, relayout)
    return choice


def _written(choice: OrderChoice, op: NpuOp) -> Relayout | None:
    """The relayout of an op for the chosen orders of its operands; None if it stays unchanged."""
    target_layouts, demands = choice.target_layouts, choice.target_layouts.demands(op)
    given = [choice.given(value) for value in op.operands]
    original = [order_of(value) for value in op.results]
    if only_transposes(op):
        return target_layouts.relayout(op, given, original)
    present = [order_of(value) for value in op.operands]
    if demands is None and given == present:
        return None
    if works_on_cnn(op) and any(map(is_cnn, op.operands)):
        results = [None if is_cnn(value) else order for value, order in zip(op.results, original, strict=True)]
        # Results that no operand determines may have to keep their order, if the target cannot re-order them.
        for wanted in (results, original):
            if (relayout := target_layouts.relayout_for(op, given, wanted, demands)) is not None:
                return relayout
        choice.reasons[op] = Reason(None, "reads all of its operands in one layout")
        # The order of the most bytes may contradict the demand on another operand.
        tensors = [None if is_cnn(value) else order for value, order in zip(op.operands, given, strict=True)]
        for orders in (_aligned(target_layouts, op, given), tensors):
            if (relayout := target_layouts.relayout_for(op, orders, results, demands)) is not None:
                return relayout
        return None if demands is None else target_layouts.demanded_relayout(op, demands, given)
    if demands is None:
        return None
    return target_layouts.demanded_relayout(op, demands, present)


def _aligned(target_layouts: TargetLayouts, op: NpuOp, given: Orders) -> Orders:
    """The orders of disagreeing operands, whole ones (V_VV) or some with single axes (V_VS): one per class.

    Single elements have no order to agree on.
    """
    leaders = {cls: _leader(target_layouts, op, given, cls) for cls in (LayoutClass.FEATURE, LayoutClass.WEIGHT)}
    orders: list[Order | None] = []
    for value, order in zip(op.operands, given, strict=True):
        cls = class_of(value)
        orders.append(order if cls is None or has_one_element(value) else leaders.get(cls, order))
    return orders


def _leader(target_layouts: TargetLayouts, op: NpuOp, given: Orders, cls: LayoutClass) -> Order | None:
    """The order for all operands of a class, of those that they have: that for which the fewest bytes are moved, then
    the target's."""
    values = [
        (value, order)
        for value, order in zip(op.operands, given, strict=True)
        if class_of(value) is cls and order is not None and not has_one_element(value)
    ]
    moved: Counter[Order] = Counter()
    for wanted in {order for _, order in values}:
        for value, order in values:
            stays = same_storage(order, wanted, logical_shape(value))
            moved[wanted] += 0 if stays else moved_bytes(tensor_type(value))
    preferred = {target_layouts.preferred(value) for value, _ in values}
    return min(moved, key=lambda order: (moved[order], order not in preferred, order), default=None)
