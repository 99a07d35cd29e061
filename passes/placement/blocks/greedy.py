"""The strategy `greedy` on targets with blocks: each op follows the byte order of its first operand, if it can."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .table import Moved, Place, RuleTable


def choose_greedy(table: RuleTable) -> list[int]:
    """One decision per op, in program order.

    An op reads its first operand as that is stored; if it cannot, or if it has several such forms, the fewest bytes are
    converted.
    """
    plain = set[int]()
    while True:
        chosen = _chosen(table, plain)
        stuck = table.producers_of_impossible(chosen) - plain
        if not stuck:
            return chosen
        # Of an order of its axes a storage can be converted to any other one.
        plain |= stuck


def _chosen(table: RuleTable, plain: Collection[int]) -> list[int]:
    chosen, converted = table.present(), set[Place]()
    for op, modes in enumerate(table.modes):
        given = table.given(op, chosen)
        ranked = [
            (op in plain and not table.keeps_axes(op, mode), *_rank(table, given, table.read(op, mode), converted))
            for mode in modes
        ]
        chosen[op] = ranked.index(min(ranked))
        converted.update(table.read(op, modes[chosen[op]]))
    return chosen


def _rank(
    table: RuleTable, given: Sequence[Place], wanted: Sequence[Place], converted: Collection[Place]
) -> tuple[int, bool, int]:
    """The number of impossible conversions, whether the first operand is converted, and the bytes that are moved.

    Those that an earlier op needs as well cost nothing.
    """
    total = Moved()
    for before, after in dict(zip(wanted, given, strict=True)).items():
        if before not in converted:
            total = total.plus(table.conversion(after, before))
    return total.impossible, wanted[:1] != given[:1], total.bytes
