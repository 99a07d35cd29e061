"""One file of a suite: npu-opt rewrites it, Transposes are counted, npu-check and ONNX Runtime compare both files.

Runs in a process of its own, which notes what is known so far after each step.
"""

import contextlib
import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from models.onnx_runs import Array, read_graph
from models.weights import graphs
from npu_opt.tools import check, opt
from onnx import GraphProto, ModelProto, NodeProto, helper, shape_inference
from onnx_checks import VERDICTS
from onnx_transposes import constants

sys.path.append(str(Path(__file__).resolve().parents[1] / "test"))

from support.oracles.same_nodes import differences  # The tests are no package.

PASSES = ("--layout-optimal=cost=count", "--stats", "--canonicalize")
VERDICT_OF_PASS = re.compile(
    r"^layout-optimal: .*?(?P<verdict>(?:proved minimum|the least|best found).*)$", re.MULTILINE
)
ERROR = re.compile(r"(?:^|: )error: (?P<reason>.*)", re.MULTILINE)
BUG = re.compile(r"internal error: |: error: \w+(Error|Exception): ")
"""The message of an exception that is not meant for users."""
UNDECIDED = re.compile(r"^(?:undecided|different): (?P<reason>.*)", re.MULTILINE)
NO_SHAPE = 5
"""ONNX Runtime's cost of a Transpose whose result has no shape."""


@dataclass(frozen=True)
class Case:
    """A file, and how npu-opt rewrites it."""

    file: str
    target: str
    interface: str
    ending: str
    """The ending of the written file."""
    figure: int | None
    """The authors' figure."""
    is_cost: bool = False
    """True if the figure is ONNX Runtime's cost of the Transposes, not their number."""


@dataclass
class Row:
    """All that is known about a file."""

    name: str
    figure: int | None = None
    doing: str | None = "npu-opt"
    """The step that has not ended; None at the end."""
    refused: str = ""
    """The error of npu-opt."""
    failed: str = ""
    """The bug that ended a step, or the time limit."""
    not_run: str = ""
    """The reason why ONNX Runtime does not load a refused file either."""
    came: int | None = None
    left: int | None = None
    """Both counted as the figure is."""
    minimum: str = ""
    """The verdict of layout-optimal."""
    verdict: str = ""
    """The verdict of npu-check on both files."""
    undecided: str = ""
    """The reason why they are not proved equal."""
    unreadable: str = ""
    """The reason why ONNX Runtime does not load the written file, though it loads the original."""
    not_compared: str = ""
    """The reason why the numbers were not compared."""
    error: float | None = None
    """The largest difference between the outputs of both files, relative to the largest number."""
    changed: Sequence[str] = ()
    """The nodes that are changed though no transpose around them goes or comes."""


def measure(case: Case, folder: Path, note: Callable[[Row], None]) -> None:
    """Measure one file; `note` is called whenever more is known."""
    original = Path(case.file)
    written = folder / f"written{case.ending}"
    row = Row(original.stem, case.figure)
    for step in (_rewrite, _count, _check, _compare):
        row.doing = step.__name__.strip("_")
        note(row)
        try:
            step(row, case, original, written)
        except Exception as error:  # What a bug of a step is, is a result.
            row.failed = f"{row.doing}: {type(error).__name__}: {_line(error)}"
        if row.refused or row.failed:
            row.not_run = reason_not_run(original) if row.refused else ""
            break
    row.doing = None
    note(row)


def reason_not_run(file: Path) -> str:
    """The reason why ONNX Runtime does not load a file either; empty for one that it loads."""
    if file.suffix != ".onnx":
        return ""
    try:
        _session(file)
    except Exception as error:  # ONNX Runtime's exceptions have no common class.
        return _line(error)
    return ""


def _rewrite(row: Row, case: Case, original: Path, written: Path) -> None:
    arguments = [f"--target={case.target}", f"--interface={case.interface}", *PASSES, "-o", str(written)]
    formats = ["-f", _format(original, original), "-t", _format(written, original)]
    code, text = _run(opt.run, [str(original), *formats, *arguments])
    found = [*VERDICT_OF_PASS.finditer(text)]
    row.minimum = found[-1]["verdict"] if found else ""
    if code == 0:
        return
    reason = _reason(ERROR, text)
    if BUG.search(text):
        row.failed = f"npu-opt: {reason}"
    else:
        row.refused = reason


def _format(file: Path, original: Path) -> str:
    """The format of a file; a suite in MLIR is one of TOSA."""
    if file.suffix == ".mlir":
        return "tosa" if original.suffix == ".mlir" else "mlir"
    return {".onnx": "onnx", ".tflite": "litert"}[file.suffix]


def _count(row: Row, case: Case, original: Path, written: Path) -> None:
    row.came, row.left = (_counted(file, case.is_cost) for file in (original, written))
    if original.suffix == written.suffix == ".onnx":
        row.changed = [*differences(read_graph(original), read_graph(written))]


def _counted(file: Path, is_cost: bool) -> int:
    if file.suffix != ".onnx":
        return len(re.findall(r"= (?:npu|tosa)\.transpose ", file.read_text()))
    model = read_graph(file)
    return cost(model) if is_cost else sum(1 for _ in moving(model)) + in_functions(model)


def in_functions(model: ModelProto) -> int:
    return sum(node.op_type == "Transpose" for function in model.functions for node in function.node)


