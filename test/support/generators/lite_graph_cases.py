"""Small LiteRT models with what ops of one graph do not show: other graphs, variables, constants of any kind."""

from collections.abc import Callable, Mapping, Sequence
from struct import pack

import numpy as np

from .lite_graphs import UNKNOWN, Array, LiteGraphs, OneGraph, schema

_RANDOM = np.random.default_rng(0)


def random_weights(*shape: int) -> Array:
    return _RANDOM.standard_normal(shape).astype(np.float32)


def _branch(file: LiteGraphs, name: str, kind: str) -> None:
    graph = file.graph(name)
    x, weights = graph.input("float32", [2, 3, 4]), graph.input("float32", [4, 5])
    moved = graph.transpose(x, "float32", [2, 4, 3], [0, 2, 1])
    back = graph.transpose(graph.unary(kind, moved, "float32", [2, 4, 3]), "float32", [2, 3, 4], [0, 2, 1])
    graph.returns(graph.binary("BATCH_MATMUL", back, weights, "float32", [2, 3, 5]))


def branches() -> LiteGraphs:
    """An IF whose branches each have two transposes that cancel."""
    file = LiteGraphs()
    graph = file.graph("main")
    condition, x = graph.input("bool", []), graph.input("float32", [2, 3, 4])
    operands = [condition, x, graph.constant(random_weights(4, 5))]
    values = {"thenSubgraphIndex": 1, "elseSubgraphIndex": 2}
    found = graph.op("IF", operands, [graph.tensor("float32", [2, 3, 5])], "IfOptions", values)
    graph.returns(graph.unary("RELU", found, "float32", [2, 3, 5])).signed("serving_default")
    _branch(file, "yes", "EXP")
    _branch(file, "no", "TANH")
    return file


def loop(grows: bool = False, factor: float = 0.125) -> LiteGraphs:
    """A WHILE of three steps; with each step, the value may become longer."""
    file = LiteGraphs()
    shape = [UNKNOWN, 3] if grows else [2, 3]
    graph, condition, body = file.graph("main"), file.graph("condition"), file.graph("body")
    x = graph.input("float32", [2, 3])
    results = [graph.tensor("int32", []), graph.tensor("float32", shape)]
    values = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}
    graph.op("WHILE", [graph.constant(0, np.int32), x], results, "WhileOptions", values)
    graph.returns(results[1]).signed("serving_default")
    step, _ = condition.input("int32", []), condition.input("float32", shape)
    condition.returns(condition.binary("LESS", step, condition.constant(3, np.int32), "bool", []))
    step, value = body.input("int32", []), body.input("float32", shape)
    after = body.binary("ADD", step, body.constant(1, np.int32), "int32", [])
    moved = body.transpose(value, "float32", shape[::-1], [1, 0])
    back = body.transpose(body.unary("EXP", moved, "float32", shape[::-1]), "float32", shape, [1, 0])
    made = body.binary("MUL", back, body.constant(factor), "float32", shape)
    if grows:
        made = body.op("CONCATENATION", [value, made], [body.tensor("float32", shape)], "ConcatenationOptions")
    body.returns(after, made)
    return file


def variables() -> LiteGraphs:
    """A sum of all inputs so far, which another graph sets to ones."""
    file = LiteGraphs()
    graph, first = file.graph("main"), file.graph("first")
    x = graph.input("float32", [1, 4, 2])
    graph.op("CALL_ONCE", [], [], "CallOnceOptions", {"initSubgraphIndex": 1})
    state = _handle(graph)
    before = graph.op("READ_VARIABLE", [state], [graph.tensor("float32", [1, 4, 2])], "ReadVariableOptions")
    moved = graph.transpose(x, "float32", [1, 2, 4], [0, 2, 1])
    back = graph.transpose(graph.unary("EXP", moved, "float32", [1, 2, 4]), "float32", [1, 4, 2], [0, 2, 1])
    total = graph.binary("ADD", before, back, "float32", [1, 4, 2])
    graph.op("ASSIGN_VARIABLE", [state, total], [], "AssignVariableOptions")
    graph.returns(total).signed("serving_default")
    first.op("ASSIGN_VARIABLE", [_handle(first), first.constant(np.ones((1, 4, 2)))], [], "AssignVariableOptions")
    return file


