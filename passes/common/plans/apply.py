"""The one step that changes a program: ops are rewritten as a plan says, and its conversions are inserted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import LocationAttr, NameLoc, StringAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....compat.xdsl import retype
from ....dialects.notes.interfaces import DIMS, dims_of, note_dims
from ....dialects.notes.reasons import REWRITTEN
from ....dialects.npu.axes import Relayout
from ....dialects.npu.base import NpuOp
from ....dialects.npu.relayout import apply_relayout
from ....dialects.npu.shape import ShapeOp, TransposeOp
from ....dialects.npu.values import order_of_type, order_of_value
from ....dialects.npu.views import views_without_moving
from ....layout import permutation_between, permute
from ..graph.producers import Use
from ..words.reasons import Names
from .insertion import After, Inserter, InsertionPoint
from .plan import Conversion, LayoutPlan, Reshaped, Source

if TYPE_CHECKING:
    from ....dialects.npu.packing import PackingOp


def apply_plan(plan: LayoutPlan, names: Names) -> Mapping[Conversion, OpResult]:
    """Rewrite a module as planned, and return the values that the conversions have made.

    Signatures keep their types, except for free arguments and results. The location of each inserted op states the
    strategy and the reason.
    """
    # Reasons quote names and locations of the input program, so they are composed before anything changes.
    locations = [_location(plan, conversion, names) for conversion in plan.conversions]
    for op in plan.dead:
        op.detach()
        op.erase(safe_erase=False)
    for value, type_ in plan.arguments.items():
        if isinstance(value, OpResult) and (dims := dims_of(value)):
            note_dims(value, permute(dims, permutation_between(order_of_value(value), order_of_type(type_))))
        retype(value, type_)
    rewriter = _PlanRewriter(plan)
    for conversion, location in zip(plan.conversions, locations, strict=True):
        rewriter.insert(conversion, location)
    for use, source in plan.reads.items():
        rewriter.connect(use, source)
    for view in reversed(plan.views):
        if view.result.first_use is None:
            view.detach()
            view.erase()
    for function in plan.functions:
        function.update_function_type()
    return rewriter.converted


def _location(plan: LayoutPlan, conversion: Conversion, names: Names) -> LocationAttr:
    location = conversion.served.location
    if conversion.reason is None:
        return location
    return NameLoc(StringAttr(f"{plan.strategy}: {conversion.reason.text(names)}"), location)


class _PlanRewriter:
    def __init__(self, plan: LayoutPlan) -> None:
        self._plan = plan
        self.converted: dict[Conversion, OpResult] = {}
        self._now: dict[Operation, Operation] = {}
        """The current op for each rewritten op."""
        rewritten = StringAttr(f"{plan.strategy}: {REWRITTEN}")
        locations: dict[LocationAttr, LocationAttr] = {}
        for op, form in plan.relayouts.items():
            if op.location not in locations:
                locations[op.location] = NameLoc(rewritten, op.location)
            op.location = locations[op.location]
            self._now[op] = _rewritten(op, form)
        self._inserter = Inserter(self._now)

    def insert(self, conversion: Conversion, location: LocationAttr) -> None:
        """Insert the ops of a conversion."""
        source = self._value(conversion.source if conversion.behind is None else conversion.behind)
        ops = _ops_of(conversion, source)
        self._inserter.put(ops, self._point(conversion, source), location, conversion.name)
        self.converted[conversion] = ops[-1].result

    def connect(self, use: Use, source: Source) -> None:
        """Replace one operand."""
        form = self._plan.relayouts.get(use.op)
        place = use.operand if form is None else form.place_of(use.operand)
        self._now.get(use.op, use.op).operands[place] = self._value(source)

    def _value(self, source: Source) -> SSAValue:
        if isinstance(source, Conversion):
            return self.converted[source]
        if not isinstance(source, OpResult):
            return source
        return self._now.get(source.op, source.op).results[source.index]

    def _point(self, conversion: Conversion, source: SSAValue) -> InsertionPoint:
        if conversion.point is not None:
            return conversion.point
        assert isinstance(source, OpResult)
        return After(source.op)


def _rewritten(op: Operation, form: Relayout | Reshaped) -> Operation:
    assert isinstance(op, NpuOp)
    if isinstance(form, Relayout):
        return apply_relayout(op, form)
    if form.operand_permutation is not None:
        op.operands = permute(op.operands, form.operand_permutation)
    op.properties = {**form.properties}
    op.attributes.pop(DIMS, None)
    for result, type_ in zip(op.results, form.results, strict=True):
        retype(result, type_)
    return op


def _ops_of(conversion: Conversion, source: SSAValue) -> Sequence[ShapeOp | PackingOp]:
    """A transpose, pack or unpack if data moves, views otherwise."""
    if conversion.is_pack:
        # Imported late: few programs have blocks.
        from ....dialects.npu.packing import packing

        return [packing(source, conversion.type)]
    if not conversion.moves:
        views = views_without_moving(source, conversion.source_sizes, conversion.type, conversion.sizes)
        if views:
            return views
    if conversion.permutation is None:
        raise PassFailedException(f"cannot view {source.type} as {conversion.type}")
    return [TransposeOp(source, conversion.permutation, conversion.type)]
