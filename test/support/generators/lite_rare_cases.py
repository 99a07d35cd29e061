"""Small LiteRT models of the kinds of ops that need states, texts, seeds or other graphs, by their kind."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from .lite_graph_cases import packed_texts, random_weights
from .lite_graphs import LiteGraphs, OneGraph

TANH = 4
"""The number of the activation function in the format."""


def _weights(graph: OneGraph, *shape: int) -> int:
    return graph.constant(random_weights(*shape))


def _state(graph: OneGraph, *shape: int) -> int:
    return graph.tensor("float32", shape, is_variable=True)


def _ints(graph: OneGraph, numbers: object, dtype: type = np.int32) -> int:
    return graph.constant(numbers, dtype)


def rnn() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    weights = _weights(graph, 4, 3), _weights(graph, 4, 4), _weights(graph, 4)
    operands = [graph.input("float32", [2, 3]), *weights, _state(graph, 2, 4)]
    values = {"fusedActivationFunction": TANH}
    graph.returns(graph.op("RNN", operands, [graph.tensor("float32", [2, 4])], "RNNOptions", values))
    return file


def rnn_of_a_sequence() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    weights = _weights(graph, 4, 3), _weights(graph, 4, 4), _weights(graph, 4)
    operands = [graph.input("float32", [2, 5, 3]), *weights, _state(graph, 2, 4)]
    values, results = {"fusedActivationFunction": TANH}, [graph.tensor("float32", [2, 5, 4])]
    graph.returns(graph.op("UNIDIRECTIONAL_SEQUENCE_RNN", operands, results, "SequenceRNNOptions", values))
    return file


def rnn_in_both_directions() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    operands = [graph.input("float32", [2, 5, 3])]
    for _ in range(2):
        operands += [_weights(graph, 4, 3), _weights(graph, 4, 4), _weights(graph, 4), _state(graph, 2, 4)]
    values, results = {"fusedActivationFunction": TANH}, [graph.tensor("float32", [2, 5, 4]) for _ in range(2)]
    options = "BidirectionalSequenceRNNOptions"
    graph.op("BIDIRECTIONAL_SEQUENCE_RNN", [*operands, *[-1] * 3], results, options, values)
    graph.returns(*results)
    return file


def _cell(graph: OneGraph) -> list[int]:
    """The weights of an LSTM without peepholes and projection."""
    inputs = [_weights(graph, 4, 3) for _ in range(4)]
    recurrent = [_weights(graph, 4, 4) for _ in range(4)]
    return [*inputs, *recurrent, *[-1] * 3, *(_weights(graph, 4) for _ in range(4)), -1, -1]


def lstm_step() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    operands = [graph.input("float32", [2, 3]), *_cell(graph), _state(graph, 2, 4), _state(graph, 2, 4)]
    values = {"fusedActivationFunction": TANH}
    graph.returns(graph.op("LSTM", operands, [graph.tensor("float32", [2, 4])], "LSTMOptions", values))
    return file


def lstm_in_both_directions() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    operands = [graph.input("float32", [2, 5, 3]), *_cell(graph), *_cell(graph)]
    operands += [*(_state(graph, 2, 4) for _ in range(4)), *[-1] * 9]
    values = {"fusedActivationFunction": TANH, "timeMajor": False}
    results, options = [graph.tensor("float32", [2, 5, 4]) for _ in range(2)], "BidirectionalSequenceLSTMOptions"
    graph.op("BIDIRECTIONAL_SEQUENCE_LSTM", operands, results, options, values)
    graph.returns(*results)
    return file


def svdf() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    operands = [graph.input("float32", [2, 3]), _weights(graph, 4, 3), _weights(graph, 4, 5), _weights(graph, 4)]
    results, values = [graph.tensor("float32", [2, 4])], {"rank": 1}
    graph.returns(graph.op("SVDF", [*operands, _state(graph, 2, 20)], results, "SVDFOptions", values))
    return file


def table_of_rows() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    operands = [graph.input("int32", [3]), _ints(graph, [0, 1, 5]), _weights(graph, 3, 4)]
    results = [graph.tensor("float32", [3, 4]), graph.tensor("uint8", [3])]
    graph.op("HASHTABLE_LOOKUP", operands, results)
    graph.returns(*results)
    return file


def table_size() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    table = graph.op(
        "HASHTABLE", [], [graph.tensor("resource", [1])], "HashtableOptions", {"keyDtype": 4, "valueDtype": 5}
    )
    texts = graph.tensor("string", [2], packed_texts([b"ab", b"cde"]))
    graph.op("HASHTABLE_IMPORT", [table, _ints(graph, [1, 2], np.int64), texts], [], "HashtableImportOptions")
    size = graph.op("HASHTABLE_SIZE", [table], [graph.tensor("int64", [1])], "HashtableSizeOptions")
    graph.returns(graph.binary("ADD", size, graph.input("int64", [3]), "int64", [3]))
    return file


def projection() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    operands = [_weights(graph, 3, 4), graph.input("int32", [5]), _weights(graph, 5)]
    values, results = {"type": 2}, [graph.tensor("int32", [12])]
    graph.returns(graph.op("LSH_PROJECTION", operands, results, "LSHProjectionOptions", values))
    return file


def words() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    values = {"ngramSize": 2, "maxSkipSize": 1, "includeAllNgrams": False}
    text, results = graph.tensor("string", [1], packed_texts([b"a b c"])), [graph.tensor("string", [1])]
    graph.returns(graph.op("SKIP_GRAM", [text], results, "SkipGramOptions", values))
    return file


def sum_of_rows() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    operands = [graph.input("int32", [3]), _ints(graph, [[0, 0], [0, 1], [1, 0]]), _ints(graph, [2, 2])]
    operands += [_weights(graph, 3), _weights(graph, 4, 5)]
    values, results = {"combiner": 0}, [graph.tensor("float32", [2, 5])]
    graph.returns(graph.op("EMBEDDING_LOOKUP_SPARSE", operands, results, "EmbeddingLookupSparseOptions", values))
    return file


def noise(kind: str) -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    values, results = {"seed": 3, "seed2": 4}, [graph.tensor("float32", [2, 3])]
    found = graph.op(kind, [_ints(graph, [2, 3])], results, "RandomOptions", values)
    graph.returns(graph.binary("ADD", graph.input("float32", [2, 3]), found, "float32", [2, 3]))
    return file


def choice() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    operands, values = [graph.input("float32", [2, 5]), _ints(graph, 4)], {"seed": 3, "seed2": 4}
    graph.returns(graph.op("MULTINOMIAL", operands, [graph.tensor("int32", [2, 4])], "RandomOptions", values))
    return file


def bits() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    results, values = [graph.tensor("uint64", [2]), graph.tensor("uint32", [6])], {"algorithm": 1}
    operands, options = [graph.constant([7, 9], np.uint64)], "StablehloRngBitGeneratorOptions"
    graph.op("STABLEHLO_RNG_BIT_GENERATOR", operands, results, options, values)
    graph.returns(results[1])
    return file


def both() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    operands = [graph.input("bool", [2, 3]), graph.input("bool", [2, 3])]
    graph.returns(graph.op("STABLEHLO_AND", operands, [graph.tensor("bool", [2, 3])]))
    return file


def _numbers(**values: Sequence[int]) -> dict[str, object]:
    return {name: np.array(numbers, np.int64) for name, numbers in values.items()}


def gathered() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    values = {
        **_numbers(offsetDims=[1], collapsedSliceDims=[0], startIndexMap=[0], sliceSizes=[1, 3]),
        "indexVectorDim": 1,
    }
    operands, results = [_weights(graph, 4, 3), graph.input("int32", [2, 1])], [graph.tensor("float32", [2, 3])]
    graph.returns(graph.op("STABLEHLO_GATHER", operands, results, "StablehloGatherOptions", values))
    return file


def _adder(file: LiteGraphs) -> None:
    graph = file.graph("add")
    operands = [graph.input("float32", []), graph.input("float32", [])]
    graph.returns(graph.op("STABLEHLO_ADD", operands, [graph.tensor("float32", [])]))


def scattered() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    values = {
        **_numbers(updateWindowDims=[1], insertedWindowDims=[0], scatterDimsToOperandDims=[0]),
        "indexVectorDim": 1,
        "updateComputationSubgraphIndex": 1,
    }
    operands = [graph.input("float32", [4, 3]), _ints(graph, [[0], [2]]), graph.input("float32", [2, 3])]
    results = [graph.tensor("float32", [4, 3])]
    graph.returns(graph.op("STABLEHLO_SCATTER", operands, results, "StablehloScatterOptions", values))
    _adder(file)
    return file


def window() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    steps = _numbers(windowStrides=[1, 1], baseDilations=[1, 1], windowDilations=[1, 1])
    values = {**_numbers(windowDimensions=[2, 2], padding=[0, 0, 1, 1]), **steps, "bodySubgraphIndex": 1}
    operands, results = [graph.input("float32", [3, 4]), graph.constant(0.0)], [graph.tensor("float32", [2, 5])]
    options = "StablehloReduceWindowOptions"
    graph.returns(graph.op("STABLEHLO_REDUCE_WINDOW", operands, results, options, values))
    _adder(file)
    return file


def cases() -> LiteGraphs:
    file = LiteGraphs()
    graph = file.graph("main")
    values, results = {"branchSubgraphIndices": [1, 2]}, [graph.tensor("float32", [2, 3])]
    operands = [graph.input("int32", []), graph.input("float32", [2, 3])]
    graph.returns(graph.op("STABLEHLO_CASE", operands, results, "StablehloCaseOptions", values))
    for name, kind in (("first", "EXP"), ("second", "TANH")):
        branch = file.graph(name)
        branch.returns(branch.unary(kind, branch.input("float32", [2, 3]), "float32", [2, 3]))
    return file


RARE_CASES: Mapping[str, Callable[[], LiteGraphs]] = {
    "BIDIRECTIONAL_SEQUENCE_LSTM": lstm_in_both_directions,
    "BIDIRECTIONAL_SEQUENCE_RNN": rnn_in_both_directions,
    "EMBEDDING_LOOKUP_SPARSE": sum_of_rows,
    "HASHTABLE_LOOKUP": table_of_rows,
    "HASHTABLE_SIZE": table_size,
    "LSH_PROJECTION": projection,
    "LSTM": lstm_step,
    "MULTINOMIAL": choice,
    "RANDOM_STANDARD_NORMAL": lambda: noise("RANDOM_STANDARD_NORMAL"),
    "RANDOM_UNIFORM": lambda: noise("RANDOM_UNIFORM"),
    "RNN": rnn,
    "SKIP_GRAM": words,
    "STABLEHLO_AND": both,
    "STABLEHLO_CASE": cases,
    "STABLEHLO_GATHER": gathered,
    "STABLEHLO_REDUCE_WINDOW": window,
    "STABLEHLO_RNG_BIT_GENERATOR": bits,
    "STABLEHLO_SCATTER": scattered,
    "SVDF": svdf,
    "UNIDIRECTIONAL_SEQUENCE_RNN": rnn_of_a_sequence,
}
"""The models that LiteRT runs."""
