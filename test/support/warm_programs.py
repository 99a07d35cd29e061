"""Programs of lit's RUN lines that start warm, in processes that a server with everything imported forks.

A RUN line runs as it is written, by lit's own shell: it finds a client under the name of the program, which hands its
files, folder, arguments and environment to such a process. Importing, and making the tables that all runs need, takes
longer than most runs, and so does copying the memory that a new process touches. So each test has processes of its own,
which run its programs one after another; filecheck, which no test is about, has processes for all tests.
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
from itertools import chain
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
TESTS = 4 * (os.cpu_count() or 1)
"""The number of tests whose processes are kept: at least as many as run at once."""


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


def server_of(folder: Path) -> int:
    """The process of the server of these clients."""
    return _started[folder].pid


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
        processes = _Processes(listener, partial(_run, entries, seconds))
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            client, _ = listener.accept()
            with client:
                processes.hand_over(client)
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


class _Processes:
    """The processes of the tests that ran last. Each is known by the socket that clients are handed over at."""

    def __init__(self, listener: socket.socket, run: Callable[[socket.socket], int]) -> None:
        self._listener, self._run = listener, run
        self._of_tests: dict[str, list[socket.socket]] = {}
        self._idle = set[socket.socket]()

    def hand_over(self, client: socket.socket) -> None:
        """Let a process run the program of a client."""
        size = int.from_bytes(client.recv(4, socket.MSG_WAITALL), "big")
        name, _, test = client.recv(size, socket.MSG_WAITALL).decode().partition(" ")
        test = test if name != "filecheck" else name
        process = self._idle_of(test) or self._new(test, client)
        self._idle.discard(process)
        with contextlib.suppress(OSError):
            socket.send_fds(process, [b"."], [client.fileno()])
        if not test or len(self._of_tests) > TESTS:
            self._end(test and next(iter(self._of_tests)))

    def _idle_of(self, test: str) -> socket.socket | None:
        """The oldest process of a test that waits for a program."""
        processes = self._of_tests[test] = self._of_tests.pop(test, [])
        for process in select.select(processes, [], [], 0)[0]:
            if process.recv(1):
                self._idle.add(process)
            else:
                # Its program took too long, or crashed.
                self._idle.discard(process)
                processes.remove(process)
        return next((process for process in processes if process in self._idle), None)

    def _new(self, test: str, client: socket.socket) -> socket.socket:
        process, server = socket.socketpair()
        if os.fork() == 0:
            for inherited in (self._listener, client, process, *chain(*self._of_tests.values())):
                inherited.close()
            _serve(server, self._run)
        server.close()
        self._of_tests[test].append(process)
        return process

    def _end(self, test: str) -> None:
        """Let the processes of a test end behind what they run."""
        for process in self._of_tests.pop(test):
            self._idle.discard(process)
            process.close()


def _serve(server: socket.socket, run: Callable[[socket.socket], int]) -> None:
    """Run programs until the server ends this process."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    while (handed := socket.recv_fds(server, 1, 1))[0]:
        with socket.socket(fileno=handed[1][0]) as client:
            code = run(client)
            for number in range(3):
                os.dup2(nothing, number)
            # The server first: what the client waits for may be followed by the next program.
            for connection, message in ((server, "."), (client, str(code))):
                with contextlib.suppress(OSError):
                    connection.sendall(message.encode())
    os._exit(0)


def _run(entries: dict[str, Callable[[], object]], seconds: int, client: socket.socket) -> int:
    """Run one program."""
    signal.alarm(seconds)
    length, files, _, _ = socket.recv_fds(client, 4, 3)
    request = client.recv(int.from_bytes(length, "big"), socket.MSG_WAITALL)
    name, arguments, folder, environment = marshal.loads(request)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = [name, *arguments]
    sys.stdin, sys.stdout, sys.stderr = (
        open(0, errors=sys.stdin.errors, closefd=False),
        open(1, "w", errors=sys.stdout.errors, closefd=False),
        open(2, "w", errors="backslashreplace", buffering=1, closefd=False),
    )
    code = _exit_code(entries[name])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    signal.alarm(0)
    return code


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
