"""Values of the imported model that the file has as they came, and the nodes without ops that compute them.

A tensor is a value of the model if only nodes of the model, as they came, compute it. Nodes that have no ops in the
program, such as those that compute sizes, are added where a node of the model reads their results.
"""

from collections.abc import Sequence

import numpy as np
from onnx import NodeProto
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from ....dialects.notes.interfaces import arguments_of
from ....dialects.npu.source import ConstantOp, ForeignOp
from ....layout import merge_steps, unpermuted
from ...made_ops import type_text
from ..came import BareNode, CameGraph
from .came import add_came, numbers_tensor
from .elements import DTYPES
from .graph import OnnxGraph, OnnxNode, OnnxTensor

Names = list[tuple[OnnxTensor, str]]
"""The names of tensors in the model."""


class CameValues:
    """The values of one graph of the model."""

    def __init__(self, came: CameGraph, graph: OnnxGraph, names: Names) -> None:
        self._came, self._graph, self._names = came, graph, names
        self._found: dict[str, OnnxTensor] = {}
        self._shown: dict[str, tuple[OnnxTensor, OnnxTensor]] = {}
        """The results of nodes that show other tensors than those of the model, behind these, by name."""

    # Noting.

    def note(self, name: str, tensor: OnnxTensor) -> None:
        """Note that a tensor is a value of the model."""
        tensor.came = name
        self._found.setdefault(name, tensor)

    def note_results(self, proto: NodeProto, node: OnnxNode) -> None:
        """Note the results of a node that computes what it did in the model."""
        for name, tensor in zip(proto.output, node.outputs, strict=True):
            if name and tensor is not None:
                self.note(name, tensor)

    def note_inputs(self, function: FuncOp, tensors: Sequence[OnnxTensor]) -> None:
        """Note the inputs of the graph, if the function has them in the order of the model."""
        for end, tensor in zip(arguments_of(function), tensors, strict=False):
            if end.permutation is not None or end.value is None or not isinstance(end.value.type, TensorType):
                continue
            if self._came.arguments.get(end.name) == type_text(end.value):
                self.note(end.name, tensor)

    def note_constant(self, op: ConstantOp, name: str, tensor: OnnxTensor) -> None:
        """Note a constant of the model, if it has the numbers that it came with."""
        noted = self._came.constants.get(name)
        if noted is None or tensor.original is not None or not _has_same_numbers(noted, op.value):
            return
        tensor.came = name
        if name not in self._came.bare:
            self._found.setdefault(name, tensor)

    # Asking.

    def names_of_foreign(
        self, op: ForeignOp, results: Sequence[str | None]
    ) -> tuple[Sequence[str], Sequence[str]] | None:
        """The names of operands and results of an op that passes leave unchanged; `results` are those that it knows."""
        first = next(iter(results), None) or (op.results[0].name_hint if op.results else None)
        names = self._came.foreign.get(first or "")
        is_one = names is not None and (len(names[0]), len(names[1])) == (len(op.operands), len(op.results))
        return names if is_one else None

    def find(self, name: str, has_ops: bool = False) -> OnnxTensor | None:
        """The tensor of a value of the model; nodes without ops that compute it are added.

        With `has_ops` it may be one that became ops together with others: these are not in the file then.
        """
        waiting = [name]
        while waiting:
            wanted = waiting[-1]
            if wanted in self._found:
                waiting.pop()
                continue
            node = self._came.bare.get(wanted)
            if node is None or (node.has_ops and not (has_ops and wanted == name)):
                return None
            read = filter(None, node.proto.input)
            missing = [each for each in read if each not in self._found and each not in node.numbers]
            if missing:
                waiting += missing
            elif (made := self._add(node)) is None:
                return None
            else:
                self.note_results(node.proto, made)
        return self._found[name]

    def found_node(self, proto: NodeProto) -> OnnxNode | None:
        """The node that computes the outputs of one of the model, if it is there already."""
        names = (name for name in proto.output if name)
        return next((x.node for name in names if (x := self._found.get(name)) is not None), None)

    def _add(self, node: BareNode, first: OnnxTensor | None = None) -> OnnxNode | None:
        """Add a node, which reads values of the model, or this one as its first; None if the file cannot have it."""
        given: list[OnnxTensor | None] = [first] if first is not None else []
        for name in node.proto.input[len(given) :]:
            x = self._found.get(name)
            if x is None and name:
                x = numbers_tensor(node.numbers[name], self._graph)
                if x is None:
                    return None
            given.append(x)
        return add_came(node.proto, given, node.elements, node.rank, self._graph, self._names)

    def read(self, name: str, x: OnnxTensor | None, value: SSAValue | None) -> OnnxTensor | None:
        """The tensor that a node of the model reads under a name, if the program has this one in its place."""
        node = self._came.bare.get(name)
        if node is None or (x is not None and x.came == name and x.weights is None):
            return x
        if x is None or x.came == self._root(name) or _is_constant_of(x, node) or self._is_view(name, x):
            return self.find(name) or x
        return x if value is None else self._behind_shown(name, x, value)

    def _root(self, name: str) -> str:
        node = self._came.bare.get(name)
        return name if node is None else node.shows or name

    def _is_view(self, name: str, x: OnnxTensor) -> bool:
        """True for a view of a constant, which is a constant here as well."""
        base = x.original or x
        if x.weights is None or base.weights is None or base.came is None:
            return False
        if x.weights.steps != merge_steps((*base.weights.steps, unpermuted(x.weights.shape))):
            return False
        while name != base.came and name in self._came.bare:
            name = self._came.bare[name].proto.input[0]
        return name == base.came

    def _behind_shown(self, name: str, x: OnnxTensor, value: SSAValue) -> OnnxTensor:
        """The result of nodes without effect behind a tensor that is computed otherwise than in the model."""
        chain: list[BareNode] = []
        at, root = name, self._root(name)
        if type_text(value) != self._came.bare[name].text:
            return x
        while at != root:
            node = self._came.bare.get(at)
            if node is None or not all(each in node.numbers for each in node.proto.input[1:] if each):
                return x
            chain.append(node)
            at = node.proto.input[0]
        for node in reversed(chain):
            name = node.proto.output[0]
            source, shown = self._shown.get(name, (x, None))
            if source is not x or (shown is None and name in self._found):
                # The name is that of another tensor.
                return x
            if shown is None:
                made = self._add(node, x)
                shown = made and made.outputs[0]
            if shown is None:
                return x
            shown.sizes, shown.dims = x.sizes, x.dims
            self._shown[name] = x, shown
            x = shown
        return x


def _has_same_numbers(one: Attribute, two: Attribute) -> bool:
    if not isinstance(one, DenseIntOrFPElementsAttr) or not isinstance(two, DenseIntOrFPElementsAttr):
        return one == two
    return one.get_shape() == two.get_shape() and one.data == two.data


def _is_constant_of(x: OnnxTensor, node: BareNode) -> bool:
    """True for a constant with the numbers that a folded node computes."""
    if node.folded is None or x.weights is None or x.weights.shape != node.folded.shape:
        return False
    is_alike = x.element == node.elements[0] and x.element in DTYPES
    return is_alike and np.array_equal(x.weights.array(), node.folded)
