"""Subgraphs of `If`, `Loop`, `Scan` and searches as functions of their own. README.md describes them.

The types of the arguments follow from the node; the networks of a search declare them. For the values that a loop
carries, the importer first assumes that they keep the sizes that they begin with. If the subgraph returns other sizes,
these are unknown, and it is imported again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from onnx import GraphProto, NodeProto, TensorShapeProto
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i1, i64
from xdsl.dialects.func import FuncOp

from ..errors import UnsupportedNode
from .checking import ONNX_DOMAINS
from .graph import Bodies, ImportedGraph, ModelValue
from .inference import Types
from .order import captures, within
from .registry import CONVERTERS, key_of
from .shaped import Shaped
from .sizes import Size
from .types import without_sizes

DEEPEST = 6
"""The deepest nesting of subgraphs that are imported."""
MOST_ATTEMPTS = 3
"""The most imports of the subgraph of a loop, until the sizes that it carries are settled."""
OLDEST_SCAN = 9
"""The opset since which Scan has no batch axis."""
CONVOLUTIONS = frozenset({"Conv", "ConvInteger", "ConvTranspose", "QLinearConv"})
WITHOUT_LAYOUT = frozenset({"Constant", "Identity"})
"""Ops that have no layout of their own."""


@dataclass(frozen=True, slots=True)
class BodyImport:
    """The surroundings of a subgraph: the types of its inputs, and the values that it takes from around it."""

    inputs: Sequence[Shaped] | None
    """None if the subgraph declares them."""
    arguments: Sequence[ModelValue]
    """The captured values, which are further arguments of the function."""
    constants: Sequence[ModelValue]
    """The captured constants, which are constants of the function."""


@dataclass(frozen=True, slots=True)
class Body:
    """An imported subgraph."""

    function: FuncOp
    results: list[Shaped]


BodyImporter: TypeAlias = Callable[[str, GraphProto, BodyImport], Body]
"""Imports the subgraph in an attribute."""


def bodies_of(node: NodeProto, graph: ImportedGraph, types: Types, importer: BodyImporter) -> Bodies | None:
    """Import the subgraphs of a node; None if its op is not known. Raises `OnnxError` and `UnsupportedNode`."""
    find_results = _RESULTS.get(key_of(node.domain, node.op_type))
    if find_results is None or graph.depth >= DEEPEST:
        return None
    subgraphs = _Subgraphs(node, graph, types, importer)
    results = find_results(subgraphs)
    if len(results) < len(node.output):
        raise UnsupportedNode(f"{len(node.output)} outputs, but the subgraphs return {len(results)}")
    names = [value.name for value in subgraphs.arguments]
    return Bodies(subgraphs.symbols, names, results[: len(node.output)])


def hidden_ops(node: NodeProto) -> DictionaryAttr | None:
    """The number of ops in the subgraphs of a node that may have layouts, and of convolutions; None if none.

    Those that npu has, and those of systems of which nothing is known.
    """
    inside = [each for each in within([node]) if each.op_type not in WITHOUT_LAYOUT]
    kinds = [
        each.op_type
        for each in inside
        if key_of(each.domain, each.op_type) in CONVERTERS or each.domain not in ONNX_DOMAINS
    ]
    if not kinds:
        return None
    counts = {"convolutions": sum(kind in CONVOLUTIONS for kind in kinds), "ops": len(kinds)}
    return DictionaryAttr({name: IntegerAttr(count, i64) for name, count in counts.items()})


@dataclass(frozen=True, slots=True)
class _LoopTypes:
    """The types of the inputs of a loop's subgraph: those of the carried values are the ones that they begin with."""

    before: Sequence[Shaped]
    states: Sequence[Shaped]
    behind: Sequence[Shaped]
    first_output: int
    """The output that is the first carried value."""


