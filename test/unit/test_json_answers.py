"""`--json`: the answer of every command is one object on one line, and says what the text says."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from npu_opt.tools.check import run as run_check
from npu_opt.tools.opt import run as run_opt
from npu_opt.tools.reduce.main import run as run_reduce
from npu_opt.tools.report.main import run as run_report
from npu_opt.tools.run import run as run_run
from support.source_tree import ROOT

BRANCHES = str(ROOT / "examples/two_branches.mlir")
UNKNOWN_OP = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %t = "stablehlo.transpose"(%x) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return %t : tensor<3x2xf32>
}
"""
NO, UNDECIDED = 3, 2


@pytest.fixture
def placed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = tmp_path / "placed.mlir"
    assert run_opt([BRANCHES, "--layout-preset", "-o", str(file)]) == 0
    capsys.readouterr()
    return str(file)


def answer(
    run: Callable[[Sequence[str]], int], arguments: Sequence[str], capsys: pytest.CaptureFixture[str], code: int = 0
) -> Any:
    """The one line of a command."""
    assert run([*arguments, "--json"]) == code
    printed = capsys.readouterr()
    (line,) = (printed.out + printed.err).splitlines()
    return json.loads(line)


def answers(arguments: Sequence[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> list[Any]:
    """The objects that npu-opt prints to standard error, without its notes and errors."""
    assert run_opt([*arguments, "--json"]) == code
    return [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]


def test_a_run_and_its_comparison(placed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    flags = ["--engine=numpy", "--seed=3"]
    equal = answer(run_run, [BRANCHES, *flags, "--compare", placed, "--time=2"], capsys)
    assert (equal["verdict"], equal["programs"]) == ("equal", [BRANCHES, placed])
    assert (equal["function"], equal["engine"], equal["reason"]) == ("main", "numpy", None)
    assert [(each["name"], each["shape"]) for each in equal["inputs"]] == [
        ("%input1", [1, 8, 4, 6]),
        ("%input3", [1, 8, 4, 6]),
    ]
    assert [(each["shape"], each["type"]) for each in equal["outputs"]] == [([1, 8, 24], "f32")]
    assert [each["equal"] for each in equal["compared"]] == [True]
    assert equal["time"]["runs"] == 2
    other = tmp_path / "other.mlir"
    other.write_text(Path(placed).read_text(encoding="utf-8").replace("npu.add", "npu.sub"), encoding="utf-8")
    different = answer(run_run, [BRANCHES, *flags, "--compare", str(other)], capsys, NO)
    assert different["verdict"] == "different"
    assert [each["equal"] for each in different["compared"]] == [False]
    alone = answer(run_run, [BRANCHES, *flags], capsys)
    assert alone["verdict"] is None
    assert "compared" not in alone
    assert "time" not in alone


def test_a_page_has_the_figures_of_the_gate(placed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    page = str(tmp_path / "page.html")
    found = answer(run_report, [BRANCHES, placed, "-o", page], capsys)
    assert (found["verdict"], found["page"]) == ("proved", page)
    assert found["figures"] == [{"transposes": 0, "bytes": 0}, {"transposes": 2, "bytes": 1536}]
    assert Path(page).exists()
    assert answer(run_report, [placed, "-o", page], capsys)["verdict"] is None
    assert answer(run_check, [BRANCHES, placed], capsys)["verdict"] == "proved"


def test_a_reduced_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    small = str(tmp_path / "small.mlir")
    found = answer(run_reduce, [BRANCHES, "--test", "grep -q conv2d {} && exit 4", "-o", small], capsys)
    assert found["programs"] == [BRANCHES, small]
    assert found["ops"][0] > found["ops"][1] == 1
    assert found["runs"] > 1


def test_all_observers_answer(placed: str, capsys: pytest.CaptureFixture[str]):
    asked = ["--stats", "--remarks", "--why=%conv", "--what-if", "--why-not-fused", "--expect-transposes=2"]
    found = answers([BRANCHES, "--layout-optimal", "--fuse-ops", *asked, "-o", placed], capsys)
    why = next(each for each in found if "value" in each)
    assert (why["pass"], why["value"]) == ("layout-optimal", "%conv")
    assert why["reasons"][:2] == [
        "%conv is stored in NHWC instead of NCHW",
        "because %conv conv2d demands NHWC of data (opu.toml:21)",
    ]
    assert {each["action"] for each in found if "action" in each} == {"inserted"}
    apart = [each["reasons"][0] for each in found if each.get("pass") == "fuse-ops"]
    assert apart
    assert all(" are not fused: " in text for text in apart)
    changes = next(each for each in found if "changes" in each)
    stats = next(each for each in found if "passes" in each)
    assert changes["before"] == {"transposes": 2, "bytes": 1536}
    assert stats["after"]["bytes"] == 1536
    gate = {"verdict": "met", "expected": {"transposes": 2, "bytes": None}, "found": {"transposes": 2, "bytes": 1536}}
    assert found[-1] == gate


def test_gates(placed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (exceeded,) = answers([BRANCHES, "--layout-preset", "--expect-bytes=9", "-o", placed], capsys, NO)
    assert exceeded["verdict"] == "exceeded"
    program = tmp_path / "unknown.mlir"
    program.write_text(UNKNOWN_OP, encoding="utf-8")
    flags = ["--allow-unregistered-dialect", "--layout-optimal", "--expect-transposes=0", "-o", placed]
    (undecided,) = answers([str(program), *flags], capsys, UNDECIDED)
    assert undecided["verdict"] == "undecided"
    assert undecided["left_unchanged"] == ["1 op of other dialects left unchanged: stablehlo.transpose"]


def test_json_without_a_question(capsys: pytest.CaptureFixture[str]):
    assert run_opt([BRANCHES, "--layout-preset", "--json"]) == 1
    assert "argument --json: expected one of --stats, --remarks, " in capsys.readouterr().err
