"""`-t model-explorer`: a program as graphs for Model Explorer, with layouts and transposes on the nodes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ...bridges.files import replaced
from ...passes.common.demands.target_layouts import TargetLayouts
from ...passes.common.moves.transpose_cost import Cost
from ...targets import load
from ...text.dot import COLOURS
from ..driver.formats.models import cannot_write
from .records import FunctionRecord, OpRecord, records
from .scopes import paths_of

Json: TypeAlias = Mapping[str, "Json"] | Sequence["Json"] | str | int | float

MOVES = ("placed", "moved")
"""The styles of transposes that move data."""


@dataclass(frozen=True)
class ModelExplorerTarget(Target):
    """The functions of a program as graphs in the JSON that Model Explorer opens."""

    name = "model-explorer"

    target: str | None = None
    """The hardware target whose demands are shown: a name from `npu-opt --list-targets`, or the path of a file."""
    node_data: str | None = None
    """A second file: the bytes of each transpose, as node data by which Model Explorer colours and sums."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        target = None if self.target is None else TargetLayouts(load(self.target))
        functions = records(module, target, in_place=False)
        if self.node_data is not None:
            path = Path(self.node_data)
            with cannot_write(path), replaced(path) as stream:
                stream.write(_text(node_data(functions)).encode())
        output.write(_text(graphs(functions)))


def _text(data: Json) -> str:
    return f"{json.dumps(data, indent=1, ensure_ascii=False)}\n"


def graphs(functions: Sequence[FunctionRecord]) -> Json:
    """A collection with one graph for each function."""
    names = {function.name for function in functions}
    return {"label": "npu-opt", "graphs": [_graph(function, names) for function in functions]}


def node_data(functions: Sequence[FunctionRecord]) -> Json:
    """The bytes of each transpose, by graph and node."""
    return {
        function.name: {
            "name": "bytes of transposes",
            "results": {str(index): {"value": op.bytes} for index, op in enumerate(function.ops) if op.style in MOVES},
        }
        for function in functions
    }


def _graph(function: FunctionRecord, functions: set[str]) -> Json:
    scopes = ["/".join(path) for path in paths_of(function.ops)]
    edges: dict[int, list[Json]] = {}
    for edge in function.edges:
        operands = edges.setdefault(edge.target, [])
        operands.append({"sourceNodeId": str(edge.source), "targetNodeInputId": str(len(operands))})
    return {
        "id": function.name,
        "nodes": [
            _node(str(index), op, scope, edges.get(index, []), functions)
            for index, (op, scope) in enumerate(zip(function.ops, scopes, strict=True))
        ],
        "groupNodeAttributes": dict(_sums(function.ops, scopes)),
    }


def _node(identity: str, op: OpRecord, scope: str, edges: Sequence[Json], functions: set[str]) -> Json:
    node: dict[str, Json] = {
        "id": identity,
        "label": f"{op.kind} {op.move} of {op.shape}" if op.style in MOVES else op.kind,
        "namespace": scope,
        "attrs": [{"key": key, "value": value} for key, value in _attributes(op)],
        "incomingEdges": edges,
        "outputsMetadata": [{"id": "0", "attrs": [*_metadata(op)]}],
    }
    if op.callee in functions:
        node["subgraphIds"] = [op.callee]
    if (colour := COLOURS.get("placed" if op.style in MOVES else op.style)) is not None:
        node["style"] = {"backgroundColor": colour}
    return node


def _attributes(op: OpRecord) -> Iterator[tuple[str, str]]:
    found = (
        ("value", op.name),
        ("in the model", op.model_name),
        ("type", op.type),
        ("moves", f"{op.move} of {op.shape}" if op.move else ""),
        ("bytes", Cost(1, op.bytes, op.is_estimate).bytes_text if op.style in MOVES else ""),
        ("demand", op.demand),
        ("region", op.region),
        ("group", op.group),
        ("place", op.place),
        ("op", op.text),
    )
    yield from ((key, value) for key, value in found if value)
    yield from (("why", note) for note in op.notes)


def _metadata(op: OpRecord) -> Iterator[Json]:
    """The name by which data of other tools finds the op, and the text on its edges."""
    # An inserted transpose has the name of the op that it was inserted for.
    name = op.model_name if op.model_name and op.style not in MOVES else op.name.removeprefix("%")
    yield from ({"key": key, "value": value} for key, value in (("tensor_name", name), ("shape", op.type)) if value)


def _sums(ops: Sequence[OpRecord], scopes: Sequence[str]) -> Iterator[tuple[str, Json]]:
    """The transposes of each scope and of the whole function, with their bytes; of scopes without any, nothing."""
    found: dict[str, Cost] = {}
    for op, scope in zip(ops, scopes, strict=True):
        if op.style in MOVES:
            for around in _around(scope):
                found[around] = found.get(around, Cost()) + Cost(1, op.bytes, op.is_estimate)
    for scope, cost in found.items():
        yield scope, {"transposes": str(cost.transposes), "bytes of transposes": cost.bytes_text}


def _around(scope: str) -> Iterator[str]:
    """A scope and those around it; the outermost one is the function."""
    while scope:
        yield scope
        scope = scope.rpartition("/")[0]
    yield ""