class _Subgraphs:
    """The subgraphs of a node while they are imported."""

    def __init__(self, node: NodeProto, graph: ImportedGraph, types: Types, importer: BodyImporter):
        self.node = node
        self.types = types
        self.symbols: dict[str, str] = {}
        self._graph = graph
        self._importer = importer
        taken = [graph.values[name] for name in captures(node)]
        self._constants = [value for value in taken if _is_constant(value)]
        self.arguments = [value for value in taken if not _is_constant(value)]

    @property
    def opset(self) -> int:
        return self._graph.opset(self.node.domain)

    def input(self, index: int) -> Shaped:
        """The type of an input of the node."""
        if not self.node.input[index]:
            raise UnsupportedNode(f"input {index} is left out")
        return self._graph.shaped(self.node.input[index])

    def body(self, attribute: str) -> GraphProto:
        (proto,) = (each.g for each in self.node.attribute if each.name == attribute)
        return proto

    def numbers(self, name: str) -> list[int]:
        """An attribute of integers; empty if absent."""
        given = [each for each in self.node.attribute if each.name == name]
        return [number for each in given for number in (each.ints or (each.i,))]

    def results(self, attribute: str, inputs: Sequence[Shaped] | None) -> list[Shaped]:
        """Import a subgraph for these inputs, and return the types of its outputs."""
        proto = self.body(attribute)
        if inputs is not None and len(proto.input) != len(inputs):
            raise UnsupportedNode(f"{attribute} has {len(proto.input)} inputs, expected {len(inputs)}")
        body = self._importer(attribute, proto, BodyImport(inputs, self.arguments, self._constants))
        self.symbols[attribute] = body.function.sym_name.data
        return body.results

    def carried(self, attribute: str, loop: "_LoopTypes") -> tuple[list[Shaped], list[Shaped]]:
        """Import the subgraph of a loop, and return the types of the carried values and of its other outputs."""
        states = [*map(_opened, loop.states)]
        open_sizes: set[Size] = set()
        begin = self._graph.state()
        for _ in range(MOST_ATTEMPTS):
            outputs = self.results(attribute, [*loop.before, *states, *loop.behind])[loop.first_output :]
            if len(outputs) < len(states):
                raise UnsupportedNode(f"{attribute} returns {len(outputs)} values, expected {len(states)} or more")
            merged = [self._joined(one, other, open_sizes) for one, other in zip(states, outputs, strict=False)]
            if merged == states:
                return states, outputs[len(states) :]
            states = merged
            self._graph.restore(begin)
        raise UnsupportedNode("the sizes of the carried values are not settled")

    def joined(self, one: Shaped, other: Shaped) -> Shaped:
        """The type of a value that has one of two types."""
        return self._joined(one, other, set())

    def _joined(self, one: Shaped, other: Shaped, open_sizes: set[Size]) -> Shaped:
        """The type of a value that has one of two; sizes that differ become open ones, which any size equals."""
        if one.element != other.element or one.rank != other.rank:
            raise UnsupportedNode("a value changes its type or rank")
        if one.whole is not None:
            return _opened(one)
        sizes: list[Size] = []
        for size, returned in zip(one.sizes, other.sizes, strict=True):
            if size != returned and size not in open_sizes:
                size = self.types.fresh()
                open_sizes.add(size)
            sizes.append(size)
        return Shaped(one.element, tuple(sizes))

    def stacked(self, each: Shaped, count: Size, axis: int) -> Shaped:
        """The type of the outputs of all iterations together; unknown sizes may differ between them."""
        if each.whole is not None:
            raise UnsupportedNode("outputs of unknown rank")
        axis = axis % (each.rank + 1) if axis else 0
        sizes = [size if isinstance(size, int) else self.types.fresh() for size in each.sizes]
        return Shaped(each.element, (*sizes[:axis], count, *sizes[axis:]))


def _is_constant(value: ModelValue) -> bool:
    return value.tensor is not None or (value.known is not None and value.known.dtype != np.object_)


def _opened(shaped: Shaped) -> Shaped:
    """The type of a value that holds tensors, of which one may take the place of another of other sizes."""
    whole = None if shaped.whole is None else without_sizes(shaped.whole)
    return Shaped(shaped.element, shaped.sizes, whole)


