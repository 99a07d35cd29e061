"""The benchmark of rknn-toolkit2 reads its tables and messages, and shows what is refused or lost."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rknn
from rknn_compile import samples_of
from rknn_page import LANES, TARGETED, cell, problems
from rknn_reports import Compiler, Estimate, read_table, reason, stopped
from vendor_rows import ORIGINAL, OURS, Row, report

TABLE = """\
I rknn-toolkit2 version: 2.5.0
D RKNN: [20:39:56.848]                  Network Layer Information Table
D RKNN: [20:39:56.848] ID OpType DataType Target InputShape OutputShape Cycles(DDR/NPU/Total) RW(KB) FullName
D RKNN: [20:39:56.848] 0    InputOperator   FLOAT16  CPU  \\                        (1,3,8,8)   0/0/0       0    Input:x
D RKNN: [20:39:56.848] 1    ConvRelu        FLOAT16  NPU  (1,3,8,8),(4,3,3,3),(4) (1,4,8,8)  382/2257/2257  295  Conv:a
D RKNN: [20:39:56.848] 2    Transpose       FLOAT16  NPU  (1,4,8,8)               (1,8,8,4)  0/0/0     40   Transpose:b
D RKNN: [20:39:56.848] 3    Reshape         FLOAT16  CPU  (1,8,8,4),(2)           (1,256)    0/0/0     9    Reshape:c_rs
D RKNN: [20:39:56.848] 4    exSoftmax13     FLOAT16  NPU  (1,256)                 (1,256)     0/0/0       1    Softmax:d
D RKNN: [20:39:56.848] 5    OutputOperator  FLOAT16  CPU  (1,256)                 \\           0/0/0       1    Output:y
D RKNN: [20:39:56.912] 1   ConvRelu   x   FLOAT16   NC1HWC2   (1,3,8,8)  (1,1,8,8,8) | 0x00000000 0x00049800 0x00049800
D RKNN: [20:39:56.929] Total Internal Memory Size: 1078.5KB
D RKNN: [20:39:56.929] Total Weight Memory Size: 6607.12KB
"""
ESTIMATE = Estimate(4, 1, 40, 1, 345, 2257, 1078.5, {"Reshape": 1})
FAILED = """\
\x1b[1;31mE\x1b[0m build: Traceback (most recent call last):
  File "rknn/api/ir_graph.py", line 1199, in get_size
TypeError: 'NoneType' object is not iterable

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
ValueError: inputs must be set!
"""
ENDLESS = """\
D fold_constant ...
D fold_constant done.
D fuse_ops ...
D fuse_ops results:
D     fuse_two_reshape: remove node = ['a_rs_rs']
D     squeeze_nd_transpose: remove node = [], add node = ['a_rs']
D     fuse_two_reshape: remove node = ['a_rs']
"""


def environment(folder: Path, script: str) -> Path:
    """A folder whose Python is these lines of a shell."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "bin" / "python").chmod(0o755)
    return folder


def test_an_estimate_is_read_from_the_table(tmp_path: Path):
    (tmp_path / "table.txt").write_text(TABLE)
    script = 'test "$1 $3 $4 $5" = "-P net.onnx chip " && cat table.txt'
    compiler = Compiler(environment(tmp_path / "env", script), "chip", 60)
    assert compiler.compiled(None, Path("net.onnx"), tmp_path) == ESTIMATE
    script = 'test "$1 $3 $4 $5" = "-P net.onnx chip samples.npz" && cat table.txt'
    compiler = Compiler(environment(tmp_path / "int8", script), "chip", 60)
    assert compiler.compiled(Path("samples.npz"), Path("net.onnx"), tmp_path) == ESTIMATE
    with pytest.raises(ValueError, match="no table"):
        read_table("I rknn building done.")


def test_files_without_a_table_have_the_reason(tmp_path: Path):
    compiler = Compiler(environment(tmp_path / "env", f"cat << 'END'\n{FAILED}END\nexit 1"), "chip", 60)
    assert compiler.compiled(None, Path("net.onnx"), tmp_path) == "ValueError: inputs must be set!"
    compiler = Compiler(environment(tmp_path / "hangs", f"cat << 'END'\n{ENDLESS}END\nsleep 100"), "chip", 1)
    found = "stopped after 1 s in fuse_ops: fuse_two_reshape, squeeze_nd_transpose by turns"
    assert compiler.compiled(None, Path("net.onnx"), tmp_path) == found
    started = f"{ENDLESS}D RKNN: [20:39:56.706] >>>>>> start: OpEmit\n"
    assert stopped(started, 600) == "stopped after 600 s in OpEmit"
    assert stopped("I begun", 600) == "stopped after 600 s"
    assert reason("E RKNN: [20:39:56.706] no memory\nI done\n") == "no memory"
    assert reason("Segmentation fault\n") == "Segmentation fault"
    assert reason("") == "failed"


def test_samples_are_listed_by_run_and_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    arrays = {f"{run}:{name}": np.full(2, run + place) for run in range(2) for place, name in enumerate("ab")}
    np.savez("samples.npz", allow_pickle=False, **arrays)
    lines = samples_of(Path("samples.npz"), ["b", "a"]).read_text().splitlines()
    assert [[np.load(file).tolist() for file in line.split()] for line in lines] == [
        [[1, 1], [0, 0]],
        [[2, 2], [1, 1]],
    ]


@pytest.mark.parametrize(
    ("model", "ours", "found"),
    [
        ("net", ESTIMATE, []),
        ("net", "no", [f"{TARGETED}: refused, which another is not: no"]),
        ("net", replace(ESTIMATE, layers=5), [f"{TARGETED}: 5 layers, the original has 4"]),
        ("net", replace(ESTIMATE, on_cpu={"Reshape": 2}), [f"{TARGETED}: 2 layers on the CPU, the original has 1"]),
        ("net", replace(ESTIMATE, traffic=346), [f"{TARGETED}: 346 KB read and written, the original has 345"]),
        ("net", replace(ESTIMATE, memory=1079.0), [f"{TARGETED}: 1079 KB of memory, the original has 1078.5"]),
        ("net", replace(ESTIMATE, cycles=2258), [f"{TARGETED}: 2258 cycles, the original has 2257"]),
        ("shufflenet_v1", replace(ESTIMATE, cycles=1692), []),
        ("shufflenet_v2", ESTIMATE, [f"{TARGETED}: 2257 cycles, the aim is 0.75 of 2257"]),
    ],
)
def test_what_is_lost_is_a_problem(model: str, ours: Estimate | str, found: list[str]):
    assert list(problems(Row[Estimate](model, {ORIGINAL: ESTIMATE, TARGETED: ours}))) == found
    assert not list(problems(Row[Estimate](model, {ORIGINAL: "no", TARGETED: ours})))


def test_the_table_has_the_figures():
    row = Row[Estimate]("net", {ORIGINAL: ESTIMATE, OURS: replace(ESTIMATE, transposes=0, on_cpu={})})
    text = report([row], LANES, cell)
    figures = "4 (1: 40 KB; 1), 0.002 M, 0.3 and 1.1 MiB; CPU: 1 Reshape"
    assert f"| net | {figures} |  |  |  | 4 (0; 1), 0.002 M, 0.3 and 1.1 MiB |  |" in text


def test_it_says_how_to_install_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("sys.argv", ["rknn.py", "--environment", str(tmp_path)])
    assert rknn.main() == 2
    assert "docs/chips.md" in capsys.readouterr().err
