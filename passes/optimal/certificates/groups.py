"""The costs of choices that are no sum over storages, as those of the groups of ops between which data travels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .tree import ProofNode


class JointPrice(NamedTuple):
    """An amount that choices pay in which some ops have one of some modes each."""

    amount: int
    modes: Sequence[tuple[int, frozenset[int]]]

    def is_paid(self, choice: Sequence[int]) -> bool:
        return all(choice[op] in modes for op, modes in self.modes)


class GroupCosts(NamedTuple):
    """The costs of choices beside the prices of modes and conversions."""

    sure: int
    """The amount that every choice pays."""
    cost: int
    """The cost of the plan, in the groups that were found."""
    joint: Sequence[Sequence[JointPrice]] = ()
    """Pools, of which a choice pays the dearest price each: one for each storage, and those of whole choices."""
    root: ProofNode | None = None
    """The proof that rests on joint prices, where all ops that it branches have prices; without it, the linear program
    is the proof."""
    proved: Sequence[int] = ()
    """A choice that is the cheapest without joint prices."""

    def of_choice(self, choice: Sequence[int]) -> int:
        """The cost of a choice beside the prices of modes and conversions."""
        paid = ([each.amount for each in pool if each.is_paid(choice)] for pool in self.joint)
        return self.sure + sum(max(amounts, default=0) for amounts in paid)
