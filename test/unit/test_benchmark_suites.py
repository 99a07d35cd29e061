"""Suites of models that others wrote: a folder made here, and a sample of those at hand."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npu_opt.tools import opt
from onnx import NodeProto, TensorProto, helper
from suite_case import Case, cost, largest_error, measure
from suites import Row, comparison, headings, is_wrong
from support.source_tree import ROOT

SUITES = "NPU_OPT_SUITES"
SAMPLE = 8


def test_files_are_rewritten_counted_compared_and_grouped(tmp_path: Path):
    suite = tmp_path / "suites" / "small"
    suite.mkdir(parents=True)
    _write(suite / "cancels.onnx", [_transpose("x", "a"), _relu("a", "b"), _transpose("b", "y", [0, 2, 3, 1])])
    _write(suite / "stays.onnx", [_transpose("x", "y")])
    _write(suite / "refused.onnx", [_relu("x", "y")], opset=6)
    (suite / "damaged.onnx").write_bytes(b"no model")
    np.savez(suite / "stays.npz", x=np.zeros((2, 3, 4, 5), np.float32))
    figures = ["name\texpected_cost\texpected_transposes", "cancels\t\t1", "stays\t<=3\t9", "refused\t0\t"]
    (suite / "expected.tsv").write_text("\n".join(figures) + "\n")
    file = tmp_path / "figures.json"
    text = _run([tmp_path / "suites", "--json", file])
    rows = {row["name"]: Row(**row) for row in json.loads(file.read_text())["small"]}
    assert {name: comparison(row) for name, row in rows.items()} == {
        "cancels": "fewer",
        "stays": "more",
        "refused": "refused",
        "damaged": "no model",
    }
    assert (rows["cancels"].came, rows["cancels"].left, rows["cancels"].error) == (2, 0, 0.0)
    # The cost of one Transpose of four axes.
    assert (rows["stays"].left, rows["stays"].figure) == (4, 3)
    assert {rows[name].verdict for name in ("cancels", "stays")} == {"proved"}
    assert "| small | 4 | 0 | 1 | 1 | 0 | 1 | 1 | 0 | 0 | 0 | 0 | 2 | 0 | 6 | 4 | 4 |" in text.splitlines()
    assert "- more than the figure: 4 instead of 3, proved minimum (1): stays" in text.splitlines()
    groups = [line.partition(":")[0] for line in text.splitlines() if line.startswith("- ")]
    assert (groups.count("- refused"), groups.count("- no model")) == (1, 1)


def test_a_file_beyond_its_time_names_the_step(tmp_path: Path):
    _write(tmp_path / "slow.onnx", [_transpose("x", "y")])
    text = _run([tmp_path, "--limit", "0"], code=1)
    assert "- failed: npu-opt: more than 0 seconds (1): slow" in text.splitlines()


def test_bugs_are_failures_and_not_refusals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    file = tmp_path / "model.onnx"
    _write(file, [_transpose("x", "y")])
    notes: list[Row] = []
    case = Case(str(file), "onnx", "keep", ".onnx", None)
    measure(case, tmp_path, notes.append)
    assert (notes[-1].failed, notes[-1].doing) == ("", None)
    monkeypatch.setattr(opt, "exported_model", fails)
    measure(case, tmp_path, notes.append)
    assert "a bug" in notes[-1].failed
    assert not notes[-1].refused


@pytest.mark.parametrize(
    ("found", "error"),
    [([1.0, 2.0], 0.0), ([1.0, 2.5], 0.25), ([1.0, np.nan], np.inf), ([[1.0, 2.0]], np.inf)],
)
def test_numbers_are_wrong_beyond_rounding(found: list[float], error: float):
    difference = largest_error([np.array([1.0, 2.0])], [np.array(found)])
    assert min(difference, np.inf) == error or (error == np.inf and difference > 1e300)
    assert is_wrong(Row("x", error=difference)) == (error > 0)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("RandomNormalLike", "the original computes something else in each run"),
        ("Relu", ""),
    ],
)
def test_random_numbers_are_not_compared(kind: str, reason: str, tmp_path: Path):
    file = tmp_path / "model.onnx"
    _write(file, [helper.make_node(kind, ["x"], ["y"])])
    notes: list[Row] = []
    measure(Case(str(file), "onnx", "keep", ".onnx", None), tmp_path, notes.append)
    assert notes[-1].not_compared == reason
    assert (notes[-1].error is None) == bool(reason)


def test_nodes_changed_without_need_are_counted_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A writer that calls its nodes otherwise."""
    file, exported = tmp_path / "model.onnx", opt.exported_model
    _write(file, [_relu("x", "a"), _relu("a", "y")])
    notes: list[Row] = []
    measure(Case(str(file), "onnx", "keep", ".onnx", None), tmp_path, notes.append)
    assert not notes[-1].changed

    def renamed(*arguments: Any, **options: Any) -> Any:
        written = exported(*arguments, **options)
        model: Any = written.model
        model.proto.graph.node[1].op_type = "Selu"
        return written

    monkeypatch.setattr(opt, "exported_model", renamed)
    measure(Case(str(file), "onnx", "keep", ".onnx", None), tmp_path, notes.append)
    assert notes[-1].changed == ["Relu y: is Selu"]
    assert "changed without need: Relu" in [*headings(notes[-1])]


def test_more_transposes_than_came_are_named():
    assert [*headings(Row("x", came=0, left=2, verdict="proved"))] == ["more than came: 2 instead of 0"]


def test_costs_are_those_of_transposes_that_run():
    """One of a constant runs once, one without a shape costs 5, and axes of one element are free."""
    weight = helper.make_tensor("w", TensorProto.FLOAT, [1, 1], [0.0])
    nodes = [
        _transpose("w", "v", [1, 0]),
        _transpose("x", "a"),
        helper.make_node("Unheard", ["a"], ["b"], domain="some"),
    ]
    graph = helper.make_graph(
        [*nodes, _transpose("b", "y", [1, 0])],
        "main",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, "n", 5])],
        [helper.make_empty_tensor_value_info("y")],
        [weight],
    )
    assert (
        cost(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("some", 1)]))
        == 3 + 5
    )


@pytest.mark.skipif(SUITES not in os.environ, reason=f"{SUITES} does not name the folder of the suites")
def test_samples_of_suites_at_hand():
    """No wrong number, no unreadable file, no bug."""
    text = _run([Path(os.environ[SUITES]), "--sample", SAMPLE])
    assert text.startswith("| suite |")


def _run(arguments: Sequence[object], code: int = 0) -> str:
    command = [sys.executable, "-W", "error", ROOT / "benchmarks" / "suites.py", *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    assert done.returncode == code, done.stdout
    return done.stdout


def _transpose(name: str, result: str, order: Sequence[int] = (0, 3, 1, 2)) -> NodeProto:
    return helper.make_node("Transpose", [name], [result], perm=order)


def _relu(name: str, result: str) -> NodeProto:
    return helper.make_node("Relu", [name], [result])


def _write(file: Path, nodes: Sequence[NodeProto], opset: int = 17) -> None:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, 4, 5])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "main", [x], [y])
    file.write_bytes(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10).SerializeToString()
    )
