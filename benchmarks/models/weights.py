"""Models without their weights, and weights made up for them again.

A graph-only model holds all that a compiler needs to place a network (ops, shapes, axes, small constants) and none
of the numbers that make it large. Each removed weight stays an initializer with its shape and element type. Its data
is said to be external, at the location `#stripped`: a location that begins with `#` is how onnx marks data that is in
no file, and the onnx checker accepts it. Read such a model with `onnx.load(file, load_external_data=False)`.
"""

import math
import zlib
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

STRIPPED = "#stripped"

# Shape constants, axes and indices are what shape inference and importers read; weights are floats or quantised.
LARGEST_KEPT_WEIGHT = 16
LARGEST_KEPT_INDEX = 1024
INDEX_TYPES = {TensorProto.INT64, TensorProto.BOOL}

PASSES_ITS_WEIGHT_ON = {"Cast", "DequantizeLinear", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"}
# A factor is near one, so that a deep network neither dies out nor overflows; a divisor is also positive.
FACTORS = {
    ("BatchNormalization", 1),
    ("GroupNormalization", 1),
    ("InstanceNormalization", 1),
    ("LayerNormalization", 1),
    ("Mul", 0),
    ("Mul", 1),
}
POSITIVE = {("BatchNormalization", 4), ("Div", 1), ("Sqrt", 0), ("Pow", 0)}
QUANTISING = {"DequantizeLinear", "QuantizeLinear"}


# --- without weights


def without_weights(model: ModelProto) -> ModelProto:
    """A copy with large weights removed, and with nothing left that tells where or from what it was exported."""
    copy = ModelProto()
    copy.CopyFrom(model)
    for graph in graphs(copy.graph):
        for node in graph.node:
            node.ClearField("doc_string")
            node.ClearField("metadata_props")
        for value in (*graph.input, *graph.output):
            value.ClearField("doc_string")
            value.ClearField("metadata_props")
        # Shape inference finds the types of all other values again.
        for field in ("doc_string", "metadata_props", "value_info", "quantization_annotation"):
            graph.ClearField(field)
    for field in ("doc_string", "metadata_props", "domain", "model_version"):
        copy.ClearField(field)
    make_large_constants_initializers(copy.graph)
    for tensor in copy.graph.initializer:
        strip(tensor)
    return copy


def make_large_constants_initializers(graph: GraphProto) -> None:
    """Where the export wrote a weight as a node: a node has no place for a tensor without data."""
    nodes = list(graph.node)
    graph.ClearField("node")
    for node in nodes:
        value = next((attribute.t for attribute in node.attribute if attribute.name == "value"), None)
        if node.op_type == "Constant" and value is not None and not is_small(value):
            graph.initializer.add().CopyFrom(value)
            graph.initializer[-1].name = node.output[0]
        else:
            graph.node.add().CopyFrom(node)


def strip(tensor: TensorProto) -> None:
    """Leave the name, shape and element type of a weight, and only those."""
    name, kind, shape = tensor.name, tensor.data_type, list(tensor.dims)
    small = numpy_helper.to_array(tensor) if is_small(tensor) and not is_stripped(tensor) else None
    tensor.Clear()
    if small is not None:
        tensor.CopyFrom(numpy_helper.from_array(small, name))
        return
    tensor.name, tensor.data_type, tensor.data_location = name, kind, TensorProto.EXTERNAL
    tensor.dims.extend(shape)
    tensor.external_data.add(key="location", value=STRIPPED)


def is_small(tensor: TensorProto) -> bool:
    limit = LARGEST_KEPT_INDEX if tensor.data_type in INDEX_TYPES else LARGEST_KEPT_WEIGHT
    return math.prod(tensor.dims) <= limit


def is_stripped(tensor: TensorProto) -> bool:
    """Whether this is a weight whose data has been removed."""
    external = tensor.data_location == TensorProto.EXTERNAL
    return external and any(entry.key == "location" and entry.value == STRIPPED for entry in tensor.external_data)


def graphs(graph: GraphProto) -> Iterator[GraphProto]:
    """The graph and those inside its nodes."""
    waiting = deque([graph])
    while waiting:
        graph = waiting.popleft()
        yield graph
        for attribute in (attribute for node in graph.node for attribute in node.attribute):
            if attribute.type == AttributeProto.GRAPH:
                waiting.append(attribute.g)
            waiting.extend(attribute.graphs)


# --- with made-up weights


def with_random_weights(model: ModelProto, seed: int = 0) -> ModelProto:
    """A copy in which each removed weight has random data, of a size that keeps the network's values moderate.

    The data of a weight depends on the seed and the weight's name, shape and uses, not on the weights around it.
    """
    copy = ModelProto()
    copy.CopyFrom(model)
    users = users_of_values(copy.graph)
    for tensor in filter(is_stripped, copy.graph.initializer):
        random = np.random.default_rng([seed, zlib.crc32(tensor.name.encode())])
        data = random_data(tensor, final_uses(tensor.name, users), random)
        tensor.CopyFrom(numpy_helper.from_array(data, tensor.name))
        tensor.ClearField("data_location")
        tensor.ClearField("external_data")
    return copy


def users_of_values(graph: GraphProto) -> dict[str, list[tuple[NodeProto, int]]]:
    users: dict[str, list[tuple[NodeProto, int]]] = defaultdict(list)
    for inner in graphs(graph):
        for node in inner.node:
            for position, name in enumerate(node.input):
                users[name].append((node, position))
    return users


def final_uses(name: str, users: dict[str, list[tuple[NodeProto, int]]]) -> list[tuple[NodeProto, int]]:
    """The nodes that compute with a weight, seen through those that only bring it into another form."""
    found: list[tuple[NodeProto, int]] = []
    waiting, seen = deque([name]), {name}
    while waiting:
        for node, position in users.get(waiting.popleft(), ()):
            found.append((node, position))
            if position == 0 and node.op_type in PASSES_ITS_WEIGHT_ON and node.output[0] not in seen:
                seen.add(node.output[0])
                waiting.append(node.output[0])
    return found


def random_data(tensor: TensorProto, uses: list[tuple[NodeProto, int]], random: np.random.Generator) -> NDArray[Any]:
    shape, kind = tuple(tensor.dims), helper.tensor_dtype_to_np_dtype(tensor.data_type)
    roles = {(node.op_type, position) for node, position in uses}
    quantising = {position for op, position in roles if op in QUANTISING}
    if 2 in quantising:
        return np.zeros(shape, kind)
    if kind == np.bool_:
        return random.random(shape) < 0.5
    if np.issubdtype(kind, np.integer):
        limits = np.iinfo(kind)
        return random.integers(max(limits.min, -100), min(limits.max, 100), shape, kind, endpoint=True)
    if 1 in quantising:
        return random.uniform(0.001, 0.003, shape).astype(kind)
    if roles & POSITIVE:
        return random.uniform(0.5, 1.5, shape).astype(kind)
    normal = random.standard_normal(shape, np.float32)
    if roles & FACTORS:
        return (1 + 0.1 * normal).astype(kind)
    return (normal * scale(shape, uses)).astype(kind)


def scale(shape: tuple[int, ...], uses: list[tuple[NodeProto, int]]) -> float:
    """The standard deviation under which a sum of products has about the size of what goes in."""
    if len(shape) < 2:
        return 0.1
    for node, position in uses:
        if node.op_type == "Conv" and position == 1:
            return math.sqrt(2 / math.prod(shape[1:]))
        if node.op_type == "ConvTranspose" and position == 1:
            return math.sqrt(2 / shape[0])
        if node.op_type == "Gemm" and position == 1:
            transposed = any(attribute.name == "transB" and attribute.i for attribute in node.attribute)
            return math.sqrt(2 / shape[1 if transposed else 0])
    # The rows of a matmul's right operand are what it sums over; tables and masks can have any size.
    return 1 / math.sqrt(max(shape[-2:]))
