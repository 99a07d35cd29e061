"""Which stage of the hardware runs an op, and where data can go from one stage to the next."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.traits import Commutative, is_side_effect_free

from ..dialects.npu.base import NpuOp, has_one_element, layout_of, shape_of
from ..dialects.npu.shape import RelabelOp, ViewOp
from ..dialects.npu.source import ConstantOp
from ..layout import Layout
from ..targets import Form, Rule, Stage, Target


def find_match(target: Target, op: Operation, last: Stage | None, uses: Mapping[str, int]) -> Stage | None:
    """The stage nearest behind the last one that runs an op; without a last one the search starts at the root.

    Stages may be skipped. Of equally near ones that comes first whose edge comes first in the target's file. `uses`
    says how many ops of the group each stage runs already.
    """
    waiting = deque(_starts(target, last))
    seen = {stage.name for stage in waiting}
    while waiting:
        stage = waiting.popleft()
        has_room = stage.uses is None or uses.get(stage.name, 0) < stage.uses
        if has_room and runs(target, stage, op):
            return stage
        for successor in target.successors(stage):
            if successor.name not in seen:
                seen.add(successor.name)
                waiting.append(successor)
    return None


def _starts(target: Target, last: Stage | None) -> Iterator[Stage]:
    if last is not None:
        seen: set[str] = set()
        for stage in target.successors(last):
            if stage.name not in seen:
                seen.add(stage.name)
                yield stage
    elif target.root is not None:
        yield target.root


def stages_for(target: Target, op: Operation) -> list[Stage]:
    """The stages that run an op, with operands like those that it has."""
    return [stage for stage in target.stages_running(op.name) if runs(target, stage, op)]


def has_stage(target: Target, op: Operation) -> bool:
    return isinstance(op, NpuOp) and is_side_effect_free(op) and bool(stages_for(target, op))


def needs_no_stage(target: Target, op: Operation) -> bool:
    """Whether an op is collected by those that read it: it costs nothing, whatever runs it."""
    if isinstance(op, RelabelOp) or target.is_free(op.name):
        return True
    values = (*op.operands, *op.results)
    small = all(isinstance(value.type, TensorType) and has_one_element(value) for value in values)
    return small and is_side_effect_free(op) and not has_stage(target, op)


def why_in_no_group(target: Target, op: Operation) -> str:
    """Why an op is in no group, for one that is in none."""
    if needs_no_stage(target, op):
        return "goes with what reads it, and no group has all of that"
    stages = " or ".join(stage.name for stage in target.stages_running(op.name))
    return f"runs on {stages}, but not with these operands" if stages else "no stage runs it"


def runs(target: Target, stage: Stage, op: Operation) -> bool:
    """Whether a stage runs an op, with operands like those that it has."""
    return any(_fits(target, rule, op) for rule in stage.rules_for(op.name))


def _fits(target: Target, rule: Rule, op: Operation) -> bool:
    if rule.before is not None and not _is_before(target, target.stage(rule.before), op):
        return False
    operands = list(op.operands)
    carriers = range(len(operands)) if op.has_trait(Commutative) else range(min(1, len(operands)))
    return not operands or any(_others_fit(rule.form, operands, data) for data in carriers)


def _others_fit(form: Form, operands: Sequence[SSAValue], data: int) -> bool:
    """Whether the operands besides the data have a form; where they are tensors, the data has to be one as well."""
    return all(
        _has_form(form, other, operands[data])
        for place, other in enumerate(operands)
        if place != data or form is Form.TENSOR
    )


def _is_before(target: Target, stage: Stage, op: Operation) -> bool:
    """Whether the only user of an op is one that a stage names."""
    users = [use.operation for result in op.results for use in result.uses]
    return len(users) == 1 and bool(stage.rules_for(users[0].name))


def _has_form(form: Form, value: SSAValue, data: SSAValue) -> bool:
    match form:
        case Form.ANY:
            return True
        case Form.CONSTANT:
            return is_constant_value(value)
        case Form.CHANNEL_CONSTANT:
            return is_constant_value(value) and _is_per_channel(value, layout_of(data))
        case Form.SCALAR:
            return has_one_element(value)
        case Form.TENSOR:
            return not is_constant_value(value) and not has_one_element(value)


def is_constant_value(value: SSAValue) -> bool:
    """Whether a value is a constant, seen through relabels, reshapes and transposes."""
    while isinstance(value.owner, ViewOp):
        value = value.owner.input
    return isinstance(value.owner, ConstantOp)


def _is_per_channel(value: SSAValue, data: Layout | None) -> bool:
    """Whether a value has one element, or one for each channel of the data; without letters along one of its axes."""
    axes = [axis for axis, size in enumerate(shape_of(value)) if size != 1]
    if len(axes) > 1:
        return False
    if not axes or data is None or not data.cls.is_cnn or data.rank != len(shape_of(value)):
        return True
    return axes == [data.order_for(len(shape_of(value))).index(1)]
