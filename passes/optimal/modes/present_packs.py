"""The packs and unpacks that a program has already: they stay, in whatever orders of axes and pieces cost least."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....dialects.npu.axes import Relayout
from ....dialects.npu.packing import PackingOp
from ....targets import CostUnit, Target
from ...common.demands.target_cost import TargetCost
from ...common.moves.packs import cost_of_pack
from ...common.moves.transpose_cost import Cost
from ...common.storages.origins import Origins


@dataclass(frozen=True)
class PresentPacks:
    """The cost of the packs and unpacks of a program in each of their forms."""

    ops: frozenset[Operation]
    unit: CostUnit
    target: Target
    assumed_size: int

    @staticmethod
    def of(
        module: ModuleOp,
        live: Container[Operation],
        origins: Origins,
        unit: CostUnit,
        target: Target,
        assumed_size: int,
    ) -> PresentPacks | None:
        """The packs of a module that move data at run time; None if there are none."""
        packs = (op for op in module.walk() if isinstance(op, PackingOp) and op in live)
        found = frozenset[Operation](op for op in packs if not origins.is_constant(op.input))
        return PresentPacks(found, unit, target, assumed_size) if found else None

    def price(self, op: Operation, relayout: Relayout | None) -> int:
        """The price of an op in a form, in the unit that is minimised; 0 for all that are no packs.

        Where the bytes that travel are minimised, a pack is an op like others.
        """
        return 0 if self.unit == "traffic" else self.cost(op, relayout).counted(self.unit)

    def cost(self, op: Operation, relayout: Relayout | None) -> Cost:
        if op not in self.ops:
            return Cost()
        assert isinstance(op, PackingOp)
        if not op.moves(relayout):
            return Cost()
        cost = cost_of_pack(op, self.assumed_size)
        if self.unit != "target":
            return cost
        return replace(cost, ticks=TargetCost(self.target, self.assumed_size).price(op, cost.bytes, relayout))
