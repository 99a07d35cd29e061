"""ONNX files that npu-opt writes, beside those of other optimizers: Transposes, outputs, proofs and speed.

    python benchmarks/onnx_files.py [--no-peers] [--no-speed] [--json FILE] [--page docs/results/quality.md] [MODEL...]

Each model of the set and in TensorFlow's style gets random weights. `npu-opt M.onnx -O -o out.onnx`, ONNX Runtime's
offline optimizer, onnxsim and onnxslim write a file each, of which the Transposes are counted alike
(onnx_transposes.py). ONNX Runtime runs the original and ours, npu-check proves that they are equal, and onnx's checker
reads ours. Speed is the processor time of the original relative to ours, in one thread (onnx_speed.py).

The figures of a model in the file of --json that are not measured again are kept.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from figures import parser_of, write_figures
from marked_page import write_between_markers
from models.catalogue import EXAMPLE_SIZES, NETWORKS, Network
from models.onnx_runs import Array, random_inputs, read_graph
from models.weights import with_random_weights
from onnx_checks import checks, tool
from onnx_file_rows import Row, read_rows
from onnx_files_page import problems, report, summary
from onnx_peers import PEERS
from onnx_speed import measured_alone
from onnx_transposes import moved

PRINTED = re.compile(r": note: (\d+) Transposes? in the file", re.MULTILINE)
QUICK = ("crnn",)
"""The models of `--quick`: a small one with a Transpose."""


def measure(row: Row, network: Network, arguments: argparse.Namespace) -> None:
    """Measure one model, and note it in its row."""
    stripped = read_graph(network.file)
    inputs = random_inputs(stripped, **EXAMPLE_SIZES)
    with tempfile.TemporaryDirectory() as folder:
        original, ours = Path(folder, "original.onnx"), Path(folder, "ours.onnx")
        original.write_bytes(with_random_weights(stripped).SerializeToString())
        row.printed = run_npu_opt(original, ours)
        row.came, row.ours = moved(original, inputs), moved(ours, inputs)
        row.checks = checks(original, ours, inputs)
        if not arguments.no_peers:
            measure_peers(row, original, inputs)
        if not arguments.no_speed:
            row.speed = measured_alone(original, ours, arguments.quick)


def run_npu_opt(model: Path, output: Path) -> int:
    """The number of transposes that the note about the file prints."""
    command = [tool("npu-opt"), str(model), "-O", "-o", str(output)]
    text = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True).stderr
    printed = PRINTED.search(text)
    assert printed is not None, text
    return int(printed[1])


def measure_peers(row: Row, original: Path, inputs: Mapping[str, Array]) -> None:
    row.peers, row.failed = {}, {}
    for name, peer in PEERS.items():
        if find_spec(peer.package) is None:
            row.failed[name] = f"not installed: pip install {peer.package}"
            continue
        output = original.with_name(f"{peer.package}.onnx")
        try:
            peer.run(original, output)
            row.peers[name] = moved(output, inputs)
        except Exception as error:  # Whatever a foreign optimizer fails with is its result.
            row.failed[name] = f"{type(error).__name__}: {error}".partition("\n")[0]


def chosen(names: Sequence[str]) -> list[Network]:
    known = {network.name: network for network in NETWORKS}
    if unknown := sorted(set(names) - set(known)):
        raise SystemExit(f"error: unknown: {', '.join(unknown)}; choose from {', '.join(sorted(known))}")
    return [known[name] for name in names] or [network for network in NETWORKS if not network.large]


def parsed() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("models", metavar="MODEL", nargs="*", help="names of models (default: all but the large ones)")
    parser.add_argument("--no-peers", action="store_true", help="leave the other optimizers out")
    parser.add_argument("--no-speed", action="store_true", help="measure no times")
    parser.add_argument("--quick", action="store_true", help="one small model in few turns; no bound applies to times")
    return parser.parse_args()


def main() -> int:
    arguments = parsed()
    rows = read_rows(arguments.json)
    for network in chosen(arguments.models or (QUICK if arguments.quick else ())):
        row = rows.setdefault(network.name, Row(network.name, network.is_tf))
        measure(row, network, arguments)
        print(summary(row), flush=True)
        write_figures(arguments.json, rows.values())
    order = {network.name: place for place, network in enumerate(NETWORKS)}
    found = sorted(rows.values(), key=lambda row: (row.is_tf, order[row.model]))
    if arguments.page is not None:
        write_between_markers(arguments.page, "onnx files", report(found))
    wrong = [f"{row.model}: {text}" for row in found for text in problems(row, with_speed=not arguments.quick)]
    print("\n".join(wrong), end="\n" * bool(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