def _handle(graph: OneGraph) -> int:
    values = {"container": "", "sharedName": "state"}
    return graph.op("VAR_HANDLE", [], [graph.tensor("resource", [])], "VarHandleOptions", values)


def signatures() -> LiteGraphs:
    """Two graphs of their own with the same weights."""
    file, weights = LiteGraphs(), random_weights(600, 5)
    for name, kind, rows in (("encode", "EXP", 2), ("decode", "TANH", 1)):
        graph = file.graph(name)
        found = graph.binary(
            "BATCH_MATMUL", graph.input("float32", [rows, 600]), graph.constant(weights), "float32", [rows, 5]
        )
        graph.returns(graph.unary(kind, found, "float32", [rows, 5])).signed(name)
    return file


def composite() -> LiteGraphs:
    """An op with the graph that it stands for."""
    file = LiteGraphs()
    graph, steps = file.graph("main"), file.graph("silu")
    values = {"name": "odml.silu", "decompositionSubgraphIndex": 1, "compositeAttributes": [1, 2]}
    x, result = graph.input("float32", [2, 3]), graph.tensor("float32", [2, 3])
    graph.returns(graph.op("STABLEHLO_COMPOSITE", [x], [result], "StableHLOCompositeOptions", values))
    x = steps.input("float32", [2, 3])
    steps.returns(steps.binary("MUL", x, steps.unary("LOGISTIC", x, "float32", [2, 3]), "float32", [2, 3]))
    return file


def integers_of_4_bits() -> LiteGraphs:
    """Floats times weights of 4 bits, two in a byte."""
    file = LiteGraphs()
    graph = file.graph("main")
    packed = _RANDOM.integers(0, 256, (4, 4)).astype(np.uint8).tobytes()
    weights = graph.tensor("int4", [4, 8], packed, [0.5, 0.25, 0.1, 0.3])
    operands, result = [graph.input("float32", [2, 8]), weights, -1], graph.tensor("float32", [2, 4])
    values = {"asymmetricQuantizeInputs": True}
    graph.returns(graph.op("FULLY_CONNECTED", operands, [result], "FullyConnectedOptions", values, version=12))
    return file


def hybrid() -> LiteGraphs:
    """Floats times weights of 8 bits, in a product and a convolution, between transposes."""
    file = LiteGraphs()
    graph = file.graph("main")
    moved = graph.transpose(graph.input("float32", [1, 4, 2, 8]), "float32", [1, 2, 4, 8], [0, 2, 1, 3])
    weights = graph.constant(_RANDOM.integers(-127, 128, (4, 8)), np.int8, [0.5])
    kernel = graph.constant(_RANDOM.integers(-127, 128, (3, 1, 1, 4)), np.int8, [0.5, 0.1, 0.2])
    options, results = {"keepNumDims": True}, [graph.tensor("float32", [1, 2, 4, 4])]
    product = graph.op("FULLY_CONNECTED", [moved, weights, -1], results, "FullyConnectedOptions", options, version=9)
    options = {"padding": 1, "strideW": 1, "strideH": 1}
    operands, results = [product, kernel, graph.constant(np.zeros(3))], [graph.tensor("float32", [1, 2, 4, 3])]
    found = graph.op("CONV_2D", operands, results, "Conv2DOptions", options, version=5)
    graph.returns(graph.transpose(found, "float32", [1, 4, 2, 3], [0, 2, 1, 3]))
    return file


