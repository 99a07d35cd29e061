"""Certificates through the Python API: those of a result, and the files that hold them."""

import json
from hashlib import sha256
from pathlib import Path

import npu_opt
import pytest
from npu_opt.checkers.check_minimum import verdict_of
from npu_opt.tools.check import run as check
from npu_opt.tools.opt import run
from support.source_tree import ROOT
from support.vipr import bounds_of

EXAMPLE = ROOT / "examples" / "two_branches.mlir"


@pytest.fixture(name="result")
def fixture_result() -> npu_opt.Result:
    return npu_opt.optimize(EXAMPLE)


def test_the_certificate_of_a_result(result: npu_opt.Result):
    certificate = result.certificate()
    assert (certificate.cost, certificate.bound, certificate.is_minimum) == (result.bound, result.bound, True)
    assert certificate.content["problem"]["notes"] == {
        "program": str(EXAMPLE),
        "sha256": sha256(EXAMPLE.read_bytes()).hexdigest(),
        "pass": "layout-optimal",
        "target": "opu",
        "unit": "bytes",
    }


def test_the_files_of_a_result(result: npu_opt.Result, tmp_path: Path):
    for ending in ("json", "json.gz"):
        file = tmp_path / f"proof.{ending}"
        result.save_certificate(file)
        assert verdict_of(file.read_bytes())[0] == 0
    assert (tmp_path / "proof.json.gz").read_bytes()[:2] == b"\x1f\x8b"
    result.save_certificate(tmp_path / "proof.vipr")
    assert bounds_of((tmp_path / "proof.vipr").read_text()) == (result.bound, result.bound)


def test_a_name_without_a_format(result: npu_opt.Result, tmp_path: Path):
    file = tmp_path / "proof.txt"
    with pytest.raises(npu_opt.NpuOptError) as error:
        result.save_certificate(file)
    assert str(error.value) == (f"argument path: expected a name that ends in .json, .json.gz or .vipr, found '{file}'")
    assert not file.exists()


def test_a_folder_that_is_not_there(result: npu_opt.Result, tmp_path: Path):
    file = tmp_path / "none" / "proof.json"
    with pytest.raises(npu_opt.NpuOptError, match="No such file or directory"):
        result.save_certificate(file)


def test_other_strategies_prove_no_minimum():
    with pytest.raises(npu_opt.NpuOptError, match="expected the result of layout-optimal, found one of other passes"):
        npu_opt.optimize(EXAMPLE, strategy="naive").certificate()


def test_a_certificate_changes_nothing(result: npu_opt.Result):
    before = str(result.module)
    assert result.certificate().content == result.certificate().content
    assert str(result.module) == before


def test_what_only_a_dead_op_reads_is_not_written(tmp_path: Path):
    """Of an op with side effects whose result only a dead op reads: the bound and the plan leave that out alike."""
    program = tmp_path / "dead.mlir"
    program.write_text("""
        func.func @main(%a: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
          %random = npu.opaque "RandomUniform"() {shape = array<i64: 2, 3, 4>} : () -> tensor<2x3x4xf32>
          %dead = npu.add %random, %a : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
          %b = npu.tanh %a : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
          func.return %b : tensor<2x3x4xf32>
        }
    """)
    file = tmp_path / "proof.json"
    words = ["--target=onnx", "--layout-optimal=cost=traffic default=NCHW", "--certificate", str(file), "-o", "-"]
    assert run([str(program), *words]) == 0
    assert verdict_of(file.read_bytes())[0] == 0
    assert json.loads(file.read_text())["proof"]["bound"] == 2 * 96


@pytest.mark.parametrize(
    "notes", [[], 7, {"sha256": 1}, {"sha256": "0", "program": "\0"}, {"sha256": "0", "program": [1]}]
)
def test_notes_that_name_no_program(
    notes: object, result: npu_opt.Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file, content = tmp_path / "proof.json", result.certificate().content
    file.write_text(json.dumps({**content, "problem": {**content["problem"], "notes": notes}}))
    assert check(["--certificate", str(file)]) == 0
    assert capsys.readouterr().out.count("accepted: ") == 2


def test_a_program_that_has_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program, file = tmp_path / "program.mlir", tmp_path / "proof.json"
    program.write_text(EXAMPLE.read_text())
    npu_opt.optimize(program).save_certificate(file)
    for text, code in ((EXAMPLE.read_text(), 0), (EXAMPLE.read_text() + "\n", 1)):
        program.write_text(text)
        assert check(["--certificate", str(file)]) == code
        assert ("its SHA-256 is another one" in capsys.readouterr().out) == (code == 1)
    program.unlink()
    assert check(["--certificate", str(file)]) == 0
