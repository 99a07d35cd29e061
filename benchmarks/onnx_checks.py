"""Checks of an exported model against the one that it was made from."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from models.onnx_runs import Array, read_graph
from onnx import checker, shape_inference
from onnx_file_rows import Checks

VERDICTS = {0: "proved", 2: "undecided", 3: "different"}
"""The meaning of npu-check's exit codes."""


def checks(original: Path, ours: Path, inputs: Mapping[str, Array], *flags: str) -> Checks:
    outputs = [run_file(file, inputs) for file in (original, ours)]
    return Checks(largest_error(*outputs), verdict(original, ours, *flags), reason_why_invalid(ours))


def run_file(file: Path, inputs: Mapping[str, Array]) -> Sequence[Array]:
    """The outputs of a model in ONNX Runtime."""
    import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # It has none.

    runtime = cast("Any", onnxruntime)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"]).run(None, dict(inputs))


def largest_error(expected: Sequence[Array], found: Sequence[Array]) -> float:
    """The largest difference, relative to the largest number of the same output."""
    return max((_error(*pair) for pair in zip(expected, found, strict=True)), default=0.0)


def _error(expected: Array, found: Array) -> float:
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return float("inf")
    if np.array_equal(expected, found, equal_nan=expected.dtype.kind == "f"):
        return 0.0
    apart = np.abs(expected.astype(np.float64) - found.astype(np.float64)).max()
    return float(apart / max(np.abs(expected).max(), np.finfo(np.float32).tiny))


def verdict(original: Path, ours: Path, *flags: str) -> str:
    """The verdict of npu-check with these flags."""
    command = [tool("npu-check"), str(original), str(ours), *flags]
    code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    return VERDICTS.get(code, f"exit code {code}")


def tool(name: str) -> str:
    """The command of this installation."""
    return str(Path(sys.executable).with_name(name))


def reason_why_invalid(file: Path) -> str:
    """The reason why onnx's checker or its shape inference refuses a file; empty for a valid one."""
    try:
        checker.check_model(str(file), full_check=True)  # pyright: ignore[reportUnknownMemberType]  # "PathLike" of nothing.
        shape_inference.infer_shapes(read_graph(file), strict_mode=True, data_prop=True)
    except (checker.ValidationError, shape_inference.InferenceError) as error:
        return str(error).partition("\n")[0]
    return ""