def unsigned() -> LiteGraphs:
    """A network in ui8, whose weights have zero points, with a ui8 of another scale and an i8 at its end."""
    file = LiteGraphs()
    graph = file.graph("main")

    def made(*shape: int, scale: float = 0.1, zero: int = 120, element: str = "uint8") -> list[int]:
        return [graph.tensor(element, shape, None, [scale], zero=zero)]

    def weights(*shape: int) -> int:
        return graph.constant(_RANDOM.integers(0, 256, shape), np.uint8, [0.02], 131)

    def bias(count: int) -> int:
        return graph.constant(_RANDOM.integers(-99, 99, count), np.int32, [0.1 * 0.02])

    window = {"padding": 0, "strideW": 1, "strideH": 1}
    x = graph.op("QUANTIZE", [graph.input("float32", [1, 4, 4, 3])], made(1, 4, 4, 3), "QuantizeOptions")
    operands, values = [x, weights(6, 3, 3, 3), bias(6)], {**window, "fusedActivationFunction": 3}
    x = graph.op("CONV_2D", operands, made(1, 4, 4, 6), "Conv2DOptions", values)
    operands, values = [x, weights(1, 3, 3, 6), bias(6)], {**window, "depthMultiplier": 1}
    y = graph.op("DEPTHWISE_CONV_2D", operands, made(1, 4, 4, 6), "DepthwiseConv2DOptions", values)
    x = graph.op("ADD", [x, y], made(1, 4, 4, 6, scale=0.2), "AddOptions")
    operands, values = [x, graph.constant([1, 2], np.int32)], {"keepDims": True}
    x = graph.op("MEAN", operands, made(1, 1, 1, 6), "ReducerOptions", values)
    x = graph.op("RESHAPE", [x, graph.constant([1, 6], np.int32)], made(1, 6), "ReshapeOptions")
    x = graph.op("FULLY_CONNECTED", [x, weights(5, 6), bias(5)], made(1, 5, scale=0.05), "FullyConnectedOptions")
    x = graph.op("QUANTIZE", [x], made(1, 5, scale=0.07, zero=3), "QuantizeOptions")
    x = graph.op("QUANTIZE", [x], made(1, 5, scale=0.07, zero=-125, element="int8"), "QuantizeOptions")
    graph.returns(graph.op("DEQUANTIZE", [x], [graph.tensor("float32", [1, 5])], "DequantizeOptions"))
    return file


def one_channel_per_group(kind: str, channels: int) -> LiteGraphs:
    """A convolution with as many groups as channels."""
    file, is_depthwise = LiteGraphs(), kind == "DEPTHWISE_CONV_2D"
    graph, outputs = file.graph("main"), 2 * channels
    kernel = graph.constant(random_weights(*((1, 3, 3, outputs) if is_depthwise else (outputs, 3, 3, 1))))
    operands = [graph.input("float32", [1, 5, 5, channels]), kernel, graph.constant(random_weights(outputs))]
    values, options = {"padding": 0, "strideW": 1, "strideH": 1}, "Conv2DOptions"
    if is_depthwise:
        values, options = {**values, "depthMultiplier": 2}, "DepthwiseConv2DOptions"
    graph.returns(graph.op(kind, operands, [graph.tensor("float32", [1, 5, 5, outputs])], options, values))
    return file


def lstm() -> LiteGraphs:
    """An op with states, absent operands and intermediates."""
    file = LiteGraphs()
    graph = file.graph("main")
    inputs = [graph.constant(random_weights(4, 3)) for _ in range(4)]
    recurrent = [graph.constant(random_weights(4, 4)) for _ in range(4)]
    biases = [graph.constant(random_weights(4)) for _ in range(4)]
    states = [graph.tensor("float32", [1, 4], is_variable=True) for _ in range(2)]
    operands = [graph.input("float32", [1, 6, 3]), *inputs, *recurrent, -1, -1, -1, *biases, -1, -1, *states]
    values, results = {"fusedActivationFunction": 4}, [graph.tensor("float32", [1, 6, 4])]
    options = "UnidirectionalSequenceLSTMOptions"
    found = graph.op("UNIDIRECTIONAL_SEQUENCE_LSTM", [*operands, *[-1] * 4], results, options, values)
    graph.made.operators[-1].intermediates = [graph.tensor("float32", [0]) for _ in range(5)]
    graph.returns(graph.unary("TANH", found, "float32", [1, 6, 4]))
    return file


