"""The strategy `naive` on targets with blocks: each op with unmet demands is wrapped in conversions of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ...dialects.npu.axes import Relayout
from ...dialects.npu.base import NpuOp
from ...dialects.npu.relayout import stored_in
from ...dialects.npu.source import ConstantOp
from ...dialects.npu.values import encoding, order_of_type
from ...layout import permutation_between
from ..common.insertion import After, InsertionPoint, before_user, right_behind
from ..common.origins import Origins
from ..common.plan import Conversion, LayoutPlan, Reshaped
from ..common.producers import Use
from ..common.reasons import Names, Reason, moved_text, stored_as_text
from ..common.target_layouts import OpDemands, TargetLayouts
from ..common.transpose_cost import moved_bytes
from .block_forms import fits
from .modes import Mode
from .reshaped_form import reshaped_form
from .rule_table import RuleTable

Form: TypeAlias = Relayout | Reshaped


def forms_of_naive(table: RuleTable) -> dict[Operation, Form]:
    """The forms of the ops that do not meet their demands: the first one that the target lists."""
    found: dict[Operation, Form] = {}
    for op, modes in zip(table.choosers, table.modes, strict=True):
        demands = [each.demands for each in table.target_layouts.alternatives(op)] if isinstance(op, NpuOp) else []
        mode = _first_demanded(modes, demands)
        if mode.relayout is None or mode.form is None or not isinstance(op, NpuOp):
            continue
        is_own = mode.form.is_own
        found[op] = mode.relayout if is_own else reshaped_form(op, mode, table.table.storage, table.target_layouts)
    return found


def _first_demanded(modes: Sequence[Mode], all_demands: Sequence[OpDemands]) -> Mode:
    """The present mode if it meets one of the demands, else the first mode for the first demands that have one."""
    if modes[0].relayout is None:
        return modes[0]
    meeting = (mode for demands in all_demands for mode in modes if _meets(mode, demands))
    return next(meeting, modes[0])


def _meets(mode: Mode, demands: OpDemands) -> bool:
    if mode.form is None or mode.relayout is None or not fits(demands, mode.form):
        return False
    read = [mode.relayout.operands[mode.relayout.place_of(index)] for index in range(len(demands.operands))]
    return demands.are_met(read, mode.relayout.results)


class NaivePlanner:
    """The conversions before and behind each op in another form; only uses of one constant share theirs."""

    def __init__(self, forms: Mapping[Operation, Form], target_layouts: TargetLayouts) -> None:
        self.conversions: list[Conversion] = []
        self.reads: dict[Use, Conversion] = {}
        self._forms = forms
        self._target_layouts = target_layouts
        self._origins = Origins()
        self._constants: dict[tuple[SSAValue, Attribute], Conversion] = {}

    def plan(self, module: ModuleOp, strategy: str) -> LayoutPlan:
        for op, form in self._forms.items():
            for result, type_ in zip(op.results, _result_types(op, form), strict=True):
                self._convert_back(result, type_)
        for op, form in self._forms.items():
            for index, type_ in enumerate(_operand_types(op, form)):
                self._convert_operand(Use(op, index), type_)
        return LayoutPlan(module, strategy, self._forms, self.conversions, self.reads)

    def _convert_back(self, result: OpResult, made: Attribute) -> None:
        uses = [Use(use.operation, use.index) for use in result.uses]
        if made == result.type or not uses:
            return
        reason = Reason(result, "is converted back, as each op is wrapped alone")
        back = self._conversion(result, None, made, result.type, uses[0], right_behind(result), reason)
        self.reads |= dict.fromkeys(uses, back)

    def _convert_operand(self, use: Use, wanted: Attribute) -> None:
        value = use.value
        if wanted == value.type:
            return
        key = value, wanted
        if key in self._constants:
            self.reads[use] = self._constants[key]
            return
        is_constant = isinstance(value.owner, ConstantOp)
        point = After(value.owner) if isinstance(value.owner, ConstantOp) else before_user(value, use.op)
        made = self._conversion(value, self.reads.get(use), value.type, wanted, use, point, self._reason(use))
        self.reads[use] = made
        if is_constant:
            self._constants[key] = made

    def _reason(self, use: Use) -> Reason:
        demands = self._target_layouts.demands(use.op)
        if demands is not None:
            return self._target_layouts.reason(use.op, demands, use.operand)
        return self._target_layouts.axis_reason(use.op) or Reason(use.op, "is wrapped alone")

    def _conversion(
        self,
        value: SSAValue,
        behind: Conversion | None,
        given: Attribute,
        wanted: Attribute,
        use: Use,
        point: InsertionPoint,
        reason: Reason,
    ) -> Conversion:
        before, after = cast("TensorType", given), cast("TensorType", wanted)
        layouts = encoding(before), encoding(after)
        is_packed = layouts[0] is not None and layouts[1] is not None and layouts[1].is_packed_from(layouts[0])
        permutation = None if is_packed else permutation_between(order_of_type(before), order_of_type(after))
        made = Conversion(
            source=value,
            behind=behind,
            permutation=permutation,
            type=after,
            source_sizes=(),
            sizes=(),
            served=use.op,
            name=value.name_hint,
            point=point,
            reason=reason,
            moves=True,
            is_pack=is_packed,
            of_constant=self._origins.is_constant(value),
        )
        self.conversions.append(made)
        return made


def _operand_types(op: Operation, form: Form) -> Sequence[Attribute]:
    """The types under which an op reads its operands, as they are in the program."""
    if isinstance(form, Reshaped):
        return form.operands
    return [
        value.type if encoding(value.type) is None else stored_in(value, form.operands[form.place_of(index)])
        for index, value in enumerate(op.operands)
    ]


def _result_types(op: Operation, form: Form) -> Sequence[Attribute]:
    if isinstance(form, Reshaped):
        return form.results
    return [
        value.type if encoding(value.type) is None else stored_in(value, order)
        for value, order in zip(op.results, form.results, strict=True)
    ]


def naive_lines(plan: LayoutPlan, value: SSAValue, names: Names) -> list[str]:
    """The layout that a value gets, and its conversions, as lines of text."""
    layout = encoding(_made_type(plan, value))
    if layout is None:
        return [f"{names.of(value)} has no layout"]
    own = [each for each in plan.conversions if each.source is value and each.reason is not None]
    return [stored_as_text(value, layout, names), *(f"  {_line(each, plan, names)}" for each in own)]


def _line(conversion: Conversion, plan: LayoutPlan, names: Names) -> str:
    given, made = _made_type(plan, conversion.source), conversion.type
    if conversion.behind is not None:
        given = conversion.behind.type
    assert conversion.reason is not None
    moved = max(map(moved_bytes, (cast("TensorType", given), made)))
    what = f"{moved_text(given, made)} from {encoding(given)} to {encoding(made)}"
    return f"{what} ({moved} bytes), because {conversion.reason.text(names)}"


def _made_type(plan: LayoutPlan, value: SSAValue) -> Attribute:
    """The type in which a value is produced."""
    form = plan.relayouts.get(value.op) if isinstance(value, OpResult) else None
    if form is None or not isinstance(value, OpResult):
        return value.type
    return _result_types(value.op, form)[value.index]
