"""Time from ONNX to ONNX, compared with ONNX Runtime's offline optimization of the same model.

    python benchmarks/onnx_to_onnx.py [--runs 5] [--quick] [--page docs/results/speed.md] [MODEL...]

Each network (default: all of benchmarks/models but the large ones) gets random weights. `npu-opt model.onnx --layout-
optimal -o out.onnx` and a session of ONNX Runtime that saves its optimized model run in turns in this process, after
one turn that does not count; so the start-up of Python is left out. Outputs are new files. Processor time counts, of
one thread, and the median of the ratios of the turns.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import geometric_mean, median
from typing import NamedTuple

from marked_page import add_page, write_between_markers
from models.catalogue import all_models
from models.onnx_runs import read_graph
from models.weights import with_random_weights
from npu_opt.tools.opt import NpuOptMain
from onnx_peers import run_onnx_runtime
from timing import as_in_npu_opt, timed

MODELS = Path(__file__).parent / "models"
SMALL = ("espcn", "squeezenet")
"""The networks of `--quick`."""
MOST_TIME = 3.0
"""The project's aim: the geometric mean, relative to ONNX Runtime."""

HEADER = """\
| model | MB | npu-opt, ms | ONNX Runtime, ms | ratio |
|---|---|---|---|---|"""


class Row(NamedTuple):
    """Measurements of one network."""

    model: str
    bytes: int
    ours: float
    """Median of the seconds of npu-opt."""
    theirs: float
    """Median of the seconds of ONNX Runtime."""
    ratio: float

    def __str__(self) -> str:
        times = f"{self.ours * 1000:.0f} | {self.theirs * 1000:.0f}"
        return f"| {self.model} | {self.bytes / 1e6:.1f} | {times} | {self.ratio:.2f} |"


def run_npu_opt(model: Path, output: Path) -> None:
    tool = NpuOptMain([str(model), "--layout-optimal", "-o", str(output)])
    tool.run()
    assert tool.exit_code == 0


def turn(model: Path) -> tuple[float, float]:
    """The seconds of both, for one model."""
    with tempfile.TemporaryDirectory(dir=model.parent) as folder:
        with as_in_npu_opt():
            ours, _ = timed(lambda: run_npu_opt(model, Path(folder, "ours.onnx")))
        theirs, _ = timed(lambda: run_onnx_runtime(model, Path(folder, "theirs.onnx")))
    return ours, theirs


def measured(name: str, runs: int) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, f"{name}.onnx")
        model.write_bytes(with_random_weights(read_graph(MODELS / model.name)).SerializeToString())
        turn(model)
        turns = [turn(model) for _ in range(runs)]
        ours, theirs = zip(*turns, strict=True)
        ratio = median(our / their for our, their in turns)
        return Row(name, model.stat().st_size, median(ours), median(theirs), ratio)


def mean_of(rows: Sequence[Row]) -> float:
    """The mean of the ratios."""
    return geometric_mean(row.ratio for row in rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", metavar="MODEL", nargs="*")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="two small networks in one turn; no bound applies")
    add_page(parser)
    arguments = parser.parse_args()
    names = arguments.models or (SMALL if arguments.quick else sorted(name for _, name in all_models(with_large=False)))
    print(HEADER)
    rows: list[Row] = []
    for name in names:
        rows.append(measured(name, 1 if arguments.quick else arguments.runs))
        print(rows[-1], flush=True)
    mean = f"Geometric mean of {len(rows)}: {mean_of(rows):.2f}."
    print(f"\n{mean}")
    if arguments.page is not None:
        table = "\n".join((HEADER, *map(str, rows)))
        write_between_markers(arguments.page, "onnx to onnx", f"{table}\n\n{mean}")
    return 0 if mean_of(rows) <= MOST_TIME or arguments.quick else 1


if __name__ == "__main__":
    sys.exit(main())
