"""The proof of a bound: trees whose leaves have terms, and the costs of choices that are no sum over storages.

Such costs are those of the groups of ops between which data travels.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class PaidTerm(NamedTuple):
    """An amount that is paid for a storage if a reader reads it in one of some byte orders, unless another is given."""

    storage: int
    reader: int
    """Its place among the readers of the storage."""
    wanted: Sequence[Hashable]
    given: Sequence[Hashable]
    amount: int
    """In parts of 1 / DIGITS."""


@dataclass
class ProofNode:
    """A set of open modes, with the terms that bound every choice of them."""

    terms: Sequence[PaidTerm]
    prices: Sequence[int]
    """The prices of the constraints that the terms are, in parts of 1 / DIGITS."""
    bound: int
    """The least that a choice costs, in whole numbers, without the least price of each op."""
    closed: Sequence[tuple[int, Sequence[int]]] = ()
    """The modes of some ops that the terms prove to be too dear, where the others are branched."""
    op: int = 0
    """The op that is branched."""
    cover: Sequence[Sequence[int]] = ()
    """Its modes in each child."""
    children: list[ProofNode] = field(default_factory=list["ProofNode"])
    joint: Sequence[tuple[int, int]] = ()
    """The pool and the place of each joint price that all open choices pay."""


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
