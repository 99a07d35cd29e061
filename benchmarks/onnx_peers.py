"""Other optimizers of ONNX files."""

import contextlib
import importlib
import io
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, cast


def run_onnx_runtime(model: Path, output: Path) -> None:
    """ONNX Runtime's offline optimization, at the highest level that does not depend on the processor."""
    import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # It has none.

    runtime = cast("Any", onnxruntime)
    options = runtime.SessionOptions()
    options.optimized_model_filepath = str(output)
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def run_onnxsim(model: Path, output: Path) -> None:
    onnxsim: Any = importlib.import_module("onnxsim")  # Only the extra [benchmarks] installs it.
    found, _ = onnxsim.simplify(str(model))
    output.write_bytes(found.SerializeToString())


def run_onnxslim(model: Path, output: Path) -> None:
    onnxslim: Any = importlib.import_module("onnxslim")  # Only the extra [benchmarks] installs it.
    # It prints a table of the ops.
    with contextlib.redirect_stdout(io.StringIO()):
        onnxslim.slim(str(model), str(output))


class Peer(NamedTuple):
    """An optimizer and its package."""

    package: str
    run: Callable[[Path, Path], None]
    """Reads a model and writes the optimized one."""

    @property
    def version(self) -> str:
        return version(self.package)


PEERS: Mapping[str, Peer] = {
    "ONNX Runtime": Peer("onnxruntime", run_onnx_runtime),
    "onnxsim": Peer("onnxsim", run_onnxsim),
    "onnxslim": Peer("onnxslim", run_onnxslim),
}
