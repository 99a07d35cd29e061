"""Models without their weights, and random weights for them.

A graph-only model holds all that a compiler needs to place a network (ops, shapes, axes, small constants, scales and
zero points) and none of the numbers that make it large. Each removed weight stays an initializer with its shape and
element type. Its data is marked as external, at the location `#stripped`: a location that begins with `#` is onnx's
mark for data that is in no file, and the onnx checker accepts it. Read such a model with
`onnx.load(file, load_external_data=False)`.
"""

import math
import zlib
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import (
    AttributeProto,
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    ValueInfoProto,
    helper,
    numpy_helper,
    shape_inference,
)

STRIPPED = "#stripped"

# Shape constants, axes and indices are what shape inference and importers read; weights are floats or quantised.
LARGEST_KEPT_WEIGHT = 16
LARGEST_KEPT_INDEX = 1024
INDEX_TYPES = {TensorProto.INT64, TensorProto.BOOL}

PASSES_ON = {"Cast", "DequantizeLinear", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"}
# A factor is near one, so that a deep network neither dies out nor overflows; a divisor is also positive.
FACTORS = {
    ("BatchNormalization", 1),
    ("GroupNormalization", 1),
    ("InstanceNormalization", 1),
    ("LayerNormalization", 1),
    ("Mul", 0),
    ("Mul", 1),
    ("RMSNormalization", 1),
}
POSITIVE = {("BatchNormalization", 4), ("Div", 1), ("Sqrt", 0), ("Pow", 0)}
# The square of a sum, by the ops that follow: larger if half of it is cut off, small if it is added to other values
# (or towers of such sums would grow without end), and tiny if an exponential would saturate. A SiLU makes a half of the
# square of large values, and nearly a quarter of that of small ones: 2.6 is between, so that deep towers stay between.
GAINS = {
    "Add": 0.25,
    "Sum": 0.25,
    "Relu": 2.0,
    "Clip": 2.0,
    "PRelu": 2.0,
    "HardSwish": 3.2,
    "Sigmoid": 2.6,
    "Softmax": 0.001,
}
# What follows a SiLU changes that again: a gate, which is another sigmoid, halves values.
GAINS_BEHIND_SILU = {"Add": 0.25, "Sum": 0.25, "Mul": 4.0}
# Where 127 is the largest of many normal numbers.
QUANTISED_SPREAD = 32
PACKED: dict[int, tuple[int, int]] = {TensorProto.INT4: (-8, 7), TensorProto.UINT4: (0, 15)}
"""The limits of numbers of four bits."""
QUANTISING = {"DequantizeLinear", "QuantizeLinear"}
# What says which quantised op a chain of ops is: scales and zero points.
PARAMETERS = {**dict.fromkeys(QUANTISING, (1, 2)), "QLinearConv": (1, 2, 4, 5, 6, 7)}

Use = tuple[NodeProto, int]
Users = dict[str, list[Use]]


# --- without weights


def without_weights(model: ModelProto) -> ModelProto:
    """A copy with large weights removed, and without any trace of the exporting machine."""
    copy = ModelProto()
    copy.CopyFrom(model)
    for graph in graphs(copy.graph):
        for node in graph.node:
            node.ClearField("doc_string")
            node.ClearField("metadata_props")
        for value in (*graph.input, *graph.output):
            value.ClearField("doc_string")
            value.ClearField("metadata_props")
        for field in ("doc_string", "metadata_props", "quantization_annotation"):
            graph.ClearField(field)
    for field in ("doc_string", "metadata_props", "domain", "model_version"):
        copy.ClearField(field)
    make_large_constants_initializers(copy.graph)
    parameters = set(parameters_of_quantised(copy.graph))
    for tensor in copy.graph.initializer:
        if tensor.name not in parameters:
            strip(tensor)
    keep_shapes_that_inference_misses(copy)
    return copy


def parameters_of_quantised(graph: GraphProto) -> Iterator[str]:
    """The names of scales and zero points."""
    for node in graph.node:
        places = PARAMETERS.get(node.op_type, ())
        yield from (node.input[place] for place in places if place < len(node.input))


def keep_shapes_that_inference_misses(model: ModelProto) -> None:
    """Keep the recorded types of intermediate values only if they add information: they take much space."""
    values = {name for node in model.graph.node for name in node.output}
    noted = [value for value in model.graph.value_info if value.name in values]
    model.graph.ClearField("value_info")
    inferred = shape_inference.infer_shapes(model, data_prop=True)
    known = {value.name: known_dims(value) for value in inferred.graph.value_info}
    for value in noted:
        value.ClearField("doc_string")
        value.ClearField("metadata_props")
    model.graph.value_info.extend(value for value in noted if known_dims(value) > known.get(value.name, -1))


def known_dims(value: ValueInfoProto) -> int:
    """The number of static dimensions; -1 if not even the rank is known."""
    tensor = value.type.tensor_type
    return sum(dim.HasField("dim_value") for dim in tensor.shape.dim) if tensor.HasField("shape") else -1


def make_large_constants_initializers(graph: GraphProto) -> None:
    """Replace a weight that was exported as a node by an initializer: a node cannot be a tensor without data."""
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
    """Remove all of a weight but its name, shape and element type."""
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
    """True if this is a weight whose data has been removed."""
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


# --- with random weights


def with_random_weights(model: ModelProto, seed: int = 0) -> ModelProto:
    """A copy in which each removed weight has random data, of a size that keeps the network's values moderate.

    The data of a weight depends on the seed and the weight's name, shape and uses, not on the weights around it.
    """
    copy = ModelProto()
    copy.CopyFrom(model)
    users = users_of_values(copy.graph)
    shapes = {tensor.name: tuple(tensor.dims) for tensor in copy.graph.initializer}
    for tensor in filter(is_stripped, copy.graph.initializer):
        random = np.random.default_rng([seed, zlib.crc32(tensor.name.encode())])
        data = random_data(tensor, users, shapes, random)
        tensor.CopyFrom(numpy_helper.from_array(data, tensor.name))
        tensor.ClearField("data_location")
        tensor.ClearField("external_data")
    return copy


def users_of_values(graph: GraphProto) -> Users:
    users: Users = defaultdict(list)
    for inner in graphs(graph):
        for node in inner.node:
            for position, name in enumerate(node.input):
                users[name].append((node, position))
    return users


def final_uses(name: str, users: Users) -> list[Use]:
    """The nodes that compute with a value, through those that only reshape or move it."""
    found: list[Use] = []
    waiting, seen = deque([name]), {name}
    while waiting:
        for node, position in users.get(waiting.popleft(), ()):
            found.append((node, position))
            if position == 0 and node.op_type in PASSES_ON and node.output[0] not in seen:
                seen.add(node.output[0])
                waiting.append(node.output[0])
    return found


def random_data(
    tensor: TensorProto, users: Users, shapes: dict[str, tuple[int, ...]], random: np.random.Generator
) -> NDArray[Any]:
    shape, kind = tuple(tensor.dims), helper.tensor_dtype_to_np_dtype(tensor.data_type)
    uses = final_uses(tensor.name, users)
    roles = {(node.op_type, position) for node, position in uses}
    normal = random.standard_normal(shape, np.float32)
    if any((op, 2) in roles for op in QUANTISING):
        return np.zeros(shape, kind)
    if kind == np.bool_:
        return normal > 0
    if tensor.data_type == TensorProto.INT64:
        # Indices: nearly every axis has two places.
        return (normal > 0).astype(kind)
    if tensor.data_type in PACKED:
        return np.clip(np.rint(normal * 3), *PACKED[tensor.data_type]).astype(kind)
    if np.issubdtype(kind, np.integer):
        limits = np.iinfo(kind)
        spread = QUANTISED_SPREAD if kind.itemsize == 1 else 10 * QUANTISED_SPREAD
        middle = 0 if limits.min < 0 else limits.max // 2
        return np.clip(normal * spread + middle, limits.min, limits.max).astype(kind)
    if dequantised := [node for node, position in uses if (node.op_type, position) == ("DequantizeLinear", 1)]:
        (weight, result) = dequantised[0].input[0], dequantised[0].output[0]
        size = scale(shapes.get(weight, ()), final_uses(result, users), users)
        return (size / QUANTISED_SPREAD * random.uniform(0.8, 1.2, shape)).astype(kind)
    if roles & POSITIVE:
        return random.uniform(0.5, 1.5, shape).astype(kind)
    if roles & FACTORS:
        return (1 + 0.1 * normal).astype(kind)
    return (normal * scale(shape, uses, users)).astype(kind)


def scale(shape: tuple[int, ...], uses: list[Use], users: Users) -> float:
    """The standard deviation for which a sum of products is about as large as its operands."""
    if len(shape) < 2:
        return 0.02
    for node, position in uses:
        if position == 1 and node.op_type in ("Conv", "ConvTranspose", "Gemm"):
            return math.sqrt(gain(node, users) / terms(node, shape))
    # A matmul sums over the rows of its right operand; tables and masks can have any size.
    return 1 / math.sqrt(max(shape[-2:]))


def terms(node: NodeProto, shape: tuple[int, ...]) -> float:
    """The number of products in the sum of each result element."""
    if node.op_type == "Conv":
        return math.prod(shape[1:])
    attributes = {attribute.name: attribute for attribute in node.attribute}
    if node.op_type == "ConvTranspose":
        strides = math.prod(attributes["strides"].ints) if "strides" in attributes else 1
        return shape[0] * math.prod(shape[2:]) / strides
    transposed = "transB" in attributes and attributes["transB"].i
    return shape[1 if transposed else 0]


def gain(node: NodeProto, users: Users) -> float:
    following = uses_behind_norms(node, users)
    found = min((GAINS[use.op_type] for use in following if use.op_type in GAINS), default=1.0)
    behind = ops_behind_silu(following, users) & GAINS_BEHIND_SILU.keys()
    return found * min((GAINS_BEHIND_SILU[op] for op in behind), default=1.0)


def uses_behind_norms(node: NodeProto, users: Users) -> list[NodeProto]:
    """The nodes that compute with a result, and with its normalised values."""
    following = [use for use, _ in final_uses(node.output[0], users)]
    norms = [use for use in following if use.op_type == "BatchNormalization"]
    return following + [use for norm in norms for use, _ in final_uses(norm.output[0], users)]


def ops_behind_silu(following: list[NodeProto], users: Users) -> set[str]:
    """The ops that use a sum multiplied by its sigmoid, if these uses of the sum compute that."""
    if not any(use.op_type == "Sigmoid" for use in following):
        return set()
    products = (use for use in following if use.op_type == "Mul")
    return {use.op_type for product in products for use, _ in final_uses(product.output[0], users)}
