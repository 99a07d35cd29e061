"""Measured times of the nodes of a model, which another tool has written, by name."""

from __future__ import annotations

import csv
import json
import math
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from statistics import median
from typing import NoReturn, TypeAlias, cast

from ...text.diagnostics import Report, ReportedError
from ..driver.formats.program import decoded

KERNEL_TIME = "_kernel_time"
"""The end of the name of an event of ONNX Runtime that measures a node."""
MODEL_RUN = "model_run"
"""The event of ONNX Runtime that measures a run of the model."""
LARGEST = sys.float_info.max
CYCLES, NAME = "Op Cycles", "Name"
"""Columns of Vela's table of layers."""

Event: TypeAlias = Mapping[str, object]


@dataclass(frozen=True)
class Times:
    """Times by the names of nodes."""

    file: str
    origin: str
    """The tool that measured or estimated them."""
    unit: str
    of: Mapping[str, float]


def read_times(file: str) -> Times:
    """Read a profile of ONNX Runtime or Vela's table of layers; raises `ReportedError`."""
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise ReportedError(Report(f"cannot read: {error.strerror}", file)) from error
    text = decoded(data, file).removeprefix("\ufeff")
    return _profile(text, file) if text.lstrip().startswith(("[", "{")) else _table(text, file)


def time_text(time: float, unit: str) -> str:
    """A time with three digits: `12.3 us`, `1.23 ms`."""
    if unit == "us" and time >= 1000:
        time, unit = time / 1000, "ms"
    return f"{time:,.0f} {unit}" if time >= 100 else f"{time:.3g} {unit}"


# A profile of ONNX Runtime.


def _profile(text: str, file: str) -> Times:
    try:
        found: object = json.loads(text)
    except json.JSONDecodeError as error:
        _fail(f"not a whole profile of ONNX Runtime: {error.msg}", file, error.lineno, error.colno)
    except (RecursionError, ValueError):
        # A number with thousands of digits is a ValueError.
        _fail("not a profile of ONNX Runtime: too deeply nested, or numbers that are too long", file)
    if not isinstance(found, list):
        _fail("expected a list of events, as ONNX Runtime's SessionOptions.enable_profiling writes", file)
    events = [cast("Event", each) for each in cast("list[object]", found) if isinstance(each, dict)]
    starts = sorted(_number(each, "ts", file) for each in events if each.get("name") == MODEL_RUN)
    runs: dict[str, dict[int, float]] = {}
    for event in events:
        name = event.get("name")
        if isinstance(name, str) and name.endswith(KERNEL_TIME):
            own = runs.setdefault(name.removesuffix(KERNEL_TIME), {})
            run = bisect_right(starts, _number(event, "ts", file))
            own[run] = own.get(run, 0.0) + _number(event, "dur", file)
    if not runs:
        _fail(f"no event '...{KERNEL_TIME}': the profile has no run of a model", file)
    count = max(len(starts), 1)
    origin = f"ONNX Runtime, median of {count} runs" if count > 1 else "ONNX Runtime, one run"
    return Times(file, origin, "us", {name: median(own.values()) for name, own in runs.items()})


def _number(event: Event, key: str, file: str) -> float:
    value = event.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LARGEST:
        _fail(f"event '{event.get('name')}': expected a number as '{key}', found {json.dumps(value)}", file)
    return float(value)


# Vela's table of layers.


def _table(text: str, file: str) -> Times:
    rows = csv.reader(StringIO(text))
    try:
        head = next(rows, list[str]())
        if CYCLES not in head or NAME not in head:
            _fail(
                "expected a profile of ONNX Runtime (JSON), or a table with the columns "
                f"'{CYCLES}' and '{NAME}', as vela --verbose-performance writes",
                file,
            )
        found: dict[str, float] = {}
        for name, cycles in _layers(rows, head, file):
            found[name] = found.get(name, 0.0) + cycles
    except csv.Error as error:
        _fail(f"not a table: {error}", file, rows.line_num)
    if not found:
        _fail("the table has no layers", file)
    return Times(file, "Vela's estimate", "cycles", found)


def _layers(rows: Iterator[list[str]], head: Sequence[str], file: str) -> Iterator[tuple[str, float]]:
    # `rows` is a reader, which knows its line.
    for number, row in enumerate(rows, 2):
        if not row:
            continue
        if len(row) != len(head):
            _fail(f"expected {len(head)} columns, found {len(row)}", file, number)
        cycles = row[at := head.index(CYCLES)]
        try:
            value = float(cycles)
        except ValueError:
            value = math.nan
        if not 0 <= value <= LARGEST:
            column = len(",".join(row[:at])) + 1 + (at > 0)
            _fail(f"expected a number of cycles, found '{cycles}'", file, number, column)
        yield row[head.index(NAME)], value


def _fail(message: str, file: str, line: int = 1, column: int = 1) -> NoReturn:
    raise ReportedError(Report(message, f"{file}:{line}:{column}"))
