"""Figures of benchmarks/tpu_mlir.py, their file, the tables on the page, and the aims that are missed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from figures import read_figures
from tpu_mlir_reports import Estimate

ORIGINAL, REWRITTEN, OURS, TARGETED = "original", "older opset", "-O", "--target=bm1684x -O"
LANES = (ORIGINAL, REWRITTEN, OURS, TARGETED)
SLOWER = 1.01
"""The most that our file may take, relative to the original."""
AIMS = {"mobilevit_s": 2.75, "segformer_b0": 4.35, "shufflenet_v2": 0.51}
"""The most milliseconds that the faster of our files may take."""


@dataclass
class Row:
    """Figures of one model."""

    model: str
    lanes: dict[str, Estimate | str] = field(default_factory=dict[str, Estimate | str])
    """By lane, the estimate or the reason why there is none."""

    def estimate(self, lane: str) -> Estimate | None:
        found = self.lanes.get(lane)
        return found if isinstance(found, Estimate) else None


def read_rows(file: Path | None) -> dict[str, Row]:
    """The rows in a file, by model."""
    return {row.model: row for row in read_figures(file, _row)}


def _row(entry: dict[str, Any]) -> Row:
    lanes = {lane: each if isinstance(each, str) else Estimate(**each) for lane, each in entry["lanes"].items()}
    return Row(entry["model"], lanes)


def problems(row: Row) -> Iterator[str]:
    """The aims that a row misses."""
    came = row.estimate(ORIGINAL) or row.estimate(REWRITTEN)
    for lane in (OURS, TARGETED):
        found = row.lanes.get(lane)
        if isinstance(found, str) and came is not None:
            yield f"{lane}: refused, which the original is not: {found}"
        elif isinstance(found, Estimate) and came is not None and found.milliseconds > SLOWER * came.milliseconds:
            yield f"{lane}: {found.milliseconds:.3f} ms, the original takes {came.milliseconds:.3f}"
    times = [each.milliseconds for lane in (OURS, TARGETED) if (each := row.estimate(lane)) is not None]
    aim = AIMS.get(row.model)
    if aim is not None and times and min(times) > aim:
        yield f"{min(times):.3f} ms, the aim is {aim}"


def report(rows: Sequence[Row]) -> str:
    """The tables of the figures and of the files that are refused."""
    lines = [["model", *(f"`{lane}`" if lane[0] == "-" else lane for lane in LANES)], ["---", *["---:"] * len(LANES)]]
    lines += [[row.model, *(_cell(row, lane) for lane in LANES)] for row in rows]
    table = [f"| {' | '.join(line)} |" for line in lines]
    refused = [(row.model, lane, each) for row in rows for lane, each in row.lanes.items() if isinstance(each, str)]
    if refused:
        table += ["", "| refused | file | message |", "| --- | --- | --- |"]
        table += [f"| {model} | {lane} | `{text.replace('|', '/')}` |" for model, lane, text in refused]
    return "\n".join(table)


def _cell(row: Row, lane: str) -> str:
    found = row.estimate(lane)
    if found is None:
        return "refused" if lane in row.lanes else ""
    permutes = f"{found.permutes}: {found.permuting:.3f}" if found.permutes else "0"
    return f"{found.milliseconds:.3f} ({permutes}; {found.attentions}; {found.ddr / (1 << 20):.1f} MiB)"


def summary(row: Row) -> str:
    """A row in a few words."""
    return f"{row.model}: {', '.join(f'{lane} {_cell(row, lane)}' for lane in row.lanes)}"
