"""Graphs of ONNX models as protobufs have them: shapes, constants, and what is computed of constants and shapes."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from math import prod
from typing import Any

import numpy as np
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper
from onnx.shape_inference import InferenceError, infer_shapes

Shape = tuple[int | str, ...]
LARGEST_COMPARED = 64
"""Constants of more elements are those of the same name."""
SHAPES = {"Shape", "Size"}


class Graph:
    """A graph with the types of its values, as far as they are known, and its constants, with those around it."""

    def __init__(self, graph: GraphProto, outer: "Graph | None" = None) -> None:
        self._constants: dict[str, TensorProto] = dict(outer._constants if outer else {})
        self._types: dict[str, tuple[int, Shape | None]] = dict(outer._types if outer else {})
        self._early: set[str] = set(outer._early if outer else ())
        self.outputs = {each.name for each in graph.output}
        self.nodes = [node for node in graph.node if node.op_type != "Constant"]
        inputs = {each.name for each in graph.input}
        for tensor in graph.initializer:
            self._constants[tensor.name] = tensor
        for node in graph.node:
            if node.op_type == "Constant":
                self._constants[node.output[0]] = _tensor(node.attribute[0])
        for each in (*graph.input, *graph.output, *graph.value_info):
            self._types[each.name] = _type(each)
        for node in self.nodes:
            # Those that read nothing may draw random numbers.
            read = [*filter(None, node.input)]
            if node.op_type in SHAPES or (read and not _has_graphs(node) and all(map(self.is_computed_early, read))):
                self._early.update(node.output)
        self.producers = {name: node for node in self.nodes for name in node.output if name}
        self.names = {*self.producers, *inputs}
        self._reads = Counter(name for node in self.nodes for name in _read(node))

    @staticmethod
    def of_model(model: ModelProto) -> "Graph":
        with suppress(InferenceError):
            model = infer_shapes(model, data_prop=True)
        return Graph(model.graph)

    def constant(self, name: str) -> TensorProto | None:
        return self._constants.get(name)

    def type(self, name: str) -> tuple[int, Shape | None]:
        if (constant := self.constant(name)) is not None:
            return constant.data_type, tuple(constant.dims)
        return self._types.get(name, (0, None))

    def shape(self, name: str) -> Shape | None:
        return self.type(name)[1]

    def is_computed_early(self, name: str) -> bool:
        """True for constants, and for what is computed of them and of shapes."""
        return name in self._constants or name in self._early

    def is_known(self, node: NodeProto) -> bool:
        return all(name in self._early for name in node.output if name)

    def is_unread(self, name: str) -> bool:
        return name not in self.outputs and not self._reads[name]

    def is_unused(self, node: NodeProto) -> bool:
        return all(map(self.is_unread, node.output))

    def is_idle(self, node: NodeProto) -> bool:
        """True for a node whose first result is its first operand."""
        if node.domain or not node.input or not self.is_unused_behind_first(node):
            return False
        if node.op_type in ("Identity", "Dropout"):
            return True
        if node.op_type == "Cast":
            return self.type(node.input[0])[0] == self.type(node.output[0])[0] != 0
        if self._has_computed_shape(node):
            return may_be_equal(*(self.shape(name) for name in (node.input[0], node.output[0])))
        if self.type(node.input[0]) != self.type(node.output[0]) or not _is_definite(self.shape(node.input[0])):
            return False
        numbers = [self._numbers(name) for name in node.input[1:]]
        match node.op_type:
            case "Reshape" | "Expand" | "Squeeze" | "Unsqueeze" | "Flatten" | "CastLike":
                return True
            case "Concat" | "Sum" | "Max" | "Min" | "Mean":
                return len(node.input) == 1
            case "Pad":
                return bool(numbers) and numbers[0] is not None and not numbers[0].any()
            case "Slice":
                return len(numbers) < 4 or (numbers[3] is not None and bool((numbers[3] > 0).all()))
            case "Transpose":
                return not self.moves(node)
            case _:
                return False

    def _has_computed_shape(self, node: NodeProto) -> bool:
        """True if only the arithmetic of the model says the shape of a result."""
        return (
            node.op_type in ("Reshape", "Expand")
            and self.constant(node.input[1]) is None
            and (self.is_computed_early(node.input[1]))
        )

    def idle_from(self, name: str) -> Iterator[str]:
        """The values that a value is, in front of nodes without effect."""
        while (node := self.producers.get(name)) is not None and self.is_idle(node):
            name = node.input[0]
            yield name

    def is_unused_behind_first(self, node: NodeProto) -> bool:
        return all(map(self.is_unread, filter(None, node.output[1:])))

    def moves(self, node: NodeProto) -> bool:
        """True for a transpose that re-orders axes of more than one element."""
        shape = self.shape(node.input[0])
        if shape is None:
            return True
        order = next((each.ints for each in node.attribute), range(len(shape))[::-1])
        moved = [axis for axis in order if shape[axis] != 1]
        return moved != sorted(moved)

    def _numbers(self, name: str) -> np.ndarray[Any, Any] | None:
        constant = self.constant(name)
        if constant is None or constant.data_location == TensorProto.EXTERNAL:
            return None
        return numpy_helper.to_array(constant)


def may_be_equal(one: Shape | None, two: Shape | None) -> bool:
    """True for shapes that are equal as far as they are known."""
    if one is None or two is None:
        return True
    known = (sizes for sizes in zip(one, two, strict=False) if all(isinstance(size, int) for size in sizes))
    return len(one) == len(two) and all(a == b for a, b in known)


def is_same_constant(one: TensorProto, two: TensorProto, has_one_name: bool) -> bool:
    """True for the same numbers in one shape; long ones have one name."""
    if (one.data_type, [*one.dims]) != (two.data_type, [*two.dims]):
        return False
    if has_one_name or prod(one.dims) > LARGEST_COMPARED:
        return has_one_name
    return numpy_helper.to_array(one).tobytes() == numpy_helper.to_array(two).tobytes()


def attribute_value(attribute: AttributeProto) -> Any:
    """The value of an attribute; subgraphs are compared node by node."""
    if attribute.type == AttributeProto.TENSOR:
        if attribute.t.data_location == TensorProto.EXTERNAL:
            return attribute.t.data_type, tuple(attribute.t.dims)
        array = numpy_helper.to_array(attribute.t)
        return str(array.dtype), array.shape, array.tobytes()
    if attribute.type in (AttributeProto.GRAPH, AttributeProto.GRAPHS):
        return "a graph"
    return str(helper.get_attribute_value(attribute))


def _type(value: ValueInfoProto) -> tuple[int, Shape | None]:
    tensor = value.type.tensor_type
    if not tensor.HasField("shape"):
        return tensor.elem_type, None
    return tensor.elem_type, tuple(
        each.dim_value if each.HasField("dim_value") else _known_name(each.dim_param) for each in tensor.shape.dim
    )


def _known_name(name: str) -> str:
    """The name of a size; inference numbers those that it does not know, in each model anew."""
    return "" if name.startswith("unk__") else name


def _is_definite(shape: Shape | None) -> bool:
    return shape is not None and "" not in shape


def _tensor(attribute: AttributeProto) -> TensorProto:
    if attribute.type == AttributeProto.TENSOR:
        return attribute.t
    kind = {AttributeProto.FLOAT: np.float32, AttributeProto.FLOATS: np.float32}.get(attribute.type)
    return numpy_helper.from_array(np.array(helper.get_attribute_value(attribute), kind))


def _has_graphs(node: NodeProto) -> bool:
    return any(each.type == AttributeProto.GRAPH for each in node.attribute)


def _read(node: NodeProto) -> Iterator[str]:
    """The values that a node reads, those of its subgraphs included."""
    yield from node.input
    for each in node.attribute:
        for graph in (each.g,) if each.type == AttributeProto.GRAPH else each.graphs:
            for inner in graph.node:
                yield from _read(inner)
            yield from (value.name for value in graph.output)
