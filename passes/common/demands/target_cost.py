"""The cost of a program in the unit of a target: its transposes, and the ops whose form has a price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.shape import AnyTransposeOp, ViewOp
from ....dialects.npu.values import shape_of, tensor_type
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE
from ....targets import Target
from ....targets.costs import Costs
from ....targets.facts import TransposeFacts
from ..moves.transpose_cost import CONVERSION, Cost, cost_of, cost_of_program, transposes
from ..storages.origins import Origins
from .op_prices import OpPrices
from .target_rules import TargetRules

if TYPE_CHECKING:
    from ....dialects.npu.packing import PackingOp


class TargetCost:
    """The costs that a target states."""

    def __init__(self, target: Target, assumed_size: int = ASSUMED_SIZE) -> None:
        assert target.costs is not None
        self._costs: Costs = target.costs
        self._assumed_size = assumed_size
        self._prices = OpPrices(TargetRules(target, assumed_size))

    @property
    def unit(self) -> str:
        return self._costs.unit

    def of_program(self, module: ModuleOp) -> Cost:
        """The cost of all transposes that move data at run time, the price of packs and unpacks, and that of all ops.

        The packs themselves are counted apart.
        """
        # Imported late: few targets have costs, and few programs blocks.
        from ..moves.packs import moving_packs

        origins = Origins()
        moving = (op for op, not_counted in transposes(module, origins) if not_counted is None)
        found = sum((self.of_transpose(op, origins) for op in moving), self.of_ops(module))
        packs = (Cost(ticks=self.of_pack(op), unit=self.unit) for op in moving_packs(module, origins))
        return sum(packs, found)

    def of_transpose(self, op: AnyTransposeOp, origins: Origins) -> Cost:
        cost = cost_of(op.input, origins, self._assumed_size)
        ticks = self._costs.of_transpose(_facts_of(op, cost))
        return Cost(cost.transposes, cost.bytes, cost.is_assumed, ticks, self.unit)

    def of_pack(self, op: PackingOp, relayout: Relayout | None = None) -> int:
        """The price of a pack or unpack, as it is or in another form."""
        return self._costs.of_transpose(self._facts_of_pack(op, relayout))

    def _facts_of_pack(self, op: PackingOp, relayout: Relayout | None = None) -> TransposeFacts:
        from ..moves.pack_facts import pack_facts
        from ..moves.packs import bytes_of_pack

        return pack_facts(op, bytes_of_pack(op, self._assumed_size), relayout)

    def of_ops(self, module: ModuleOp) -> Cost:
        """The prices of the ops in the forms that they have."""
        if not self._prices.matter:
            return Cost(unit=self.unit)
        ops = (op for op in module.walk() if isinstance(op, NpuOp) and not isinstance(op, ViewOp))
        return Cost(ticks=sum(map(self._prices.of, ops)), unit=self.unit)

    def impossible(self, module: ModuleOp) -> Iterator[AnyTransposeOp | PackingOp]:
        """The transposes, packs and unpacks that neither the hardware nor a fallback can do."""
        from ..moves.packs import moving_packs

        origins = Origins()
        yield from (op for op in moving_packs(module, origins) if self._costs.is_avoided(self._facts_of_pack(op)))
        for op, not_counted in transposes(module, origins):
            if not_counted is None and self._costs.is_avoided(
                _facts_of(op, cost_of(op.input, origins, self._assumed_size))
            ):
                yield op


def cost_on_target(module: ModuleOp, target: Target | None, assumed_size: int = ASSUMED_SIZE) -> Cost:
    """The cost of a program, in the unit of the target as well if it has one."""
    if target is None or target.costs is None:
        return cost_of_program(module, assumed_size)
    return TargetCost(target, assumed_size).of_program(module)


def cost_of_conversions(module: ModuleOp, assumed_size: int = ASSUMED_SIZE, target: Target | None = None) -> Cost:
    """The cost of all transposes, packs and unpacks of a module, in the unit of the target as well if it has one."""
    return replace(cost_of_moves(module, assumed_size, target), noun=CONVERSION)


def cost_of_moves(module: ModuleOp, assumed_size: int = ASSUMED_SIZE, target: Target | None = None) -> Cost:
    """The cost of all transposes, packs and unpacks of a module, counted as transposes if there is nothing else."""
    # Imported late: few targets have blocks.
    from ..moves.packs import cost_of_packs, with_packs

    return with_packs(cost_on_target(module, target, assumed_size), cost_of_packs(module, assumed_size))


def _facts_of(op: AnyTransposeOp, cost: Cost) -> TransposeFacts:
    return TransposeFacts.of(tensor_type(op.input).element_type, shape_of(op.input), op.moved(), cost.bytes)
