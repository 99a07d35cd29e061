"""Reorders of channels in blocks: those that layout-optimal places for ONNX Runtime, beside ONNX Runtime's own.

    python benchmarks/ort_nchwc.py [--json FILE] [--page docs/results/onnx.md] [NETWORK]...

Both models compute convolutions by ops of com.microsoft.nchwc. One is what ONNX Runtime makes of the network at its
highest level of optimisation, the other the file of npu-opt for the target ort-nchwc, loaded at the level below, which
places no reorders. Reorders and Transposes are counted with the bytes of their larger side, as a run has them. Both
models run in turns, in one thread; the time is the median ratio of processor time, by sessions of several rounds.
"""

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np
import onnx
import onnxruntime  # pyright: ignore[reportMissingTypeStubs]  # It has none.
from figures import parser_of, read_figures, write_figures
from marked_page import write_between_markers
from models.onnx_runs import Array, random_inputs, read_graph
from models.weights import with_random_weights
from npu_opt.bridges.onnx.nchwc import DOMAIN, size_of_runtime
from onnx import ModelProto, ValueInfoProto

runtime, files = cast("Any", onnxruntime), cast("Any", onnx)
MODELS = Path(__file__).parent / "models"
NETWORKS = (
    *("alexnet", "centernet_r50", "convnext_t", "crnn", "deeplab_v3_r50", "densenet121", "detr_r50", "edsr"),
    *("efficientnet_b0", "espcn", "googlenet", "inception_v3", "levit_128", "mobilenet_v2", "mobilenet_v3"),
    *("mobilevit_s", "poolformer_s12", "resnet50", "retinanet_r50", "segformer_b0", "shufflenet_v1", "shufflenet_v2"),
    *("squeezenet", "ssd300_vgg16", "style_transfer", "unet", "vgg16", "yolo_v5_s", "yolo_v8_n"),
)
"""The networks with convolutions of images that fit into memory twice."""
OPTIONS = ("--fold-weights", "--fold-norms", "--target=ort-nchwc", "--layout-optimal")
"""Norms are folded before they could be placed, as ONNX Runtime folds them before it makes blocks."""
SIZE = 16
MOVES = {(DOMAIN, "ReorderInput"), (DOMAIN, "ReorderOutput"), ("", "Transpose")}
ROUNDS, TURNS = 3, 5
SHORTEST = 0.02
"""The seconds of a measurement; shorter runs are repeated."""
OURS = runtime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
HIGHEST = runtime.GraphOptimizationLevel.ORT_ENABLE_ALL
MARKER = "ort_nchwc"


@dataclass(frozen=True)
class Placement:
    """The convolutions and moves of a model."""

    blocks: int
    """The convolutions on blocks."""
    moves: int
    bytes: int


@dataclass(frozen=True)
class Row:
    name: str
    ours: Placement
    theirs: Placement
    error: float
    """The largest difference of an output, relative to its largest number."""
    time: float
    """The time of our model relative to that of ONNX Runtime's."""


def row_of(entry: dict[str, Any]) -> Row:
    placements: dict[str, Any] = {name: Placement(**entry[name]) for name in ("ours", "theirs")}
    return Row(**{**entry, **placements})


def measured(name: str, folder: Path) -> Row:
    network = with_random_weights(read_graph(MODELS / f"{name}.onnx"))
    inputs = random_inputs(network)
    source, optimised, ours = (folder / f"{kind}.onnx" for kind in ("source", "theirs", "ours"))
    files.save(network, source)
    subprocess.run([Path(sys.executable).with_name("npu-opt"), source, *OPTIONS, "-o", ours], check=True)
    expected = session(source, HIGHEST, optimised).run(None, inputs)
    error = max(map(relative_error, session(ours, OURS).run(None, inputs), expected), default=nan)
    placements = [placement(file, inputs) for file in (ours, optimised)]
    return Row(name, placements[0], placements[1], error, time_ratio(ours, source, inputs))


