"""The hardware stage that runs an op, searched along the data-flow from the stage before."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue, Use
from xdsl.traits import Commutative

from ....dialects.npu.base import NpuOp
from ....dialects.npu.packing import PackingOp
from ....dialects.npu.shape import RelabelOp, ReshapeOp
from ....dialects.npu.values import encoding, has_one_element, logical_shape, shape_of, tensor_type
from ....layout import Layout
from ....targets import OperandKind, Rule, Stage, Target, name_of
from ...common.graph.op_classes import moves_unit_axes_only
from ...common.moves.conversion_ops import ConversionOp, is_conversion, moves_at_run_time
from ...common.moves.transpose_cost import bytes_of, moved_bytes
from ...common.storages.origins import Origins
from ..graph.graph import computes_only, is_constant
from .operand_layouts import OperandLayouts
from .stage_order import StageOrder

if TYPE_CHECKING:
    from ....targets.facts import TransposeFacts


class OpStages(NamedTuple):
    """The stages of an op in groups, by number."""

    runs: tuple[int, ...]
    """The stages that run it; none if it has effects."""
    entries: int
    """The stages that absorb it on the way to its users, as a set of bits."""
    is_free: bool
    """True for a transpose that a group of its users collects."""
    spends: int
    """The stages of which it takes a use, as a set of bits."""
    own: int = 0
    """The stages that run it only if its operands are results of its group, as a set of bits."""
    holding: int = 0
    """The stages that run it behind results of its group which it reads beside its data, as a set of bits."""

    @property
    def is_absorbed(self) -> bool:
        """True if it may be in the group of its users without a stage of its own."""
        return self.is_free or bool(self.entries)

    @property
    def is_grouped(self) -> bool:
        """True if it may be in a group."""
        return bool(self.runs) or self.is_absorbed

    @property
    def beginning(self) -> tuple[int, ...]:
        """The stages on which it may begin a group."""
        return tuple(stage for stage in self.runs if not self.own >> stage & 1) if self.own else self.runs


class Matching:
    """The stages of a target that run the ops of a program. The program must not change meanwhile."""

    def __init__(self, target: Target, layouts: OperandLayouts) -> None:
        self.target = target
        self.layouts = layouts
        self.origins = Origins()
        self._stages: dict[Operation, Mapping[str, Stage]] = {}
        """The stages that run an op, by name."""
        self._in_any_form: dict[str, Mapping[str, Stage] | None] = {}
        self._behind_stages: dict[Operation, bool] = {}
        """True for ops of one element that read what a stage computes."""
        self._in_groups: dict[Operation, OpStages] = {}
        self._on_stages: dict[tuple[str, ...], OpStages] = {}
        """The stages in groups of ops that are no transposes, by the names of those that run them, then of those that
        run them on results of their group alone."""
        self._own: dict[Operation, frozenset[str]] = {}

    def find(
        self,
        op: Operation,
        last: Stage | None,
        uses: Mapping[str, int],
        *,
        reads_own: bool = True,
        needs_holding: bool = False,
    ) -> Stage | None:
        """The nearest stage after `last` that runs an op; without `last` the search starts at the root.

        Stages may be skipped. Equally near stages are tried in the order of their edges in the target's file. `uses` is
        the number of ops of the group that each stage runs already. `reads_own` says that the operands of the op are
        results of the group, and `needs_holding` that it reads one of them beside its data.
        """
        waiting = deque([self.target.root] if last is None else self.target.successors(last))
        seen, running = set[str](), self._stages_of(op)
        left_out = frozenset[str]() if reads_own else self.own_stages(op)
        while waiting:
            stage = waiting.popleft()
            if stage is None or stage.name in seen:
                continue
            is_able = stage.name in running and stage.name not in left_out and (stage.holds or not needs_holding)
            if is_able and self._has_use(stage, op, uses):
                return stage
            seen.add(stage.name)
            waiting += self.target.successors(stage)
        return None

    def _has_use(self, stage: Stage, op: Operation, uses: Mapping[str, int]) -> bool:
        return stage.uses is None or uses.get(stage.name, 0) < stage.uses or not self.takes_use(stage, op)

    def stages_for(self, op: Operation) -> list[Stage]:
        """The stages that run an op with the operands it has."""
        return list(self._stages_of(op).values())

    def own_stages(self, op: Operation) -> frozenset[str]:
        """The stages that run an op only if its operands are results of its group."""
        if not self.target.has_own_rules:
            return frozenset()
        if op not in self._own:
            running = self._stages_of(op).values()
            self._own[op] = frozenset(stage.name for stage in running if self._is_for_own(stage, op))
        return self._own[op]

    def _is_for_own(self, stage: Stage, op: Operation) -> bool:
        rules = stage.rules_for(name_of(op))
        others = (rule for rule in rules if rule.operand_kind is not OperandKind.OWN)
        return len(rules) > 0 and not any(self._fits(rule, op) for rule in others)

    def sources(self, op: Operation) -> list[SSAValue]:
        """The values that an op reads, behind ops that move nothing; constants are left out."""
        found: dict[SSAValue, None] = {}
        waiting, seen = list(op.operands), set[SSAValue]()
        while waiting:
            value = waiting.pop()
            if value in seen:
                continue
            seen.add(value)
            if isinstance(value.owner, Operation) and self.moves_nothing(value.owner):
                waiting += value.owner.operands
            else:
                found[value] = None
        return list(found)

    def absorbing(self, op: Operation) -> list[Stage]:
        """The stages that absorb a transpose: it takes no use there, and each operand that is loaded may have one."""
        stages = self.target.absorbing_stages
        if not stages or not isinstance(op, ConversionOp):
            return []
        return [stage for stage in stages if _absorbs(stage, op)]

    def is_absorbed_only(self, op: Operation) -> bool:
        """True if no stage runs a transpose, but one absorbs it."""
        absorbing = self.absorbing(op)
        return bool(absorbing) and len(absorbing) == len(self._stages_of(op))

    def may_begin(self, op: Operation) -> bool:
        """True if an op that has stages may begin a group on one of them."""
        return not self.is_absorbed_only(op) and len(self.own_stages(op)) < len(self._stages_of(op))

    def takes_use(self, stage: Stage, op: Operation) -> bool:
        """True if an op counts as one of those that a stage may run."""
        return not (isinstance(op, ConversionOp) and _absorbs(stage, op))

    def may_load(self, op: Operation, last: Stage) -> bool:
        """True if a stage absorbs a transpose of data on the way to another stage."""
        order = self.order
        return any(order.leads(order.number[stage.name], order.number[last.name]) for stage in self.absorbing(op))

    @cached_property
    def order(self) -> StageOrder:
        return StageOrder(self.target)

    def in_groups(self, op: Operation) -> OpStages:
        """The stages of an op in groups."""
        if (known := self._in_groups.get(op)) is None:
            known = self._in_groups[op] = self._found_in_groups(op) if is_conversion(op) else self._on_stages_of(op)
        return known

    def _on_stages_of(self, op: Operation) -> OpStages:
        stages = (*self._stages_of(op), "", *sorted(self.own_stages(op))) if self.has_stage(op) else ()
        if stages not in self._on_stages:
            self._on_stages[stages] = self._found_in_groups(op)
        return self._on_stages[stages]

    def _found_in_groups(self, op: Operation) -> OpStages:
        order = self.order
        stages = self.stages_for(op) if self.has_stage(op) else []
        spent = order.bits(stage for stage in stages if stage.uses is not None and self.takes_use(stage, op))
        entries = order.bits(self.absorbing(op))
        runs = tuple(order.number[stage.name] for stage in stages)
        own = order.bits(stage for stage in stages if stage.name in self.own_stages(op))
        holding = order.bits(stage for stage in stages if stage.holds)
        return OpStages(runs, entries, self.is_free_transpose(op), spent, own, holding)

    def _stages_of(self, op: Operation) -> Mapping[str, Stage]:
        if (known := self._stages.get(op)) is not None:
            return known
        found = None if is_conversion(op) else self._stages_in_any_form(name_of(op))
        if found is None:
            running = [stage for stage in self.target.stages_running(name_of(op)) if self._runs(stage, op)]
            found = {stage.name: stage for stage in (*running, *self.absorbing(op))}
        self._stages[op] = found
        return found

    def _stages_in_any_form(self, name: str) -> Mapping[str, Stage] | None:
        """The stages that run an op, whatever its operands and users; None if these matter."""
        if name not in self._in_any_form:
            stages = self.target.stages_running(name)
            rules = (rule for stage in stages for rule in stage.rules_for(name))
            is_plain = all(rule.operand_kind is OperandKind.ANY and rule.before is None for rule in rules)
            self._in_any_form[name] = {stage.name: stage for stage in stages} if is_plain else None
        return self._in_any_form[name]

    def has_stage(self, op: Operation) -> bool:
        return isinstance(op, NpuOp) and computes_only(op) and bool(self._stages_of(op))

    def moves_nothing(self, op: Operation) -> bool:
        """True if an op leaves data where it is: a constant, a free op, or a transpose that costs nothing anywhere.

        A free transpose costs nothing in a group only.
        """
        if is_conversion(op):
            return not moves_at_run_time(op, self.origins)
        return is_constant(op) or self.needs_no_stage(op)

    def size_of(self, op: Operation) -> int:
        """The bytes of the largest result of an op."""
        tensors = (result for result in op.results if isinstance(result.type, TensorType))
        return max((bytes_of(result, self.origins)[0] for result in tensors), default=0)

    def reads_for_nothing(self, op: Operation) -> bool:
        """True for an op that moves nothing, and whose result no op reads, so that no group collects it."""
        return not uses_of(op)

    def is_free_transpose(self, op: Operation) -> bool:
        """True if a group of its users collects a transpose."""
        return is_conversion(op) and self.target.is_free(op.name)

    def needs_no_stage(self, op: Operation) -> bool:
        """True if an op is free and therefore collected into the group of its users."""
        if self._is_free(op):
            return True
        if not _is_of_one_element(op) or not computes_only(op):
            return False
        return not self.has_stage(op) or not self._is_behind_stage(op)

    def _is_behind_stage(self, op: Operation) -> bool:
        """True if an op of one element computes with what a stage computes of more, so that it may be in its group."""
        waiting, seen = [op], {op}
        while waiting:
            owners = (value.owner for value in waiting.pop().operands)
            for producer in (each for each in owners if isinstance(each, Operation) and each not in seen):
                seen.add(producer)
                is_passed = self._is_free(producer) or _is_of_one_element(producer)
                if self._behind_stages.get(producer, not is_passed and self.has_stage(producer)):
                    self._behind_stages[op] = True
                    return True
                if is_passed and producer not in self._behind_stages:
                    waiting.append(producer)
        self._behind_stages |= dict.fromkeys(seen, False)
        return False

    def _is_free(self, op: Operation) -> bool:
        """True for an op that the target says is free, and for one that moves no data wherever it runs.

        A reshape that only moves axes of one element does so, as passes insert them in place of transposes; and so does
        any reshape of a constant.
        """
        if isinstance(op, RelabelOp) or self.target.is_free(name_of(op)):
            return True
        return isinstance(op, ReshapeOp) and (moves_unit_axes_only(op) or self.is_constant(op.input))

    def _runs(self, stage: Stage, op: Operation) -> bool:
        """True if a stage runs an op with the operands it has."""
        return any(self._fits(rule, op) for rule in stage.rules_for(name_of(op)))

    def _fits(self, rule: Rule, op: Operation) -> bool:
        if rule.before is not None and not self._is_followed_by(self.target.stage(rule.before), op):
            return False
        if rule.operand_kind is OperandKind.ANY:
            return True
        count = len(op.operands)
        is_any = op.has_trait(Commutative) or rule.operand_kind is OperandKind.TENSOR
        carriers = range(count) if is_any else range(min(1, count))
        return not count or any(self._others_fit(rule.operand_kind, op, data) for data in carriers)

    def _is_followed_by(self, stage: Stage, op: Operation) -> bool:
        """True if the only use of an op is as data of one that the stage runs. Ops that move nothing are no users."""
        uses = uses_of(op)
        passed = {op}
        while len(uses) == 1 and uses[0].operation not in passed and self._is_passed(uses[0].operation):
            passed.add(uses[0].operation)
            uses = uses_of(uses[0].operation)
        return len(uses) == 1 and bool(stage.rules_for(name_of(uses[0].operation))) and is_data(uses[0])

    def _is_passed(self, op: Operation) -> bool:
        """True if an op does not come between another one and its user: a free op, or a transpose that costs nothing.

        An op of one element computes something, so it does, even if no stage has to run it.
        """
        return self.moves_nothing(op) if isinstance(op, ConversionOp) else self._is_free(op)

    def _others_fit(self, kind: OperandKind, op: Operation, data: int) -> bool:
        """True if the operands besides the data are of a kind; for tensors the data has to be one as well."""
        return all(
            self._is_of_kind(kind, other, op, data)
            for place, other in enumerate(op.operands)
            if place != data or kind in (OperandKind.TENSOR, OperandKind.OWN)
        )

    def _is_of_kind(self, kind: OperandKind, value: SSAValue, op: Operation, data: int) -> bool:
        match kind:
            case OperandKind.ANY:
                return True
            case OperandKind.CONSTANT:
                return self.is_constant(value)
            case OperandKind.CHANNEL_CONSTANT:
                return self.is_constant(value) and _is_per_channel(value, self.layouts.of(op, data))
            case OperandKind.OWN:
                return not self.is_constant(value)
            case OperandKind.CHANNEL_VALUES:
                return _is_per_channel(value, self.layouts.of(op, data))
            case OperandKind.SCALAR:
                return has_one_element(value)
            case OperandKind.TENSOR if self.is_constant(value):
                return value is not op.operands[data] and not has_one_element(value) and value not in values_beside(op)
            case OperandKind.TENSOR:
                return not has_one_element(value)

    def is_per_channel(self, op: Operation, place: int, data: int) -> bool:
        """True if an operand has one element, or one per channel of another one, the data."""
        return _is_per_channel(op.operands[place], self.layouts.of(op, data))

    def is_constant(self, value: SSAValue) -> bool:
        """True if a value is a constant, also through relabels, reshapes, transposes and packs."""
        origin = self.origins.of(value)
        while isinstance(origin.owner, PackingOp):
            origin = self.origins.of(origin.owner.input)
        return self.origins.is_constant(origin)


def _is_of_one_element(op: Operation) -> bool:
    """True if all operands and results have one element."""
    # The results first, as they decide for most ops.
    return all(isinstance(each.type, TensorType) and has_one_element(each) for each in (*op.results, *op.operands))


def _absorbs(stage: Stage, op: ConversionOp) -> bool:
    if isinstance(stage.absorbs, bool):
        return stage.absorbs
    return stage.absorbs.holds(_facts_of(op))


def _facts_of(op: ConversionOp) -> TransposeFacts:
    # Imported late: few targets have conditions.
    from ...common.moves.pack_facts import facts_of
    from ...common.moves.packs import bytes_of_pack

    return facts_of(op, bytes_of_pack(op) if isinstance(op, PackingOp) else moved_bytes(tensor_type(op.input)))


def uses_of(op: Operation) -> list[Use]:
    """The uses of the results of an op."""
    return [use for result in op.results for use in result.uses]


def values_beside(op: Operation) -> list[SSAValue]:
    """The operands of an op that are not its data."""
    if len(op.operands) < 2 or not isinstance(op, NpuOp):
        return []
    return [value for place, value in enumerate(op.operands) if not op.carries(place)]


def factors_of(op: Operation) -> Sequence[SSAValue]:
    """The operands of an op of which one may flow through it."""
    return op.product_factors() if isinstance(op, NpuOp) else ()


def is_data(use: Use) -> bool:
    """True if a value flows through the op that uses it; others are read beside its data, and have to be complete."""
    return not isinstance(use.operation, NpuOp) or use.operation.carries(use.index)


def _is_per_channel(value: SSAValue, data: Layout | None) -> bool:
    """True if a value has one element, or one per channel of the data (per index of one axis if it has no letters)."""
    layout = encoding(value.type)
    if layout is not None and layout.tiles:
        long = [axis for axis, size in enumerate(logical_shape(value, layout)) if size != 1]
        return not long or long == [1] or (len(long) == 1 and not layout.cls.is_cnn)
    axes = [axis for axis, size in enumerate(shape_of(value)) if size != 1]
    if len(axes) > 1:
        return False
    if not axes or data is None or not data.cls.is_cnn or data.rank != len(shape_of(value)):
        return True
    return axes == [data.order_for(len(shape_of(value))).index(1)]
