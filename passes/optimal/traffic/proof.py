"""The bound of `cost=traffic` as a proof: the search once more, with the reason why each end of it moves enough."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from ..choice.mode_choice import GroupedProblem
from ..solve.linear_program import DIGITS
from ..solve.problem import StorageTerm, accesses_of
from ..solve.proof_nodes import GroupCosts, JointPrice, PaidTerm, ProofNode
from .branches import Branches
from .problem import TrafficProblem


def proof_of_branches(problem: TrafficProblem, branches: Branches, bound: int, cost: int) -> GroupedProblem:
    """The problem in which all choices move as much as a bound; a plan moves `cost`.

    The search has counted each whole choice that its storages do not show to move as much.
    """
    least, impossible = problem.least_problem
    # Ops that are branched are listed, whatever storages they have.
    listed = {op: [0] * least.modes[op] for op in branches.order}
    groups = _Proof(problem, branches, bound).costs(cost)
    return GroupedProblem(replace(least, prices=listed | {**least.prices}), impossible, groups)


class _Proof:
    """The tree of the search, and the prices on which its leaves rest."""

    def __init__(self, problem: TrafficProblem, branches: Branches, bound: int) -> None:
        self._problem = problem
        self._branches = branches
        self._bound = bound
        terms = problem.problem.storages
        self._pools: list[dict[JointPrice, int]] = [{} for _ in (*terms, None)]
        """The prices of each storage, at last those of whole choices, with their places."""
        self._numbers = {root: number for number, root in enumerate(problem.table.problem.roots)}
        self._modes = [{way[0]: frozenset(way) for way in ways} for ways in branches.ways]
        """For each op the modes that are the same way to run it, by the first of them."""

    def costs(self, cost: int) -> GroupCosts:
        fixed = self._problem.bound.fixed
        root = self._node(0, self._branches.sure)
        return GroupCosts(fixed, cost, [[*pool] for pool in self._pools], root)

    def _node(self, place: int, cost: int | None) -> ProofNode:
        """The proof for the modes that are chosen at present, which move so much at least."""
        branches = self._branches
        if cost is None or cost >= self._bound or place == len(branches.order):
            return self._leaf(is_possible=cost is not None)
        op = branches.order[place]
        children = [(self._modes[op][way], self._node(place + 1, least)) for least, way in branches.tried(place, cost)]
        nodes = [child for _, child in children]
        return ProofNode((), (), self._bound, (), op, [sorted(modes) for modes, _ in children], nodes)

    def _leaf(self, is_possible: bool) -> ProofNode:
        """The terms and prices that are paid by the modes chosen; no more of them than are needed."""
        left, terms, joint = self._bound - self._problem.bound.fixed, list[PaidTerm](), list[tuple[int, int]]()
        for root, term in self._problem.converted if is_possible else ():
            if left <= 0:
                break
            number, least = self._numbers[root], self._problem.least_prices[root]
            each = self._problem.least_of_each(root, term, self._branches.choice)
            paid = {wanted: least[wanted] for wanted in each if least[wanted]}
            terms += (self._term(number, term, wanted, amount) for wanted, amount in paid.items())
            more = sum(amount for amount in each.values() if amount is not None) - sum(paid.values())
            if more:
                joint.append(self._joint(number, more, {access.op for access in accesses_of(term)}))
            left -= sum(paid.values()) + more
        if not is_possible:
            terms.append(self._impossible(left))
        elif left > 0:
            joint.append(self._joint(len(self._pools) - 1, left, {*self._branches.order}))
        return ProofNode(terms, (), self._bound, joint=joint)

    def _term(self, number: int, term: StorageTerm, wanted: Hashable, amount: int) -> PaidTerm:
        """The term that asks one reader for a conversion."""
        choice = self._branches.choice
        reader = next(
            place
            for place, each in enumerate(term.readers)
            if each.op in choice and each.byte_orders[choice[each.op]] == wanted
        )
        return PaidTerm(number, reader, (wanted,), (wanted,), amount * DIGITS)

    def _impossible(self, amount: int) -> PaidTerm:
        """The term that asks for a conversion which nothing can do."""
        return next(
            self._term(self._numbers[root], term, wanted, amount)
            for root, term in self._problem.converted
            for wanted, least in self._problem.least_of_each(root, term, self._branches.choice).items()
            if least is None
        )

    def _joint(self, pool: int, amount: int, ops: set[int]) -> tuple[int, int]:
        """The place of a price that is paid by the modes chosen of some ops."""
        choice = self._branches.choice
        chosen = [(op, self._modes[op][choice[op]]) for op in sorted(ops) if op in choice and len(self._modes[op]) > 1]
        prices = self._pools[pool]
        return pool, prices.setdefault(JointPrice(amount, tuple(chosen)), len(prices))
