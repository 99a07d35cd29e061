"""LiteRT files of the model set, each compared with its model by `npu-check`.

    python benchmarks/litert_proofs.py [--folder DIR] [--json FILE] [--page docs/results/litert.md] [MODEL...]

Each model gets random weights. `npu-opt` writes its file with the optimal placement, `npu-check` proves that both
compute the same, and both run on the same input, as does ONNX Runtime without its optimizations. With --folder, models
and files stay, and models are not made again.

The figures of a model in the file of --json that are not measured again are kept.
"""

import argparse
import re
import resource
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from figures import parser_of, read_figures, write_figures
from litert_files import LiteFile
from litert_peers import converted
from litert_speed import difference
from marked_page import write_between_markers
from models.catalogue import EXAMPLE_SIZES, NETWORKS, Network
from models.onnx_runs import Array, random_inputs, read_graph, run
from models.weights import with_random_weights
from npu_opt.bridges.litert.engine import LiteEngine
from onnx_checks import VERDICTS, tool

PLACED = re.compile(r"^layout-optimal: (\d+) transposes?, ", re.MULTILINE)
QUICK = ("espcn",)
"""The models of `--quick`: a small one."""
CONDITIONS = {
    "rounded only when they are quantised": "rounded once",
    "compute the arithmetic": "arithmetic",
    "in 32 bits": "small sizes",
}
"""The conditions of a proof, by a part of the note about each."""


@dataclass
class Proof:
    """The file of one model. Only the reason is there if it was not written."""

    model: str
    failed: str = ""
    placed: int = 0
    """The transposes that layout-optimal said."""
    transposes: int = 0
    """The transposes in the file that move data."""
    largest: float = 0
    """The largest difference of an output, relative to its largest number."""
    own: float = 0
    """The largest relative difference of ONNX Runtime without its optimizations."""
    verdict: str = ""
    under: str = ""
    """The conditions of the proof."""
    seconds: float = 0
    """The processor time of the proof."""


def proof(network: Network, folder: Path) -> Proof:
    """Write the file of a model, compare it by npu-check, and run it."""
    model, file = folder / f"{network.name}.onnx", folder / f"{network.name}.tflite"
    if not model.exists():
        model.write_bytes(with_random_weights(read_graph(network.file)).SerializeToString())
    found = Proof(network.name)
    passes = ["--recognise-quantised"] if network.exporter == "quantised" else []
    passes += ["--layout-optimal", "--stats", "--canonicalize"]
    conversion = converted([tool("npu-opt"), str(model), *passes, "-o", str(file)])
    if conversion.failed:
        return Proof(network.name, reason_of(conversion.text) or conversion.failed)
    placed = PLACED.search(conversion.text)
    found.placed = -1 if placed is None else int(placed[1])
    found.transposes = LiteFile(file).counted().transposes
    _check(found, model, file)
    found.largest, found.own = largest_differences(model, file)
    return found


def reason_of(printed: str) -> str:
    """The first error in the output of a command, without its place."""
    return next((line.partition("error: ")[2] for line in printed.splitlines() if "error: " in line), "")


def _check(found: Proof, model: Path, file: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    checked = subprocess.run([tool("npu-check"), str(model), str(file)], capture_output=True, text=True)
    found.seconds = round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 1)
    found.verdict = VERDICTS.get(checked.returncode, f"exit code {checked.returncode}")
    found.under = ", ".join(word for text, word in CONDITIONS.items() if text in checked.stdout)
    if checked.returncode:
        print(checked.stdout, checked.stderr, sep="", end="", file=sys.stderr)


def largest_differences(model: Path, file: Path) -> tuple[float, float]:
    """The largest differences from ONNX Runtime of a file, and of ONNX Runtime without its optimizations."""
    proto = read_graph(model)
    inputs = random_inputs(proto, **EXAMPLE_SIZES)
    expected = run(proto, inputs)
    engine = LiteEngine(file)
    found = engine.run([inputs[end.name] for end in engine.inputs])
    return _largest(found, expected), _largest(run(proto, inputs, is_optimized=False), expected)


def _largest(found: Sequence[Array], expected: Sequence[Array]) -> float:
    return max(difference(*pair) for pair in zip(found, expected, strict=True))


def summary(found: Proof) -> str:
    """A model in one line of a table."""
    if found.failed:
        return f"| {found.model} | {found.failed} |  |  |  |  |"
    transposes = str(found.placed) if found.placed == found.transposes else f"{found.placed} / {found.transposes}"
    verdict = f"{found.verdict} ({found.under})" if found.under else found.verdict
    return f"| {found.model} | {verdict} | {transposes} | {found.largest:.0e} | {found.own:.0e} | {found.seconds:.0f} |"


def report(rows: Iterable[Proof]) -> str:
    """The table."""
    head = "| model | verdict | transposes | difference | ONNX Runtime itself | seconds |"
    return f"{head}\n| --- | --- | ---: | ---: | ---: | ---: |\n" + "\n".join(map(summary, rows))


def parsed() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("models", metavar="MODEL", nargs="*", help="names of models (default: all but the large ones)")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="the folder of models and files, which stay")
    parser.add_argument("--quick", action="store_true", help="one small model")
    return parser.parse_args()


def main() -> int:
    arguments = parsed()
    names = arguments.models or (QUICK if arguments.quick else ())
    chosen = [each for each in NETWORKS if (each.name in names if names else not each.large)]
    rows = {row.model: row for row in read_figures(arguments.json, lambda entry: Proof(**entry))}
    for network in chosen:
        with TemporaryDirectory() if arguments.folder is None else nullcontext(arguments.folder) as folder:
            rows[network.name] = proof(network, Path(folder))
        print(summary(rows[network.name]), flush=True)
        write_figures(arguments.json, rows.values())
    if arguments.page is not None:
        found = [rows[network.name] for network in NETWORKS if network.name in rows]
        write_between_markers(arguments.page, "litert proofs", report(found))
    return int(any(rows[network.name].verdict == "different" for network in chosen))


if __name__ == "__main__":
    sys.exit(main())
