"""The cost of a program in the unit of a target: its transposes, and the ops whose form has a price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from ....dialects.carrying.callers import calls_around, counting_calls
from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.packing import PackingOp
from ....dialects.npu.shape import ViewOp
from ....dialects.settings.assumed_sizes import ASSUMED_SIZE
from ....targets import Target
from ....targets.costs import Costs
from ..moves.conversion_ops import ConversionOp, counted_conversions
from ..moves.pack_facts import facts_of
from ..moves.packs import cost_of_conversion, cost_of_packs
from ..moves.transpose_cost import CONVERSION, Cost, cost_of_program, in_all_calls
from ..storages.origins import Origins
from .op_prices import OpPrices
from .target_rules import TargetRules


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
        origins = Origins()
        with counting_calls():
            found = self.of_ops(module)
            for op in counted_conversions(module, origins):
                cost = in_all_calls(self.of(op, origins), op)
                found += Cost(ticks=cost.ticks, unit=cost.unit) if isinstance(op, PackingOp) else cost
        return found

    def of(self, op: ConversionOp, origins: Origins) -> Cost:
        """The cost of one transpose, pack or unpack that moves data."""
        cost = cost_of_conversion(op, origins, self._assumed_size)
        return replace(cost, ticks=self.price(op, cost.bytes), unit=self.unit)

    def price(self, op: ConversionOp, moved: int, relayout: Relayout | None = None) -> int:
        """The price of a conversion that moves some bytes; that of a pack or unpack as it is or in another form."""
        return self._costs.of_transpose(facts_of(op, moved, relayout))

    def of_ops(self, module: ModuleOp) -> Cost:
        """The prices of the ops in the forms that they have."""
        if not self._prices.matter:
            return Cost(unit=self.unit)
        ops = (op for op in module.walk() if isinstance(op, NpuOp) and not isinstance(op, ViewOp))
        return Cost(ticks=sum(calls_around(op) * self._prices.of(op) for op in ops), unit=self.unit)

    def impossible(self, module: ModuleOp) -> Iterator[ConversionOp]:
        """The transposes, packs and unpacks that neither the hardware nor a fallback can do."""
        origins = Origins()
        for op in counted_conversions(module, origins):
            if self._costs.is_avoided(facts_of(op, cost_of_conversion(op, origins, self._assumed_size).bytes)):
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
    return cost_on_target(module, target, assumed_size) + cost_of_packs(module, assumed_size)
