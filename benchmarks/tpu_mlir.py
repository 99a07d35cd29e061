"""ONNX files on Sophgo's NPUs, by the estimates of tpu-mlir: milliseconds, Permutes, fused attentions and traffic.

    python benchmarks/tpu_mlir.py --environment DIR [--chip bm1684x] [--opset 17] [--json FILE] [--page docs/sophgo.md]
        [MODEL...]

DIR is a virtual environment with the package tpu-mlir; docs/sophgo.md says how to make one. Each model has random
weights. Compiled in half precision are the original, what `npu-opt M.onnx -O -o out.onnx` writes, and the same with
`--target=bm1684x`. Of a model in a newer opset than --opset, ours leave in that one (`-t onnx{opset=N}`), and the
original is also compiled as npu-opt writes it there without any pass. Equal files share the figures.

The figures of a model in the file of --json that are not measured again are kept. The exit code is 1 if a file of ours
is refused though the original is not, takes longer than that, or misses an aim.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from figures import parser_of, write_figures
from marked_page import write_between_markers
from models.catalogue import NETWORKS, Network
from models.onnx_runs import read_graph
from models.weights import with_random_weights
from onnx_checks import tool
from tpu_mlir_page import LANES, ORIGINAL, OURS, REWRITTEN, TARGETED, Row, problems, read_rows, report, summary
from tpu_mlir_reports import Estimate, compiled

MODELS = (
    *("shufflenet_v2", "yolo_v8_n", "conformer_s", "mobilevit_s", "segformer_b0"),
    *("swin_t", "convnext_t", "vit_b16"),
)
"""By default: networks with transposes, attention or normalisations, the smallest first."""
PASSES: Mapping[str, Sequence[str]] = {REWRITTEN: (), OURS: ("-O",), TARGETED: ("--target=bm1684x", "-O")}
MISSING = (
    "error: {environment} has no tpu-mlir: it needs a Python 3.10 of its own, with\n"
    "    pip install tpu-mlir==1.30.2 onnx==1.14.1 onnxruntime==1.16.3 onnxsim==0.4.17 psutil\n"
    "and the changes that docs/sophgo.md lists"
)


def measure(row: Row, network: Network, environment: Path, chip: str, opset: int) -> None:
    """Estimate one model, and note it in its row."""
    with tempfile.TemporaryDirectory() as name:
        original = Path(name, "original.onnx")
        proto = with_random_weights(read_graph(network.file))
        original.write_bytes(proto.SerializeToString())
        is_newer = any(each.version > opset for each in proto.opset_import if each.domain in ("", "ai.onnx"))
        del proto
        form = ("-t", f"onnx{{opset={opset}}}") if is_newer else ()
        lanes = [lane for lane in LANES if lane != REWRITTEN or is_newer]
        files = {lane: written(original, lane, form) for lane in lanes}
        row.lanes = of_files(files, environment, chip)


def written(original: Path, lane: str, form: Sequence[str]) -> Path | str:
    """The file of a lane, or what npu-opt says that cannot write it."""
    if lane == ORIGINAL:
        return original
    file = original.with_name(f"{LANES.index(lane)}.onnx")
    command = [tool("npu-opt"), str(original), *PASSES[lane], *form, "-o", str(file)]
    ran = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    return file if ran.returncode == 0 else f"npu-opt: {ran.stderr.strip().splitlines()[-1]}"


def of_files(files: Mapping[str, Path | str], environment: Path, chip: str) -> dict[str, Estimate | str]:
    """The estimates of lanes. Equal files are compiled once."""
    found: dict[str, Estimate | str] = {}
    lanes: dict[str, Estimate | str] = {}
    for lane, file in files.items():
        if isinstance(file, str):
            lanes[lane] = file
            continue
        name = sha256(file.read_bytes()).hexdigest()
        if name not in found:
            with tempfile.TemporaryDirectory() as folder:
                estimate = compiled(environment, chip, file, Path(folder))
            found[name] = estimate if isinstance(estimate, str) else replace(estimate, file=name)
        lanes[lane] = found[name]
    return lanes


def is_installed(environment: Path) -> bool:
    return (environment / "bin" / "model_transform.py").is_file()


def parsed() -> argparse.Namespace:
    parser = parser_of(__doc__)
    known = [network.name for network in NETWORKS]
    parser.add_argument("models", metavar="MODEL", nargs="*", help=f"names of models (default: {', '.join(MODELS)})")
    parser.add_argument("--environment", type=Path, required=True, metavar="DIR", help="the one with tpu-mlir")
    parser.add_argument("--chip", default="bm1684x", help="the processor, as tpu-mlir names it (default: bm1684x)")
    parser.add_argument("--opset", type=int, default=17, help="the newest that tpu-mlir reads (default: 17)")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.models) - set(known)):
        parser.error(f"unknown: {', '.join(unknown)}; choose from {', '.join(sorted(known))}")
    return arguments


def main() -> int:
    arguments = parsed()
    environment = arguments.environment.resolve()
    if not is_installed(environment):
        print(MISSING.format(environment=arguments.environment), file=sys.stderr)
        return 2
    networks = {network.name: network for network in NETWORKS}
    rows = read_rows(arguments.json)
    for name in arguments.models or MODELS:
        row = rows.setdefault(name, Row(name))
        measure(row, networks[name], environment, arguments.chip, arguments.opset)
        print(summary(row), flush=True)
        write_figures(arguments.json, rows.values())
    found = [rows[name] for name in networks if name in rows]
    if arguments.page is not None:
        write_between_markers(arguments.page, "tpu-mlir", report(found))
    wrong = [f"{row.model}: {text}" for row in found for text in problems(row)]
    print("\n".join(wrong), end="\n" * bool(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
