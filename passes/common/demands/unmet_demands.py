"""Demands of a target that no form of an op meets, as those that contradict each other."""

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....dialects.npu.base import NpuOp
from ..graph.op_classes import is_fixed, order_of
from ..words.reasons import Names
from .demand_reasons import demanded_text
from .target_layouts import TargetLayouts
from .target_rules import Kind, OpDemands, named_values


def unmet_demands(module: ModuleOp, target_layouts: TargetLayouts, names: Names) -> Iterator[str]:
    """The ops that stay unchanged because of such demands, one text for each entry of the target."""
    known: dict[Kind, str | None] = {}
    found: dict[str, list[Operation]] = {}
    for op in module.walk():
        if not isinstance(op, NpuOp) or is_fixed(op) or not target_layouts.rules.alternatives(op):
            continue
        kind = target_layouts.rules.kind(op)
        if kind not in known:
            known[kind] = _unmet(op, target_layouts)
        if (wanted := known[kind]) is not None:
            found.setdefault(wanted, []).append(op)
    yield from (f"{_stays(ops, names)}: no form of it meets {wanted}" for wanted, ops in found.items())


def _unmet(op: NpuOp, target_layouts: TargetLayouts) -> str | None:
    """The demands on an op that none of its forms meets, in words; None if there is a form for them."""
    all_demands = [each.demands for each in target_layouts.rules.alternatives(op)]
    if any(_is_met(op, each, target_layouts) for each in all_demands):
        return None
    if target_layouts.target.blocks and any(_is_met_in_blocks(op, each, target_layouts) for each in all_demands):
        return None
    first = all_demands[0]
    named = zip(named_values(op), (*first.operands, *first.results), strict=True)
    wanted = dict.fromkeys(
        (f"{demanded_text(op, name, layout)} of {name}", name) for (name, _), layout in named if layout is not None
    )
    other = ", or another choice" if len(all_demands) > 1 else ""
    place = target_layouts.rules.place(op, next(iter(wanted))[1])
    return f"{' with '.join(text for text, _ in wanted)}{other} ({place})"


def _is_met(op: NpuOp, demands: OpDemands, target_layouts: TargetLayouts) -> bool:
    """True if an op meets demands as it is or in another form."""
    present = [*map(order_of, op.operands)], [*map(order_of, op.results)]
    return demands.are_met(*present) or target_layouts.can_meet(op, demands)


def _is_met_in_blocks(op: NpuOp, demands: OpDemands, target_layouts: TargetLayouts) -> bool:
    # Imported late: few targets demand blocks.
    from ....dialects.npu.in_blocks import in_blocks, own_tiles

    wanted = [layout for layout in (*demands.operands, *demands.results) if layout is not None]
    tiles = next((layout.tiles for layout in wanted if layout.tiles and layout.cls is wanted[0].cls), None)
    if tiles is None:
        return False
    form = in_blocks(op, dict(tiles), own_tiles(op, demands.operands, demands.results))
    return form is not None and target_layouts.can_meet(form, demands)


def _stays(ops: Sequence[Operation], names: Names) -> str:
    first, others = names.of(ops[0]), len(ops) - 1
    return f"{first} and {others} more stay unchanged" if others else f"{first} stays unchanged"
