"""The tables of benchmarks/litert.py, and what is wrong in them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from statistics import geometric_mean

from litert_files import Counted
from litert_rows import Lane, Row

OURS = ("naive", "regions-plus", "optimal")
LARGEST_ERROR = 1e-4
"""The largest difference of outputs, relative to the largest number: floats are added in another order."""
SLOWEST = 1.05
"""The longest run time relative to a peer's."""


def report(rows: Sequence[Row]) -> Mapping[str, str]:
    """The tables by their names on the page."""
    peers = _peers(rows)
    lanes, ends = [*peers, *OURS], [*peers, "optimal"]
    shapes = [*(f"ops: {lane}" for lane in ends), *(f"MiB: {lane}" for lane in ends)]
    conversions = [*(f"time / {peer}" for peer in peers), *(f"memory / {peer}" for peer in peers)]
    compared = [lane for lane in ends if any(cell for row in rows for cell in _errors(row, [lane]))]
    times = [*lanes, *(f"difference: {lane}" for lane in compared)]
    ran = [[row.model, *_times(row, lanes), *_errors(row, compared)] for row in rows]
    known = [[row.model, *_conversions(row, peers)] for row in rows if any(_conversions(row, peers))]
    means = [[*_means(rows, peer, lanes), *[""] * len(compared)] for peer in peers]
    moves = _table(["model", *lanes], [[row.model, *_moves(row, lanes)] for row in rows])
    return {
        "litert transposes": "\n\n".join([moves, *_not_written(rows, peers)]),
        "litert files": _table(["model", *shapes], [[row.model, *_files(row, ends)] for row in rows]),
        "litert conversions": _table(["model", *conversions], known),
        "litert run times": "\n\n".join([_table(["model", *times], [*ran, *means]), *_not_run(rows, lanes)]),
    }


def _peers(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(lane for row in rows for lane in row.lanes if lane not in OURS))


def _table(titles: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(map(_line, (titles, ["---", *["---:"] * (len(titles) - 1)], *lines)))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _moves(row: Row, lanes: Sequence[str]) -> Iterator[str]:
    for lane in lanes:
        found = row.counted(lane)
        yield "" if found is None else _moved(found)


def _moved(found: Counted) -> str:
    total = found.transposed + found.moved_by_others
    others = f" + {found.others}" if found.others else ""
    return f"{found.transposes}{others}" + (f" ({total / (1 << 20):.1f} MiB)" if total else "")


def _not_written(rows: Sequence[Row], peers: Sequence[str]) -> Iterator[str]:
    """The models of which a converter has no file, with its reason."""
    for peer in peers:
        failed = [f"{row.model} ({lane.failed})" for row in rows if (lane := row.lanes.get(peer)) and lane.failed]
        if failed:
            yield f"No file of {peer}: {', '.join(failed)}."


def _not_run(rows: Sequence[Row], lanes: Sequence[str]) -> Iterator[str]:
    """The files that LiteRT refuses to run, with its reason."""
    for lane in lanes:
        ran = [(row.model, row.ran(lane)) for row in rows]
        failed = [f"{model} ({found.failed})" for model, found in ran if found is not None and found.failed]
        if failed:
            yield f"LiteRT does not run {lane}'s file of {', '.join(failed)}."


def _files(row: Row, lanes: Sequence[str]) -> Iterator[str]:
    found = [row.counted(lane) for lane in lanes]
    yield from ("" if each is None else str(each.ops) for each in found)
    yield from ("" if each is None else f"{each.size / (1 << 20):.1f}" for each in found)


def _conversions(row: Row, peers: Sequence[str]) -> Iterator[str]:
    ours = row.lanes.get("optimal", Lane())
    found = [row.lanes.get(peer, Lane()) for peer in peers]
    theirs = [each if each.counted else Lane() for each in found]
    yield from (f"{ours.seconds / each.seconds:.2f}" if each.seconds else "" for each in theirs)
    yield from (f"{ours.memory / each.memory:.2f}" if each.memory else "" for each in theirs)


def _times(row: Row, lanes: Sequence[str]) -> Iterator[str]:
    for lane in lanes:
        found = row.ran(lane)
        yield "" if found is None or not found.median else f"{found.median:.2f} ({found.least:.2f})"


def _errors(row: Row, lanes: Sequence[str]) -> Iterator[str]:
    for lane in lanes:
        found = row.ran(lane)
        yield "" if found is None else "fails" if found.failed else "" if isnan(found.error) else f"{found.error:.0e}"


def _means(rows: Sequence[Row], peer: str, lanes: Sequence[str]) -> list[str]:
    """The geometric means relative to a peer, each over the models that both lanes convert, and their number."""
    cells = [f"**geometric mean / {peer}**"]
    for lane in lanes:
        found = [ratio for row in rows if (ratio := _ratio(row, lane, peer)) is not None]
        cells.append(f"{geometric_mean(found):.3f} ({len(found)})" if found else "")
    return cells


def _ratio(row: Row, lane: str, peer: str) -> float | None:
    """The time of a lane relative to another one."""
    ours, theirs = row.ran(lane), row.ran(peer)
    if ours is None or theirs is None or not ours.median or not theirs.median:
        return None
    return ours.median / theirs.median


def summary(row: Row) -> str:
    """A row in one line."""
    lanes = list(row.lanes)
    return _line([row.model, *_moves(row, lanes), *_times(row, lanes), *_errors(row, lanes)])


def problems(row: Row) -> Iterator[str]:
    """The bounds that a model misses."""
    ours = row.lanes.get("optimal", Lane())
    if ours.counted is None:
        yield f"no file: {ours.failed}"
        return
    if row.placed != ours.counted.transposes:
        yield f"{row.placed} transposes placed, {ours.counted.transposes} in the file"
    if ours.ran is not None and not ours.ran.error <= LARGEST_ERROR:
        yield f"outputs differ by {ours.ran.error:.1g}"
    for peer, lane in ((name, lane) for name, lane in row.lanes.items() if name not in OURS):
        if lane.counted is not None and lane.counted.moves < ours.counted.moves:
            yield f"{ours.counted.moves} ops that move data, {peer} has {lane.counted.moves}"
        ratio = _ratio(row, "optimal", peer)
        if ratio is not None and ratio > SLOWEST:
            yield f"{ratio:.2f} of the time of {peer}"
