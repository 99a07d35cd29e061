"""One decode step of two layers of the shape of Llama, with random weights: a row is appended to each cache."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from .onnx_runs import Array


@dataclass(frozen=True)
class Sizes:
    """The sizes of a model."""

    cache: int = 1024
    """The rows of a cache behind a step."""
    layers: int = 2
    hidden: int = 512
    heads: int = 32
    groups: int = 8
    """The heads of keys and values."""
    channels: int = 64
    feed: int = 1376


class _Graph:
    def __init__(self, sizes: Sizes) -> None:
        self.sizes = sizes
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self._random = np.random.default_rng(0)
        self._count = 0

    def add(self, op: str, *inputs: str, name: str = "", **attributes: object) -> str:
        self._count += 1
        result = name or f"{op.lower()}_{self._count}"
        self.nodes.append(helper.make_node(op, inputs, [result], **attributes))  # pyright: ignore[reportArgumentType]  # It takes what ONNX does.
        return result

    def constant(self, array: Array) -> str:
        self._count += 1
        name = f"constant_{self._count}"
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def shape(self, *sizes: int) -> str:
        return self.constant(np.array(sizes, np.int64))

    def product(self, value: str, rows: int, columns: int) -> str:
        weights = self._random.standard_normal((rows, columns), np.float32) / np.float32(rows**0.5)
        return self.add("MatMul", value, self.constant(weights))

    def norm(self, value: str) -> str:
        square = self.add("Mul", value, value)
        mean = self.add("ReduceMean", square, self.shape(-1), keepdims=1)
        root = self.add("Sqrt", self.add("Add", mean, self.constant(np.array(1e-5, np.float32))))
        return self.add("Div", value, root)

    def heads(self, value: str, count: int) -> str:
        """The heads in front of the one row."""
        return self.add(
            "Transpose", self.add("Reshape", value, self.shape(1, 1, count, self.sizes.channels)), perm=[0, 2, 1, 3]
        )

    def turned(self, value: str) -> str:
        """The rotary embedding."""
        half = self.sizes.channels // 2
        low, middle, high, last = (self.shape(each) for each in (0, half, self.sizes.channels, -1))
        first = self.add("Slice", value, low, middle, last)
        second = self.add("Slice", value, middle, high, last)
        exchanged = self.add("Concat", self.add("Neg", second), first, axis=-1)
        return self.add("Add", self.add("Mul", value, "cos"), self.add("Mul", exchanged, "sin"))

    def layer(self, value: str, number: int) -> str:
        sizes = self.sizes
        inner, narrow = sizes.heads * sizes.channels, sizes.groups * sizes.channels
        given = self.norm(value)
        queries = self.turned(self.heads(self.product(given, sizes.hidden, inner), sizes.heads))
        # The heads that share keys and values are rows of one product.
        queries = self.add("Reshape", queries, self.shape(1, sizes.groups, -1, sizes.channels))
        keys = self.turned(self.heads(self.product(given, sizes.hidden, narrow), sizes.groups))
        values = self.heads(self.product(given, sizes.hidden, narrow), sizes.groups)
        keys = self.add("Concat", f"keys_{number}", keys, name=f"keys_{number}_after", axis=2)
        values = self.add("Concat", f"values_{number}", values, name=f"values_{number}_after", axis=2)
        turned = self.add("Transpose", keys, perm=[0, 1, 3, 2])
        scale = self.constant(np.array(sizes.channels**-0.5, np.float32))
        scores = self.add("Softmax", self.add("Mul", self.add("MatMul", queries, turned), scale), axis=-1)
        found = self.add("Reshape", self.add("MatMul", scores, values), self.shape(1, 1, inner))
        value = self.add("Add", value, self.product(found, inner, sizes.hidden))
        given = self.norm(value)
        gate = self.product(given, sizes.hidden, sizes.feed)
        gate = self.add("Mul", gate, self.add("Sigmoid", gate))
        fed = self.add("Mul", gate, self.product(given, sizes.hidden, sizes.feed))
        return self.add("Add", value, self.product(fed, sizes.feed, sizes.hidden))


def llama_step(sizes: Sizes) -> ModelProto:
    """The model: a row of features and the caches in, scores and the longer caches out."""
    graph = _Graph(sizes)
    value = "row"
    for number in range(sizes.layers):
        value = graph.layer(value, number)
    graph.add("Mul", graph.norm(value), graph.constant(np.ones(sizes.hidden, np.float32)), name="scores")
    shapes = {name: array.shape for name, array in inputs_of(sizes).items()}
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    caches = [name for name in shapes if name.startswith(("keys", "values"))]
    longer = (1, sizes.groups, sizes.cache, sizes.channels)
    results = [helper.make_tensor_value_info(f"{name}_after", TensorProto.FLOAT, longer) for name in caches]
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 1, sizes.hidden])
    made = helper.make_graph(graph.nodes, "decode", inputs, [scores, *results], graph.constants)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def inputs_of(sizes: Sizes) -> dict[str, Array]:
    """Random inputs of a step."""
    random = np.random.default_rng(1)
    cache = (1, sizes.groups, sizes.cache - 1, sizes.channels)
    shapes: dict[str, Sequence[int]] = {"row": (1, 1, sizes.hidden)}
    shapes |= dict.fromkeys(("cos", "sin"), (1, 1, 1, sizes.channels))
    for number in range(sizes.layers):
        shapes |= {f"keys_{number}": cache, f"values_{number}": cache}
    return {name: random.standard_normal(shape, np.float32) for name, shape in shapes.items()}


def orders_of_caches(model: ModelProto, keys: str, values: str) -> Iterator[tuple[str, str]]:
    """The names of the caches and of what they become, with the order of each."""
    for each in (*model.graph.input, *model.graph.output):
        if each.name.startswith(("keys", "values")):
            yield each.name, keys if each.name.startswith("keys") else values
