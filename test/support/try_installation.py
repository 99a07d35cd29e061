"""Tries an installed npu-opt in an empty folder: `PYTHON try_installation.py MODEL.onnx`, by the Python that has it.

Nothing of the clone is used but the model: each shipped target places it, a report and a certificate are written, and
the checkers accept what they are given.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

SCRIPTS = Path(sys.executable).parent
CHECKED = ["--layout-optimal", "--certificate", "model.cert.json", "--report", "report.html"]


def commands(model: str) -> list[list[str]]:
    """Commands that have to end well."""
    return [
        python("npu_opt", "--version"),
        [npu("opt"), model, "--target=opu", *CHECKED, "-o", "opu.mlir"],
        [npu("check"), model, "opu.mlir"],
        [npu("opt"), model, "-O", "-o", "better.onnx"],
        [npu("check"), model, "better.onnx", "--trace", "equal.json"],
        [npu("check"), "--certificate", "model.cert.json"],
        [npu("report"), model, "opu.mlir", "-o", "both.html"],
        python("npu_opt.checkers.check_minimum", "model.cert.json"),
        python("npu_opt.checkers.check_forms", "model.cert.json"),
        python("npu_opt.checkers.check_equal", model, "better.onnx", "equal.json"),
    ]


def npu(name: str) -> str:
    return str(SCRIPTS / f"npu-{name}")


def python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def place_on_every_target(model: str) -> Sequence[str]:
    """The names of the targets, each of which has placed the model as a program and checked it."""
    from npu_opt.targets import available
    from npu_opt.tools import check, opt

    for name in available():
        file = f"{name}.mlir"
        assert opt.run([model, f"--target={name}", "--layout-optimal", "--canonicalize", "-o", file]) == 0, name
        assert check.run([model, file]) == 0, name
    return [*available()]


def main() -> None:
    import npu_opt

    (model,) = sys.argv[1:]
    home = Path(npu_opt.__file__).parent
    assert home.is_relative_to(sys.prefix), f"{home} is not installed"
    for command in commands(model):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    assert "<html" in Path("report.html").read_text()
    print("targets:", *place_on_every_target(model))


if __name__ == "__main__":
    main()
