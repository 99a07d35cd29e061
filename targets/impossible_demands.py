"""Demands that no value of an op can meet, whatever the program."""

from collections.abc import Sequence

from ..layout import Layout, LayoutClass
from .model import AxisOrder, Demand, PreferredOrder, Target
from .vocabulary import OpNames

RANKS = (3, 4, 5)
"""The ranks at which axes have letters, and values a preferred layout."""


def why_never_met(target: Target, names: OpNames, value: str, demand: Demand) -> str:
    """The reason why an operand or result never has a demanded layout; empty if it may have it."""
    if value in names.kept:
        return "it is a parameter, which stays unchanged"
    if isinstance(demand, AxisOrder):
        limit = target.max_rank(LayoutClass.NTENSOR)
        is_low = len(demand.letters) <= limit
        return "" if is_low else f"'ranks' lets values of rank {limit} be re-ordered at most"
    wanted, known = _wanted(demand), names.layouts.get(value)
    if known is not None:
        wanted = [(cls, rank) for cls, rank in wanted if cls in known.classes]
        if not wanted:
            return f"it is a {' or '.join(each.value for each in known.classes)}"
        wanted = [(cls, rank) for cls, rank in wanted if rank in known.ranks]
        if not wanted:
            return f"it is of rank {either(known.ranks)}"
    if any(rank <= target.max_rank(cls) for cls, rank in wanted):
        return ""
    return f"'ranks' lets values of rank {target.max_rank(wanted[0][0])} be re-ordered at most"


def either(numbers: Sequence[int]) -> str:
    """Numbers in words: `3, 4 or 5`."""
    *first, last = map(str, numbers)
    return f"{', '.join(first)} or {last}" if first else last


def _wanted(demand: PreferredOrder | Layout) -> list[tuple[LayoutClass, int]]:
    """The classes and numbers of axes of which a demand asks for a layout."""
    if isinstance(demand, Layout):
        return [(demand.cls, demand.logical_rank(demand.rank or 0))]
    classes = (LayoutClass.FEATURE, LayoutClass.WEIGHT) if demand.cls is None else (demand.cls,)
    return [(cls, rank) for cls in classes for rank in RANKS]