def session(file: Path, level: Any, optimised: Path | None = None) -> Any:
    """A session in one thread, which may write what it makes of a model."""
    options = runtime.SessionOptions()
    options.graph_optimization_level = level
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    if optimised is not None:
        options.optimized_model_filepath = str(optimised)
    return runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def relative_error(found: Array, expected: Array) -> float:
    if not np.issubdtype(expected.dtype, np.floating):
        return float((found != expected).mean()) if expected.size else 0.0
    return float(np.abs(found - expected).max(initial=0) / max(np.abs(expected).max(initial=0), 1e-9))


def placement(file: Path, inputs: Mapping[str, Array]) -> Placement:
    """The convolutions in blocks and the moves of a model, whose ends are made outputs."""
    model: ModelProto = files.load(file)
    constants = {tensor.name for tensor in model.graph.initializer}
    moves = [node for node in model.graph.node if (node.domain, node.op_type) in MOVES]
    moves = [node for node in moves if node.input[0] not in constants]
    shapes = shapes_in_run(model, {name for node in moves for name in (node.input[0], node.output[0])}, inputs)
    sizes = [max(shapes[node.input[0]], shapes[node.output[0]]) for node in moves]
    blocks = sum((node.domain, node.op_type) == (DOMAIN, "Conv") for node in model.graph.node)
    return Placement(blocks, len(moves), sum(sizes))


def shapes_in_run(model: ModelProto, names: set[str], inputs: Mapping[str, Array]) -> Mapping[str, int]:
    """The bytes of some tensors of a model."""
    known = {value.name for value in (*model.graph.input, *model.graph.output)}
    model.graph.output.extend(ValueInfoProto(name=name) for name in sorted(names - known))
    with TemporaryDirectory() as folder:
        file = Path(folder, "model.onnx")
        files.save(model, file)
        run = session(file, runtime.GraphOptimizationLevel.ORT_DISABLE_ALL)
        results = [value.name for value in model.graph.output]
        found = dict(zip(results, run.run(results, inputs), strict=True))
    return {name: value.nbytes for name, value in {**found, **inputs}.items()}


def time_ratio(ours: Path, theirs: Path, inputs: Mapping[str, Array]) -> float:
    """The median of the rounds, each with new sessions, made in turns."""
    ratios: list[float] = []
    for number in range(ROUNDS):
        pair = [(ours, OURS), (theirs, HIGHEST)]
        made = {file: session(file, level) for file, level in (pair[::-1] if number % 2 else pair)}
        ratios += [turn(made[ours], made[theirs], inputs) for _ in range(TURNS + 1)][1:]
    return median(ratios)


def turn(ours: Any, theirs: Any, inputs: Mapping[str, Array]) -> float:
    repeats = 1 + int(SHORTEST / max(seconds(theirs, inputs, 1), 1e-4))
    return seconds(ours, inputs, repeats) / seconds(theirs, inputs, repeats)


def seconds(run: Any, inputs: Mapping[str, Array], repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        run.run(None, dict(inputs))
    return time.process_time() - start


def table(rows: Sequence[Row]) -> str:
    lines = [
        "| network | convolutions in blocks: npu-opt, ONNX Runtime | moves | MB moved | time |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in sorted(rows, key=lambda row: row.name):
        ours, theirs = row.ours, row.theirs
        moved = f"{ours.bytes / 1e6:.2f}, {theirs.bytes / 1e6:.2f}"
        lines.append(
            f"| {row.name} | {ours.blocks}, {theirs.blocks} | {ours.moves}, {theirs.moves} | {moved} | {row.time:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("networks", nargs="*", metavar="NETWORK", default=NETWORKS, help="names (default: all)")
    args = parser.parse_args()
    if (size := size_of_runtime()) != SIZE:
        parser.error(f"ONNX Runtime has blocks of {size or 'no'} channels on this machine, the target of {SIZE}")
    rows = {row.name: row for row in read_figures(args.json, row_of)}
    for name in args.networks:
        with TemporaryDirectory() as folder:
            rows[name] = measured(name, Path(folder))
        print(rows[name], flush=True)
        write_figures(args.json, rows.values())
    print(table([*rows.values()]))
    if args.page is not None:
        write_between_markers(args.page, MARKER, table([*rows.values()]))


if __name__ == "__main__":
    main()
