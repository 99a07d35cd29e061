"""Figures of a benchmark in a JSON file, from which a later run keeps those that it does not measure again."""

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from marked_page import add_page

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

RowT = TypeVar("RowT")


def parser_of(description: str | None) -> argparse.ArgumentParser:
    """A parser with the options for the file of the figures and for the page."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="the file of the figures, which is updated")
    add_page(parser)
    return parser


def read_figures(file: Path | None, row_of: Callable[[dict[str, Any]], RowT]) -> list[RowT]:
    """The rows in a file; none without one."""
    return [] if file is None or not file.exists() else [row_of(entry) for entry in json.loads(file.read_text())]


def write_figures(file: Path | None, rows: Iterable["DataclassInstance"]) -> None:
    if file is not None:
        file.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
