"""Decoders with their caches and newer networks as npu-opt writes them: Transposes, outputs and proofs.

    python benchmarks/newer.py [--no-peers] [--peer onnx2tf=DIR] [--json FILE] [--page docs/results/newer.md] [MODEL...]
    python benchmarks/newer.py --models-to DIR [MODEL...]

Each model gets random weights. `npu-opt M.onnx -O -o out.onnx` writes an ONNX file, with `--target=onnxruntime` one
with ops of ONNX Runtime, and `npu-opt M.onnx -O --size NAME=SIZE... -o out.tflite` one of LiteRT; all prove what they
write, and all files run beside the model. The Transposes of the ONNX files are counted beside those of other optimizers
(onnx_peers.py), those of the LiteRT file beside those of a converter, whose files are in DIR (litert_peers.py). The
second form writes the models with fixed sizes, for that converter.

The figures of a model in the file of --json that are not measured again are kept.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from figures import parser_of, read_figures, write_figures
from litert_files import LiteFile
from litert_peers import converted
from litert_proofs import reason_of
from litert_speed import error_of
from marked_page import write_between_markers
from models.catalogue import DECODERS, EXAMPLE_SIZES, NEWER, Network
from models.onnx_runs import Array, random_inputs, read_graph, run
from models.weights import with_random_weights
from onnx import ModelProto
from onnx_checks import largest_error, run_file, tool
from onnx_peers import PEERS
from onnx_transposes import moved

SETS: Mapping[str, Sequence[Network]] = {"decoders": DECODERS, "newer": NEWER}
"""The sets, by the name of their table."""
CONVERTERS = ("onnx2tf",)
RUNTIME = "ONNX Runtime"
"""The optimizer that writes ops of its own."""
PROVED, UNDECIDED = "proved", "undecided"
BY_NUMBERS = re.compile(r"remark: the file is verified by random inputs only: (?P<reason>.*)")
ROUNDING = 1e-3
"""The largest difference, relative to the largest number, of outputs whose steps round differently."""


@dataclass
class Written:
    """A file that npu-opt wrote."""

    failed: str = ""
    transposes: int = 0
    error: float = 0
    """The largest difference of an output from that of the model, relative to its largest number."""
    verdict: str = ""
    reason: str = ""
    """The reason why the file is not proved."""


@dataclass
class Row:
    """Figures of one model."""

    model: str
    came: int = 0
    onnx: Written = field(default_factory=Written)
    runtime: Written = field(default_factory=Written)
    """The file for ONNX Runtime."""
    litert: Written = field(default_factory=Written)
    peers: dict[str, int] = field(default_factory=dict[str, int])
    failed: dict[str, str] = field(default_factory=dict[str, str])
    """Peers that write no file that runs, with the reason."""


def row_of(entry: dict[str, Any]) -> Row:
    entry |= {name: Written(**entry[name]) for name in ("onnx", "runtime", "litert") if name in entry}
    return Row(**entry)


def measure(row: Row, network: Network, converters: Mapping[str, Path], with_peers: bool) -> None:
    """Measure one model, and note it in its row."""
    stripped = read_graph(network.file)
    inputs = random_inputs(stripped, **EXAMPLE_SIZES)
    with TemporaryDirectory() as folder:
        model = Path(folder, f"{network.name}.onnx")
        model.write_bytes(with_random_weights(stripped).SerializeToString())
        row.came = moved(model, inputs).transposes
        expected = run_file(model, inputs)
        file = Path(folder, "out.onnx")
        row.onnx, row.runtime = (
            write_onnx(model, file, options, inputs, expected) for options in ([], ["--target=onnxruntime"])
        )
        file = Path(folder, "out.tflite")
        row.litert = write(model, file, sizes_of(stripped))
        if not row.litert.failed:
            row.litert.transposes = LiteFile(file).counted().transposes
            names = [value.name for value in stripped.graph.output]
            # The optimizations of ONNX Runtime compute quantised models in integers, as LiteRT does, and round operands
            # of products with weights of four bits to integers, as LiteRT does not.
            exact = run(read_graph(model), inputs, is_optimized=False)
            errors = [error_of(file, inputs, dict(zip(names, each, strict=True))) for each in (expected, exact)]
            row.litert.failed = next((error for error in errors if isinstance(error, str)), "")
            row.litert.error = min((error for error in errors if not isinstance(error, str)), default=0)
        if with_peers:
            measure_peers(row, model, inputs)
    measure_converters(row, network, inputs, converters)


def measure_converters(row: Row, network: Network, inputs: dict[str, Array], converters: Mapping[str, Path]) -> None:
    """Count in the files of converters that LiteRT runs."""
    for name, files in converters.items():
        file = files / f"{network.name}.tflite"
        row.peers.pop(name, None)
        row.failed.pop(name, None)
        if not file.exists():
            continue
        if isinstance(failed := error_of(file, inputs, None), str):
            row.failed[name] = failed
        else:
            row.peers[name] = LiteFile(file).counted().transposes


def sizes_of(model: ModelProto) -> list[str]:
    """The options that fix the sizes of the inputs."""
    names = {size.dim_param for value in model.graph.input for size in value.type.tensor_type.shape.dim}
    return [f"--size={name}={EXAMPLE_SIZES[name]}" for name in sorted(names - {""})]


def write(model: Path, output: Path, options: Sequence[str]) -> Written:
    """Write a file with `-O`."""
    done = converted([tool("npu-opt"), str(model), "-O", *options, "-o", str(output)])
    if done.failed:
        return Written((reason_of(done.text) or done.failed).replace(f"{model.parent}/", ""))
    found = BY_NUMBERS.search(done.text)
    return Written(verdict=PROVED) if found is None else Written(verdict=UNDECIDED, reason=found["reason"])


def write_onnx(
    model: Path, output: Path, options: Sequence[str], inputs: Mapping[str, Array], expected: Sequence[Array]
) -> Written:
    """Write an ONNX file, count its Transposes and run it."""
    written = write(model, output, options)
    if not written.failed:
        written.transposes = moved(output, inputs).transposes
        written.error = largest_error(expected, run_file(output, inputs))
    return written


def measure_peers(row: Row, model: Path, inputs: Mapping[str, Array]) -> None:
    row.peers, row.failed = {}, {}
    for name, peer in PEERS.items():
        output = model.with_name(f"{peer.package}.onnx")
        try:
            peer.run(model, output)
            row.peers[name] = moved(output, inputs).transposes
        except Exception as error:  # Whatever a foreign optimizer fails with is its result.
            row.failed[name] = f"{type(error).__name__}: {error}".partition("\n")[0]


def table(rows: Sequence[Row]) -> str:
    """The table of a set, and the reasons why files are missing."""
    ours, checks = ["came", "npu-opt", "with its ops"], ["difference", "proof"]
    heads = ["model", *ours, *PEERS, *checks, "LiteRT", *CONVERTERS, *checks]
    sides = ["---", *["--:"] * (len(ours) + len(PEERS)), "--:", "---", *["--:"] * (1 + len(CONVERTERS)), "--:", "---"]
    found = [(row.model, written.failed) for row in rows for written in (row.onnx, row.runtime, row.litert)]
    found += [(row.model, f"{name}: {failed}") for row in rows for name, failed in row.failed.items()]
    missing = [(model, failed) for model, failed in found if failed]
    reasons = [f"- {model}: {reason}" for model, reason in missing]
    return "\n".join([*map(_line, (heads, sides, *map(_cells, rows))), *[""] * bool(missing), *reasons])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(row: Row) -> list[str]:
    def left(written: Written) -> list[str]:
        return ["no file" if written.failed else str(written.transposes)]

    def checked(*files: Written) -> list[str]:
        error = max(written.error for written in files)
        verdict = next((written.verdict for written in files if written.verdict != PROVED), PROVED)
        return ["", ""] if any(written.failed for written in files) else [f"{error:.0e}" if error else "0", verdict]

    def peers(names: Sequence[str]) -> list[str]:
        return [str(row.peers[name]) if name in row.peers else "-" for name in names]

    files = [*left(row.onnx), *left(row.runtime)]
    ours = [row.model, str(row.came), *files, *peers([*PEERS]), *checked(row.onnx, row.runtime)]
    return [*ours, *left(row.litert), *peers(CONVERTERS), *checked(row.litert)]


def problems(row: Row) -> Iterator[str]:
    """The figures that are not as they should be."""
    of_onnx = [name for name in PEERS if name != RUNTIME]
    files = {"ONNX": (row.onnx, of_onnx), "onnxruntime": (row.runtime, [*PEERS]), "LiteRT": (row.litert, CONVERTERS)}
    for name, (written, others) in files.items():
        if written.failed:
            yield f"{name}: {written.failed}"
        if written.reason:
            yield f"{name}: {written.reason}"
        if not written.error <= ROUNDING:
            yield f"{name}: outputs differ by {written.error:.1e}"
        better = [
            peer for peer in others if not written.failed and row.peers.get(peer, sys.maxsize) < written.transposes
        ]
        yield from (f"{name}: {peer} leaves {row.peers[peer]} Transposes of {written.transposes}" for peer in better)


def write_models(folder: Path, networks: Sequence[Network]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for network in networks:
        model = read_graph(network.file)
        for value in model.graph.input:
            for size in (each for each in value.type.tensor_type.shape.dim if each.dim_param):
                size.dim_value = EXAMPLE_SIZES[size.dim_param]
        (folder / f"{network.name}.onnx").write_bytes(with_random_weights(model).SerializeToString())


def parsed() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("models", metavar="MODEL", nargs="*", help="names of models (default: all but the large ones)")
    parser.add_argument("--no-peers", action="store_true", help="keep the figures of the other optimizers")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=DIR", help="the files of a converter")
    parser.add_argument("--models-to", type=Path, metavar="DIR", help="write the models for other converters, only")
    return parser.parse_args()


def main() -> int:
    arguments = parsed()
    known = {network.name: network for networks in SETS.values() for network in networks}
    if unknown := sorted({*arguments.models} - {*known}):
        raise SystemExit(f"error: unknown: {', '.join(unknown)}; choose from {', '.join(sorted(known))}")
    chosen = [known[name] for name in arguments.models] or [each for each in known.values() if not each.large]
    if arguments.models_to is not None:
        write_models(arguments.models_to, chosen)
        return 0
    converters = {name: Path(folder) for name, _, folder in (text.partition("=") for text in arguments.peer)}
    rows = {row.model: row for row in read_figures(arguments.json, row_of)}
    for network in chosen:
        row = rows.setdefault(network.name, Row(network.name))
        measure(row, network, converters, not arguments.no_peers)
        print(_line(_cells(row)), *problems(row), sep="\n  ", flush=True)
        write_figures(arguments.json, rows.values())
    if arguments.page is not None:
        for name, networks in SETS.items():
            found = [rows[network.name] for network in networks if network.name in rows]
            write_between_markers(arguments.page, name, table(found))
    return int(any(True for row in rows.values() for _ in problems(row)))


if __name__ == "__main__":
    sys.exit(main())
