"""A program from the warm server behaves like the program itself."""

import os
import signal
import subprocess
import sysconfig
from pathlib import Path

import psutil
import pytest
from support import warm_programs

if not hasattr(os, "fork"):
    pytest.skip("programs are forked, which this system cannot", allow_module_level=True)

pytestmark = pytest.mark.xdist_group("warm programs")
SCRIPTS = Path(sysconfig.get_path("scripts"))
EXAMPLE = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %z = npu.transpose %y permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}
"""


@pytest.fixture
def clients(warm_scripts: Path) -> Path:
    assert warm_scripts != SCRIPTS
    return warm_scripts


def run(program: Path, *arguments: str, given: str = "", **environment: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [program, *arguments], input=given, capture_output=True, text=True, env={**os.environ, **environment}
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("program", "arguments", "given"),
    [
        pytest.param("npu-opt", ["-"], EXAMPLE, id="standard input"),
        pytest.param("npu-opt", ["missing.mlir"], "", id="an error"),
        pytest.param("npu-opt", ["--no-such-flag"], "", id="a wrong option"),
        pytest.param("filecheck", ["check.txt"], "text", id="another program"),
    ],
)
def test_same_as_the_program(
    program: str, arguments: list[str], given: str, clients: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("check.txt").write_text("// CHECK: other text")
    assert run(clients / program, *arguments, given=given) == run(SCRIPTS / program, *arguments, given=given)


def test_environment_and_folder(clients: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("given.mlir").write_text(EXAMPLE)
    assert run(clients / "npu-opt", "given.mlir", "-o", "made.mlir")[0] == 0
    assert "func.func @main(%x: tensor<2x3xf32>)" in Path("made.mlir").read_text()
    for value in ("0", "1"):
        timed = run(clients / "npu-opt", "given.mlir", "--canonicalize", "--time-passes", NPU_OPT_VERIFY_LAYOUTS=value)
        assert ("verify layouts" in timed[2]) == (value == "1")


def test_each_test_has_processes_of_its_own(clients: Path):
    run(clients / "filecheck", "--version", LIT_CURRENT_TESTCASE="before")
    before = processes_of(clients)

    def processes_behind(test: str, program: str = "npu-opt") -> set[psutil.Process]:
        assert run(clients / program, "--version", LIT_CURRENT_TESTCASE=test)[0] == 0
        return processes_of(clients) - before

    first = processes_behind("first")
    assert len(first) == 1
    assert processes_behind("first") == first
    second = processes_behind("second")
    assert len(second) == 2
    assert first < second
    assert processes_behind("third", "filecheck") == second
    for number in range(warm_programs.TESTS):
        processes_behind(f"another {number}")
    assert ended(first)


def test_a_run_of_no_test_leaves_no_process(clients: Path):
    before = processes_of(clients)
    assert run(clients / "npu-opt", "--version", LIT_CURRENT_TESTCASE="")[0] == 0
    assert ended(processes_of(clients) - before)


def processes_of(folder: Path) -> set[psutil.Process]:
    return {*psutil.Process(warm_programs.server_of(folder)).children()}


def ended(processes: set[psutil.Process]) -> bool:
    """True if nothing has to end these processes."""
    return not psutil.wait_procs(processes, timeout=60)[1]


def test_without_a_server(clients: Path, tmp_path: Path):
    alone = tmp_path / "npu-opt"
    alone.write_text((clients / "npu-opt").read_text())
    alone.chmod(0o755)
    (tmp_path / "scripts").write_text(str(SCRIPTS))
    assert run(alone, "-", given=EXAMPLE) == run(SCRIPTS / "npu-opt", "-", given=EXAMPLE)


def test_a_program_beyond_its_time():
    """The client ends by a signal as well, so that `not` does not take it for an error of the program."""
    folder = warm_programs.start(SCRIPTS, 1)
    assert folder is not None
    reader, writer = os.pipe()
    with subprocess.Popen([folder / "npu-opt", "-"], stdin=reader, stdout=subprocess.DEVNULL) as client:
        assert client.wait() == -signal.SIGABRT
    os.close(reader)
    os.close(writer)
    warm_programs.stop(folder)
