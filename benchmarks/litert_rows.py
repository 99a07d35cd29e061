"""Figures of benchmarks/litert.py, and their file."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from figures import read_figures
from litert_files import Counted
from litert_speed import Ran


@dataclass
class Lane:
    """One way from a model to a file."""

    counted: Counted | None = None
    seconds: float = 0
    """Processor time of the conversion; 0 if it is not known."""
    memory: int = 0
    """The peak memory of the conversion, in bytes; 0 if it is not known."""
    failed: str = ""
    """The reason why there is no file."""
    ran: Ran | None = None


@dataclass
class Row:
    """Figures of one model, by lane."""

    model: str
    lanes: dict[str, Lane] = field(default_factory=dict[str, Lane])
    placed: int | None = None
    """The transposes that layout-optimal said."""

    def counted(self, lane: str) -> Counted | None:
        return self.lanes[lane].counted if lane in self.lanes else None

    def ran(self, lane: str) -> Ran | None:
        return self.lanes[lane].ran if lane in self.lanes else None


def read_rows(file: Path | None) -> dict[str, Row]:
    """The rows in a file, by model."""
    return {row.model: row for row in read_figures(file, _row)}


def _row(entry: dict[str, Any]) -> Row:
    entry["lanes"] = {name: _lane(lane) for name, lane in entry["lanes"].items()}
    return Row(**entry)


def _lane(entry: dict[str, Any]) -> Lane:
    entry["counted"] = None if entry["counted"] is None else Counted(*entry["counted"])
    entry["ran"] = None if entry["ran"] is None else Ran(**entry["ran"])
    return Lane(**entry)