def moving(model: ModelProto) -> Iterator[tuple[GraphProto, NodeProto]]:
    """The Transposes of a model, but those of constants, which are executed once."""
    for graph in graphs(model.graph):
        fixed = constants(graph) - {value.name for value in graph.input}
        for node in graph.node:
            if node.op_type == "Transpose" and not node.domain and node.input[0] not in fixed:
                yield graph, node


def cost(model: ModelProto) -> int:
    """The cost of the Transposes in ONNX Runtime's own tests: the dimensions of each result that are not 1."""
    with contextlib.suppress(shape_inference.InferenceError):
        model = shape_inference.infer_shapes(model)
    return sum(_dimensions(graph, node.output[0]) for graph, node in moving(model))


def _dimensions(graph: GraphProto, name: str) -> int:
    for value in (*graph.value_info, *graph.output):
        if value.name == name and value.type.tensor_type.HasField("shape"):
            return sum(dim.dim_value != 1 for dim in value.type.tensor_type.shape.dim)
    return NO_SHAPE


def _check(row: Row, case: Case, original: Path, written: Path) -> None:
    formats = ["-f", ",".join(_format(file, original) for file in (original, written))]
    code, text = _run(check.run, [f"--target={case.target}", *formats, str(original), str(written)])
    row.verdict = VERDICTS.get(code, "error")
    if row.verdict != "proved":
        row.undecided = _reason(UNDECIDED if code in VERDICTS else ERROR, text)
    if row.verdict == "error":
        row.unreadable = f"npu-check: {row.undecided}"


def _compare(row: Row, case: Case, original: Path, written: Path) -> None:
    if original.suffix != ".onnx" or written.suffix != ".onnx":
        row.not_compared = "one of the files is not ONNX"
        return
    try:
        first = _session(original)
        feeds = _feeds(original, first)
        expected = first.run(None, feeds)
    except Exception as error:  # ONNX Runtime's exceptions have no common class.
        row.not_compared = f"ONNX Runtime, original: {_line(error)}"
        return
    if largest_error(expected, first.run(None, feeds)) > 0:
        row.not_compared = "the original computes something else in each run"
    elif not all(_is_declared(*pair) for pair in zip(first.get_outputs(), expected, strict=True)):
        row.not_compared = "with these inputs an output has another shape than the model states"
    if row.not_compared:
        return
    try:
        second = _session(written)
    except Exception as error:
        row.unreadable = _line(error)
        return
    names = [value.name for value in second.get_inputs()]
    row.error = largest_error(expected, second.run(None, dict(zip(names, feeds.values(), strict=True))))


def _is_declared(output: Any, found: Any) -> bool:
    """True if an output has the sizes that the model states."""
    shape = getattr(found, "shape", ())
    return len(shape) != len(output.shape or ()) or all(
        not isinstance(size, int) or size == each for size, each in zip(output.shape, shape, strict=True)
    )


def _session(file: Path) -> Any:
    """A session of ONNX Runtime without optimisations."""
    import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # It has none.

    runtime = cast("Any", onnxruntime)
    options = runtime.SessionOptions()
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    return runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def _feeds(file: Path, session: Any) -> dict[str, Array]:
    """The inputs beside a file, or random ones."""
    inputs, beside = session.get_inputs(), file.with_suffix(".npz")
    if beside.exists():
        with np.load(beside) as found:
            return {each.name: found[each.name] for each in inputs}
    random = np.random.default_rng(0)
    kinds = {value.name: value.type.tensor_type.elem_type for value in read_graph(file).graph.input}
    types = {name: helper.tensor_dtype_to_np_dtype(kind) for name, kind in kinds.items()}
    return {each.name: _random(random, each.shape, types[each.name]) for each in inputs}


def _random(random: np.random.Generator, shape: Sequence[Any], kind: np.dtype[Any]) -> Array:
    """Random numbers; sizes that are not known are 2, and integers are small, since they may be indices."""
    sizes = [size if isinstance(size, int) and size >= 0 else 2 for size in shape]
    return (random.integers(0, 3, sizes) if kind.kind in "iub" else random.uniform(-2, 2, sizes)).astype(kind)


def largest_error(expected: Sequence[Any], found: Sequence[Any]) -> float:
    """The largest difference, relative to the largest finite number of the same output."""
    return max((_apart(*pair) for pair in zip(expected, found, strict=True)), default=0.0)


def _apart(expected: Any, found: Any) -> float:
    if not isinstance(expected, np.ndarray):
        return 0.0 if repr(expected) == repr(found) else np.inf
    if not isinstance(found, np.ndarray):
        return np.inf
    return _distance(cast("Array", expected), cast("Array", found))


def _distance(expected: Array, found: Array) -> float:
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return np.inf
    if expected.dtype.kind not in "fiub":
        return 0.0 if np.array_equal(expected, found) else np.inf
    one, other = expected.astype(np.float64), found.astype(np.float64)
    differs = ~((one == other) | (np.isnan(one) & np.isnan(other)))
    if not differs.any():
        return 0.0
    largest = max(np.abs(one[np.isfinite(one)]).max(initial=0.0), np.finfo(np.float32).tiny)
    return float(np.nan_to_num(np.abs(one - other)[differs] / largest, nan=np.inf).max())


def _run(tool: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> tuple[int, str]:
    """Run a command in this process: its exit code, and what it prints."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        code = tool(arguments)
    return code, text.getvalue()


def _reason(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found["reason"] if found else text.strip().rpartition("\n")[2]


def _line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
