"""Figures of benchmarks of a vendor's compiler: a model's files by lane, their tables, and what is lost."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from figures import read_figures

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

ORIGINAL, OURS = "original", "-O"
"""The lanes that every compiler has: the file as it came, and that of npu-opt for ONNX in general."""
EstimateT = TypeVar("EstimateT", bound="DataclassInstance")


@dataclass
class Row(Generic[EstimateT]):
    """Figures of one model."""

    model: str
    lanes: dict[str, EstimateT | str] = field(default_factory=dict[str, EstimateT | str])
    """By lane, the estimate or the reason why there is none."""
    files: dict[str, str] = field(default_factory=dict[str, str])
    """By lane, the digest of the file's graph."""

    def estimate(self, lane: str) -> EstimateT | None:
        found = self.lanes.get(lane)
        return None if isinstance(found, str) else found

    @property
    def by_file(self) -> dict[str, EstimateT | str]:
        """The estimates by the digests of their graphs."""
        return {name: self.lanes[lane] for lane, name in self.files.items()}


def read_rows(file: Path | None, estimate: Callable[..., EstimateT]) -> dict[str, Row[EstimateT]]:
    """The rows in a file, by model."""

    def row(entry: dict[str, Any]) -> Row[EstimateT]:
        lanes = {lane: each if isinstance(each, str) else estimate(**each) for lane, each in entry["lanes"].items()}
        return Row(entry["model"], lanes, entry["files"])

    return {row.model: row for row in read_figures(file, row)}


def refused_only_by_us(row: Row[EstimateT], came: EstimateT | None, ours: Sequence[str]) -> Iterator[str]:
    """The files of ours that are refused, though the original is not."""
    for lane in ours:
        if isinstance(found := row.lanes.get(lane), str) and came is not None:
            yield f"{lane}: refused, which another is not: {found}"


def report(rows: Sequence[Row[EstimateT]], lanes: Sequence[str], cell: Callable[[EstimateT], str]) -> str:
    """The tables of the figures and of the files that are refused."""
    lines = [["model", *map(_title, lanes)], ["---", *["---:"] * len(lanes)]]
    lines += [[row.model, *(_cell(row, lane, cell) for lane in lanes)] for row in rows]
    table = [f"| {' | '.join(line)} |" for line in lines]
    refused = [(row.model, lane, each) for row in rows for lane, each in row.lanes.items() if isinstance(each, str)]
    if refused:
        table += ["", "| refused | file | message |", "| --- | --- | --- |"]
        table += [f"| {model} | {_title(lane)} | `{text.replace('|', '/')}` |" for model, lane, text in refused]
    return "\n".join(table)


def _title(lane: str) -> str:
    return f"`{lane}`" if lane.startswith("-") else lane


def _cell(row: Row[EstimateT], lane: str, cell: Callable[[EstimateT], str]) -> str:
    found = row.estimate(lane)
    if found is None:
        return "refused" if lane in row.lanes else ""
    return cell(found)


def text_of(row: Row[EstimateT], lane: str, cell: Callable[[EstimateT], str]) -> str:
    """A lane in a few words."""
    found = row.lanes[lane]
    return f"refused: {found}" if isinstance(found, str) else cell(found)


def by_models(rows: Mapping[str, Row[EstimateT]], models: Sequence[str]) -> list[Row[EstimateT]]:
    """The rows in the order of these models."""
    return [rows[name] for name in models if name in rows]
