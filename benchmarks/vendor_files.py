"""Files for a vendor's compiler: written, checked against the original, and each compiled once."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from models.onnx_runs import Array
from onnx_checks import checks, tool
from onnx_files_page import LARGEST_ERROR
from onnx_peers import PEERS
from vendor_graphs import graph_digest
from vendor_rows import ORIGINAL, EstimateT, Row


def written(original: Path, lane: str, flags: Sequence[str], ending: str = ".onnx") -> Path | str:
    """The file of a lane, or the reason why there is none: the original, another optimizer's, or npu-opt's."""
    if lane == ORIGINAL:
        return original
    file = original.with_name(f"{sha256(lane.encode()).hexdigest()}{ending}")
    if lane in PEERS:
        return _of_peer(original, lane, file)
    command = [tool("npu-opt"), str(original), *flags, "-o", str(file)]
    ran = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if ran.returncode == 0:
        return file
    lines = ran.stderr.strip().splitlines()
    errors = [error for line in lines if (error := line.partition("error: ")[2])]
    return f"npu-opt: {(errors or lines or ['failed'])[0]}"


def _of_peer(original: Path, name: str, file: Path) -> Path | str:
    peer = PEERS[name]
    if find_spec(peer.package) is None:
        return f"not installed: pip install {peer.package}"
    try:
        peer.run(original, file)
    except Exception as error:  # Whatever a foreign optimizer fails with is its result.
        return f"{name}: {type(error).__name__}: {error}".partition("\n")[0]
    return file


def checked(original: Path, file: Path | str, inputs: Mapping[str, Array]) -> Path | str:
    """A file of ours that is proved and computes the same in ONNX Runtime, or what is wrong with it."""
    if isinstance(file, str) or graph_digest(file) == graph_digest(original):
        return file
    found = checks(original, file, inputs, "--arithmetic")
    if found.verdict != "proved":
        return f"npu-check: {found.verdict}"
    if not found.error <= LARGEST_ERROR:
        return f"ONNX Runtime: outputs differ by {found.error:.0e}"
    return file


def estimate_files(
    row: Row[EstimateT],
    lanes: Iterable[str],
    file_of: Callable[[str], Path | str],
    compiled: Callable[[Path, Path], EstimateT | str],
) -> Iterator[str]:
    """Note the estimates of lanes, and yield each: `compiled` has the file, and a folder that is empty.

    Files with one graph are compiled once, and those in the row not again.
    """
    found = row.by_file
    for lane in lanes:
        file = file_of(lane)
        row.files.pop(lane, None)
        if isinstance(file, str):
            row.lanes[lane] = file
        else:
            name = graph_digest(file)
            if name not in found:
                with tempfile.TemporaryDirectory() as folder:
                    found[name] = compiled(file, Path(folder))
            row.lanes[lane], row.files[lane] = found[name], name
        yield lane


def run_within(command: Sequence[str], folder: Path, seconds: float | None = None) -> tuple[int | None, str]:
    """The exit code and the output of a command; the code is None if it and its children were stopped."""
    with (folder / "output.txt").open("w+", errors="replace") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder)},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            # Its children may hang as well.
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        output.seek(0)
        return code, output.read()
