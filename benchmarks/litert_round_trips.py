"""LiteRT files read and written again, both run on the same inputs.

    python benchmarks/litert_round_trips.py [--json FILE]
        [--page docs/results/litert.md] onnx2tf=DIR litert-torch=DIR...

`npu-opt MODEL.tflite -o AGAIN.tflite` without passes writes each file of a folder again. The table has a row for each
converter: its files, how many of them compute the same bits as before, and the others with the reason. The figures in
the file of --json that are not measured again are kept.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from figures import parser_of, read_figures, write_figures
from litert_peers import converted
from litert_proofs import reason_of
from litert_speed import difference
from marked_page import write_between_markers
from models.onnx_runs import Array
from npu_opt.bridges.litert.engine import LiteEnd, LiteEngine, LiteRunError
from npu_opt.layout import DYNAMIC
from onnx_checks import tool

SEED = 0
NOT_RUN = "LiteRT does not run it"
LARGEST_INDEX = 100
"""Integers are below this, as indices of every vocabulary are."""


@dataclass(frozen=True)
class RoundTrip:
    """A file, and the one written of it."""

    converter: str
    model: str
    failed: str = ""
    """The reason why there is nothing to compare."""
    difference: float = 0
    """The largest one of an output, relative to its largest number; 0 if all bits are the same."""


def round_trip(converter: str, file: Path) -> RoundTrip:
    """Write a file again, and compare the outputs of both."""
    try:
        engine = LiteEngine(file)
        inputs = random_inputs(engine.inputs)
        expected = engine.run(inputs)
    except LiteRunError as error:
        print(f"{file}: {error}", file=sys.stderr)
        return RoundTrip(converter, file.stem, NOT_RUN)
    del engine
    with TemporaryDirectory() as folder:
        again = Path(folder) / file.name
        conversion = converted([tool("npu-opt"), str(file), "-o", str(again)])
        if conversion.failed:
            return RoundTrip(converter, file.stem, reason_of(conversion.text) or conversion.failed)
        try:
            found = LiteEngine(again).run(inputs)
        except LiteRunError as error:
            print(f"{again}: {error}", file=sys.stderr)
            return RoundTrip(converter, file.stem, "what is written does not run")
    return RoundTrip(converter, file.stem, difference=largest(found, expected))


def random_inputs(ends: Iterable[LiteEnd]) -> list[Array]:
    """Random inputs; unknown sizes are 2."""
    random = np.random.default_rng(SEED)
    return [_random(random, end) for end in ends]


def _random(random: np.random.Generator, end: LiteEnd) -> Array:
    shape = [2 if size == DYNAMIC else size for size in end.shape]
    if "mask" in end.name:
        return np.ones(shape, end.dtype)
    if np.issubdtype(end.dtype, np.integer):
        return random.integers(1, LARGEST_INDEX, shape, end.dtype)
    return random.standard_normal(shape).astype(end.dtype)


def largest(found: Sequence[Array], expected: Sequence[Array]) -> float:
    """The largest difference of outputs; 0 if all bits are the same."""
    pairs = [pair for pair in zip(found, expected, strict=True) if pair[0].tobytes() != pair[1].tobytes()]
    return max((difference(*pair) or sys.float_info.min for pair in pairs), default=0)


def report(rows: Sequence[RoundTrip]) -> str:
    """The table: a row for each converter."""
    head = "| converter | files | the same bits | others |\n| --- | ---: | ---: | --- |\n"
    names = dict.fromkeys(row.converter for row in rows)
    return head + "\n".join(_summary(name, [row for row in rows if row.converter == name]) for name in names)


def _summary(converter: str, rows: Sequence[RoundTrip]) -> str:
    others: dict[str, list[str]] = {}
    for row in rows:
        if row.failed or row.difference:
            others.setdefault(row.failed or f"differs by {row.difference:.0e}", []).append(row.model)
    same = len(rows) - sum(map(len, others.values()))
    texts = [f"{', '.join(names)}: {reason}" for reason, names in others.items()]
    return f"| {converter} | {len(rows)} | {same} | {'; '.join(texts)} |"


def parsed() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("folders", metavar="NAME=DIR", nargs="+", help="a converter, and the folder of its files")
    parser.add_argument("--only", metavar="MODEL", nargs="+", help="names of files (default: all)")
    return parser.parse_args()


def main() -> int:
    arguments = parsed()
    known = read_figures(arguments.json, lambda entry: RoundTrip(**entry))
    rows = {(row.converter, row.model): row for row in known}
    for name, _, folder in (each.partition("=") for each in arguments.folders):
        for file in sorted(Path(folder).glob("*.tflite")):
            if arguments.only and file.stem not in arguments.only:
                continue
            row = rows[name, file.stem] = round_trip(name, file)
            print(name, row.model, row.failed or f"{row.difference:.1e}", flush=True)
            write_figures(arguments.json, rows.values())
    if arguments.page is not None:
        write_between_markers(arguments.page, "litert round trips", report(list(rows.values())))
    return int(any(row.difference for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
