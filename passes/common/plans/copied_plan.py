"""A plan for a copy of its program, so that its result can be counted while the program stays."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from ....dialects.npu.shape import ViewOp
from ..graph.producers import Use
from .insertion import After, AtStart, Before, InsertionPoint
from .plan import Conversion, LayoutPlan, Source


class CopiedPlan:
    """A plan for a copy of its program, without the reasons for its conversions."""

    def __init__(self, plan: LayoutPlan) -> None:
        module = plan.module.clone()
        self.ops = dict(zip(plan.module.walk(), module.walk(), strict=True))
        self._blocks: dict[Block, Block] = {}
        for op, other in self.ops.items():
            for region, copy in zip(op.regions, other.regions, strict=True):
                self._blocks |= zip(region.blocks, copy.blocks, strict=True)
        self.conversions: dict[Conversion, Conversion] = {}
        for conversion in plan.conversions:
            self.conversions[conversion] = self._conversion(conversion)
        self.plan = LayoutPlan(
            module,
            plan.strategy,
            {self.ops[op]: form for op, form in plan.relayouts.items()},
            [*self.conversions.values()],
            {Use(self.ops[use.op], use.operand): self._source(source) for use, source in plan.reads.items()},
            [self.ops[op] for op in plan.dead],
            [cast("ViewOp", self.ops[view]) for view in plan.views],
            {cast("BlockArgument", self._value(each)): type_ for each, type_ in plan.arguments.items()},
            [cast("FuncOp", self.ops[each]) for each in plan.functions],
        )

    def _value(self, value: SSAValue) -> SSAValue:
        if isinstance(value, OpResult):
            return self.ops[value.op].results[value.index]
        assert isinstance(value, BlockArgument)
        return self._blocks[value.block].args[value.index]

    def _source(self, source: Source) -> Source:
        return self.conversions[source] if isinstance(source, Conversion) else self._value(source)

    def _conversion(self, conversion: Conversion) -> Conversion:
        return replace(
            conversion,
            source=self._value(conversion.source),
            behind=None if conversion.behind is None else self.conversions[conversion.behind],
            served=self.ops[conversion.served],
            point=self._point(conversion.point),
            reason=None,
        )

    def _point(self, point: InsertionPoint | None) -> InsertionPoint | None:
        match point:
            case None:
                return None
            case Before(op):
                return Before(self.ops[op])
            case After(op):
                return After(self.ops[op])
            case AtStart(block):
                return AtStart(self._blocks[block])
