"""Figures of benchmarks/rknn.py on the page, and the files of ours that are worse than the original."""

from collections.abc import Iterator

from onnx_peers import PEERS
from rknn_reports import Estimate
from vendor_rows import ORIGINAL, OURS, Row, refused_only_by_us

TARGETED = "--target=rockchip-rk3588 -O"
LANES = (ORIGINAL, *PEERS, OURS, TARGETED)
SHUFFLES = 0.75
"""The most cycles of a network with channel shuffles, relative to the original."""
SHUFFLED = ("shufflenet_v1", "shufflenet_v2")


def problems(row: Row[Estimate]) -> Iterator[str]:
    """The aims that a row misses: in our files nothing is more than in the original."""
    came = row.estimate(ORIGINAL)
    yield from refused_only_by_us(row, came, (OURS, TARGETED))
    if came is None:
        return
    for lane in (OURS, TARGETED):
        found = row.estimate(lane)
        if found is None:
            continue
        for name, ours, theirs in (
            ("layers", found.layers, came.layers),
            ("layers on the CPU", sum(found.on_cpu.values()), sum(came.on_cpu.values())),
            ("KB read and written", found.traffic, came.traffic),
            ("KB of memory", found.memory, came.memory),
            ("cycles", found.cycles, came.cycles),
        ):
            if ours > theirs:
                yield f"{lane}: {ours:g} {name}, the original has {theirs:g}"
    shuffled = row.estimate(TARGETED) if row.model in SHUFFLED else None
    if shuffled is not None and shuffled.cycles > SHUFFLES * came.cycles:
        yield f"{TARGETED}: {shuffled.cycles} cycles, the aim is {SHUFFLES} of {came.cycles}"


def cell(found: Estimate) -> str:
    transposes = f"{found.transposes}: {found.transposing} KB" if found.transposes else "0"
    on_cpu = "".join(f", {count} {kind}" for kind, count in sorted(found.on_cpu.items()))
    cpu = f"; CPU: {on_cpu[2:]}" if on_cpu else ""
    traffic, memory = found.traffic / 1024, found.memory / 1024
    return (
        f"{found.layers} ({transposes}; {found.reshapes}), {found.cycles / 1e6:.3f} M,"
        f" {traffic:.1f} and {memory:.1f} MiB{cpu}"
    )
