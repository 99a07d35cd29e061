"""The one step that changes a program: ops are written as a plan says, and the transposes between them are put in."""

from xdsl.dialects.builtin import LocationAttr, NameLoc, StringAttr, TensorType
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.npu.base import NpuOp
from ...dialects.npu.relayout import apply_relayout
from ...dialects.npu.shape import ShapeOp, TransposeOp
from ...dialects.npu.views import views_without_moving
from ...layout import unpermute
from ..common.insertion import After, Inserter
from ..common.producers import Use
from ..common.reasons import Names
from .conversions import Conversion, Reading, find_conversions
from .plan import LayoutPlan


def apply_plan(plan: LayoutPlan, names: Names) -> list[Conversion]:
    """Write the program as the plan says; the answer is what had to be converted for it.

    Signatures keep their types. What is put in says in its location which strategy put it there and why.
    """
    conversions = find_conversions(plan)
    reasons = [f"{plan.strategy}: {conversion.reason.text(names)}" for conversion in conversions]
    places = [conversion.served.location for conversion in conversions]
    step = _Step(plan)
    for conversion, reason, place in zip(conversions, reasons, places, strict=True):
        step.insert(conversion, NameLoc(StringAttr(reason), place))
    return conversions


class _Step:
    """The program on its way from what it is to what the plan says."""

    def __init__(self, plan: LayoutPlan) -> None:
        self._plan = plan
        self._made: dict[int, SSAValue] = {}
        """What each conversion makes, by its identity."""
        self._now: dict[Operation, Operation] = {}
        """What the ops are now that are written in another way."""
        written_anew = StringAttr(f"{plan.strategy}: written anew")
        places: dict[LocationAttr, LocationAttr] = {}
        for op, relayout in plan.relayouts.items():
            assert isinstance(op, NpuOp)
            if op.location not in places:
                places[op.location] = NameLoc(written_anew, op.location)
            op.location = places[op.location]
            self._now[op] = apply_relayout(op, relayout)
        self._inserter = Inserter(self._now)

    def insert(self, conversion: Conversion, location: LocationAttr) -> None:
        """Put in a conversion, and let those who read the value read what it makes."""
        behind = conversion.behind
        source = self._value(conversion.source) if behind is None else self._made[id(behind)]
        ops = _converted(conversion, source)
        self._inserter.put(ops, conversion.point, location, source.name_hint)
        made = ops[-1].result
        self._made[id(conversion)] = made
        seen: dict[TensorType, SSAValue] = {conversion.type: made}
        for reading in conversion.readings:
            if reading.type not in seen:
                seen[reading.type] = self._insert_view(conversion, made, reading, location)
            self._read(reading.use, seen[reading.type])

    def _insert_view(
        self, conversion: Conversion, made: SSAValue, reading: Reading, location: LocationAttr
    ) -> SSAValue:
        """What is made, under the type that a reader wants; it stands right behind."""
        ops = views_without_moving(made, conversion.sizes, reading.type, reading.sizes)
        assert ops, "what shares a conversion is a view of it"
        assert isinstance(made, OpResult)
        self._inserter.put(ops, After(made.op), location, made.name_hint)
        return ops[-1].result

    def _value(self, value: SSAValue) -> SSAValue:
        """What a value of the input program is now."""
        if not isinstance(value, OpResult):
            return value
        return self._now.get(value.op, value.op).results[value.index]

    def _read(self, use: Use, value: SSAValue) -> None:
        self._now.get(use.op, use.op).operands[self._plan.place(use)] = value


def _converted(conversion: Conversion, source: SSAValue) -> list[ShapeOp]:
    """The ops that store a value again: a transpose, or a view where only dimensions of one element change places."""
    if not conversion.moves:
        sizes = unpermute(conversion.sizes, conversion.permutation)
        if views := views_without_moving(source, sizes, conversion.type, conversion.sizes):
            return views
    return [TransposeOp(source, conversion.permutation, conversion.type)]
