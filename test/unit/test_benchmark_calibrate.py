"""The benchmark that calibrates targets asks vendors' compilers, and writes what a target file can have."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from npu_opt.targets import load
from support.source_tree import ROOT

TARGET = 'name = "measured"\ndescription = "Measured"\nextends = "onnx"\n'
# A program takes 1,000 cycles, and 500 for each transpose.
DEPLOY = """\
cat > compiler_profile_0.txt << END
flops: 1, runtime: $(grep -ao Transpose program.onnx | wc -l | awk '{ print 0.001 + 0.0005 * $1 }')ms
END"""
VELA = """\
[ "$1" = --version ] && echo 1.2.3 && exit
for file; do :; done
folder=$(dirname "$file")
cat > "$folder/int8_summary_System.csv" << END
core_clock,inference_time
1000000000.0,$(grep -ao 'output[0-9]' "$file" | sort -u | wc -l | awk '{ print 0.000001 + 0.0000005 * $1 }')
END
cat "$0.says"
"""
QUANTIZER = 'shift; cp "$1" "$2"'


def program(file: Path, text: str) -> Path:
    """A program of the shell."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def tpu_mlir(folder: Path) -> Sequence[str | Path]:
    program(folder / "bin" / "model_transform.py", "exit 0")
    program(folder / "bin" / "model_deploy.py", DEPLOY)
    (folder / "lib" / "python3.10" / "site-packages" / "tpu_mlir-1.2.3.dist-info").mkdir(parents=True)
    return "--engine", "tpu-mlir", "--environment", folder


def vela(folder: Path) -> Sequence[str | Path]:
    (folder / "vela.says").write_text("")
    tools = program(folder / "vela", VELA), program(folder / "quantizer", QUANTIZER)
    return "--engine", "vela", "--vela", tools[0], "--quantizer", tools[1]


def calibrated(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", ROOT / "benchmarks" / "calibrate.py", "--quick", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize(("compiler", "name"), [(tpu_mlir, "tpu-mlir 1.2.3 for chip"), (vela, "Vela 1.2.3 for chip")])
def test_a_compiler_is_asked_for_prices(compiler: Callable[[Path], Sequence[str | Path]], name: str, tmp_path: Path):
    file = tmp_path / "measured.toml"
    file.write_text(TARGET)
    options = [*compiler(tmp_path), "--chip", "chip", "--json", tmp_path / "seen.json", "--write", file]
    found = calibrated(*options)
    assert not found.stderr
    assert found.stdout.startswith(f"# {name}, cycles that it estimates, measured by benchmarks/calibrate.py.\n")
    written = file.read_text()
    assert written == f"{TARGET}# Measured: python benchmarks/calibrate.py --engine {options[1]}\n{found.stdout}"
    costs = load(file).costs
    assert costs is not None
    assert costs.unit == "cycles"
    terms = [term for each in costs.transposes for term in each.price.terms]
    # Of 4 KiB and 64 KiB.
    assert all(term.quantity == "bytes" and 500 / 65536 < term.factor / 1e9 < 500 / 4096 for term in terms)
    assert len(terms) == len(costs.transposes) == 3
    # What was compiled is not compiled again.
    for each in tmp_path.glob("bin/*"):
        program(each, "exit 1")
    (tmp_path / "quantizer").unlink(missing_ok=True)
    assert calibrated(*options).stdout == found.stdout
    assert file.read_text() == written


def test_a_program_that_a_compiler_refuses_has_its_reason(tmp_path: Path):
    options = tpu_mlir(tmp_path)
    program(tmp_path / "bin" / "model_deploy.py", "echo 'error: no such op'; exit 1")
    found = calibrated(*options)
    assert found.returncode == 1
    assert found.stderr == "tpu-mlir 1.2.3 for bm1684x refuses a program: model_deploy.py: error: no such op\n"
    options = vela(tmp_path)
    (tmp_path / "vela.says").write_text("Warning (supported operators) operator: ABS, ofm: 'y'\nReason: Unsupported\n")
    assert calibrated(*options).stderr == "Vela leaves ops to the CPU: ABS: Unsupported\n"
    program(tmp_path / "quantizer", "echo no recipe >&2; exit 1")
    assert calibrated(*options).stderr == "a program is not quantised: no recipe\n"


def test_costs_of_another_origin_are_not_replaced(tmp_path: Path):
    file = tmp_path / "chip.toml"
    file.write_text(f"{TARGET}[costs]\nunit = 'cycles'\ntranspose = 1\n")
    line = "# Measured: python benchmarks/calibrate.py --engine numpy"
    assert f"{file} has costs that are not behind the line '{line}'\n" in calibrated("--write", file).stderr


def test_a_compiler_has_to_be_named():
    assert "--engine=vela needs --vela and --quantizer\n" in calibrated("--engine", "vela").stderr
