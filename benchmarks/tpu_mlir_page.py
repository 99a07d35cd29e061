"""Figures of benchmarks/tpu_mlir.py on the page, and the aims that are missed."""

from collections.abc import Iterator

from tpu_mlir_reports import Estimate
from vendor_rows import ORIGINAL, OURS, Row, refused_only_by_us

REWRITTEN, TARGETED = "older opset", "--target=sophgo-bm1684x -O"
LANES = (ORIGINAL, REWRITTEN, OURS, TARGETED)
SLOWER = 1.01
"""The most that our file may take, relative to the original."""
AIMS = {"mobilevit_s": 2.75, "segformer_b0": 4.35, "shufflenet_v2": 0.51}
"""The most milliseconds that the faster of our files may take."""


def problems(row: Row[Estimate]) -> Iterator[str]:
    """The aims that a row misses."""
    came = row.estimate(ORIGINAL) or row.estimate(REWRITTEN)
    yield from refused_only_by_us(row, came, (OURS, TARGETED))
    for lane in (OURS, TARGETED):
        found = row.estimate(lane)
        if found is not None and came is not None and found.milliseconds > SLOWER * came.milliseconds:
            yield f"{lane}: {found.milliseconds:.3f} ms, the original takes {came.milliseconds:.3f}"
    times = [each.milliseconds for lane in (OURS, TARGETED) if (each := row.estimate(lane)) is not None]
    aim = AIMS.get(row.model)
    if aim is not None and times and min(times) > aim:
        yield f"{min(times):.3f} ms, the aim is {aim}"


def cell(found: Estimate) -> str:
    permutes = f"{found.permutes}: {found.permuting:.3f}" if found.permutes else "0"
    return f"{found.milliseconds:.3f} ({permutes}; {found.attentions}; {found.ddr / (1 << 20):.1f} MiB)"
