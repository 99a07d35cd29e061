"""LiteRT files that npu-opt writes, beside those of other converters: transposes, outputs and run time.

    python benchmarks/litert.py --models-to DIR [MODEL...]
    python benchmarks/litert.py [--peer NAME=DIR]... [--rounds 3] [--json FILE]
        [--page docs/results/litert.md] [MODEL...]

Each model of the set gets random weights and fixed sizes. The first form writes them for other converters, whose files
are DIR/MODEL.tflite of a peer; DIR/conversions.json may have its seconds of processor time and peak memory in bytes:
{"MODEL": {"seconds": 1.5, "memory": 200000000, "failed": ""}}. benchmarks/litert_peers.py runs a converter so.

The second form writes files with the naive placement, with that of `regions-plus` and with the optimal one, with inputs
and outputs stored as in the file of the first peer. Transposes are counted in the files (litert_files.py); all files
run on the same inputs in turns (litert_speed.py), and their outputs are compared with those of ONNX Runtime.

The figures of a model in the file of --json that are not measured again are kept. With `--rounds 0`, only the
optimal file is written and counted, and none is run; files with the same ops and transposes keep their run times.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from figures import parser_of, write_figures
from litert_files import LiteFile
from litert_page import problems, report, summary
from litert_peers import Conversion, converted, read_conversions
from litert_rows import Lane, Row, read_rows
from litert_speed import ran_alone
from marked_page import write_between_markers
from models.catalogue import EXAMPLE_SIZES, NETWORKS, Network
from models.onnx_runs import read_graph
from models.weights import with_random_weights
from onnx import ModelProto, ValueInfoProto
from onnx_checks import tool

OPTIMAL = "optimal"
OURS: Mapping[str, Sequence[str]] = {
    "naive": ["--layout-preset=strategy=naive", "--canonicalize"],
    "regions-plus": ["--layout-preset=strategy=regions-plus", "--canonicalize"],
    OPTIMAL: ["--layout-optimal", "--stats", "--canonicalize"],
}
"""The passes of each of our lanes."""
FOLDED = ("--fold-weights", "--fold-norms")
"""The options of all lanes, since other converters compute what depends on weights alone, and fold norms, as well."""
QUANTISED = ("--recognise-quantised",)
"""The passes before them for quantised models."""
PLACED = re.compile(r"^layout-optimal: (\d+) transposes?, ", re.MULTILINE)
CHANNELS_LAST = {3: "NWC", 4: "NHWC", 5: "NDHWC"}
QUICK = ("espcn",)
"""The models of `--quick`: a small one."""


def with_fixed_sizes(network: Network) -> ModelProto:
    """The model with random weights, for inputs of the sizes with which it is measured."""
    model = read_graph(network.file)
    for value in model.graph.input:
        for size in (each for each in value.type.tensor_type.shape.dim if each.dim_param):
            number = EXAMPLE_SIZES[size.dim_param]
            size.Clear()
            size.dim_value = number
    return with_random_weights(model)


def measure(row: Row, network: Network, peers: Mapping[str, Path], rounds: int) -> None:
    """Measure one model, and note it in its row."""
    before = row.lanes
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, f"{network.name}.onnx")
        proto = with_fixed_sizes(network)
        model.write_bytes(proto.SerializeToString())
        files = {name: directory / f"{network.name}.tflite" for name, directory in peers.items()}
        row.lanes = {name: _peer_lane(directory, network.name) for name, directory in peers.items()}
        reference = next((file for file in files.values() if file.exists()), None)
        interface = [] if reference is None else interface_of(proto, LiteFile(reference))
        del proto
        before_all = (*FOLDED, *QUANTISED) if network.exporter == "quantised" else FOLDED
        for name in OURS if rounds else (OPTIMAL,):
            files[name] = Path(folder, f"{name}.tflite")
            options = [*before_all, *OURS[name], *interface]
            conversion = converted([tool("npu-opt"), str(model), *options, "-o", str(files[name])])
            row.lanes[name] = lane_of(conversion, files[name])
            if placed := PLACED.search(conversion.text):
                row.placed = int(placed[1])
        if not rounds:
            keep_runs(row, before)
            return
        present = {name: file for name, file in files.items() if row.lanes[name].counted is not None}
        unlike = [files[name] for name in present if name in peers and _has_own_weights(peers[name], network.name)]
        for name, ran in zip(present, ran_alone(model, list(present.values()), rounds, unlike), strict=True):
            row.lanes[name].ran = ran


def keep_runs(row: Row, before: Mapping[str, Lane]) -> None:
    """Keep lanes that are not written again, and the run times of files with the same ops and transposes as before."""
    row.lanes |= {name: lane for name, lane in before.items() if name not in row.lanes}
    for name, lane in row.lanes.items():
        known = before.get(name, Lane())
        if lane.counted and known.counted and lane.counted[:-1] == known.counted[:-1]:
            lane.ran = known.ran


def _has_own_weights(directory: Path, model: str) -> bool:
    return read_conversions(directory).get(model, Conversion()).own_weights


def _peer_lane(directory: Path, model: str) -> Lane:
    conversion, file = read_conversions(directory).get(model), directory / f"{model}.tflite"
    if conversion is None and not file.exists():
        return Lane()
    return lane_of(conversion or Conversion(), file)


def lane_of(conversion: Conversion, file: Path) -> Lane:
    if not file.exists():
        return Lane(None, conversion.seconds, conversion.memory, conversion.failed or "no file")
    return Lane(LiteFile(file).counted(), conversion.seconds, conversion.memory)


def interface_of(model: ModelProto, file: LiteFile) -> list[str]:
    """The options that store inputs and outputs as in a file."""
    ends = [*model.graph.input, *model.graph.output]
    stored = {end.name: list(end.shape) for end in (*file.inputs(), *file.outputs())}
    named = [f"{end.name}:{CHANNELS_LAST[len(_shape(end))]}" for end in ends if _is_channels_last(end, stored)]
    return [f"--interface={','.join(named)}"] if named else []


def _shape(value: ValueInfoProto) -> list[int]:
    return [size.dim_value for size in value.type.tensor_type.shape.dim]


def _is_channels_last(end: ValueInfoProto, stored: Mapping[str, Sequence[int]]) -> bool:
    batch, channels, *rest = [*_shape(end), 0, 0]
    found = stored.get(end.name)
    is_moved = found == [batch, *rest[:-2], channels] and found != _shape(end)
    return len(_shape(end)) in CHANNELS_LAST and is_moved


def write_models(folder: Path, networks: Sequence[Network]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for network in networks:
        (folder / f"{network.name}.onnx").write_bytes(with_fixed_sizes(network).SerializeToString())


def chosen(names: Sequence[str], networks: Sequence[Network] = NETWORKS) -> list[Network]:
    known = {network.name: network for network in networks if not network.is_tf}
    if unknown := sorted(set(names) - set(known)):
        raise SystemExit(f"error: unknown: {', '.join(unknown)}; choose from {', '.join(sorted(known))}")
    return [known[name] for name in names] or [network for network in known.values() if not network.large]


def parsed() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("models", metavar="MODEL", nargs="*", help="names of models (default: all but the large ones)")
    parser.add_argument("--models-to", type=Path, metavar="DIR", help="write the models for other converters, only")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=DIR", help="the files of a converter")
    parser.add_argument("--rounds", type=int, default=3, help="the rounds of the measurement of times; 0: keep them")
    parser.add_argument("--quick", action="store_true", help="one small model in one round")
    return parser.parse_args()


def main() -> int:
    arguments = parsed()
    networks = chosen(arguments.models or (QUICK if arguments.quick else ()))
    if arguments.models_to is not None:
        write_models(arguments.models_to, networks)
        return 0
    peers = {name: Path(folder) for name, _, folder in (text.partition("=") for text in arguments.peer)}
    rows = read_rows(arguments.json)
    for network in networks:
        row = rows.setdefault(network.name, Row(network.name))
        measure(row, network, peers, 1 if arguments.quick else arguments.rounds)
        print(summary(row), flush=True)
        write_figures(arguments.json, rows.values())
    order = {network.name: place for place, network in enumerate(NETWORKS)}
    found = sorted(rows.values(), key=lambda row: order[row.model])
    if arguments.page is not None:
        for name, table in report(found).items():
            write_between_markers(arguments.page, name, table)
    wrong = [f"{row.model}: {text}" for row in found for text in problems(row)]
    print("\n".join(wrong), end="\n" * bool(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
