"""The strategies `regions`, `seed-plus` and `regions-plus`: one decision for each region."""

from xdsl.dialects.builtin import ModuleOp

from ...dialects.npu.base import NpuOp
from ...dialects.npu.shape import ViewOp
from ...dialects.npu.source import ConstantOp
from ..common.demands.target_layouts import TargetLayouts
from ..common.graph.op_classes import is_cnn_to_tensor, is_fixed, only_transposes
from ..common.graph.producers import Node, is_of_cnn
from ..common.words.reasons import Reason
from .cheapest_choice import cheapest_in_each_function
from .joining import Joined, join_tensor_regions
from .naive import choose_preferred
from .order_choice import OrderChoice, PlacementRule
from .region_cut import RegionCut
from .regions import Regions


def choose_regions(module: ModuleOp, target_layouts: TargetLayouts, everywhere: bool) -> OrderChoice:
    """Store each region of features or weights that has a demand in the target's preferred order.

    `everywhere` asks for no demand.
    """
    regions = Regions(module, target_layouts)
    return _choice_of(module, target_layouts, regions, Joined(), _reordered(regions, everywhere))


def choose_seed_plus(module: ModuleOp, target_layouts: TargetLayouts, everywhere: bool) -> OrderChoice:
    """Plus: the choice with each tensor region joined with the regions that it reads, where possible, at any cost."""
    return _joined(module, target_layouts, Regions(module, target_layouts), everywhere)


def choose_cheapest_regions(module: ModuleOp, target_layouts: TargetLayouts, everywhere: bool) -> OrderChoice:
    """The cheapest choice for each function: join only the tensor regions that reduce the cost, all that can, or none;
    or with regions that end at values that are smaller than the others, and constants that follow; or each op alone.

    A minimum cut says what reduces the cost, and extends demands to further regions. Ties go in this order.
    """
    regions = Regions(module, target_layouts)
    demanded = _reordered(regions, everywhere)
    joined, stored = _by_cut(module, target_layouts, regions, demanded)
    choices = [_choice_of(module, target_layouts, regions, joined, stored)]
    by_demands: list[OrderChoice] = []
    if stored.keys() != demanded.keys() or any(regions.root(op) in stored for op in joined.relayouts):
        by_demands = [_choice_of(module, target_layouts, regions, Joined(), demanded)]
    if joined.relayouts:
        # Before the others, because it unites regions.
        choices.append(_joined(module, target_layouts, regions, everywhere))
    apart = Regions(module, target_layouts, splits=True)
    cut = _by_cut(module, target_layouts, apart, _reordered(apart, everywhere), pins_constants=False)
    by_demands.append(_choice_of(module, target_layouts, apart, *cut))
    # What `naive` does, less what cancels between its ops: so no more bytes are moved than there.
    by_demands.append(choose_preferred(module, target_layouts, PlacementRule.AT_BORDERS))
    return cheapest_in_each_function([*choices, *by_demands])


def _by_cut(
    module: ModuleOp,
    target_layouts: TargetLayouts,
    regions: Regions,
    demanded: dict[Node, Reason],
    pins_constants: bool = True,
) -> tuple[Joined, dict[Node, Reason]]:
    """The tensor regions that could join, and the roots of the regions to re-order so that the fewest bytes move."""
    joined = join_tensor_regions(regions, target_layouts, unites=False, pins_constants=pins_constants)
    stored = RegionCut(regions, target_layouts, demanded, joined.relayouts).reordered(module)
    _explain_costs(regions, joined, stored)
    return joined, stored


def _joined(module: ModuleOp, target_layouts: TargetLayouts, regions: Regions, everywhere: bool) -> OrderChoice:
    joined = join_tensor_regions(regions, target_layouts)
    return _choice_of(module, target_layouts, regions, joined, _reordered(regions, everywhere))


def _explain_costs(regions: Regions, joined: Joined, stored: dict[Node, Reason]) -> None:
    """Record why a region that could join does not, for the ops that lead into it."""
    costs = Reason(None, "produces a Tensor that keeps its layout: joining its operands would move more bytes")
    for op in joined.relayouts:
        if regions.root(op) not in stored and is_cnn_to_tensor(op):
            joined.reasons[op] = costs


def _choice_of(
    module: ModuleOp, target_layouts: TargetLayouts, regions: Regions, joined: Joined, stored: dict[Node, Reason]
) -> OrderChoice:
    """The choice that stores these regions in the target's preferred order."""
    choice = OrderChoice(module, target_layouts, PlacementRule.AT_BORDERS, "layout-preset")
    for op, relayout in joined.relayouts.items():
        if (root := regions.root(op)) in stored:
            choice.reasons[op] = stored[root]
            choice.write(op, relayout)
    for op, reason in joined.reasons.items():
        choice.reasons[op] = reason
    for op in module.walk():
        if not isinstance(op, NpuOp):
            continue
        preset = regions.presets.get(op)
        if preset is not None and (root := regions.root(op)) in stored:
            choice.reasons[op] = stored[root]
            given = tuple(map(choice.given, op.operands))
            is_given = preset.operands == given and preset.operand_permutation is None
            relayout = preset if is_given else target_layouts.preferred_relayout(op, given)
        elif (demands := target_layouts.demands(op)) is None or op in choice.relayouts:
            continue
        elif is_fixed(op) or only_transposes(op):
            continue
        else:
            relayout = target_layouts.demanded_relayout(op, demands, tuple(map(choice.given, op.operands)))
        if relayout is not None:
            choice.write(op, relayout)
    return choice


def _reordered(regions: Regions, everywhere: bool) -> dict[Node, Reason]:
    """The roots of the re-ordered regions, with reasons."""
    demands = regions.demands()
    reordered = {root: Reason(None, "shares a region in which", reason) for root, reason in demands.items()}
    if everywhere:
        always = Reason(None, "shares a region that is stored in the preferred order, demand or not")
        for members in regions.groups():
            holds_ops = any(isinstance(node, NpuOp) and not isinstance(node, ConstantOp | ViewOp) for node in members)
            if holds_ops and any(map(is_of_cnn, members)):
                reordered.setdefault(regions.root(members[0]), always)
    return reordered
