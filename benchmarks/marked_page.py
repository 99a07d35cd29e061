"""Tables on pages of the documentation, each written by its benchmark between two comments."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

RowT = TypeVar("RowT")


def add_page(parser: argparse.ArgumentParser) -> None:
    """The option that names the page."""
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the table into this page, between its markers")


def write_between_markers(page: Path, name: str, table: str) -> None:
    """Replace the text between `<!-- name -->` and `<!-- end of name -->`."""
    before, begin, rest = page.read_text().partition(f"<!-- {name} -->\n")
    _, end, behind = rest.partition(f"<!-- end of {name} -->\n")
    if not end:
        raise ValueError(f"{page} has no markers for '{name}'")
    page.write_text(f"{before}{begin}\n{table.strip()}\n\n{end}{behind}")


def parser_of_models(description: str | None) -> argparse.ArgumentParser:
    """A parser with models and the option that names the page."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", metavar="MODEL", nargs="*", type=Path)
    add_page(parser)
    return parser


def print_rows(head: str, models: Iterable[Path], measured: Callable[[Path], RowT]) -> list[RowT]:
    """Measure all models, and print each row as soon as it is known."""
    print(head)
    rows: list[RowT] = []
    for model in models:
        rows.append(measured(model))
        print(rows[-1], flush=True)
    return rows


def write_rows(page: Path | None, name: str, rows: Sequence[RowT], table: Callable[[Sequence[RowT]], str]) -> None:
    """Write the table of these rows into the page, if one is named."""
    if page is not None:
        write_between_markers(page, name, table(rows))
