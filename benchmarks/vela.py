"""LiteRT files on Arm's Ethos-U, by the estimates of Vela: milliseconds, transposes, traffic, ops left to the CPU.

    python benchmarks/vela.py --quantizer PYTHON --vela VELA [--peer NAME=DIR]... [--json FILE]
        [--page docs/results/ethos_u.md]
        [--accelerator NAME]... [MODEL...]
    python benchmarks/vela.py --quantised --vela VELA ...

PYTHON is that of an environment with ai-edge-quantizer, VELA the command of the package ethos-u-vela. Each model has
random weights and fixed sizes, as in benchmarks/litert.py, which also writes them for peers. A lane is a way to a file:
that of a peer, the naive placement, the optimal one by bytes, and the optimal one by the costs of the accelerator. All
are quantised to int8 with the same numbers for calibration, and compiled by Vela for each accelerator. Lanes with equal
files share the figures, and so do files equal to those of the file of --json: another version of Vela needs a new one.
With --quantised, the models came quantised and are only compiled.

The figures of a model in the file of --json that are not measured again are kept.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from figures import parser_of, write_figures
from litert import chosen, interface_of, with_fixed_sizes
from litert_files import LiteFile, digest
from marked_page import write_between_markers
from models.catalogue import NETWORKS, NEWER, Network
from models.onnx_runs import random_inputs
from onnx_checks import tool
from vela_page import COST, Lanes, Row, lane_of, read_rows, report, summary
from vela_reports import Estimate, estimated, quantised

ACCELERATORS = {"ethos-u85-1024": "ethos-u85", "ethos-u55-256": "ethos-u55"}
"""The accelerators, by Vela's names, with their targets."""
BEFORE = ("--fold-weights", "--recognise-norms", "--multiply-reciprocals", "--fold-norms")
BEHIND = ("--canonicalize",)
FOR_NPU = ("-t", "litert{integers-only=true}")
"""The form of the file; with a target it is that of the target."""
SAMPLES = 2
"""The number of inputs for calibration."""
QUANTISED = [each for each in (*NETWORKS, *NEWER) if each.exporter == "quantised" and "image" in each.inputs]
"""Models that came with integers of 8 bits."""
FLOATS = [each for each in NETWORKS if not each.is_tf and each not in QUANTISED]


def lanes(target: str, network: Network) -> Mapping[str, Sequence[str]]:
    """The passes of each of our lanes."""
    if network in QUANTISED:
        return {"-O": ["-O"], COST: ["-O", f"--target={target}"]}
    return {
        "naive": [*BEFORE, "--layout-preset=strategy=naive", *BEHIND, *FOR_NPU],
        "by bytes": [*BEFORE, "--layout-optimal=cost=bytes", *BEHIND, *FOR_NPU],
        COST: [f"--target={target}", *BEFORE, "--layout-optimal", *BEHIND, "--split-transposes"],
    }


@dataclass(frozen=True)
class Tools:
    """The commands of other packages."""

    quantizer: Path | None
    """None if the files are quantised."""
    vela: Path


def measure(row: Row, network: Network, peers: Mapping[str, Path], tools: Tools, accelerators: Sequence[str]) -> None:
    """Estimate one model, and note it in its row."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model, samples = folder / "model.onnx", folder / "samples.npz"
        proto = with_fixed_sizes(network)
        model.write_bytes(proto.SerializeToString())
        arrays = {
            f"{number}:{key}": each for number in range(SAMPLES) for key, each in random_inputs(proto, number).items()
        }
        np.savez(samples, allow_pickle=False, **arrays)
        files = {peer: directory / f"{network.name}.tflite" for peer, directory in peers.items()}
        reference = next((file for file in files.values() if file.exists()), None)
        interface = [] if reference is None else interface_of(proto, LiteFile(reference))
        del proto
        for accelerator in accelerators:
            target = ACCELERATORS[accelerator]
            made = {
                lane: _written(model, lane, options, target, interface)
                for lane, options in lanes(target, network).items()
            }
            known = row.lanes.get(accelerator, {}).values()
            before = {each.file: each for each in known if isinstance(each, Estimate)}
            row.lanes[accelerator] = of_files({**files, **made}, before, accelerator, samples, tools)


def _written(model: Path, lane: str, options: Sequence[str], target: str, interface: Sequence[str]) -> Path:
    """The file of a lane. Only one lane depends on the target."""
    file = model.with_name(f"{lane_of(lane)}{f'-{target}' * (lane == COST)}.tflite")
    if not file.exists():
        command = [tool("npu-opt"), str(model), *options, *interface, "-o", str(file)]
        subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
    return file


def of_files(
    files: Mapping[str, Path], before: Mapping[str, Estimate], accelerator: str, samples: Path, tools: Tools
) -> Lanes:
    """The estimates of lanes. Equal files are compiled once, and those with an estimate not again."""
    found: dict[str, Estimate | str] = dict(before)
    lanes = Lanes()
    for lane, file in files.items():
        if not file.exists():
            lanes[lane] = "no file"
            continue
        name = digest(file)
        if name not in found:
            found[name] = of_file(file, name, accelerator, samples, tools)
        lanes[lane] = found[name]
    return lanes


def of_file(file: Path, name: str, accelerator: str, samples: Path, tools: Tools) -> Estimate | str:
    """The estimate, or the reason why there is none."""
    int8 = file
    if tools.quantizer is not None:
        int8 = samples.with_name(f"{name}.tflite")
        if not int8.exists() and (problem := quantised(tools.quantizer, file, int8, samples)):
            return f"not quantised: {problem}"
    reports = samples.with_name(f"{name}-{accelerator}")
    reports.mkdir()
    try:
        return replace(estimated(tools.vela, accelerator, int8, reports), file=name)
    except subprocess.CalledProcessError as error:
        return f"Vela fails: {str(error.stdout).strip().splitlines()[-1]}"


def parsed() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("models", metavar="MODEL", nargs="*", help="names of models (default: all but the large ones)")
    ways = parser.add_mutually_exclusive_group(required=True)
    ways.add_argument("--quantizer", type=Path, help="the Python of an environment with it")
    ways.add_argument("--quantised", action="store_true", help="the models that came quantised")
    parser.add_argument("--vela", type=Path, required=True, help="the command vela")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=DIR", help="the files of a converter")
    parser.add_argument("--accelerator", action="append", choices=ACCELERATORS, help="only this one")
    return parser.parse_args()


def main() -> int:
    arguments = parsed()
    peers = {name: Path(folder) for name, _, folder in (text.partition("=") for text in arguments.peer)}
    rows = read_rows(arguments.json)
    tools = Tools(arguments.quantizer, arguments.vela)
    for network in chosen(arguments.models, QUANTISED if arguments.quantised else FLOATS):
        row = rows.setdefault(network.name, Row(network.name))
        measure(row, network, peers, tools, arguments.accelerator or list(ACCELERATORS))
        print(summary(row), flush=True)
        write_figures(arguments.json, rows.values())
    found = [rows[network.name] for network in (*FLOATS, *QUANTISED) if network.name in rows]
    if arguments.page is not None:
        came_so = {network.name for network in QUANTISED}
        for name, table in report(found, came_so).items():
            write_between_markers(arguments.page, name, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
