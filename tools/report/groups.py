"""Facts of a run about the ops of a program: groups, regions, and changes that would remove a transpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ...passes.common.demands.target_layouts import TargetLayouts
from ...passes.common.words.reasons import Names
from ...passes.fusion.functions.outlining import is_fused
from ...passes.fusion.fusion_pass import Fusion
from ...passes.fusion.graph.graph import is_constant
from ...text.drawing import joined_regions, title_of
from ...text.repeats import constant_ops

RegionNames: TypeAlias = Mapping[Operation | SSAValue, str]


@dataclass(frozen=True)
class SeenGroup:
    """A group of a fusion pass."""

    name: str
    ops: Sequence[Operation]
    """Without constants."""
    kept: int = 0
    """The bytes of values that are used only inside of it."""
    began: str = ""
    """The reason why its first op did not join the group before."""


@dataclass(frozen=True)
class SeenFusion:
    """The groups of a function."""

    function: str
    groups: Sequence[SeenGroup]
    stages: Sequence[str] = ()
    """The stages that run an op, in the order of the target's file."""
    outside: Mapping[Operation, str] = field(default_factory=dict[Operation, str])
    """The ops in no group, with the reason."""
    lines: Sequence[str] = ()
    """The figures of all groups."""


@dataclass
class SeenGroups:
    """The groups of a fusion pass, and the regions of the program that it got."""

    target: TargetLayouts | None = None
    """The target of the regions."""
    fusions: list[SeenFusion] = field(default_factory=list[SeenFusion])
    group_of: dict[Operation, str] = field(default_factory=dict[Operation, str])
    stage_of: dict[Operation, str] = field(default_factory=dict[Operation, str])
    apart: dict[Operation, list[str]] = field(default_factory=dict[Operation, list[str]])
    """The reasons why an op is not fused with its neighbours, or is in no group."""
    region_of: RegionNames | None = None
    removal: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """For the reason of a transpose the changes that would save something, each with what it saves."""
    staying: dict[Operation, str] = field(default_factory=dict[Operation, str])
    """The reasons of transposes that were in the program and stay."""
    model_names: dict[str, str] = field(default_factory=dict[str, str])
    """The names in the model of the values that reasons and changes quote."""

    def listen(self, module: ModuleOp, fusions: Sequence[Fusion]) -> None:
        """Describe the groups of a pass before they are written; those of an earlier pass are forgotten."""
        names = Names(module)
        self.fusions, self.group_of, self.stage_of, self.apart = [], {}, {}, {}
        self.region_of = None if self.target is None else regions_of(module, self.target)
        for fusion in fusions:
            suffix = f" of @{fusion.subject.function.sym_name.data}" if len(fusions) > 1 else ""
            self.fusions.append(self._described(fusion, suffix))
            self._explain(fusion, self.fusions[-1].outside, names)

    def _described(self, fusion: Fusion, suffix: str) -> SeenFusion:
        function = fusion.subject.function.sym_name.data
        if fusion.hardware is None:
            return SeenFusion(function, [self._group(number, ops, suffix) for number, ops in fusion.written])
        facts = fusion.hardware()
        self.stage_of |= facts.stage_of
        groups = [
            self._group(number, ops, suffix, kept, began)
            for number, (ops, kept, began) in enumerate(zip(fusion.groups, facts.kept, facts.began, strict=True))
        ]
        return SeenFusion(function, groups, facts.stages, facts.outside, facts.lines)

    def _group(self, number: int, ops: Sequence[Operation], suffix: str, kept: int = 0, began: str = "") -> SeenGroup:
        group = SeenGroup(f"group {number}{suffix}", [op for op in ops if not is_constant(op)], kept, began)
        self.group_of |= dict.fromkeys(group.ops, group.name)
        return group

    def _explain(self, fusion: Fusion, outside: Mapping[Operation, str], names: Names) -> None:
        self.apart |= {op: [f"in no group: {reason}"] for op, reason in outside.items()}
        for producer, reader, reason in fusion.pairs_apart():
            for op, other in ((producer, reader), (reader, producer)):
                if op not in outside:
                    self.apart.setdefault(op, []).append(f"not with {names.of(other)}: {reason}")


def regions_of(module: ModuleOp, target: TargetLayouts) -> RegionNames:
    """The names of the regions with several ops, numbered by their titles in program order.

    A fused function, which only has a part of a region, is left out.
    """
    found: dict[Operation | SSAValue, str] = {}
    count = Counter[str]()
    hidden = constant_ops(module.walk())
    for members in joined_regions(module, target):
        visible = [member for member in members if member not in hidden and not _is_in_fused_function(member)]
        if len(visible) > 1:
            title = title_of(members)
            count[title] += 1
            found |= dict.fromkeys(visible, f"{title} {count[title]}")
    return found


def _is_in_fused_function(member: Operation | SSAValue) -> bool:
    block = member.parent_block() if isinstance(member, Operation) else member.owner
    function = block.parent_op() if isinstance(block, Block) else None
    return isinstance(function, FuncOp) and is_fused(function)
