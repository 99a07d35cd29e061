"""The flags and the rows of benchmarks of vendors' compilers."""

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from figures import parser_of, write_figures
from marked_page import write_between_markers
from models.catalogue import EVERY, Network
from vendor_rows import EstimateT, Row, by_models, read_rows, report, text_of


def parser_of_compiler(
    description: str | None, package: str, chip: str, models: Sequence[str], lanes: Sequence[str]
) -> argparse.ArgumentParser:
    """A parser with the options that every compiler has."""
    parser = parser_of(description)
    parser.add_argument("models", metavar="MODEL", nargs="*", help=f"names of models (default: {', '.join(models)})")
    parser.add_argument("--environment", type=Path, required=True, metavar="DIR", help=f"the one with {package}")
    parser.add_argument("--chip", default=chip, help=f"the processor, as {package} names it (default: {chip})")
    parser.add_argument("--seconds", type=float, default=600, help="the time for a file (default: 600)")
    parser.add_argument("--lane", action="append", choices=lanes, help="a column to measure (default: all)")
    return parser


def parsed_by(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The arguments, whose models are those of the set."""
    arguments = parser.parse_args()
    known = {network.name for network in EVERY}
    if unknown := sorted({*arguments.models} - known):
        parser.error(f"unknown: {', '.join(unknown)}; choose from {', '.join(sorted(known))}")
    return arguments


def measured_rows(
    arguments: argparse.Namespace,
    models: Sequence[str],
    estimate: Callable[..., EstimateT],
    measure: Callable[[Row[EstimateT], Network], Iterator[str]],
    cell: Callable[[EstimateT], str],
) -> list[Row[EstimateT]]:
    """The rows of all models that were ever measured, written after each lane, which `measure` yields."""
    networks = {network.name: network for network in EVERY}
    rows = read_rows(arguments.json, estimate)
    for name in arguments.models or models:
        row = rows.setdefault(name, Row[EstimateT](name))
        begun = time.monotonic()
        for lane in measure(row, networks[name]):
            print(f"{name}, {lane}, {time.monotonic() - begun:.0f} s: {text_of(row, lane, cell)}", flush=True)
            write_figures(arguments.json, rows.values())
            begun = time.monotonic()
    return by_models(rows, list(networks))


def exit_code(
    page: Path | None,
    marker: str,
    rows: Sequence[Row[EstimateT]],
    lanes: Sequence[str],
    cell: Callable[[EstimateT], str],
    problems: Callable[[Row[EstimateT]], Iterable[str]],
    summary: Callable[[Sequence[Row[EstimateT]]], str] | None = None,
) -> int:
    """Write the page and print what is wrong: 1 if anything is."""
    if page is not None:
        text = "" if summary is None else summary(rows)
        write_between_markers(page, marker, f"{text}\n\n{report(rows, lanes, cell)}")
    wrong = [f"{row.model}: {text}" for row in rows for text in problems(row)]
    print("\n".join(wrong), end="\n" * bool(wrong))
    return 1 if wrong else 0
