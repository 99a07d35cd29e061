"""Figures of benchmarks/onnx_files.py, and their file."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from figures import read_figures
from onnx_speed import Ratio
from onnx_transposes import Moved


@dataclass
class Checks:
    """The comparison of our file with the original."""

    error: float
    """The largest difference between the outputs in ONNX Runtime, relative to the largest number of an output."""
    verdict: str
    """The verdict of npu-check."""
    invalid: str
    """The reason why onnx's checker refuses the file; empty for a valid one."""


@dataclass
class Row:
    """Figures of one model."""

    model: str
    is_tf: bool = False
    came: Moved | None = None
    printed: int | None = None
    """The transposes that the note about the file counted."""
    ours: Moved | None = None
    peers: dict[str, Moved] = field(default_factory=dict[str, Moved])
    failed: dict[str, str] = field(default_factory=dict[str, str])
    """Peers that write no file which ONNX Runtime runs, with the reason."""
    checks: Checks | None = None
    speed: Ratio | None = None
    """The time of the original relative to that of ours."""

    @property
    def better_peers(self) -> dict[str, Moved]:
        """The peers that leave fewer Transposes."""
        ours = self.ours
        return {} if ours is None else {name: each for name, each in self.peers.items() if each[0] < ours[0]}


def read_rows(file: Path | None) -> dict[str, Row]:
    """The rows in a file, by model."""
    return {row.model: row for row in read_figures(file, _row)}


def _row(entry: dict[str, Any]) -> Row:
    for name, kind in (("came", Moved), ("ours", Moved), ("speed", Ratio)):
        entry[name] = None if entry[name] is None else kind(*entry[name])
    entry["peers"] = {name: Moved(*each) for name, each in entry["peers"].items()}
    entry["checks"] = None if entry["checks"] is None else Checks(**entry["checks"])
    return Row(**entry)
