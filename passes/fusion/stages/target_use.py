"""A target as one program uses it: the demands that hold for its ops, and the stages that run them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ....dialects.npu.base import NpuOp
from ....dialects.npu.shape import RelabelOp
from ....dialects.npu.source import OpaqueOp
from ....targets import DemandRule, Target, name_of
from ....targets.findings import Finding, rule_path
from ....targets.vocabulary import short_name
from ...common.demands.target_rules import TargetRules
from ..graph.graph import is_constant
from .operand_layouts import OperandLayouts
from .stage_match import Matching
from .stage_reasons import reason_for_no_stage


@dataclass(frozen=True)
class OpFinding:
    """A problem of some ops of a program, the first of which shows its place."""

    op: Operation
    message: str


class TargetUse:
    """The use that a program makes of a target; the program must not change meanwhile."""

    def __init__(self, module: ModuleOp, target: Target) -> None:
        self._target = target
        self._rules = TargetRules(target)
        self._matching = Matching(target, OperandLayouts(module))
        self.ops = [op for op in module.walk() if isinstance(op, NpuOp) and not _is_nothing(op)]
        """All ops that compute something."""

    @cached_property
    def rules(self) -> Counter[tuple[str, int]]:
        """The number of ops for which each rule of the demands holds, by the op's name and the place of the rule.

        A rule that demands something holds for the ops with a value of which it does.
        """
        return Counter(
            (name_of(op), self._target.demands[name_of(op)].index(rule))
            for op in self.ops
            if (rule := self._rules.rule(op)) and (rule.demands_nothing or self._has_demand(op, rule))
        )

    def _has_demand(self, op: NpuOp, rule: DemandRule) -> bool:
        return bool(self._rules.alternatives(op)) or any(name in op.properties for name in rule.axes)

    @cached_property
    def on_no_stage(self) -> list[NpuOp]:
        """The ops that neither are free nor run on a stage, if the target has stages."""
        matching = self._matching
        ops = self.ops if self._target.stages else ()
        return [op for op in ops if not matching.needs_no_stage(op) and not matching.has_stage(op)]

    def summary(self) -> str:
        """The number of ops, and of those with demands and stages."""
        demands = self._target.demands
        demanding = sum(count for (op, place), count in self.rules.items() if not demands[op][place].demands_nothing)
        words = [f"{len(self.ops)} op{'s' * (len(self.ops) != 1)}", f"{demanding} with demands"]
        if self._target.stages:
            free = sum(map(self._matching.needs_no_stage, self.ops))
            on_none = len(self.on_no_stage)
            words += [f"{len(self.ops) - free - on_none} run on stages", f"{free} are free", f"{on_none} on no stage"]
        return ", ".join(words)

    def findings(self) -> Iterator[Finding]:
        """The keys of the target and what the program uses of them."""
        counts = Counter(map(name_of, self.ops))
        for op, rules in self._target.demands.items():
            for place in range(len(rules)) if counts[op] else ():
                held = self.rules[op, place]
                which = f"rule {place + 1}" if len(rules) > 1 else "the rule"
                message = f"{which} of '{short_name(op)}' holds for {held} of {counts[op]} in the program"
                yield Finding(rule_path(op, rules, place), message)
        used = {stage.name for op in self.ops for stage in self._matching.stages_for(op)}
        # A pass may still insert the transposes that a stage absorbs.
        idle = [stage.name for stage in self._target.stages.values() if not stage.absorbs and stage.name not in used]
        if idle:
            yield Finding(("stages",), f"no op of the program runs on {', '.join(idle)}")

    def op_findings(self) -> Iterator[OpFinding]:
        """The ops that the target does not describe, and those that no stage runs; the first of each kind."""
        unknown = [op for op in self.ops if isinstance(op, OpaqueOp) and name_of(op) not in self._target.vendor_ops]
        for name, ops in _grouped(unknown, name_of).items():
            advice = f'[ops."{name}"] of the target can say how it treats its data'
            yield OpFinding(ops[0], f"'{name}' is opaque, {_times(ops)}: {advice}")
        for reason, ops in _grouped(self.on_no_stage, self._reason).items():
            yield OpFinding(ops[0], f"{reason}, {_times(ops)}")

    def _reason(self, op: Operation) -> str:
        name = short_name(name_of(op))
        if not self._target.stages_running(name_of(op)):
            return f"no stage runs '{name}'"
        return f"'{name}' {reason_for_no_stage(op, self._matching)}"


def _is_nothing(op: Operation) -> bool:
    return is_constant(op) or isinstance(op, RelabelOp)


def _grouped(ops: Iterable[NpuOp], key: Callable[[NpuOp], str]) -> dict[str, list[NpuOp]]:
    found: dict[str, list[NpuOp]] = {}
    for op in ops:
        found.setdefault(key(op), []).append(op)
    return found


def _times(ops: Sequence[Operation]) -> str:
    return "once" if len(ops) == 1 else f"{len(ops)} times"
