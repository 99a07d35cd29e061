"""The strategy `record`: conversion points are recorded first, and all ops between them follow."""

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.npu.base import NpuOp
from ...dialects.npu.source import ConstantOp
from ...layout import Order
from ..common.demands.target_layouts import TargetLayouts
from ..common.graph.op_classes import is_fixed, is_tensor_to_cnn, only_transposes, order_of, works_on_cnn
from ..common.graph.producers import Use, node_of, nodes_within
from ..common.words.reasons import Reason
from .order_choice import OrderChoice, PlacementRule


def choose_record(module: ModuleOp, target_layouts: TargetLayouts) -> OrderChoice:
    """Store features and weights in the target's preferred order from their sources to their last users."""
    choice = OrderChoice(module, target_layouts, PlacementRule.BEFORE_FIRST_USER, "layout-preset-npu")
    for op in module.walk():
        if not isinstance(op, NpuOp) or is_fixed(op) or only_transposes(op):
            continue
        demands = target_layouts.demands(op)
        given = [choice.given(value) for value in op.operands]
        if works_on_cnn(op) and not is_tensor_to_cnn(op):
            relayout = target_layouts.preferred_relayout(op, given)
            if relayout is None and demands is not None:
                relayout = target_layouts.demanded_relayout(op, demands, given)
            choice.reasons[op] = Reason(None, "is between conversion points of strategy=record")
        else:
            relayout = None if demands is None else target_layouts.demanded_relayout(op, demands, given)
        if relayout is not None:
            choice.write(op, relayout)
    choice.why_via = "is converted at its source by strategy=record"
    for source in _sources(module):
        preferred = target_layouts.preferred(source)
        if preferred is not None and preferred != order_of(source) and not _is_skipped(choice, source, preferred):
            for use in source.uses:
                choice.via[Use(use.operation, use.index)] = preferred
    return choice


def _sources(module: ModuleOp) -> Iterator[SSAValue]:
    """The features and weights from outside: arguments, constants, results of transposes, and of ops on tensors."""
    for node in nodes_within(module):
        if isinstance(node, SSAValue):
            yield node
        elif isinstance(node, ConstantOp) or only_transposes(node) or is_tensor_to_cnn(node):
            yield from node.results


def _is_skipped(choice: OrderChoice, source: SSAValue, preferred: Order) -> bool:
    """True if a conversion behind a source would only add to other transposes.

    So it is if all users are transposes to that order, or if a transpose produces the value as all users read it.
    """
    readers = [Use(use.operation, use.index) for use in source.uses]
    if all(only_transposes(op) and order_of(op.results[0]) == preferred for op, _ in readers):
        return True
    producer = node_of(source)
    behind_transpose = isinstance(producer, Operation) and only_transposes(producer)
    return behind_transpose and all(choice.read(use) == order_of(source) for use in readers)
