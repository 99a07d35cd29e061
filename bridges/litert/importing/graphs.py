"""The graphs of a model as functions: the first one is @main, those that ops run are private.

A graph has a function for each list of shapes that ops run it with, because LiteRT gives its inputs the shapes of the
operands. What a loop carries keeps its shape, or has sizes that are unknown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from re import sub

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr, SymbolRefAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ....layout import DYNAMIC
from ..kept import GRAPH, SIGNATURE, SIGNATURES
from .errors import LiteRtError
from .file import ABSENT, FileModel, FileSignature, LiteFile
from .function import FunctionImport
from .node import FileNode, RunGraph
from .types import LiteWeight, Shape

AFTER_CONDITION = frozenset({"IF", "STABLEHLO_CASE"})
"""The kinds of ops whose first operand chooses a graph for the others."""
WHOLE = frozenset({"CALL", "STABLEHLO_COMPOSITE"})
"""The kinds of ops that run a graph on all operands."""
LOOPS = frozenset({"STABLEHLO_WHILE", "WHILE"})
MOST_RUNS = 16
"""The number of times that the ops of a file may be imported, with shapes that differ."""


class ModelImport:
    """The functions of a model."""

    def __init__(self, model: FileModel, weights_file: str, inline_limit: int | None):
        self._graphs = model.graphs
        self._weights_file, self._inline_limit = weights_file, inline_limit
        self._known: dict[tuple[int, tuple[Shape | None, ...]], RunGraph] = {}
        self._running: list[int] = []
        self._names = {"main"}
        self._left = MOST_RUNS * sum(1 + len(graph.operators) for graph in model.graphs)
        self.weights: dict[str, LiteWeight] = {}
        self.corrected: list[str] = []
        """The names of the tensors that have other shapes than the file states."""

    def functions(self) -> list[FuncOp]:
        """All functions: @main, those that ops run, and those that none does, such as those of further signatures."""
        found = [RunGraph(self._imported(0, None), 0)]
        named = {each.number for each in self._known.values()}
        for number in range(1, len(self._graphs)):
            if number not in named:
                found.append(RunGraph(self._imported(number, None), number))
        return [each.function for each in sorted(self._with_run(found), key=lambda each: each.number)]

    def _with_run(self, found: Sequence[RunGraph]) -> list[RunGraph]:
        """Functions, and all that ops in them run; the import of a loop makes others on its way."""
        by_name, reached = {each.name: each for each in self._known.values()}, {each.name: each for each in found}
        waiting = list(found)
        while waiting:
            for op in waiting.pop().function.body.block.ops:
                for value in op.attributes.values():
                    if isinstance(value, SymbolRefAttr) and (name := value.string_value()) not in reached:
                        reached[name] = by_name[name]
                        waiting.append(by_name[name])
        return list(reached.values())

    def run(self, node: FileNode, graphs: Mapping[str, int]) -> Mapping[str, RunGraph]:
        """The graphs that an op runs; its results get the shapes that follow from them."""
        kind, tensors = node.kind, node.file.tensors
        shapes = [None if place == ABSENT else tensors[place].shape for place in node.operator.inputs]
        if kind in LOOPS and "body" in graphs:
            shapes = self._carried(node, graphs["body"], shapes)
            _take_shapes(node, shapes)
        elif kind in AFTER_CONDITION:
            shapes = shapes[1:]
        elif kind not in WHOLE:
            return {name: self._run(node, number, None) for name, number in graphs.items()}
        found = {name: self._run(node, number, shapes) for name, number in graphs.items()}
        if kind not in LOOPS:
            results = [each.results for each in found.values()]
            _take_shapes(node, [_common(node, each) for each in zip(*results, strict=False)])
        return found

    def _carried(self, node: FileNode, body: int, shapes: Sequence[Shape | None]) -> list[Shape | None]:
        """The shapes of what a loop carries: those of its operands, but for sizes that its body changes."""
        while True:
            known = {*self._known}
            results = self._run(node, body, shapes).results
            if len(results) != len(shapes):
                raise LiteRtError(f"the body of {node.kind} returns {len(results)} values of {len(shapes)}")
            pairs = zip(shapes, results, strict=True)
            joined = [None if before is None else _common(node, (before, after)) for before, after in pairs]
            if joined == [*shapes]:
                return joined
            for key in self._known.keys() - known:
                # Imported with sizes that the second step does not have.
                if key[0] == body:
                    self._names.discard(self._known.pop(key).name)
            shapes = joined

    def _run(self, node: FileNode, number: int, shapes: Sequence[Shape | None] | None) -> RunGraph:
        """A graph that is run with operands of these shapes, or of those that it states."""
        if not 0 < number < len(self._graphs) or number in self._running:
            raise LiteRtError(f"{node.kind} runs graph {number} of {len(self._graphs)}, which it cannot")
        count = len(self._graphs[number].inputs)
        if shapes is not None and len(shapes) != count:
            raise LiteRtError(f"{node.kind} runs graph {number} with {len(shapes)} operands, expected {count}")
        key = number, tuple(shapes or [None] * count)
        if key not in self._known:
            self._known[key] = RunGraph(self._imported(number, shapes), number)
            self._known[key].function.sym_visibility = StringAttr("private")
        return self._known[key]

    def _imported(self, number: int, shapes: Sequence[Shape | None] | None) -> FuncOp:
        graph = self._graphs[number]
        self._left -= 1 + len(graph.operators)
        if self._left < 0:
            raise LiteRtError("the graphs of the model run each other too often")
        graph = replace(graph, tensors=[*graph.tensors])
        for place, shape in zip(graph.inputs, shapes or [], strict=False):
            if place != ABSENT and shape is not None:
                graph.tensors[place] = replace(graph.tensors[place], shape=shape)
        self._running.append(number)
        function = FunctionImport(graph, self, self._weights_file, self._inline_limit).run()
        self._running.pop()
        if number:
            function.attributes.update(signatures_of(graph))
            function.sym_name = StringAttr(self._new_name(graph.signature or graph.name or "graph"))
            function.attributes[GRAPH] = StringAttr(graph.name)
        return function

    def _new_name(self, name: str) -> str:
        plain = sub(r"[^0-9a-zA-Z_$.]", "_", name)
        found, count = plain, 0
        while found in self._names:
            count += 1
            found = f"{plain}_{count}"
        self._names.add(found)
        return found


def _common(node: FileNode, shapes: Sequence[Shape]) -> Shape:
    """All that shapes have in common."""
    if len({*map(len, shapes)}) > 1:
        raise LiteRtError(f"{node.kind} returns values of {' and '.join(str(len(each)) for each in shapes)} axes")
    return tuple(sizes[0] if len({*sizes}) == 1 else DYNAMIC for sizes in zip(*shapes, strict=True))


def _take_shapes(node: FileNode, shapes: Sequence[Shape | None]) -> None:
    """Give the results of an op these shapes, where they are known."""
    for place, shape in zip(node.operator.outputs, shapes, strict=False):
        if place != ABSENT and shape is not None:
            node.file.tensors[place] = replace(node.file.tensors[place], shape=shape)


def signatures_of(graph: LiteFile) -> dict[str, Attribute]:
    """The keys of the signatures of a graph, and what all but the first one name."""
    found: dict[str, Attribute] = {SIGNATURE: StringAttr(graph.signature)} if graph.signature else {}
    if graph.others:
        found[SIGNATURES] = DictionaryAttr({each.key: _signature(each) for each in graph.others})
    return found


def _signature(found: FileSignature) -> Attribute:
    """Names with the numbers of arguments and results."""
    return DictionaryAttr({"inputs": _numbered(found.inputs), "outputs": _numbered(found.outputs)})


def _numbered(names: Mapping[str, int]) -> Attribute:
    return DictionaryAttr({name: IntegerAttr(place, i64) for name, place in names.items()})
