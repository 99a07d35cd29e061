"""What the fusion passes share: groups for each function, written down, dumped, or explained."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.dominance import verify_dominance
from ..common.reasons import Names
from ..common.same_meaning import PreservesMeaning
from .fused_functions import FusedCalls, can_be_fused, fused_calls, number_groups, outline_groups
from .graph import Node, forward_graph, is_constant
from .operand_layouts import OperandLayouts
from .outlining import Outliner
from .report import graph_lines


@dataclass(frozen=True)
class Subject:
    """A function whose ops are to be put into groups."""

    function: FuncOp
    nodes: Sequence[Node]
    fused: FusedCalls
    names: Names
    layouts: OperandLayouts


@dataclass(frozen=True)
class Fusion:
    """The groups of a function, and what there is to say about them."""

    subject: Subject
    groups: Sequence[Sequence[Operation]]
    lines: Iterable[str]
    """What became of each node."""
    why_apart: Callable[[Node, Node], str]
    """Why an op and one that reads it are not in one group."""
    fewest_ops: int = 2
    """Groups of fewer ops are not written down."""

    @property
    def written(self) -> list[Sequence[Operation]]:
        """The groups that are written down; constants do not count among their ops."""
        return [ops for ops in self.groups if sum(not is_constant(op) for op in ops) >= self.fewest_ops]

    def apart(self) -> Iterator[str]:
        """For each op and each that reads it and is not in its group: why not."""
        names = self.subject.names
        group_of = {op: number for number, ops in enumerate(self.groups) for op in ops}
        for node in self.subject.nodes:
            producer = node.source
            if not isinstance(producer, Operation) or is_constant(producer):
                continue
            for index in dict.fromkeys(edge.reader for edge in node.edges):
                reader = self.subject.nodes[index]
                assert isinstance(reader.source, Operation)
                if producer not in group_of or group_of[producer] != group_of.get(reader.source):
                    reason = self.why_apart(node, reader)
                    yield f"{names.of(producer)} and {names.of(reader.source)} are apart: {reason}"


@dataclass(frozen=True)
class FusionPass(PreservesMeaning, ModulePass, ABC):
    """A pass that puts groups of ops into functions."""

    annotate: bool = False
    """Tag the ops with the number of their group (`npu.group`) and move none."""
    dump: Literal["", "graph", "groups"] = ""
    """Print to stderr the graph, or what became of each of its nodes."""

    @abstractmethod
    def fusion(self, subject: Subject) -> Fusion:
        """The groups of a function. Changes nothing."""

    def fusions(self, module: ModuleOp, names: Names) -> list[Fusion]:
        """The groups of all functions that are ours to fuse."""
        # The walk over a graph goes round for ever where a value leads to itself, and xDSL's verifier lets that pass.
        verify_dominance(module)
        functions = [each for each in module.walk() if isinstance(each, FuncOp) and can_be_fused(each)]
        fused = fused_calls(module)
        graphs = (forward_graph(each.body.block, fused.without_effects) for each in functions)
        layouts = OperandLayouts(module)
        subjects = zip(functions, graphs, strict=True)
        return [self.fusion(Subject(each, nodes, fused, names, layouts)) for each, nodes in subjects]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        outliners: dict[ModuleOp, Outliner] = {}
        for fusion in self.fusions(op, Names(op)):
            self._print(fusion)
            function = fusion.subject.function
            if self.annotate:
                number_groups(function, fusion.written)
                continue
            module = function.parent_op()
            assert isinstance(module, ModuleOp)
            if module not in outliners:
                outliners[module] = Outliner(module)
            outline_groups(outliners[module], function, fusion.written, fusion.subject.fused.without_effects)

    def _print(self, fusion: Fusion) -> None:
        if self.dump:
            subject = fusion.subject
            lines = graph_lines(subject.nodes, subject.names) if self.dump == "graph" else fusion.lines
            print("\n".join([f"@{subject.function.sym_name.data}", *lines]), file=sys.stderr)
