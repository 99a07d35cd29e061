"""The strategies `regions` and `regions-plus`: one decision for each region."""

from xdsl.dialects.builtin import ModuleOp

from ...dialects.npu.base import NpuOp
from ...dialects.npu.shape import ViewOp
from ...dialects.npu.source import ConstantOp
from ..common.demands import Wishes
from ..common.op_kinds import is_fixed, only_stores_again
from ..common.producers import Node, is_of_cnn
from ..common.reasons import Reason
from .joining import Joined, join_tensor_regions
from .plan import LayoutPlan, Placing
from .regions import Regions


def plan_regions(module: ModuleOp, wishes: Wishes, plus: bool, everywhere: bool) -> LayoutPlan:
    """Store each region of features or weights in the target's preferred order, if a demand lies on it.

    `plus` lets regions of tensors join those that they read; `everywhere` asks for no demand.
    """
    plan = LayoutPlan(module, wishes, Placing.AT_BORDERS, "layout-preset")
    regions = Regions(module, wishes)
    joined = join_tensor_regions(regions, wishes) if plus else Joined()
    stored = _reordered(regions, everywhere)
    for op, relayout in joined.relayouts.items():
        if (root := regions.root(op)) in stored:
            plan.reasons[op] = stored[root]
            plan.write(op, relayout)
    for op, reason in joined.refusals.items():
        plan.reasons[op] = reason
    for op in module.walk():
        if not isinstance(op, NpuOp) or is_fixed(op) or only_stores_again(op):
            continue
        given = tuple(map(plan.given, op.operands))
        demands = wishes.demands(op)
        preset = regions.presets.get(op)
        if preset is not None and (root := regions.root(op)) in stored:
            plan.reasons[op] = stored[root]
            is_given = preset.operands == given and preset.sequence is None
            relayout = preset if is_given else wishes.preset(op, demands, given)
        elif demands is not None and op not in plan.relayouts:
            relayout = wishes.met(op, demands, given)
        else:
            continue
        if relayout is not None:
            plan.write(op, relayout)
    return plan


def _reordered(regions: Regions, everywhere: bool) -> dict[Node, Reason]:
    """The regions that are stored in another order, with the reason, by their roots."""
    demands = regions.demands()
    reordered = {root: Reason(None, "shares a region in which", reason) for root, reason in demands.items()}
    if everywhere:
        always = Reason(None, "shares a region that is stored in the preferred order, demand or not")
        for members in regions.groups():
            holds_ops = any(isinstance(node, NpuOp) and not isinstance(node, ConstantOp | ViewOp) for node in members)
            if holds_ops and any(map(is_of_cnn, members)):
                reordered.setdefault(regions.root(members[0]), always)
    return reordered
