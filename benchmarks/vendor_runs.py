"""The flags and the rows of benchmarks of vendors' compilers."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from figures import parser_of, write_figures
from marked_page import write_between_markers
from models.catalogue import NETWORKS, Network
from vendor_rows import EstimateT, Row, by_models, read_rows, report, summary


def parser_of_compiler(
    description: str | None, package: str, chip: str, models: Sequence[str]
) -> argparse.ArgumentParser:
    """A parser with the options that every compiler has."""
    parser = parser_of(description)
    parser.add_argument("models", metavar="MODEL", nargs="*", help=f"names of models (default: {', '.join(models)})")
    parser.add_argument("--environment", type=Path, required=True, metavar="DIR", help=f"the one with {package}")
    parser.add_argument("--chip", default=chip, help=f"the processor, as {package} names it (default: {chip})")
    return parser


def parsed_by(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The arguments, whose models are those of the set."""
    arguments = parser.parse_args()
    known = {network.name for network in NETWORKS}
    if unknown := sorted({*arguments.models} - known):
        parser.error(f"unknown: {', '.join(unknown)}; choose from {', '.join(sorted(known))}")
    return arguments


def measured_rows(
    arguments: argparse.Namespace,
    models: Sequence[str],
    estimate: Callable[..., EstimateT],
    measure: Callable[[Row[EstimateT], Network], None],
    cell: Callable[[EstimateT], str],
) -> list[Row[EstimateT]]:
    """The rows of all models that were ever measured, written after each."""
    networks = {network.name: network for network in NETWORKS}
    rows = read_rows(arguments.json, estimate)
    for name in arguments.models or models:
        row = rows.setdefault(name, Row[EstimateT](name))
        measure(row, networks[name])
        print(summary(row, cell), flush=True)
        write_figures(arguments.json, rows.values())
    return by_models(rows, list(networks))


def exit_code(
    page: Path | None,
    marker: str,
    rows: Sequence[Row[EstimateT]],
    lanes: Sequence[str],
    cell: Callable[[EstimateT], str],
    problems: Callable[[Row[EstimateT]], Iterable[str]],
) -> int:
    """Write the page and print what is wrong: 1 if anything is."""
    if page is not None:
        write_between_markers(page, marker, report(rows, lanes, cell))
    wrong = [f"{row.model}: {text}" for row in rows for text in problems(row)]
    print("\n".join(wrong), end="\n" * bool(wrong))
    return 1 if wrong else 0
