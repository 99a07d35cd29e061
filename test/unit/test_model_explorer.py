"""`-t model-explorer`: the graphs are those of the program, and Model Explorer's own classes read them."""

import importlib.util
import json
import sys
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from npu_opt.passes.common.moves.transpose_cost import cost_of_program
from npu_opt.passes.fuse_ops import FuseOps
from npu_opt.passes.layout_preset import LayoutPreset
from npu_opt.tools.report.model_explorer import ModelExplorerTarget
from support.generators.programs import random_program
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp


def written(module: ModuleOp, **options: Any) -> Any:
    output = StringIO()
    ModelExplorerTarget(**options).emit(Context(), module, output)
    return json.loads(output.getvalue())


def placed_program(seed: int) -> ModuleOp:
    module = random_program(seed, 30, coloured=True, foreign="any")
    LayoutPreset().apply(Context(), module)
    return module


def reader() -> ModuleType:
    """The classes of Model Explorer's graphs. Its package needs others that only its server uses."""
    pytest.importorskip("dacite", reason="`dacite` cannot be imported: graphs are not read by Model Explorer's classes")
    found = importlib.util.find_spec("model_explorer")
    if found is None or found.origin is None:
        pytest.skip("`model_explorer` cannot be imported: graphs are not read by its classes")
    spec = importlib.util.spec_from_file_location("graph_builder", Path(found.origin).with_name("graph_builder.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["graph_builder"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", range(5))
def test_edges_join_nodes_of_the_graph(seed: int):
    for graph in written(placed_program(seed))["graphs"]:
        known = {node["id"] for node in graph["nodes"]}
        assert len(known) == len(graph["nodes"])
        assert {edge["sourceNodeId"] for node in graph["nodes"] for edge in node["incomingEdges"]} <= known


@pytest.mark.parametrize("seed", range(5))
def test_node_data_is_the_cost_of_the_program(seed: int, tmp_path: Path):
    module = placed_program(seed)
    file = tmp_path / "bytes.json"
    graphs = written(module, node_data=str(file))["graphs"]
    cost = cost_of_program(module)
    results = [each for graph in json.loads(file.read_text()).values() for each in graph["results"].values()]
    assert (len(results), sum(each["value"] for each in results)) == (cost.transposes, cost.bytes)
    sums = [graph["groupNodeAttributes"].get("", {"transposes": "0"})["transposes"] for graph in graphs]
    assert sum(map(int, sums)) == cost.transposes


def test_a_group_opens_its_graph():
    module = placed_program(3)
    FuseOps().apply(Context(), module)
    calls = [op.callee.root_reference.data for op in module.walk() if isinstance(op, CallOp)]
    graphs = written(module)["graphs"]
    opened = [name for graph in graphs for node in graph["nodes"] for name in node.get("subgraphIds", [])]
    assert calls
    assert sorted(opened) == sorted(calls)
    assert set(opened) <= {graph["id"] for graph in graphs}


@pytest.mark.parametrize("seed", range(5))
def test_model_explorer_reads_it(seed: int):
    classes, dacite = reader(), sys.modules["dacite"]
    module = placed_program(seed)
    FuseOps().apply(Context(), module)
    data = written(module)
    found = dacite.from_dict(classes.GraphCollection, data, dacite.Config(strict=True))
    assert [len(graph.nodes) for graph in found.graphs] == [len(graph["nodes"]) for graph in data["graphs"]]
