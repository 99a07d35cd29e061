"""Files and streams that cannot be read or written: one line on standard error, and the exit code of an error."""

import os
import subprocess
import sysconfig
from pathlib import Path

import pytest
from npu_opt.tools import check, opt
from npu_opt.tools import run as npu_run

SCRIPTS = Path(sysconfig.get_path("scripts"))
PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = npu.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(PROGRAM)
    Path("folder.mlir").mkdir()
    Path("nul.mlir").write_bytes(b"\0" * 40)
    Path("mark.mlir").write_bytes(b"\xef\xbb\xbf" + PROGRAM.encode())
    Path("escape.mlir").write_text('"test.op"() : () -> (\x1b[31m)')
    return tmp_path


def ran(command: str, **variables: str) -> tuple[int, str]:
    """Run a command in an environment that holds PATH, HOME and these variables."""
    environment = {"PATH": f"{SCRIPTS}:{os.environ['PATH']}", "HOME": os.getcwd(), **variables}
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=600, env=environment)
    return done.returncode, done.stderr


TOOLS = {"npu-opt": opt.run, "npu-check": check.run, "npu-run": npu_run.run}


def ran_here(command: str, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run a command that needs no streams of its own, without a process."""
    tool, *arguments = command.split()
    return TOOLS[tool](arguments), capfd.readouterr().err


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("npu-opt in.mlir >&-", 1, "npu-opt: error: cannot write standard output: Bad file descriptor\n"),
        ("npu-opt --list-passes >&-", 1, "npu-opt: error: cannot write standard output: Bad file descriptor\n"),
        ("npu-check in.mlir in.mlir >&-", 1, "npu-check: error: cannot write standard output: Bad file descriptor\n"),
        (
            "npu-run in.mlir --engine=numpy >&-",
            1,
            "npu-run: error: cannot write standard output: Bad file descriptor\n",
        ),
        ("npu-run --help >&-", 1, "npu-run: error: cannot write standard output: Bad file descriptor\n"),
        ("npu-opt in.mlir -o out.mlir >&-", 0, ""),
        ("npu-opt - <&-", 1, "<stdin>:1:1: error: empty input: expected an operation\n"),
        ("npu-check - in.mlir <&-", 1, "<stdin>:1:1: error: empty input: expected an operation\n"),
        ("npu-opt in.mlir --stats 2>&-", 0, ""),
        ("npu-opt nothing.mlir 2>&-", 1, ""),
        ("npu-check nothing.mlir in.mlir 2>&-", 1, ""),
        ("npu-run nothing.mlir 2>&-", 1, ""),
        ("npu-check folder.mlir in.mlir", 1, "folder.mlir: error: cannot read: Is a directory\n"),
        ("npu-run folder.mlir", 1, "folder.mlir: error: cannot read: Is a directory\n"),
    ],
)
def test_streams(command: str, code: int, message: str):
    assert ran(command) == (code, message)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("npu-opt in.mlir >/dev/full", 1, "npu-opt: error: cannot write standard output: No space left on device\n"),
        (
            "npu-check in.mlir in.mlir >/dev/full",
            1,
            "npu-check: error: cannot write standard output: No space left on device\n",
        ),
        (
            "npu-run in.mlir --engine=numpy >/dev/full",
            1,
            "npu-run: error: cannot write standard output: No space left on device\n",
        ),
        ("npu-check nothing.mlir in.mlir 2>/dev/full", 1, ""),
        ("npu-run nothing.mlir 2>/dev/full", 1, ""),
        ("npu-opt in.mlir --stats --remarks --print-ir-after-all -o out.mlir 2>/dev/full", 0, ""),
        ("npu-opt --help >/dev/full", 1, "npu-opt: error: cannot write standard output: No space left on device\n"),
        ("npu-run --help >/dev/full", 1, "npu-run: error: cannot write standard output: No space left on device\n"),
        ("npu-run --version >/dev/full", 1, "npu-run: error: cannot write standard output: No space left on device\n"),
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk(command: str, code: int, message: str, unbuffered: str):
    assert ran(command, PYTHONUNBUFFERED=unbuffered) == (code, message)


@pytest.mark.parametrize("tool", ["npu-check in.mlir in.mlir", "npu-run in.mlir --engine=numpy"])
def test_a_closed_pipe_is_not_an_error(tool: str):
    code, error = ran(f"{tool} | true; exit ${{PIPESTATUS[0]}}")
    assert error == ""
    # 0 where all of it was in the pipe before its reader was gone.
    assert code in (0, 141)


@pytest.mark.parametrize("tool", ["npu-opt {0}", "npu-check {0} in.mlir", "npu-run {0}"])
@pytest.mark.parametrize("file", ["nul.mlir", "mark.mlir"])
def test_the_first_character_may_be_wrong(tool: str, file: str, capfd: pytest.CaptureFixture[str]):
    code, error = ran_here(tool.format(file), capfd)
    assert code == 1
    assert error.startswith(f"{file}:1:1: error: Unexpected character: ")
    assert "\0" not in error


def test_errors_give_no_orders_to_a_terminal():
    code, error = ran("npu-opt escape.mlir")
    assert code == 1
    assert error.startswith("escape.mlir:1:22: error: ")
    assert "\x1b" not in error


@pytest.mark.parametrize(
    "command",
    [
        "npu-run in.mlir --seed=-1",
        "npu-run in.mlir --time=-1",
        "npu-check in.mlir in.mlir --seed=-1",
        "npu-check in.mlir in.mlir --trials=-1",
        "npu-opt in.mlir --expect-bytes=-1",
        f"npu-opt in.mlir --fold-limit={'9' * 5000}",
    ],
)
def test_numbers_of_options(command: str, capfd: pytest.CaptureFixture[str]):
    code, error = ran_here(command, capfd)
    assert code == 1
    assert "expected a non-negative number" in error
