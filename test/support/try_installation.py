"""Tries an installed npu-opt in an empty folder: `PYTHON try_installation.py MODEL.onnx`, by the Python that has it.

Nothing of the clone is used but the model: each shipped target places it, a report and a certificate are written, and
the checkers accept what they are given.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

SCRIPTS = Path(sys.executable).parent
CHECKERS = "npu_opt.checkers"


def commands(model: str) -> list[list[str]]:
    """Commands that have to end well, each as a process: scripts, the package and the checkers as modules."""
    python = [sys.executable, "-m"]
    placed = ["--target=opu", "--layout-optimal", "-o", "opu.mlir"]
    return [
        [*python, "npu_opt", "--version"],
        [str(SCRIPTS / "npu-opt"), model, *placed, "--certificate", "model.cert.json", "--report", "report.html"],
        [str(SCRIPTS / "npu-check"), model, "opu.mlir"],
        [*python, f"{CHECKERS}.check_minimum", "model.cert.json"],
        [*python, f"{CHECKERS}.check_forms", "model.cert.json"],
    ]


def place_on_every_target(model: str) -> Sequence[str]:
    """The names of the targets, each of which has placed the model as a program that is proved to compute the same."""
    from npu_opt.targets import available
    from npu_opt.tools import check, opt

    for name in available():
        file = f"{name}.mlir"
        assert opt.run([model, f"--target={name}", "--layout-optimal", "--canonicalize", "-o", file]) == 0, name
        assert check.run([model, file]) == 0, name
    return [*available()]


def write_a_model(model: str) -> None:
    """An ONNX model with the proof of its equality, and the page that compares both."""
    from npu_opt.tools import check, opt
    from npu_opt.tools.report import main as report

    assert opt.run([model, "-O", "-o", "better.onnx"]) == 0
    assert check.run([model, "better.onnx", "--trace", "equal.json"]) == 0
    run([sys.executable, "-m", f"{CHECKERS}.check_equal", model, "better.onnx", "equal.json"])
    assert report.run([model, "better.onnx", "-o", "both.html"]) == 0


def run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def main() -> None:
    import npu_opt

    (model,) = sys.argv[1:]
    home = Path(npu_opt.__file__).parent
    assert home.is_relative_to(sys.prefix), f"{home} is not installed"
    for command in commands(model):
        run(command)
    write_a_model(model)
    assert all("<html" in Path(page).read_text() for page in ("report.html", "both.html"))
    print("targets:", *place_on_every_target(model))


if __name__ == "__main__":
    main()
