"""Transposes of a model's file that move data, counted alike whoever wrote the file.

ONNX Runtime runs the file as it is, node by node, and records the shapes.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from models.onnx_runs import Array, read_graph
from models.weights import graphs
from onnx import GraphProto, ModelProto, NodeProto

NUMPY_TYPES = {"float": "float32", "double": "float64"}
"""Element types that have another name in numpy."""
RUN = "_kernel_time"
"""The end of the name of an event: a node was run."""


class Moved(NamedTuple):
    """The Transposes of a file that move data, and the bytes that they move in a run."""

    transposes: int
    bytes: int
    constant: int = 0
    """Further ones that depend on no input: those that runtimes compute when a model is loaded."""


class Operand(NamedTuple):
    """The operand of a node when it was run."""

    shape: Sequence[int]
    element: str

    @property
    def bytes(self) -> int:
        return prod(self.shape) * np.dtype(NUMPY_TYPES.get(self.element, self.element)).itemsize


def moved(file: Path, inputs: Mapping[str, Array]) -> Moved:
    """The Transposes of a model that re-order axes of more than one element.

    Those of subgraphs count once, and move data each time they run.
    """
    model = read_graph(file)
    nodes = {f"counted transpose {number}": node for number, node in enumerate(_transposes(model))}
    if not nodes:
        return Moved(0, 0)
    for name, node in nodes.items():
        node.name = name
    # Weights in a file of their own are found beside the model only.
    named = file.with_name(f"{file.stem}.named.onnx")
    named.write_bytes(model.SerializeToString())
    runs = _operands_when_run(named, inputs)
    named.unlink()
    # A node of a branch that was not taken has no runs.
    found = {name: runs.get(name, []) for name, node in nodes.items() if not _is_idle(node, runs.get(name, []))}
    fixed = {name for graph in graphs(model.graph) for name in constants(graph)}
    varying = [operands for name, operands in found.items() if nodes[name].output[0] not in fixed]
    moved_bytes = sum(operand.bytes for operands in varying for operand in operands)
    return Moved(len(varying), moved_bytes, len(found) - len(varying))


def _transposes(model: ModelProto) -> Iterator[NodeProto]:
    for graph in graphs(model.graph):
        yield from (node for node in graph.node if node.op_type == "Transpose" and not node.domain)


def constants(graph: GraphProto) -> set[str]:
    """The values that are computed from weights alone."""
    found = {tensor.name for tensor in graph.initializer}
    for node in graph.node:
        given = [name for name in node.input if name]
        if node.op_type == "Constant" or (given and all(name in found for name in given)):
            found.update(node.output)
    return found


def _operands_when_run(file: Path, inputs: Mapping[str, Array]) -> dict[str, list[Operand]]:
    """The first operand of each node, by its name, for each time it was run."""
    import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # It has none.

    runtime = cast("Any", onnxruntime)
    options = runtime.SessionOptions()
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    options.enable_profiling = True
    with tempfile.TemporaryDirectory() as records:
        options.profile_file_prefix = str(Path(records, "run"))
        session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        session.run(None, dict(inputs))
        events = json.loads(Path(session.end_profiling()).read_text())
    found: dict[str, list[Operand]] = {}
    for event in events:
        if event["name"].endswith(RUN) and event["args"]["input_type_shape"]:
            ((element, shape),) = event["args"]["input_type_shape"][0].items()
            found.setdefault(event["name"].removesuffix(RUN), []).append(Operand(shape, element))
    return found


def _is_idle(node: NodeProto, runs: Sequence[Operand]) -> bool:
    """True if the axes of more than one element keep their order whenever the node is run."""
    return bool(runs) and all(_keeps_order(node, operand.shape) for operand in runs)


def _keeps_order(node: NodeProto, shape: Sequence[int]) -> bool:
    orders = [attribute.ints for attribute in node.attribute if attribute.name == "perm"]
    order = orders[0] if orders else range(len(shape) - 1, -1, -1)
    long = [axis for axis in order if shape[axis] != 1]
    return long == sorted(long)
