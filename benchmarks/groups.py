"""The groups of `fuse-ops-hw` beside those of vendors' compilers: which ops pass data on the chip, and the bytes that
travel.

    python benchmarks/groups.py --kept DIR [--tpu-mlir DIR] [--vela VELA --quantizer PYTHON] [--json FILE]
        [--page docs/results/groups.md] [MODEL...]

Each model has random weights and fixed sizes. What `-O` writes for `sophgo-bm1684x` is compiled by tpu-mlir in half
precision, and what it writes for `ethos-u85` is quantised to int8 and compiled by Vela; docs/chips.md says how to
install them. The file that was compiled is read, and grouped by `fuse-ops-hw` for the same target, with both
strategies. The vendor's groups are those of its own output, and ops are the same if they compute the value of one name.

Compiled files and the vendors' groups are in the folder --kept, so that a later run compiles only what is missing. The
figures of a model in the file of --json that are not measured again are kept.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import npu_opt
from figures import parser_of, write_figures
from groups_compare import STRATEGIES, Comparison, compared
from groups_page import cell, lane_of, tables
from groups_vendors import EthosU, Sophgo, Vendor
from marked_page import write_between_markers
from models.catalogue import EVERY, Network
from vendor_rows import Row, by_models, read_rows, text_of

MODELS = (
    *("squeezenet", "mobilenet_v2", "mobilenet_v3", "shufflenet_v2", "resnet50", "googlenet", "efficientnet_b0"),
    *("yolo_v8_n", "levit_128", "mobilevit_s", "segformer_b0", "conformer_s", "crnn"),
)
"""By default: networks of convolutions, of attention, and of both."""


def measure(row: Row[Comparison], network: Network, vendor: Vendor) -> Iterator[str]:
    """Compare the groups of one model on one chip, and note them in its row."""
    found = vendor.groups(network)
    for strategy in STRATEGIES:
        lane = lane_of(vendor.chip, strategy)
        if isinstance(found, str):
            row.lanes[lane] = found
        else:
            file, groups = found
            row.lanes[lane] = compared(npu_opt.load(file).module, vendor.chip, strategy, groups, vendor.scale)
        yield lane


def parsed() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("models", metavar="MODEL", nargs="*", help=f"names of models (default: {', '.join(MODELS)})")
    parser.add_argument("--kept", type=Path, required=True, metavar="DIR", help="the folder of compiled files")
    parser.add_argument("--tpu-mlir", type=Path, metavar="DIR", help="the environment with tpu-mlir")
    parser.add_argument("--vela", type=Path, help="the command vela")
    parser.add_argument("--quantizer", type=Path, help="the Python of an environment with ai-edge-quantizer")
    parser.add_argument("--seconds", type=float, default=600, help="the time for a program of tpu-mlir (default: 600)")
    arguments = parser.parse_args()
    if unknown := sorted({*arguments.models} - {network.name for network in EVERY}):
        parser.error(f"unknown: {', '.join(unknown)}")
    return arguments


def vendors(arguments: argparse.Namespace) -> Sequence[Vendor]:
    """The chips whose compilers are named."""
    kept = arguments.kept.resolve()
    found: list[Vendor] = []
    if arguments.tpu_mlir is not None:
        found.append(Sophgo(kept, arguments.tpu_mlir.resolve(), arguments.seconds))
    if arguments.vela is not None:
        found.append(EthosU(kept, arguments.vela, arguments.quantizer))
    return found


def main() -> int:
    arguments = parsed()
    networks = {network.name: network for network in EVERY}
    rows = read_rows(arguments.json, Comparison)
    for name in arguments.models or MODELS:
        row = rows.setdefault(name, Row[Comparison](name))
        for vendor in vendors(arguments):
            begun = time.monotonic()
            for lane in measure(row, networks[name], vendor):
                print(f"{name}, {lane}, {time.monotonic() - begun:.0f} s: {text_of(row, lane, cell)}", flush=True)
            write_figures(arguments.json, rows.values())
    if arguments.page is not None:
        for marker, text in tables(by_models(rows, list(networks))).items():
            write_between_markers(arguments.page, marker, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
