"""Figures of benchmarks/vela.py, their file, and the tables on the page."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import geometric_mean
from typing import Any, TypeAlias

from figures import read_figures
from vela_reports import Estimate

COST = "by cost"
"""The lane of the costs of the accelerator."""

Lanes: TypeAlias = dict[str, Estimate | str]
"""By lane, the estimate or the reason why there is none."""


@dataclass
class Row:
    """Figures of one model, by accelerator."""

    model: str
    lanes: dict[str, Lanes] = field(default_factory=dict[str, Lanes])

    def estimate(self, accelerator: str, lane: str) -> Estimate | None:
        found = self.lanes.get(accelerator, {}).get(lane)
        return found if isinstance(found, Estimate) else None


def lane_of(name: str) -> str:
    """The name of a lane in names of files."""
    return name.replace(" ", "-").replace("+", "-")


def read_rows(file: Path | None) -> dict[str, Row]:
    """The rows in a file, by model."""
    return {row.model: row for row in read_figures(file, _row)}


def _row(entry: dict[str, Any]) -> Row:
    lanes = {
        accelerator: {lane: each if isinstance(each, str) else Estimate(**each) for lane, each in found.items()}
        for accelerator, found in entry["lanes"].items()
    }
    return Row(entry["model"], lanes)


def report(rows: Sequence[Row], came_quantised: Container[str] = ()) -> Mapping[str, str]:
    """The tables by their names on the page. The models that came quantised have tables of their own."""
    accelerators = list(dict.fromkeys(each for row in rows for each in row.lanes))
    found = dict[str, str]()
    for each in accelerators:
        for name, is_quantised in ((each, False), (f"quantised {each}", True)):
            own = [row for row in rows if each in row.lanes and (row.model in came_quantised) == is_quantised]
            if own:
                found[f"vela {name}"] = _table(own, each, is_compared=not is_quantised)
    floats = [row for row in rows if row.model not in came_quantised]
    return {**found, "vela cpu": "\n".join(_reasons(floats, accelerators))} if floats else found


def _table(rows: Sequence[Row], accelerator: str, *, is_compared: bool) -> str:
    """A row for each model. Times are compared only of files that leave about as much to the CPU."""
    lanes = list(dict.fromkeys(lane for row in rows for lane in row.lanes.get(accelerator, {})))
    lines = [["model", *lanes], ["---", *["---:"] * len(lanes)]]
    lines += [[row.model, *(_cell(row, accelerator, lane) for lane in lanes)] for row in rows]
    if is_compared:
        means = "**geometric mean, relative to by cost**", *(_mean(rows, accelerator, lane) for lane in lanes)
        lines.append([*means])
        ratios = ["best other / by cost", "---:", *(_ratio(row, accelerator) for row in rows), ""]
        lines = [[*line, ratio] for line, ratio in zip(lines, ratios, strict=True)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(row: Row, accelerator: str, lane: str) -> str:
    found = row.estimate(accelerator, lane)
    if found is None:
        return "failed"
    cpu = f", CPU {count}" if (count := sum(found.on_cpu.values())) else ""
    return f"{found.milliseconds:.2f} ({found.transposing:.2f}; {found.dram / (1 << 20):.0f} MiB{cpu})"


def _ratio(row: Row, accelerator: str) -> str:
    found = speed(row, accelerator)
    return "" if found is None else f"{found:.2f}"


def speed(row: Row, accelerator: str) -> float | None:
    """The time of the best other lane relative to that of ours by cost."""
    ours = row.estimate(accelerator, COST)
    others = [row.estimate(accelerator, lane) for lane in row.lanes.get(accelerator, {}) if lane != COST]
    known = [each.milliseconds for each in others if each is not None]
    return None if ours is None or not known or not ours.milliseconds else min(known) / ours.milliseconds


def _mean(rows: Iterable[Row], accelerator: str, lane: str) -> str:
    pairs = [(row.estimate(accelerator, lane), row.estimate(accelerator, COST)) for row in rows]
    ratios = [
        each.milliseconds / ours.milliseconds
        for each, ours in pairs
        if each is not None and ours is not None and each.milliseconds and ours.milliseconds
    ]
    return f"{geometric_mean(ratios):.2f} ({len(ratios)})" if ratios else ""


def _reasons(rows: Sequence[Row], accelerators: Sequence[str]) -> Iterator[str]:
    """The ops of our files by cost that are left to the CPU."""
    yield "| accelerator | op and reason | ops | models |"
    yield "|---|---|---:|---:|"
    for accelerator in accelerators:
        estimates = (row.estimate(accelerator, COST) for row in rows)
        found = [_without_names(each.on_cpu) for each in estimates if each is not None]
        totals = sum(found, Counter[str]())
        for reason, count in totals.most_common():
            yield f"| {accelerator} | {reason} | {count} | {sum(reason in each for each in found)} |"


def _without_names(on_cpu: Mapping[str, int]) -> Counter[str]:
    """Ops and reasons, without the tensors that Vela names at their ends."""
    found = Counter[str]()
    for reason, count in on_cpu.items():
        found[reason.split(" (")[0]] += count
    return found


def summary(row: Row) -> str:
    """A row in a few words."""
    cells = [
        f"{accelerator} {lane}: {_cell(row, accelerator, lane)}"
        for accelerator, found in row.lanes.items()
        for lane in found
    ]
    return f"{row.model}: {', '.join(cells)}"
