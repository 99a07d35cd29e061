"""The proof of a bound as trees: each leaf has terms that prove it for the modes that are open there.

A problem falls into parts that share no op with a choice. The linear program proves most of them at once; the others
are branched until each leaf costs as much as the choice that is to be proved.
"""

from collections.abc import Collection, Hashable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import compress, count
from math import gcd
from time import monotonic
from typing import NamedTuple

import numpy as np

from ..solve.branch_and_bound import Mask, Relaxation, halves_of
from ..solve.linear_program import DIGITS, Certified, LinearProgram, WholeProgram, only, parts_of
from ..solve.problem import (
    Access,
    Problem,
    StorageTerm,
    accesses_of,
    cost_of_choice,
    each_of,
)
from ..solve.proof_nodes import PaidTerm, ProofNode
from ..solve.storage_rows import Claim, RowCache


class ProvedPart(NamedTuple):
    """Some storages that share no op with a choice with any other one, and the proof of what they cost at least."""

    storages: Sequence[int]
    cost: int
    """The cost of the choice, without the least price of each op."""
    root: ProofNode
    program: WholeProgram
    """The constraints of the storages."""
    ops: Sequence[int]
    """The ops with a choice, in the order of their variables."""
    least: int
    """The sum of the least prices of these ops."""
    step: int
    """A number that divides the cost of each choice, without these prices."""


def proof_of(problem: Problem, choice: Sequence[int], steps: Sequence[int], time_limit: float) -> list[ProvedPart]:
    """The parts of a problem with trees that bound the cost of all choices, at best by that of the given one.

    `steps` has for each storage a number that divides all its prices.
    """
    rows, every = RowCache(problem.has_prices), [*map(is_listed, problem.storages)]
    ops = {op for op in listed_ops(problem) if problem.modes[op] > 1}
    whole = _Part(problem, ops, every, choice, steps, rows)
    root, mixed = whole.at_once()
    if root.bound >= whole.cost:
        return [whole.proved(root)]
    end, is_left, found = monotonic() + time_limit, every, list[ProvedPart]()
    parts = [own for part in parts_of(problem) if (own := part & ops)]
    searched = [own for own in parts if not mixed or not own.isdisjoint(mixed)]
    for left, own in zip(range(len(searched), 0, -1), searched, strict=True):
        pairs = zip(problem.storages, is_left, strict=True)
        is_used = [left and any(access.op in own for access in accesses_of(each)) for each, left in pairs]
        is_left = [left and not used for left, used in zip(is_left, is_used, strict=True)]
        part = _Part(problem, own, is_used, choice, steps, rows)
        found.append(part.proved(part.branched(max(end - monotonic(), 0.0) / left)))
    if any(is_left):
        rest = _Part(problem, ops.difference(*searched), is_left, choice, steps, rows)
        found.append(rest.proved(rest.at_once()[0]))
    return found


def is_listed(storage: StorageTerm) -> bool:
    """False for a storage that costs nothing in any choice."""
    return not storage.is_free and bool(storage.readers)


def listed_ops(problem: Problem) -> set[int]:
    """The ops that may cost anything: those around such storages, and those with prices."""
    around = (access.op for storage in problem.storages if is_listed(storage) for access in accesses_of(storage))
    return {*around, *problem.prices}


def written_in(storage: StorageTerm) -> list[Hashable]:
    """The byte orders in which a storage can be produced."""
    producer = storage.producer
    return used_in([producer]) if isinstance(producer, Access) else [producer]


def used_in(accesses: Sequence[Access]) -> list[Hashable]:
    """The byte orders that some accesses use."""
    return list(dict.fromkeys(each for access in accesses for used in access.byte_orders for each in each_of(used)))


