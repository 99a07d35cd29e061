"""Comparison of a written ONNX model with the one that came, node by node.

Nodes may change in changed regions only: those next to a value that is gone, or has another shape. All others have to
be there with the same op, inputs, attributes (left-out ones are left out), outputs and name.
As a script it compares two files.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, defs, helper, numpy_helper, shape_inference

Shape = tuple[int | str, ...]
LARGEST_COMPARED = 64
"""Constants of more elements are those of the same name."""


@dataclass(frozen=True)
class Graph:
    """A model with the shapes of its values, as far as they are known, and its constants."""

    model: ModelProto
    shapes: Mapping[str, tuple[int, Shape]]
    constants: Mapping[str, TensorProto]
    names: frozenset[str]

    @staticmethod
    def of(model: ModelProto) -> "Graph":
        graph = shape_inference.infer_shapes(model, data_prop=True).graph
        constants = {each.name: each for each in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant":
                constants[node.output[0]] = _constant(node.attribute[0])
        shapes = {
            each.name: (each.type.tensor_type.elem_type, _shape(each))
            for each in (*graph.input, *graph.output, *graph.value_info)
            if each.type.tensor_type.HasField("shape")
        }
        names = {name for node in graph.node for name in node.output} | {each.name for each in graph.input}
        return Graph(model, shapes, constants, frozenset(names))

    def has(self, name: str, other: "Graph") -> bool:
        """True if the value of another graph is here, in the same shape as far as that is known."""
        if name in other.constants:
            return True
        if name not in self.names or name in self.constants:
            return False
        (one, first), (two, second) = (each.shapes.get(name, (None, ())) for each in (self, other))
        if one is None or two is None:
            return True
        alike = (a == b or not (isinstance(a, int) and isinstance(b, int)) for a, b in zip(first, second, strict=False))
        return one == two and len(first) == len(second) and all(alike)


def _shape(value: Any) -> Shape:
    return tuple(
        each.dim_value if each.HasField("dim_value") else each.dim_param for each in value.type.tensor_type.shape.dim
    )


def _constant(attribute: AttributeProto) -> TensorProto:
    if attribute.type == AttributeProto.TENSOR:
        return attribute.t
    return numpy_helper.from_array(np.array(helper.get_attribute_value(attribute)))


def differences(before: ModelProto, after: ModelProto) -> Iterator[str]:
    """Texts about the nodes outside of changed regions that are not in the written model."""
    given, found = Graph.of(before), Graph.of(after)
    opsets = [next(each.version for each in model.opset_import if not each.domain) for model in (before, after)]
    written = {name: node for node in after.graph.node for name in node.output if name}
    for node in before.graph.node:
        ends = [name for name in (*node.input, *node.output) if name]
        if node.op_type == "Constant" or not all(found.has(name, given) for name in ends):
            continue
        if not node.domain and not _has_one_version(node.op_type, *opsets):
            continue
        other = written.get(next(filter(None, node.output)))
        text = "gone" if other is None else ", ".join(_differences(node, other, given, found))
        if text:
            yield f"{node.op_type} {node.name or node.output[0]}: {text}"


def _has_one_version(kind: str, before: int, after: int) -> bool:
    """True if two opsets have the same definition of an op; a file may be in a newer opset than the model."""
    return defs.get_schema(kind, before).since_version == defs.get_schema(kind, after).since_version


def _differences(node: NodeProto, other: NodeProto, given: Graph, found: Graph) -> Iterator[str]:
    if (node.op_type, node.domain) != (other.op_type, other.domain):
        yield f"is {other.op_type}"
        return
    if node.name and node.name != other.name:
        yield f"is called {other.name}"
    if [*node.output] != [*other.output]:
        yield f"computes {[*other.output]}, not {[*node.output]}"
    inputs = [*node.input], [*other.input]
    alike = len(inputs[0]) == len(inputs[1]) and all(
        one == two if one not in given.constants else _is_same_constant(one, two, given, found)
        for one, two in zip(*inputs, strict=True)
    )
    if not alike:
        yield f"reads {inputs[1]}, not {inputs[0]}"
    attributes = [{each.name: _value(each) for each in one.attribute} for one in (node, other)]
    for name in sorted({*attributes[0], *attributes[1]}):
        one, two = (each.get(name, "left out") for each in attributes)
        if one != two:
            yield f"{name} is {two}, not {one}"


def _is_same_constant(name: str, other: str, given: Graph, found: Graph) -> bool:
    """True for the same numbers in one shape; long ones have one name."""
    if other not in found.constants:
        return False
    one, two = given.constants[name], found.constants[other]
    if (one.data_type, [*one.dims]) != (two.data_type, [*two.dims]):
        return False
    if name == other or prod(one.dims) > LARGEST_COMPARED:
        return name == other
    return numpy_helper.to_array(one).tobytes() == numpy_helper.to_array(two).tobytes()


def _value(attribute: AttributeProto) -> Any:
    """The value of an attribute; subgraphs count as equal here."""
    if attribute.type == AttributeProto.TENSOR:
        array = numpy_helper.to_array(attribute.t)
        return str(array.dtype), array.shape, array.tobytes()
    if attribute.type in (AttributeProto.GRAPH, AttributeProto.GRAPHS):
        return "a graph"
    return str(helper.get_attribute_value(attribute))


if __name__ == "__main__":
    models = [ModelProto.FromString(Path(name).read_bytes()) for name in sys.argv[1:3]]
    print(*differences(*models), sep="\n")
