"""Figures of benchmarks/groups.py on the page."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from groups_compare import STRATEGIES, Comparison
from groups_vendors import EthosU, Sophgo
from vendor_rows import Row

CHIPS = (Sophgo.chip, EthosU.chip)
MOST = 10
"""The kinds of pairs that are shown."""
MIB = 1 << 20
SIZE = re.compile(r"\b\d+ bytes")
"""The bytes of one value in a reason, which is counted with those of others."""
HEAD = (
    "network",
    "pairs",
    "vendor keeps",
    "agreement",
    "MiB",
    "agreement of `cover`",
    "MiB",
    "vendor's MiB",
    "no groups",
)


def lane_of(chip: str, strategy: str) -> str:
    return f"{chip} {strategy}"


def cell(found: Comparison) -> str:
    return (
        f"{_share(found.agreement)} of {found.pairs} pairs ({found.vendor_only}; {found.ours_only}),"
        f" {_mib(found.our_bytes)} MiB, the vendor's {_mib(found.vendor_bytes)}; {found.known} of {found.ops} ops known"
    )


def tables(rows: Sequence[Row[Comparison]]) -> Mapping[str, str]:
    """The tables by their names on the page."""
    found = {f"groups {chip}": "\n".join(_of_chip(rows, chip)) for chip in CHIPS}
    return {name: text for name, text in found.items() if text}


def _of_chip(rows: Sequence[Row[Comparison]], chip: str) -> Iterator[str]:
    lanes = [lane_of(chip, strategy) for strategy in STRATEGIES]
    found = {row.model: [each for lane in lanes if (each := row.estimate(lane)) is not None] for row in rows}
    complete = {model: each for model, each in found.items() if len(each) == len(lanes)}
    if not complete:
        return
    yield _summary(list(complete.values()))
    yield ""
    yield f"| {' | '.join(HEAD)} |"
    yield f"| --- |{' ---: |' * (len(HEAD) - 1)}"
    for model, (greedy, cover) in complete.items():
        kept = _share((greedy.both + greedy.vendor_only) / greedy.pairs)
        ours = [cell for each in (greedy, cover) for cell in (_agreement(each), _bold(each))]
        ends = _mib(greedy.vendor_bytes), _mib(greedy.apart_bytes)
        yield f"| {' | '.join([model, str(greedy.pairs), kept, *ours, *ends])} |"
    for title, kinds in (
        ("only the vendor keeps on the chip", [each.vendor_pairs for _, each in complete.values()]),
        ("only `fuse-ops-hw` keeps on the chip", [each.our_pairs for _, each in complete.values()]),
    ):
        yield from ["", f"| pairs | that {title} (`cover`) |", "| ---: | --- |"]
        count = Counter[str]()
        for each in kinds:
            for kind, number in each.items():
                count[SIZE.sub("N bytes", kind)] += number
        yield from (f"| {number} | {kind} |" for kind, number in count.most_common(MOST))
        if others := sum(count.values()) - sum(number for _, number in count.most_common(MOST)):
            yield f"| {others} | {len(count) - MOST} other kinds |"
    refused = {row.model: text for row in rows for lane in lanes[:1] if isinstance(text := row.lanes.get(lane), str)}
    if refused:
        yield from ["", "| refused | message |", "| --- | --- |"]
        yield from (f"| {model} | `{text.replace('|', '/')}` |" for model, text in refused.items())


def _summary(found: Sequence[Sequence[Comparison]]) -> str:
    """The pairs of all networks together."""
    pairs = sum(each.pairs for each, _ in found)
    kept = sum(each.both + each.vendor_only for each, _ in found)
    texts = [
        f"{_share(1 - sum(each.vendor_only + each.ours_only for each in of_one) / pairs)} of them {how}"
        for how, of_one in zip(("by the default", "with `strategy=cover`"), zip(*found, strict=True), strict=True)
    ]
    fewer = sum(cover.our_bytes < cover.vendor_bytes for _, cover in found)
    return (
        f"{len(found)} networks have {pairs} pairs, of which the vendor keeps {_share(kept / pairs)} on the chip."
        f" `fuse-ops-hw` says the same of {' and of '.join(texts)}, and has fewer bytes on {fewer} networks."
    )


def _agreement(found: Comparison) -> str:
    return f"{_share(found.agreement)} ({found.vendor_only}; {found.ours_only})"


def _bold(found: Comparison) -> str:
    """The bytes of our groups, marked where they are fewer than the vendor's."""
    text = _mib(found.our_bytes)
    return f"**{text}**" if found.our_bytes < found.vendor_bytes else text


def _share(share: float) -> str:
    return f"{100 * share:.0f} %"


def _mib(size: int) -> str:
    return f"{size / MIB:.2f}"
