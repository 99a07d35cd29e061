"""Figures of benchmarks/tpu_mlir.py on the page, and the aims that are missed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import geometric_mean

from onnx_peers import PEERS
from tpu_mlir_reports import Estimate
from vendor_rows import ORIGINAL, OURS, Row, refused_only_by_us

REWRITTEN = "older opset"
TARGETED, FOR_INT8 = "--target=sophgo-bm1684x -O", "--target=sophgo-bm1684x-int8 -O"
EVERY_LANE = (ORIGINAL, REWRITTEN, *PEERS, OURS, TARGETED, FOR_INT8)
SLOWER = 1 / 0.99
"""The most that a file of ours may take, relative to the best of those that it is compared with."""
AIMS: Mapping[str, float] = {"mobilevit_s": 2.7, "shufflenet_v2": 0.46}
"""The most milliseconds that the file for the target may take."""


def lanes(is_int8: bool) -> Sequence[str]:
    """The columns of a table."""
    return [lane for lane in EVERY_LANE if lane != (TARGETED if is_int8 else FOR_INT8)]


def _targeted(row: Row[Estimate]) -> str:
    """The file for the target, in half precision or int8."""
    return FOR_INT8 if FOR_INT8 in row.lanes else TARGETED


def problems(row: Row[Estimate]) -> Iterator[str]:
    """The aims that a row misses: the file for ONNX is compared with the original, that for the target with all."""
    targeted = _targeted(row)
    for ours, others in ((OURS, (ORIGINAL, REWRITTEN)), (targeted, row.lanes)):
        best = _best(row, others)
        yield from refused_only_by_us(row, best, (ours,))
        found = row.estimate(ours)
        if found is not None and best is not None and found.milliseconds > SLOWER * best.milliseconds:
            yield f"{ours}: {found.milliseconds:.3f} ms, the best takes {best.milliseconds:.3f}"
    found, aim = row.estimate(targeted), AIMS.get(row.model)
    if aim is not None and found is not None and found.milliseconds > aim:
        yield f"{targeted}: {found.milliseconds:.3f} ms, the aim is {aim}"


def summary(rows: Sequence[Row[Estimate]]) -> str:
    """The times of the best of other optimizers relative to those of the file for the target."""
    gains = [
        peer.milliseconds / ours.milliseconds
        for row in rows
        if (came := _best(row, (ORIGINAL, REWRITTEN))) is not None and came.permutes
        if (peer := _best(row, PEERS)) is not None and (ours := row.estimate(_targeted(row))) is not None
    ]
    if not gains:
        return ""
    (targeted,) = {_targeted(row) for row in rows}
    return (
        f"On {len(gains)} networks with Permutes, the fastest file of {', '.join(PEERS)} takes"
        f" {geometric_mean(gains):.3f} times as long as that of `{targeted}` (geometric mean)."
    )


def _best(row: Row[Estimate], lanes: Iterable[str]) -> Estimate | None:
    found = [each for lane in lanes if (each := row.estimate(lane)) is not None]
    return min(found, key=_time, default=None)


def _time(found: Estimate) -> float:
    return found.milliseconds


def cell(found: Estimate) -> str:
    permutes = f"{found.permutes}: {found.permuting:.3f}" if found.permutes else "0"
    return f"{found.milliseconds:.3f} ({permutes}; {found.attentions}; {found.ddr / (1 << 20):.1f} MiB)"
