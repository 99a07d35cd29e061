"""A choice of which a part is made: the other ops stay unchanged."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ....layout.byte_order import pieces_between
from ...common.debug_counter import first_changes, limit_of
from ...common.graph.producers import Use
from ...common.words.pins import use_name
from ...common.words.reasons import Names
from ..modes.modes import Decider, present_mode
from .mode_choice import ModeChoice


def first_modes(choice: ModeChoice, pass_name: str, names: Names) -> ModeChoice:
    """The choice in which only the first ops are rewritten, as many as a debug counter says."""
    if limit_of(pass_name) is None:
        return choice
    changed = [decider for decider, mode in choice.modes.items() if mode.relayout is not None]
    kept = set(first_changes(pass_name, changed, lambda decider: _name(decider, names)))
    while True:
        partial = _partial(choice, kept)
        incompatible = next((node for node in _incompatible(partial) if node in kept), None)
        if incompatible is None:
            return partial
        # No transpose leads from the pieces of an op that is rewritten to those of one that is not yet.
        kept.remove(incompatible)


def _partial(choice: ModeChoice, kept: Collection[Decider]) -> ModeChoice:
    modes = {
        decider: mode if mode.relayout is None or decider in kept else present_mode(decider, choice.table.storage)
        for decider, mode in choice.modes.items()
    }
    reshaped = {op: form for op, form in choice.reshaped.items() if op in kept}
    return replace(choice, modes=modes, reshaped=reshaped)


def _incompatible(choice: ModeChoice) -> list[Decider]:
    """The ends of the conversions that no transpose does."""
    found: list[Decider] = []
    for use in choice.uses:
        if use.is_converted and pieces_between(choice.given(use.root)[1], use.byte_order) is None:
            found += (choice.decider(use.use), choice.producer(use.root))
    return found


def _name(decider: Decider, names: Names) -> str:
    return use_name(decider, names) if isinstance(decider, Use) else names.of(decider)
