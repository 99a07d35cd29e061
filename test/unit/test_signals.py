"""Signals: a command that is ended leaves no files, and shows no traceback."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from npu_opt.compat import process
from npu_opt.tools.driver.console.main import run_tool

ENDINGS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
COMMANDS = ("check", "opt", "reduce", "report", "run")

BODY = """
import os, sys, time
from pathlib import Path
from npu_opt.bridges.files import drafted
from npu_opt.compat.process import temporary_folder
from npu_opt.tools import entry
from npu_opt.tools.driver.console.main import run_tool

def body():
    {held}
        print("ready", flush=True)
        for _ in range(600):
            time.sleep(0.1)
    return 0

entry.set_up()
sys.exit(run_tool("npu-opt", body, debug=True))
"""
"""A command that does `held` until it is ended."""


def started(code: str, folder: Path) -> "subprocess.Popen[str]":
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment,
        # Signals that a shell lets its background ignore would be ignored here.
        preexec_fn=lambda: [signal.signal(each, signal.SIG_DFL) for each in ENDINGS] and None,
    )


@pytest.mark.parametrize("number", ENDINGS)
@pytest.mark.parametrize("held", ['with drafted(Path("weights")):', "with temporary_folder():"])
def test_a_signal_leaves_no_files(held: str, number: signal.Signals, tmp_path: Path):
    command = started(BODY.format(held=held), tmp_path)
    assert command.stdout is not None
    assert command.stdout.readline() == "ready\n"
    assert len(list(tmp_path.iterdir())) == 1
    command.send_signal(number)
    _, error = command.communicate(timeout=60)
    assert (command.returncode, error, list(tmp_path.iterdir())) == (128 + number, "", [])


@pytest.mark.parametrize("number", ENDINGS)
def test_a_signal_ends_a_command_without_files(number: signal.Signals, tmp_path: Path):
    command = started(BODY.format(held="if True:"), tmp_path)
    assert command.stdout is not None
    command.stdout.readline()
    command.send_signal(number)
    _, error = command.communicate(timeout=60)
    assert error == ""
    # Where nothing is to be done, the system ends it, in the midst of a solver as well.
    assert command.returncode == (130 if number == signal.SIGINT else -number)


IMPORTING = """
import os, signal, sys
number, place = int(sys.argv[1]), sys.argv[3]
# As in the foreground of a shell.
signal.signal(number, signal.default_int_handler)

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == place:
            os.kill(os.getpid(), number)

sys.meta_path.insert(0, Interrupting())
from npu_opt.tools import entry
tool, sys.argv = getattr(entry, sys.argv[2]), ["npu-" + sys.argv[2], *sys.argv[4:]]
sys.exit(tool())
"""


@pytest.mark.parametrize("tool", COMMANDS)
@pytest.mark.parametrize("place", ["argparse", "xdsl.ir", "xdsl.dialects.builtin", "npu_opt.tools.driver.console.main"])
def test_an_interrupted_import_shows_no_traceback(tool: str, place: str):
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING, str(int(signal.SIGINT)), tool, place, "--help"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.returncode in (130, -signal.SIGINT)


PROGRAM = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n"


@pytest.mark.parametrize("place", ["numpy", "numpy.linalg", "npu_opt.equivalence", "npu_opt.interpreter.evaluate"])
def test_an_interrupted_late_import_shows_no_traceback(place: str, tmp_path: Path):
    """Packages catch exceptions of their imports, and raise others."""
    (tmp_path / "in.mlir").write_text(PROGRAM)
    file = str(tmp_path / "in.mlir")
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING, str(int(signal.SIGINT)), "check", place, file, file, "--numeric"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.returncode in (130, -signal.SIGINT)


def test_what_becomes_of_an_interrupt_is_no_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """A package that is being imported turns it into an `ImportError`."""

    def body() -> int:
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        except KeyboardInterrupt as error:
            raise ImportError("no numbers") from error
        return 0

    before = signal.getsignal(signal.SIGINT)
    for name in ("_handles_signals", "_stopped"):
        monkeypatch.setattr(process, name, getattr(process, name))
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        process.handle_signals()
        assert run_tool("npu-opt", body, debug=False) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == ""


def test_the_python_functions_leave_signals_alone(tmp_path: Path):
    code = (
        "import signal; before = [signal.getsignal(each) for each in signal.valid_signals()]\n"
        "import os, npu_opt; mask = os.umask(0o22); os.umask(mask)\n"
        "npu_opt.optimize('in.mlir').save('out.mlir')\n"
        "npu_opt.check('in.mlir', 'out.mlir', numeric=True)\n"
        "assert before == [signal.getsignal(each) for each in signal.valid_signals()]\n"
    )
    (tmp_path / "in.mlir").write_text(PROGRAM)
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)
