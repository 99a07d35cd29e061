"""The strategy `greedy` on targets with blocks: each op takes the mode for which the fewest bytes move."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .table import Place, RuleTable


def choose_greedy(table: RuleTable) -> list[int]:
    """One decision per op, in program order.

    As for operands that disagree in orders (V_VV), the fewest bytes are converted. Of several such modes one reads the
    first operand as it is stored.
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
            (
                op in plain and not table.keeps_axes(op, mode),
                _cost(table, given, table.read(op, mode), converted),
                table.read(op, mode)[:1] != given[:1],
            )
            for mode in modes
        ]
        chosen[op] = ranked.index(min(ranked))
        converted.update(table.read(op, modes[chosen[op]]))
    return chosen


def _cost(table: RuleTable, given: Sequence[Place], wanted: Sequence[Place], converted: Collection[Place]) -> int:
    """The bytes that are moved between these; those that an earlier op needs as well cost nothing."""
    pairs = dict(zip(wanted, given, strict=True)).items()
    return sum(table.price(before, after) for after, before in pairs if after not in converted)
