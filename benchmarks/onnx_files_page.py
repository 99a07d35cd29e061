"""The table of benchmarks/onnx_files.py, and what is wrong in it."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from statistics import geometric_mean

from onnx_file_rows import Row
from onnx_peers import PEERS
from onnx_speed import Ratio
from onnx_transposes import Moved

SLOWEST = 0.98
"""The least time of the original relative to ours."""
LARGEST_ERROR = 1e-4
"""The largest difference of outputs, relative to the largest number: floats are added in another order."""


def report(rows: Sequence[Row]) -> str:
    """The table, and a summary of it."""
    titles = ["model", "as it came", "npu-opt", *PEERS, "outputs", "npu-check", "time, original / ours"]
    lines = [_line(titles), _line(["---", *["---:"] * (len(PEERS) + 2), "---", "---", "---:"])]
    lines += [_line(_cells(row)) for row in rows]
    lines.append(_line(_totals(rows)))
    return "\n\n".join(["\n".join(lines), *_paragraphs(rows)])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(row: Row) -> Iterator[str]:
    yield row.model
    yield _count(row.came)
    yield _count(row.ours)
    yield from (_count(row.peers[name]) if name in row.peers else "failed" for name in PEERS)
    yield "" if row.checks is None else "equal" if not row.checks.error else f"{row.checks.error:.0e}"
    yield "" if row.checks is None else row.checks.verdict
    yield "" if row.speed is None else _time(row.speed)


def _count(found: Moved | None) -> str:
    if found is None or not found.transposes:
        return "" if found is None else "0"
    return f"{found.transposes} ({found.bytes / (1 << 20):.1f} MiB)"


def _time(speed: Ratio) -> str:
    return f"{speed.median:.3f} ({speed.low:.3f} to {speed.high:.3f})"


def _totals(rows: Sequence[Row]) -> Iterator[str]:
    yield "**together**"
    yield _count(_sum(row.came for row in rows))
    yield _count(_sum(row.ours for row in rows))
    yield from (_count(_sum(row.peers.get(name) for row in rows)) for name in PEERS)
    equal = sum(row.checks is not None and not row.checks.error for row in rows)
    proved = sum(row.checks is not None and row.checks.verdict == "proved" for row in rows)
    yield f"{equal} equal"
    yield f"{proved} proved"
    speeds = [row.speed.median for row in rows if row.speed is not None]
    yield f"{geometric_mean(speeds):.3f}" if speeds else ""


def _sum(found: Iterable[Moved | None]) -> Moved:
    known = [each for each in found if each is not None]
    return Moved(sum(each.transposes for each in known), sum(each.bytes for each in known))


def _paragraphs(rows: Sequence[Row]) -> Iterator[str]:
    measured = [peer for row in rows for peer in row.peers or ()]
    versions = ", ".join(f"{name} {peer.version}" for name, peer in PEERS.items() if name in measured)
    sentences = [*([f"{versions}."] if versions else []), *_comparisons(rows), *_constant(rows), *_slower(rows)]
    yield textwrap.fill(" ".join(sentences), 120, break_long_words=False, break_on_hyphens=False)
    yield from (f"- {name} fails on {row.model}: {why}" for row in rows for name, why in row.failed.items())


def _comparisons(rows: Sequence[Row]) -> Iterator[str]:
    for name in ("the file as it came", *PEERS):
        pairs = [(row.model, row.came if name not in PEERS else row.peers.get(name), row.ours) for row in rows]
        known = [(model, theirs, ours) for model, theirs, ours in pairs if theirs is not None and ours is not None]
        more = sum(theirs.transposes > ours.transposes for _, theirs, ours in known)
        fewer = [model for model, theirs, ours in known if theirs.transposes < ours.transposes]
        rest = f"fewer on {', '.join(fewer)}" if fewer else "fewer on none"
        yield f"Of {len(known)} models, {name} has more Transposes than ours on {more}, and {rest}."


def _constant(rows: Sequence[Row]) -> Iterator[str]:
    """The Transposes that are not in the table."""
    found = [f"{row.model} {row.ours.constant}" for row in rows if row.ours is not None and row.ours.constant]
    yield f"Transposes in our files that depend on no input, which are not counted: {', '.join(found) or 'none'}."


def _slower(rows: Sequence[Row]) -> Iterator[str]:
    slow = [row.model for row in rows if row.speed is not None and row.speed.median < SLOWEST]
    if any(row.speed is not None for row in rows):
        yield f"Below {SLOWEST} of the time: {', '.join(slow) or 'none'}."


def summary(row: Row) -> str:
    """A row in one line."""
    return _line(_cells(row))


def problems(row: Row, with_speed: bool) -> Iterator[str]:
    """The bounds that a model misses."""
    if row.came is not None and row.ours is not None:
        in_file = row.ours.transposes + row.ours.constant
        if row.printed != in_file:
            yield f"{row.printed} Transposes printed, {in_file} found"
        if row.ours.transposes > row.came.transposes:
            yield f"more Transposes than came: {row.ours.transposes} and {row.came.transposes}"
    if row.checks is not None and not row.checks.error <= LARGEST_ERROR:
        yield f"outputs differ by {row.checks.error:.1g}"
    if row.checks is not None and row.checks.verdict == "different":
        yield "npu-check says that it is different"
    if row.checks is not None and row.checks.invalid:
        yield f"invalid: {row.checks.invalid}"
    if with_speed and row.speed is not None and row.speed.median < SLOWEST:
        yield f"{row.speed.median:.3f} of the speed"
