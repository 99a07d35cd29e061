"""Outputs that cannot be written: one line with the name of the file, the exit code of an error, and no other file."""

import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import npu_opt
import pytest
from npu_opt.passes.layout_optimal import LayoutOptimal
from npu_opt.tools import opt
from npu_opt.tools import run as npu_run
from npu_opt.tools.driver.console.exit_codes import ERROR
from npu_opt.tools.report import main as npu_report
from support.generators.made_models import convolution

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = npu.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
NEEDS_DOT = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
TOOLS: dict[str, Callable[[list[str]], int]] = {
    "npu-opt": opt.run,
    "npu-run": npu_run.run,
    "npu-report": npu_report.run,
}
WRITERS = [
    "npu-opt in.mlir -o FILE.mlir",
    "npu-opt in.mlir -o FILE.onnx",
    "npu-opt in.mlir -o FILE.tflite",
    "npu-opt in.mlir -o FILE.dot",
    "npu-opt in.mlir -o FILE.mmd",
    "npu-opt in.mlir -t tosa -o FILE.mlir",
    "npu-opt in.mlir -t model-explorer -o FILE.json",
    "npu-opt in.mlir -t 'model-explorer{node-data=\"FILE.json\"}' -o out.json",
    "npu-opt in.mlir --layout-optimal=target=opu --save-plan FILE.mlir -o out.mlir",
    "npu-opt model.onnx -o FILE.mlir",
    "npu-opt model.onnx -o FILE.onnx",
    "npu-opt model.onnx -o FILE.tflite",
    "npu-opt model.onnx -t 'onnx{path=\"FILE.onnx\" inline-limit=10}'",
    "npu-run in.mlir --engine=numpy -o FILE.npz",
    pytest.param("npu-opt in.mlir -o FILE.svg", marks=NEEDS_DOT),
    pytest.param("npu-opt in.mlir --report FILE.html -o out.mlir", marks=NEEDS_DOT),
    pytest.param("npu-report in.mlir -o FILE.html", marks=NEEDS_DOT),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(PROGRAM)
    Path("model.onnx").write_bytes(convolution().SerializeToString())
    return tmp_path


def written_file(command: str) -> Path:
    return Path(next(part for part in command.replace('"', " ").replace("=", " ").split() if part.startswith("FILE")))


def ran(command: str) -> int:
    tool, *arguments = shlex.split(command)
    return TOOLS[tool](arguments)


def check_refused(command: str, reason: str, capfd: pytest.CaptureFixture[str]):
    before = {path.name for path in Path().iterdir()}
    assert ran(command) == ERROR
    found = capfd.readouterr().err
    lines = [line for line in found.splitlines() if ": note: " not in line]
    assert len(lines) == 1, found
    assert lines[0].endswith(reason)
    assert str(written_file(command)) in lines[0]
    assert ": error: " in lines[0]
    assert "internal" not in lines[0]
    # Observers write before the program does.
    assert {path.name for path in Path().iterdir()} == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("command", WRITERS)
def test_a_full_disk(command: str, capfd: pytest.CaptureFixture[str]):
    written_file(command).symlink_to("/dev/full")
    check_refused(command, "No space left on device", capfd)


@pytest.mark.parametrize("command", WRITERS)
def test_a_read_only_file_stays(command: str, capfd: pytest.CaptureFixture[str]):
    """For the superuser as well, who may write to it but has made it read-only."""
    file = written_file(command)
    file.write_text("kept")
    file.chmod(0o444)
    check_refused(command, "Permission denied", capfd)
    assert file.read_text() == "kept"
    assert file.stat().st_mode & 0o777 == 0o444


def test_a_read_only_reproducer_stays(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    def fail(*_: object):
        raise RuntimeError("broken")

    monkeypatch.setattr(LayoutOptimal, "apply", fail)
    Path("kept.mlir").write_text("kept")
    Path("kept.mlir").chmod(0o444)
    assert ran("npu-opt in.mlir --layout-optimal=target=opu --reproducer=kept.mlir") == ERROR
    assert "note: no reproducer could be written: " in capfd.readouterr().err
    assert Path("kept.mlir").read_text() == "kept"


def test_a_read_only_file_of_weights_stays():
    """Another content goes into a file of another name."""
    assert ran("npu-opt model.onnx -o out.mlir") == 0
    weights = Path("out.safetensors")
    weights.write_bytes(b"other weights")
    weights.chmod(0o444)
    assert ran("npu-opt model.onnx -o other.mlir --weights=out.safetensors") == 0
    assert weights.read_bytes() == b"other weights"


@pytest.mark.parametrize("ending", ["mlir", "onnx", "tflite", "dot"])
def test_the_python_functions_leave_read_only_files(ending: str):
    file = Path(f"kept.{ending}")
    file.write_text("kept")
    file.chmod(0o444)
    before = {path.name for path in Path().iterdir()}
    result = npu_opt.optimize("model.onnx", target="onnx")
    with pytest.raises(npu_opt.NpuOptError, match=f"cannot write 'kept.{ending}': Permission denied"):
        result.save(file)
    assert file.read_text() == "kept"
    assert {path.name for path in Path().iterdir()} == before


def test_private_weights_stay_private():
    """A file of other weights beside them has their mode."""
    before = os.umask(0o022)
    try:
        assert ran("npu-opt model.onnx -o out.mlir") == 0
        assert Path("out.safetensors").stat().st_mode & 0o777 == 0o644
        Path("out.safetensors").write_bytes(b"others")
        Path("out.safetensors").chmod(0o600)
        assert ran("npu-opt model.onnx -o out.mlir") == 0
    finally:
        os.umask(before)
    (made,) = Path().glob("out-*.safetensors")
    assert made.stat().st_mode & 0o777 == 0o600
