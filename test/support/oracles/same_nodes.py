"""Comparison of a written ONNX model with the one that came, node by node.

Nodes may change in changed regions only (changed_regions.py). All others have to be there with the same op, inputs,
attributes (left-out ones are left out), outputs and name. Nodes that compute shapes or constants, and those without
effect, may be gone, and others read what they would compute. As a script it compares two files.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, defs

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parents[2]))

from support.oracles.changed_regions import Change, Pair, moved_values
from support.oracles.model_graphs import Graph, attribute_value, is_same_constant


def differences(before: ModelProto, after: ModelProto) -> Iterator[str]:
    """Texts about the nodes that are changed outside of changed regions, in both models."""
    opsets = [{each.domain: each.version for each in model.opset_import} for model in (before, after)]
    given, found = (Graph.of_model(model) for model in (before, after))
    functions = {(each.domain, each.name) for each in before.functions}
    yield from _Comparison(given, found, (opsets[0].get("", 1), opsets[1].get("", 1)), functions).texts()


class _Comparison:
    """Two graphs, the opsets of their models, and the functions of the first one."""

    def __init__(self, given: Graph, found: Graph, opsets: tuple[int, int], functions: set[tuple[str, str]]) -> None:
        self._pair = Pair(given, found)
        self._opsets, self._functions = opsets, functions
        self._subgraphs: list[tuple[GraphProto, GraphProto]] = []

    def texts(self) -> Iterator[str]:
        changes = [*self._changes()]
        moved = moved_values(self._pair, changes)
        for each in changes:
            if each.text and not each.touches(moved):
                yield f"{each.node.op_type} {each.node.name or each.node.output[0]}: {each.text}"
        for one, two in self._subgraphs:
            given, found = Graph(one, self._pair.given), Graph(two, self._pair.found)
            yield from _Comparison(given, found, self._opsets, self._functions).texts()

    def _changes(self) -> Iterator[Change]:
        given, found = self._pair
        for node in given.nodes:
            other = self._pair.counterpart(node)
            is_translated = (node.domain, node.op_type) in self._functions or (
                not node.domain and not _has_one_version(node.op_type, *self._opsets)
            )
            if other is None or (given.is_idle(node) and not found.is_idle(other)):
                if not (given.is_known(node) or given.is_idle(node) or given.is_unused(node)):
                    yield Change(node, None, "gone", is_translated)
                continue
            text = ", ".join(self._differences(node, other))
            if text or not all(map(self._pair.has_one_shape, node.output)):
                yield Change(node, other, text, is_translated)
            else:
                self._subgraphs += zip(_graphs_of(node), _graphs_of(other), strict=True)
        written = {id(self._pair.counterpart(node)) for node in given.nodes}
        for node in found.nodes:
            if id(node) not in written and not found.is_known(node):
                yield Change(None, node, "new")

    def _differences(self, node: NodeProto, other: NodeProto) -> Iterator[str]:
        given = self._pair.given
        if (node.op_type, node.domain) != (other.op_type, other.domain):
            yield f"is {other.op_type}"
            return
        if node.name and node.name != other.name:
            yield f"is called {other.name}"
        for name, now in zip(_trimmed(node.output), _trimmed(other.output), strict=False):
            if not self._pair.is_one(name, now) and not (given.is_unread(name) and not now):
                yield f"computes {now}, not {name}"
        inputs = _trimmed(node.input), _trimmed(other.input)
        alike = len(inputs[0]) == len(inputs[1]) and all(map(self._is_same_input, *inputs))
        if not alike:
            yield f"reads {[*inputs[1]]}, not {[*inputs[0]]}"
        attributes = [{each.name: attribute_value(each) for each in one.attribute} for one in (node, other)]
        for name in sorted({*attributes[0], *attributes[1]}):
            one, two = (each.get(name, "left out") for each in attributes)
            # A shape that was computed is a constant now, in which zeros may mean something else.
            if one != two and (name != "allowzero" or inputs[0][1:] == inputs[1][1:]):
                yield f"{name} is {two}, not {one}"

    def _is_same_input(self, name: str, other: str) -> bool:
        given, found = self._pair
        if given.constant(name) is None and given.is_computed_early(name):
            return name == other or found.is_computed_early(other)
        root = self._pair.root(name)
        constant, now = given.constant(root), found.constant(other)
        if constant is not None and now is not None:
            return is_same_constant(constant, now, root == other)
        return self._pair.is_one(name, other)


def _has_one_version(kind: str, before: int, after: int) -> bool:
    """True if two opsets have the same definition of an op; a file may be in a newer opset than the model."""
    if not (defs.has(kind, before) and defs.has(kind, after)):
        return before == after
    return defs.get_schema(kind, before).since_version == defs.get_schema(kind, after).since_version


def _trimmed(names: object) -> list[str]:
    """Names without absent ones at the end."""
    found = [*names]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
    while found and not found[-1]:
        found.pop()
    return found  # pyright: ignore[reportUnknownVariableType]


def _graphs_of(node: NodeProto) -> list[GraphProto]:
    ordered = sorted(node.attribute, key=lambda each: each.name)
    return [each.g for each in ordered if each.type == AttributeProto.GRAPH]


if __name__ == "__main__":
    models = [ModelProto.FromString(Path(name).read_bytes()) for name in sys.argv[1:3]]
    print(*differences(*models), sep="\n")
