"""Constants are read from below the folder of the program only, unless the user says otherwise."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from npu_opt.tools.check import run as npu_check
from npu_opt.tools.opt import run as npu_opt
from npu_opt.tools.run import run as npu_run
from safetensors import numpy as safetensors
from support import optional_tools
from support.generators.made_models import convolution

PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %c = npu.constant #npu.reference<"{}", "k"> : tensor<4xf32>
  %y = npu.add %x, %c : tensor<4xf32>
  return %y : tensor<4xf32>
}}
"""

COMMANDS: Sequence[Callable[[Path, list[str]], int]] = (
    lambda program, flags: npu_run([str(program), "--engine=numpy", *flags]),
    lambda program, flags: npu_check([str(program), str(program), *flags]),
    lambda program, flags: npu_opt([str(program), "-o", str(program.with_suffix(".onnx")), *flags]),
)
MLIR_COMMANDS: Sequence[Callable[[Path, list[str]], int]] = (
    lambda program, flags: npu_run([str(program), *flags]),
    lambda program, flags: npu_opt([str(program), "-t", "tosa", *flags]),
)
MLIR = optional_tools.mlir_bindings()
TOOLS = [
    *COMMANDS,
    *(pytest.param(each, marks=pytest.mark.skipif(MLIR.location is None, reason=MLIR.note)) for each in MLIR_COMMANDS),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a program, and tensors beside it and inside."""
    inside = tmp_path / "program"
    (inside / "data").mkdir(parents=True)
    for file in (tmp_path / "w.safetensors", inside / "data" / "w.safetensors"):
        cast("Any", safetensors).save_file({"k": np.arange(4, dtype=np.float32)}, file)
    (inside / "link.safetensors").symlink_to(tmp_path / "w.safetensors")
    (inside / "near.safetensors").symlink_to("data/w.safetensors")
    (inside / "loop.safetensors").symlink_to("loop.safetensors")
    return inside


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    "name", ["../w.safetensors", "data/../../w.safetensors", "link.safetensors", "FOLDER/w.safetensors"]
)
def test_outside(tool: Callable[[Path, list[str]], int], name: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    program, name = folder / "p.mlir", name.replace("FOLDER", str(folder.parent))
    program.write_text(PROGRAM.format(name))
    assert tool(program, []) in (1, 3)
    captured = capsys.readouterr()
    problem = f"{folder / name}: outside the folder '{folder}' of the program; use --allow-outside to read it"
    assert captured.out == ""
    assert problem in captured.err.splitlines()[0]
    assert tool(program, ["--allow-outside"]) == 0


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize(
    "name", ["data/w.safetensors", "near.safetensors", "data/../data/w.safetensors", "HERE/near.safetensors"]
)
def test_inside(tool: Callable[[Path, list[str]], int], name: str, folder: Path):
    program = folder / "p.mlir"
    program.write_text(PROGRAM.format(name.replace("HERE", str(folder))))
    assert tool(program, []) == 0


@pytest.mark.parametrize("name", ["loop.safetensors", r"a\00b", "a" * 5000])
def test_names_of_no_file(name: str, folder: Path, capsys: pytest.CaptureFixture[str]):
    program = folder / "p.mlir"
    program.write_text(PROGRAM.format(name))
    for tool in (*COMMANDS, *MLIR_COMMANDS):
        assert tool(program, []) in (1, 2, 3)
        assert "internal error" not in capsys.readouterr().err


def test_the_flag_holds_for_one_run(folder: Path):
    program = folder / "p.mlir"
    program.write_text(PROGRAM.format("../w.safetensors"))
    assert npu_run([str(program), "--engine=numpy", "--allow-outside"]) == 0
    assert npu_run([str(program), "--engine=numpy"]) == 1


def test_weights_that_are_written_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Reading them requires the flag, which a note says when they are written."""
    (tmp_path / "out").mkdir()
    model, output, weights = tmp_path / "m.onnx", tmp_path / "out" / "p.mlir", tmp_path / "w.safetensors"
    model.write_bytes(convolution().SerializeToString())
    assert npu_opt([str(model), "-o", str(output), f"--weights={weights}"]) == 0
    assert capsys.readouterr().err == (
        f"{output}: note: '{weights}' is not below the folder of the program:"
        " reading its constants requires --allow-outside\n"
    )
    assert npu_check([str(model), str(output)]) == 1
    assert npu_check([str(model), str(output), "--allow-outside"]) == 0
