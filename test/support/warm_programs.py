"""Programs of lit's RUN lines that start warm: a server with everything imported forks one process for each run.

A RUN line runs as it is written, by lit's own shell: it finds a client under the name of the program, which hands its
files, folder, arguments and environment to the server. Importing, and making the tables that all runs need, took most
of the time of a short run.
"""

import contextlib
import gc
import importlib
import marshal
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from functools import partial
from importlib.metadata import distribution
from pathlib import Path

PROGRAMS = {
    "npu-check": "npu-opt",
    "npu-opt": "npu-opt",
    "npu-reduce": "npu-opt",
    "npu-report": "npu-opt",
    "npu-run": "npu-opt",
    "filecheck": "filecheck",
}
"""Each program, with its distribution."""
BRIDGES = Path(__file__).parent.parent / "bridges"
CODE = {
    "onnx-cases": BRIDGES / "onnx" / "Inputs" / "run_cases.py",
    "onnx-text": BRIDGES / "onnx_export" / "Inputs" / "print_model.py",
}
"""Programs that only tests have, with their files."""
EXAMPLE = Path(__file__).parents[2] / "examples" / "two_branches.mlir"
CLIENT = Path(__file__).with_name("warm_client.py")


def start(scripts: Path, seconds: int) -> Path | None:
    """Start a server that ends with this process, and return the folder of its clients; None where there is no fork.

    A run of more than so many seconds is ended.
    """
    if not hasattr(os, "fork"):
        return None
    folder = Path(tempfile.mkdtemp(prefix="npu-opt-lit-"))
    (folder / "scripts").write_text(str(scripts))
    for program in (*PROGRAMS, *CODE):
        client = folder / program
        client.write_text(f"#!{sys.executable} -IS\n{CLIENT.read_text()}")
        client.chmod(0o755)
    server = subprocess.Popen(
        [sys.executable, __file__, str(folder), str(seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdout is not None
    server.stdout.readline()
    _started[folder] = server
    return folder


def stop(folder: Path) -> None:
    """End the server of these clients, and remove them."""
    _started.pop(folder).communicate()


_started: dict[Path, subprocess.Popen[bytes]] = {}
"""The servers by the folders of their clients. They end when their standard input is closed, as by the end of this
process."""


def main() -> None:
    folder, seconds = Path(sys.argv[1]), int(sys.argv[2])
    entries = {program: _entry(origin, program) for program, origin in PROGRAMS.items()}
    entries |= {program: partial(_run_file, str(file)) for program, file in CODE.items()}
    _import_everything()
    _read_formats()
    _run_once(folder)
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket"))
        listener.listen(64)
        print("ready", flush=True)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            client, _ = listener.accept()
            with client:
                if os.fork() == 0:
                    listener.close()
                    _serve(client, entries, seconds)
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()


def _entry(origin: str, program: str) -> Callable[[], object]:
    """The function of a console script."""
    (point,) = distribution(origin).entry_points.select(group="console_scripts", name=program)
    return point.load()


def _run_file(file: str) -> None:
    runpy.run_path(file, run_name="__main__")


def _import_everything() -> None:
    package = importlib.import_module("npu_opt")
    for module in pkgutil.walk_packages(package.__path__, "npu_opt."):
        if ".test." not in module.name and ".benchmarks" not in module.name:
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)


def _read_formats() -> None:
    """Assembly formats are read on demand, which each run would do again."""
    from npu_opt.compat.xdsl import FORMAT
    from npu_opt.dialects.npu import NPU

    for op in NPU.operations:
        getattr(op, FORMAT, lambda: None)()


def _run_once(folder: Path) -> None:
    """Tables of targets, types and ops are made on demand as well."""
    from npu_opt.tools.opt import run

    output = folder / "output.mlir"
    code = run([str(EXAMPLE), "--layout-optimal", "--verify-layouts", "--fuse-ops-hw", "-o", str(output)])
    assert code == 0, code
    output.unlink()


def _serve(client: socket.socket, entries: dict[str, Callable[[], object]], seconds: int) -> None:
    """Run one program, and end this process."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.alarm(seconds)
    length, files, _, _ = socket.recv_fds(client, 4, 3)
    with client.makefile("rb") as stream:
        name, arguments, folder, environment = marshal.loads(stream.read(int.from_bytes(length, "big")))
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = [name, *arguments]
    sys.stdin, sys.stdout, sys.stderr = (
        open(0, closefd=False),
        open(1, "w", closefd=False),
        open(2, "w", errors="backslashreplace", buffering=1, closefd=False),
    )
    code = _exit_code(entries[name])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    client.sendall(str(code).encode())
    os._exit(0)


def _exit_code(entry: Callable[[], object]) -> int:
    """The exit code of a console script with this function."""
    try:
        result = entry()
    except SystemExit as end:
        result = end.code
    except BaseException:  # The interpreter ends in the same way, whatever was raised.
        traceback.print_exc()
        return 1
    if result is None or isinstance(result, int):
        return int(result or 0)
    print(result, file=sys.stderr)
    return 1


if __name__ == "__main__":
    main()
