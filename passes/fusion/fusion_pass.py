"""Base class of the fusion passes: finds the groups of each function and outlines, numbers, dumps or explains them."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...compat.context import holding
from ...dialects.program.dominance import verify_dominance
from ..common.debug_counter import first_changes
from ..common.same_meaning import PreservesMeaning
from ..common.words.reasons import Names
from .functions.fused_functions import FusedCalls, can_be_fused, fused_calls, number_groups, outline_groups
from .functions.outlining import Outliner
from .graph.graph import FusionNode, forward_graph, is_constant
from .report import graph_lines
from .stages.operand_layouts import OperandLayouts

if TYPE_CHECKING:
    from .hardware_facts import HardwareFacts


@dataclass(frozen=True)
class Subject:
    """A function to be fused, with the analyses that the passes use."""

    function: FuncOp
    nodes: Sequence[FusionNode]
    fused: FusedCalls
    names: Names
    layouts: OperandLayouts


class Apart(NamedTuple):
    """A producer and its user that are not in one group."""

    producer: Operation
    reader: Operation
    reason: str


@dataclass(frozen=True)
class Fusion:
    """The groups of a function, with the texts that describe and explain them."""

    subject: Subject
    groups: Sequence[Sequence[Operation]]
    lines: Iterable[str]
    """One line for each node: its group, or the reason for having none."""
    reason_apart: Callable[[FusionNode, FusionNode], str]
    """The reason why a producer and its user are not in one group."""
    fewest_ops: int = 2
    """Smaller groups are not written into the program."""
    hardware: "Callable[[], HardwareFacts] | None" = None
    """The stages of the groups; None for groups without stages."""

    @property
    def written(self) -> list[tuple[int, Sequence[Operation]]]:
        """The groups that are written into the program, with their numbers among all; constants do not count towards
        their size."""
        sizes = (sum(not is_constant(op) for op in ops) for ops in self.groups)
        return [group for group, size in zip(enumerate(self.groups), sizes, strict=True) if size >= self.fewest_ops]

    def apart(self) -> Iterator[str]:
        """A line for each producer and user that are not in one group, with the reason."""
        names = self.subject.names
        for producer, reader, reason in self.pairs_apart():
            yield f"{names.of(producer)} and {names.of(reader)} are not fused: {reason}"

    def pairs_apart(self) -> Iterator[Apart]:
        """Each producer and user that are not in one group, with the reason."""
        group_of = {op: number for number, ops in enumerate(self.groups) for op in ops}
        for node in self.subject.nodes:
            producer = node.source
            if not isinstance(producer, Operation) or is_constant(producer):
                continue
            for index in dict.fromkeys(edge.reader for edge in node.edges):
                reader = self.subject.nodes[index]
                assert isinstance(reader.source, Operation)
                if producer not in group_of or group_of[producer] != group_of.get(reader.source):
                    yield Apart(producer, reader.source, self.reason_apart(node, reader))


Listener: TypeAlias = Callable[[ModuleOp, Sequence[Fusion]], None]
_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


def listening(listener: Listener) -> AbstractContextManager[Listener]:
    """Tell a listener the groups of each fusion pass in this context, before the program changes."""
    return holding(_LISTENER, listener)


@dataclass(frozen=True)
class FusionPass(PreservesMeaning, ModulePass, ABC):
    """A pass that outlines groups of ops into functions."""

    annotate: bool = False
    """Set the group number of each op (`npu.group`) instead of outlining the groups."""
    dump: Literal["", "graph", "groups"] = ""
    """Print to stderr the graph, or the group of each of its nodes."""

    @abstractmethod
    def fusion(self, subject: Subject) -> Fusion:
        """The groups of a function. Does not change the program."""

    def fusions(self, module: ModuleOp, names: Names) -> list[Fusion]:
        """The groups of all functions that can be fused."""
        # The walk would not end on a cycle of values, which xDSL's verifier accepts.
        verify_dominance(module)
        functions = [each for each in module.walk() if isinstance(each, FuncOp) and can_be_fused(each)]
        fused = fused_calls(module)
        graphs = (forward_graph(each.body.block, fused.without_effects) for each in functions)
        layouts = OperandLayouts(module)
        subjects = zip(functions, graphs, strict=True)
        return [self.fusion(Subject(each, nodes, fused, names, layouts)) for each, nodes in subjects]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        outliners: dict[ModuleOp, Outliner] = {}
        names = Names(op)
        fusions = self.fusions(op, names)
        if (listener := _LISTENER.get()) is not None:
            listener(op, fusions)
        groups = [ops for fusion in fusions for _, ops in fusion.written]
        kept = {group[-1] for group in first_changes(self.name, groups, lambda group: names.of(group[-1]))}
        for fusion in fusions:
            self._print(fusion)
            function, written = fusion.subject.function, [each for each in fusion.written if each[1][-1] in kept]
            if self.annotate:
                number_groups(function, written)
                continue
            module = function.parent_op()
            assert isinstance(module, ModuleOp)
            if module not in outliners:
                outliners[module] = Outliner(module)
            outline_groups(
                outliners[module], function, [ops for _, ops in written], fusion.subject.fused.without_effects
            )

    def _print(self, fusion: Fusion) -> None:
        if self.dump:
            subject = fusion.subject
            lines = graph_lines(subject.nodes, subject.names) if self.dump == "graph" else fusion.lines
            print("\n".join([f"@{subject.function.sym_name.data}", *lines]), file=sys.stderr)
