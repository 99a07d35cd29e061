"""Tables on pages of the documentation, each written by its benchmark between two comments."""

import argparse
from pathlib import Path


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