def _results_of_if(subgraphs: _Subgraphs) -> list[Shaped]:
    branches = [subgraphs.results(name, []) for name in ("then_branch", "else_branch")]
    return [subgraphs.joined(one, other) for one, other in zip(*branches, strict=False)]


def _results_of_loop(subgraphs: _Subgraphs) -> list[Shaped]:
    states = [subgraphs.input(index) for index in range(2, len(subgraphs.node.input))]
    before = _number(subgraphs), _condition(subgraphs)
    carried, rest = subgraphs.carried("body", _LoopTypes(before, states, (), 1))
    return [*carried, *(subgraphs.stacked(each, subgraphs.types.fresh(), 0) for each in rest)]


def _number(subgraphs: _Subgraphs) -> Shaped:
    """The type of the iteration number, which has an axis if the subgraph says so."""
    return Shaped(i64, (1,) * len(_declared(subgraphs, 0).dim))


def _condition(subgraphs: _Subgraphs) -> Shaped:
    """The type of the condition, which has an axis if the subgraph says so, or else if that of the node has one."""
    given = subgraphs.node.input[1] if len(subgraphs.node.input) > 1 else ""
    declared = _declared(subgraphs, 1)
    is_declared = declared.dim or not given
    rank = len(declared.dim) if is_declared else subgraphs.input(1).rank
    return Shaped(i1, (1,) * rank)


def _declared(subgraphs: _Subgraphs, index: int) -> TensorShapeProto:
    inputs = subgraphs.body("body").input
    if index >= len(inputs) or len(inputs[index].type.tensor_type.shape.dim) > 1:
        raise UnsupportedNode("an iteration number or a condition that is left out, or has several axes")
    return inputs[index].type.tensor_type.shape


def _results_of_scan(subgraphs: _Subgraphs) -> list[Shaped]:
    (count,) = subgraphs.numbers("num_scan_inputs")
    inputs = [subgraphs.input(index) for index in range(len(subgraphs.node.input))]
    border = len(inputs) - count
    if subgraphs.opset < OLDEST_SCAN or not 0 < count <= len(inputs):
        raise UnsupportedNode("a Scan over batches")
    axes = _axes(subgraphs.numbers("scan_input_axes"), inputs[border:])
    slices = [_without(each, axis) for each, axis in zip(inputs[border:], axes, strict=True)]
    carried, rest = subgraphs.carried("body", _LoopTypes((), inputs[:border], slices, 0))
    places = subgraphs.numbers("scan_output_axes") or [0] * len(rest)
    length = inputs[border].sizes[axes[0]]
    return [*carried, *(subgraphs.stacked(each, length, axis) for each, axis in zip(rest, places, strict=True))]


def _axes(given: Sequence[int], scanned: Sequence[Shaped]) -> list[int]:
    if any(each.rank == 0 for each in scanned):
        raise UnsupportedNode("a scan of a scalar")
    return [axis % each.rank for axis, each in zip(given or [0] * len(scanned), scanned, strict=True)]


def _without(shaped: Shaped, axis: int) -> Shaped:
    return Shaped(shaped.element, (*shaped.sizes[:axis], *shaped.sizes[axis + 1 :]))


def _results_of_search(subgraphs: _Subgraphs) -> list[Shaped]:
    """The results of a search are not those of its networks, and the model states their types."""
    for each in subgraphs.node.attribute:
        if each.HasField("g"):
            subgraphs.results(each.name, None)
    stated = [(subgraphs.types.declared(name), name) for name in subgraphs.node.output]
    if any(type_ is None for type_, _ in stated):
        raise UnsupportedNode("results of unknown types")
    return [subgraphs.types.shaped(type_, name) for type_, name in stated if type_ is not None]


_RESULTS: Mapping[str, Callable[[_Subgraphs], list[Shaped]]] = {
    "If": _results_of_if,
    "Loop": _results_of_loop,
    "Scan": _results_of_scan,
    "com.microsoft.BeamSearch": _results_of_search,
    "com.microsoft.GreedySearch": _results_of_search,
    "com.microsoft.Sampling": _results_of_search,
}
"""For each op whose subgraphs are imported, the types of its results."""