class _Part:
    """Some ops and storages of a problem, with their linear program."""

    def __init__(
        self,
        problem: Problem,
        ops: Collection[int],
        is_kept: Sequence[bool],
        choice: Sequence[int],
        steps: Sequence[int],
        rows: RowCache,
    ) -> None:
        self._problem = only(problem, ops, is_kept)
        self.storages = [*compress(range(len(is_kept)), is_kept)]
        self._cache = rows
        self._program = LinearProgram(self._problem, rows)
        self._whole = self._program.in_whole_numbers()
        self._ops = sorted(ops)
        """The op of each number among those with a choice."""
        self._firsts = [*self._program.firsts.tolist(), len(self._program.all_modes)]
        least = {op: min(own) for op, own in self._problem.prices.items()}
        self._least = sum(least.values())
        own = [mode if op in ops else 0 for op, mode in enumerate(choice)]
        self.cost = cost_of_choice(self._problem, own) - self._least
        """The cost of the choice, without the least price of each op."""
        dearer = (price - least[op] for op, prices in self._problem.prices.items() for price in prices)
        self._step = gcd(*compress(steps, is_kept), *dearer) or 1
        """Each choice costs a multiple of it."""

    def _certified(self, is_open: Mask) -> tuple[ProofNode, Certified]:
        found = self._program.certified(is_open, (self.cost - self._step + self._least) * DIGITS)
        steps = -(-(found.bound - self._least * DIGITS) // (DIGITS * self._step))
        return ProofNode(self._terms(found.prices), found.prices, steps * self._step), found

    def proved(self, root: ProofNode) -> ProvedPart:
        return ProvedPart(self.storages, self.cost, root, self._whole, self._ops, self._least, self._step)

    def at_once(self) -> tuple[ProofNode, set[int]]:
        """The bound of all modes, and the ops with several modes at the fractional optimum."""
        node, found = self._certified(self._program.all_modes)
        return node, self._program.mixed_ops(found.point)

    def branched(self, time_limit: float) -> ProofNode:
        """The tree whose leaves cost as much as the choice, unless the time is up."""
        end = monotonic() + time_limit
        waiting: list[tuple[int, int, ProofNode, Relaxation]] = []

        def added(is_open: Mask, bound: int) -> ProofNode:
            node, found = self._certified(is_open)
            bound, most = max(bound, node.bound), self._most_open(found.is_open)
            if bound >= self.cost or not most:
                return node
            node.closed = [*self._closed(is_open, found.is_open)]
            if most == 1:
                node.op, node.cover = self._ops[0], [self._modes(found.is_open, 0)]
                node.children = [self._of_choice(self._program.choice(found.is_open.astype(np.float64)))]
            else:
                relaxation = Relaxation(bound, found.is_open, found.point[: len(is_open)])
                # Of equal bounds the newest node comes first, which is the one with the fewest open modes.
                heappush(waiting, (bound, -next(numbers), node, relaxation))
            return node

        numbers = count()
        root = added(self._program.all_modes, 0)
        while waiting and monotonic() < end:
            bound, _, node, found = heappop(waiting)
            masks = [*halves_of(self._program, found)]
            node.op, node.cover = self._split(found.is_open, masks)
            node.children = [added(mask, bound) for mask in masks]
        for _, _, node, _ in waiting:
            # Nothing is branched there: the terms alone are the proof.
            node.closed = ()
        return root

    def _most_open(self, is_open: Mask) -> int:
        """The largest number of open modes of an op; 0 if an op has none."""
        counts = np.add.reduceat(is_open.astype(np.int64), self._program.firsts)
        return int(counts.max()) if counts.min() else 0

    def _of_choice(self, choice: Sequence[int]) -> ProofNode:
        """The leaf of a single choice: of each step that it pays, all is asked of one reader, in whole numbers."""
        modes = {first + choice[op] for first, op in zip(self._firsts, self._ops, strict=False)}
        whole, prices, paid = self._whole, [0] * len(self._whole.limits), set[int]()
        for row, (entries, limit) in enumerate(zip(whole.rows, whole.limits, strict=True)):
            steps = [column for column, _ in entries if column >= self._firsts[-1]]
            is_due = sum(value for column, value in entries if column in modes) > limit
            if is_due and len(steps) == 1 and steps[0] not in paid:
                paid.add(steps[0])
                prices[row] = whole.costs[steps[0]] * DIGITS
        return ProofNode(self._terms(prices), prices, cost_of_choice(self._problem, choice) - self._least)

    def _closed(self, before: Mask, after: Mask) -> Iterator[tuple[int, Sequence[int]]]:
        """The modes of each op that are closed."""
        closed = before & ~after
        for place in np.unique(np.searchsorted(self._firsts, np.flatnonzero(closed), "right") - 1).tolist():
            yield self._ops[place], self._modes(closed, place)

    def _split(self, is_open: Mask, masks: Sequence[Mask]) -> tuple[int, Sequence[Sequence[int]]]:
        """The op whose modes differ in some nodes, and its modes in each."""
        place = int(np.searchsorted(self._firsts, int(np.flatnonzero(is_open & ~masks[0])[0]), "right")) - 1
        return self._ops[place], [self._modes(mask, place) for mask in masks]

    def _modes(self, mask: Mask, place: int) -> Sequence[int]:
        return np.flatnonzero(mask[self._firsts[place] : self._firsts[place + 1]]).tolist()

    def _terms(self, prices: Sequence[int]) -> Sequence[PaidTerm]:
        """The terms that the prices of the constraints are."""
        found: list[PaidTerm] = []
        first = 0
        for number, storage in zip(self.storages, self._problem.storages, strict=True):
            rows = self._cache.rows(storage)[0]
            scale = storage.weight if isinstance(storage.weight, int) else 1
            paid = [(claim, amount * scale * DIGITS) for claim, amount in rows.surely_paid]
            paid += zip(rows.claims, prices[first : first + len(rows.limits)], strict=True)
            first += len(rows.limits)
            found += (self._term(number, claim, amount) for claim, amount in paid if amount)
        return found

    def _term(self, storage: int, claim: Claim, amount: int) -> PaidTerm:
        wanted, given = self._cache.byte_orders(claim.wanted), self._cache.byte_orders(claim.given)
        return PaidTerm(storage, claim.reader, wanted, given, amount)