def sparse(is_dense_first: bool = True) -> LiteGraphs:
    """A product with weights of which five of sixteen are there."""
    file = LiteGraphs()
    graph = file.graph("main")
    x, weights = (
        graph.input("float32", [2, 4]),
        graph.tensor("float32", [4, 4], np.arange(5, dtype=np.float32).tobytes()),
    )
    sparsity, rows, columns = schema.SparsityParametersT(), schema.DimensionMetadataT(), schema.DimensionMetadataT()
    rows.format, rows.denseSize, columns.format = 0, 4, 1
    for name, numbers in (("arraySegments", [0, 2, 2, 3, 5]), ("arrayIndices", [0, 3, 1, 2, 3])):
        vector = schema.Uint8VectorT()
        vector.values = numbers
        setattr(columns, name, vector)
        setattr(columns, f"{name}Type", schema.SparseIndexVector.Uint8Vector)
    sparsity.traversalOrder, sparsity.dimMetadata = [0, 1], [rows, columns]
    graph.made.tensors[weights].sparsity = sparsity
    if is_dense_first:
        weights = graph.unary("DENSIFY", weights, "float32", [4, 4], "DensifyOptions")
    results, version = [graph.tensor("float32", [2, 4])], 1 if is_dense_first else 8
    graph.returns(graph.op("FULLY_CONNECTED", [x, weights, -1], results, "FullyConnectedOptions", version=version))
    return file


def texts() -> LiteGraphs:
    """A table of texts."""
    file = LiteGraphs()
    graph = file.graph("main")
    x, table = graph.input("int64", [2]), graph.tensor("resource", [1])
    graph.op("HASHTABLE", [], [table], "HashtableOptions", {"tableId": 3, "keyDtype": 4, "valueDtype": 5})
    known = graph.tensor("string", [2], packed_texts([b"ab", b"cde"]))
    operands = [table, graph.constant([1, 2], np.int64), known]
    graph.op("HASHTABLE_IMPORT", operands, [], "HashtableImportOptions")
    operands, results = [table, x, graph.tensor("string", [1], packed_texts([b"no"]))], [graph.tensor("string", [2])]
    graph.returns(graph.op("HASHTABLE_FIND", operands, results, "HashtableFindOptions"))
    return file


def packed_texts(found: Sequence[bytes]) -> bytes:
    places = np.cumsum([4 * (len(found) + 2), *map(len, found)])
    return pack(f"<{len(found) + 2}i", len(found), *places) + b"".join(found)


def transposed_convolution() -> LiteGraphs:
    """One of an unknown number of images, which it reads from their sizes."""
    file = LiteGraphs()
    graph = file.graph("main")
    x = graph.input("float32", [UNKNOWN, 4, 5, 2])
    sizes = graph.op("SHAPE", [x], [graph.tensor("int32", [4])], "ShapeOptions", {"outType": 2})
    ends = [graph.constant(each, np.int32) for each in ([0], [1], [1])]
    results, values = [graph.tensor("int32", [])], {"shrinkAxisMask": 1}
    count = graph.op("STRIDED_SLICE", [sizes, *ends], results, "StridedSliceOptions", values)
    parts = [count, *(graph.constant(size, np.int32) for size in (8, 10, 3))]
    whole = graph.op("PACK", parts, [graph.tensor("int32", [4])], "PackOptions", {"valuesCount": 4, "axis": 0})
    operands, results = (
        [whole, graph.constant(random_weights(3, 3, 3, 2)), x],
        [graph.tensor("float32", [UNKNOWN, 8, 10, 3])],
    )
    values = {"padding": 0, "strideW": 2, "strideH": 2}
    graph.returns(graph.op("TRANSPOSE_CONV", operands, results, "TransposeConvOptions", values))
    return file


