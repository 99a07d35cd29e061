"""`--verify-layouts` proves the model as it is written: read back, it computes what came."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npu_opt.bridges.onnx.exporting import program
from npu_opt.bridges.onnx.exporting.ops import elementwise
from npu_opt.dialects.npu.unary import CosOp, SinOp
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run
from xdsl.ir import Operation

onnx = pytest.importorskip("onnx")
helper = onnx.helper
FLOAT = 1
SHAPE = [2, 8]


def _model(file: Path, *nodes: Any, domain: str = "") -> str:
    ends = [helper.make_tensor_value_info(name, FLOAT, SHAPE) for name in ("x", "y")]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:])
    opsets = [helper.make_opsetid("", 21)] + [helper.make_opsetid(domain, 1)] * bool(domain)
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), file)
    return str(file)


def without_nodes_as_they_came(*_: object) -> dict[Operation, object]:
    return {}


def exports_cos_for_sin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a mistake in the exporter, which nodes that leave as they came do not see."""
    monkeypatch.setitem(elementwise.ROWS, SinOp, elementwise.ROWS[CosOp])
    monkeypatch.setattr(program, "unchanged", without_nodes_as_they_came)


@pytest.mark.parametrize("ending", ["onnx", "tflite"])
def test_the_file_is_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str) -> None:
    if ending == "tflite":
        pytest.importorskip("ai_edge_litert")
    model = _model(tmp_path / "model.onnx", helper.make_node("Sin", ["x"], ["y"]))
    written = tmp_path / f"written.{ending}"
    assert run([model, "--verify-layouts", "--remarks", "-o", str(written)]) == 0
    remark = f"{written}: remark: the file is proved to compute what {model} does"
    assert remark in capsys.readouterr().err.splitlines()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["model.onnx", written.name]
    assert run([model, "--verify-layouts", "-o", str(written)]) == 0
    assert "remark" not in capsys.readouterr().err


def test_a_mistake_of_the_exporter_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No pass runs, so only a proof about the file can find it. The file that was there stays."""
    model = _model(tmp_path / "model.onnx", helper.make_node("Sin", ["x"], ["y"]))
    written = tmp_path / "written.onnx"
    written.write_bytes(b"old")
    exports_cos_for_sin(monkeypatch)
    assert run([model, "--verify-layouts", "-o", str(written)]) == 1
    error, *notes = capsys.readouterr().err.splitlines()
    assert error.startswith(f"{written}: error: the file does not compute what {model} does: ")
    assert [note.split(": ")[1] for note in notes] == ["note", "note"]
    assert written.read_bytes() == b"old"
    assert run([model, "-o", str(written)]) == 0


def test_an_unproved_file_that_does_not_run_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = helper.make_node("Vendor", ["x"], ["v"], domain="com.vendor"), helper.make_node("Sin", ["v"], ["y"])
    info = helper.make_tensor_value_info("v", FLOAT, SHAPE)
    model = onnx.load(_model(tmp_path / "model.onnx", *nodes, domain="com.vendor"))
    model.graph.value_info.append(info)
    onnx.save(model, tmp_path / "model.onnx")
    exports_cos_for_sin(monkeypatch)
    written = tmp_path / "written.onnx"
    assert run([str(tmp_path / "model.onnx"), "--verify-layouts", "-o", str(written)]) == 0
    place = f"{written}: warning: the file is not verified: @main: result 0 is not computed in the same way, and it"
    assert any(line.startswith(f"{place} was not run: ") for line in capsys.readouterr().err.splitlines())


def test_weights_beside_a_file_are_proved_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = onnx.numpy_helper.from_array(np.arange(64, dtype=np.float32).reshape(8, 8), "w")
    model = onnx.load(_model(tmp_path / "model.onnx", helper.make_node("MatMul", ["x", "w"], ["y"])))
    model.graph.initializer.append(weights)
    onnx.save(model, tmp_path / "model.onnx")
    arguments = [str(tmp_path / "model.onnx"), "--verify-layouts", "--remarks", "-t", "onnx{inline-limit=0}"]
    written = tmp_path / "written.onnx"
    assert run([*arguments, "-o", str(written)]) == 0
    assert "the file is proved" in capsys.readouterr().err
    assert check([str(tmp_path / "model.onnx"), str(written)]) == 0
