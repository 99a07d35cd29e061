"""Descriptions of transposes, packs and unpacks that stay valid when the op is erased."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import LocationAttr, ModuleOp, NameLoc

from ...dialects.npu.packing import PackingOp
from ...dialects.npu.values import layout_of, order_of_value, shape_of, shape_text
from ...dialects.npu.views import places_of
from ...layout import permutation_between
from ...passes.common.moves.conversion_ops import ConversionOp, why_not_counted
from ...passes.common.moves.packs import cost_of_conversion
from ...passes.common.moves.transpose_cost import Cost, NotCounted
from ...passes.common.storages.origins import Origins
from ...passes.common.words.reasons import Names
from ...passes.fusion.functions.absorbed import absorbed_transposes
from ...text.locations import file_place

if TYPE_CHECKING:
    from ...targets import Target


@dataclass(frozen=True)
class SeenTranspose:
    """A transpose, pack or unpack at one point of a run."""

    op: ConversionOp
    kind: str
    """`transpose`, `pack` or `unpack`."""
    location: LocationAttr
    place: str
    """`file:line:col`, or the name of the result if that is unknown."""
    move: str
    """The layouts, or the permutation, as text."""
    shape: str
    """The sizes of the operand as text."""
    cost_text: str
    not_counted: NotCounted | None
    cost: Cost

    @property
    def text(self) -> str:
        """Layouts, shape and cost as text."""
        return f"{self.move} of {self.shape} ({self.cost_text})"

    @property
    def reasons(self) -> list[str]:
        """The reasons of the passes that inserted it."""
        names = [place.desc.data for place in places_of(self.location) if isinstance(place, NameLoc)]
        # A name without a colon is that of the op in the original network.
        return [name for name in names if ": " in name]

    @property
    def text_with_reasons(self) -> str:
        return ": ".join(filter(None, (self.text, "; ".join(self.reasons))))


def seen_transposes(module: ModuleOp, target: Target | None = None) -> Iterator[SeenTranspose]:
    """The transposes, packs and unpacks of a program, in program order; with their cost on a target that has costs."""
    names, origins = Names(module), Origins()
    cost_of_op = cost_of_conversion if target is None else _costs_of(target)
    in_groups = absorbed_transposes(module)
    for op in module.walk():
        if not isinstance(op, ConversionOp):
            continue
        not_counted = why_not_counted(op, origins)
        cost = Cost() if not_counted else cost_of_op(op, origins)
        place = file_place(op.location) or names.of(op.result)
        shape, cost_text = shape_text(shape_of(op.input)), _cost_text(not_counted, cost, op in in_groups)
        kind = op.name.removeprefix("npu.") if isinstance(op, PackingOp) else "transpose"
        yield SeenTranspose(op, kind, op.location, place, _move_text(op), shape, cost_text, not_counted, cost)


def _costs_of(target: Target) -> Callable[[ConversionOp, Origins], Cost]:
    # Imported late: few targets have costs.
    from ...passes.common.demands.target_cost import TargetCost

    return TargetCost(target).of


def _move_text(op: ConversionOp) -> str:
    before, after = layout_of(op.input), layout_of(op.result)
    if isinstance(op, PackingOp):
        return f"{before} to {after}"
    by = f"by {list(op.moved())}"
    if before is None or after is None:
        return by
    is_relayout = op.moved() == permutation_between(order_of_value(op.input), order_of_value(op.result))
    return f"{before} to {after}" if is_relayout else f"{before} to {after} {by}"


def _cost_text(not_counted: NotCounted | None, cost: Cost, is_absorbed: bool) -> str:
    if not_counted:
        return f"{not_counted.value}, not counted"
    return f"{cost.text_of_one}, absorbed by its group" if is_absorbed else cost.text_of_one