def custom() -> LiteGraphs:
    """An op of another vendor, which LiteRT does not run."""
    file = LiteGraphs()
    graph = file.graph("main")
    x, result = graph.input("float32", [2, 3]), graph.tensor("float32", [2, 3])
    found = graph.op("CUSTOM", [x], [result], custom=("Their.Op", b"some\0bytes"))
    graph.returns(graph.unary("EXP", found, "float32", [2, 3]))
    return file


def turned_loop() -> LiteGraphs:
    """A WHILE whose body reads and returns its state in another order than it computes, and a value as it was."""
    file = LiteGraphs()
    graph, condition, body = file.graph("main"), file.graph("condition"), file.graph("body")
    state, turned = [2, 3, 4], [2, 4, 3]
    operands = [graph.constant(0, np.int32), graph.constant(random_weights(*state)), graph.input("float32", turned)]
    results = [graph.tensor("int32", []), graph.tensor("float32", state), graph.tensor("float32", turned)]
    graph.op("WHILE", operands, results, "WhileOptions", {"condSubgraphIndex": 1, "bodySubgraphIndex": 2})
    graph.returns(graph.transpose(results[1], "float32", turned, [0, 2, 1])).signed("serving_default")
    step, _, _ = condition.input("int32", []), condition.input("float32", state), condition.input("float32", turned)
    condition.returns(condition.binary("LESS", step, condition.constant(3, np.int32), "bool", []))
    step, value, added = body.input("int32", []), body.input("float32", state), body.input("float32", turned)
    after = body.binary("ADD", step, body.constant(1, np.int32), "int32", [])
    moved = body.transpose(value, "float32", turned, [0, 2, 1])
    product = body.binary("BATCH_MATMUL", moved, body.constant(random_weights(2, 3, 3)), "float32", turned)
    total = body.binary("ADD", product, added, "float32", turned)
    body.returns(after, body.transpose(total, "float32", state, [0, 2, 1]), added)
    return file


def turned_branches() -> LiteGraphs:
    """An IF whose branches return a product in another order than they compute it."""
    file = LiteGraphs()
    graph = file.graph("main")
    condition, x = graph.input("bool", []), graph.input("float32", [2, 4, 3])
    found = graph.tensor("float32", [2, 3, 4])
    graph.op("IF", [condition, x], [found], "IfOptions", {"thenSubgraphIndex": 1, "elseSubgraphIndex": 2})
    graph.returns(graph.transpose(found, "float32", [2, 4, 3], [0, 2, 1])).signed("serving_default")
    for name in ("yes", "no"):
        branch = file.graph(name)
        x, weights = branch.input("float32", [2, 4, 3]), branch.constant(random_weights(2, 3, 3))
        product = branch.binary("BATCH_MATMUL", x, weights, "float32", [2, 4, 3])
        branch.returns(branch.transpose(product, "float32", [2, 3, 4], [0, 2, 1]))
    return file


CASES: Mapping[str, Callable[[], LiteGraphs]] = {
    "branches": branches,
    "composite": composite,
    "growing loop": lambda: loop(grows=True),
    "hybrid": hybrid,
    "integers of 4 bits": integers_of_4_bits,
    "loop": loop,
    "lstm": lstm,
    "signatures": signatures,
    "sparse": sparse,
    "sparse product": lambda: sparse(is_dense_first=False),
    "texts": texts,
    "transposed convolution": transposed_convolution,
    "turned branches": turned_branches,
    "turned loop": turned_loop,
    "unsigned": unsigned,
    "variables": variables,
}
"""The models that LiteRT runs."""
