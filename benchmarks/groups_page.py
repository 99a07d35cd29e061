"""Figures of benchmarks/groups.py on the page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import geometric_mean

from groups_compare import STRATEGIES, Comparison
from groups_vendors import EthosU, Sophgo
from vendor_rows import Row

CHIPS = (Sophgo.chip, EthosU.chip)
MOST = 12
"""The kinds of pairs that are shown."""
MIB = 1 << 20


def cell(found: Comparison) -> str:
    return (
        f"{found.agreement:.0%} of {found.pairs} pairs, {found.vendor_only} only the vendor's, {found.ours_only} only ours,"
        f" {found.vendor_bytes / MIB:.2f} and {found.our_bytes / MIB:.2f} MiB, {found.known} of {found.ops} ops known"
    )


def tables(rows: Sequence[Row[Comparison]]) -> Mapping[str, str]:
    """The tables by their names on the page."""
    return {f"groups {chip}": f"{_table(rows, chip)}" for chip in CHIPS}


def _table(rows: Sequence[Row[Comparison]], chip: str) -> str:
    return ""
