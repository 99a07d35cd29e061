"""The certificate of a minimum as an integer program with derivations, in the text format VIPR 1.1.

Variables are the modes of ops with a choice and the steps that storages pay; constraints say that one mode is chosen,
and that a byte order which is read is given or paid for. Each leaf is a combination of constraints by their prices,
each branch two assumptions that are resolved again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from ..solve.linear_program import DIGITS
from ..solve.problem import Problem, cost_of_choice
from ..solve.proof_nodes import ProofNode
from .tree import ProvedPart

Sum: TypeAlias = Mapping[int, int]
"""The factors of variables."""


class _Assumed(NamedTuple):
    """The assumptions under which a node is proved."""

    zeros: Mapping[int, int]
    """The constraint that assumes of a variable that it is 0."""
    ones: Mapping[int, int]
    """The constraint that assumes of a variable that it is 1."""

    def zero(self, variable: int, constraint: int) -> _Assumed:
        return self._replace(zeros={**self.zeros, variable: constraint})

    def one(self, variable: int, constraint: int) -> _Assumed:
        return self._replace(ones={**self.ones, variable: constraint})


def vipr_text(problem: Problem, choice: Sequence[int], parts: Sequence[ProvedPart]) -> str:
    """The integer program of a problem, a choice as its solution, and the derivation of the bound."""
    writer = _Writer(problem, choice, parts)
    return "\n".join([*writer.lines(), ""])


class _Writer:
    """Constraints and derivations, numbered as they are made."""

    def __init__(self, problem: Problem, choice: Sequence[int], parts: Sequence[ProvedPart]) -> None:
        self._problem = problem
        self._choice = choice
        self._parts = parts
        self._firsts: list[int] = []
        """The first variable of each part."""
        self._names: list[str] = []
        for number, part in enumerate(parts):
            self._firsts.append(len(self._names))
            modes = [f"op{op}_mode{mode}" for op in part.ops for mode in range(problem.modes[op])]
            steps = range(len(part.program.costs) - len(modes))
            self._names += [*modes, *(f"part{number}_step{step}" for step in steps)]
        self._constraints: list[str] = []
        self._derived: list[str] = []

    def lines(self) -> Iterator[str]:
        constant = sum(map(min, self._problem.prices.values()))
        constant += sum(part.program.sure - part.least for part in self._parts)
        count, costs = len(self._names), [cost for part in self._parts for cost in part.program.costs]
        for variable in range(count):
            self._constraint("G", 0, {variable: 1})
        # A constant is a variable that is 1.
        self._constraint("E", 1, {count: 1})
        bounds = len(self._constraints)
        rows = [[*self._rows(*each)] for each in zip(self._firsts, self._parts, strict=True)]
        modes = self._problem.modes
        proofs = [_PartProof(self, modes, *each) for each in zip(self._firsts, self._parts, rows, strict=True)]
        stated, found = len(self._constraints), [each.made() for each in proofs]
        bound = constant + sum(each.target for each in proofs)
        whole = {place: cost for place, cost in enumerate([*costs, constant]) if cost}
        self.derive("G", bound, "OBJ", _lin({**dict.fromkeys(found, Fraction(1)), count: Fraction(constant)}))
        yield "% Variables are the modes of ops, and the steps of what conversions of storages cost."
        yield "VER 1.1"
        yield f"VAR {count + 1}"
        yield " ".join([*self._names, "one"])
        yield f"INT {count + 1}"
        yield " ".join(map(str, range(count + 1)))
        yield "OBJ min"
        yield _terms(whole)
        yield f"CON {stated} {bounds}"
        yield from self._constraints
        cost = cost_of_choice(self._problem, self._choice)
        yield f"RTP range {bound} {cost}"
        yield "SOL 1"
        yield f"choice {_terms({**self._solution(), count: 1})}"
        yield f"DER {len(self._derived)}"
        yield from self._derived

    def _rows(self, first: int, part: ProvedPart) -> Iterator[int]:
        """The constraints of a part: those of its storages, and one for each op."""
        for entries, limit in zip(part.program.rows, part.program.limits, strict=True):
            yield self._constraint("L", limit, {first + column: value for column, value in entries})
        for op in part.ops:
            modes = range(first, first + self._problem.modes[op])
            first += self._problem.modes[op]
            yield self._constraint("E", 1, dict.fromkeys(modes, 1))

    def _constraint(self, sense: str, bound: int, factors: Sum) -> int:
        self._constraints.append(f"C{len(self._constraints)} {sense} {bound} {_terms(factors)}")
        return len(self._constraints) - 1

    def derive(self, sense: str, bound: int, factors: Sum | Literal["OBJ"], reason: str) -> int:
        """Add a derived constraint of some variables, or of the costs of all; returns its number."""
        number = len(self._constraints) + len(self._derived)
        left = factors if isinstance(factors, str) else _terms(factors)
        self._derived.append(f"C{number} {sense} {bound} {left} {{ {reason} }} -1")
        return number

    def _solution(self) -> Mapping[int, int]:
        """The variables of the choice: its modes, and the steps that these pay."""
        found: dict[int, int] = {}
        for first, part in zip(self._firsts, self._parts, strict=True):
            column, modes = 0, set[int]()
            for op in part.ops:
                modes.add(column + self._choice[op])
                column += self._problem.modes[op]
            found.update((first + mode, 1) for mode in modes)
            for entries, limit in zip(part.program.rows, part.program.limits, strict=True):
                steps = [each for each, _ in entries if each >= column]
                if len(steps) == 1 and sum(value for each, value in entries if each in modes) > limit:
                    found[first + steps[0]] = 1
        return found


class _PartProof:
    """The derivation of what a part costs at least."""

    def __init__(
        self, writer: _Writer, modes: Sequence[int], first: int, part: ProvedPart, rows: Sequence[int]
    ) -> None:
        """`modes` is the number of modes of each op."""
        self._writer = writer
        self._first = first
        self._part = part
        self._rows = rows
        self._costs = {first + place: cost for place, cost in enumerate(part.program.costs) if cost}
        self._modes: dict[int, range] = {}
        """The variables of the modes of each op."""
        for op in part.ops:
            self._modes[op] = range(first, first + modes[op])
            first += modes[op]
        self._steps = range(first, self._first + len(part.program.costs))
        least = min(part.cost, *(each.bound for each in _nodes(part.root) if not each.children))
        self.target = least - (part.program.sure - part.least)
        """The bound of the part, without what each choice pays."""

    def made(self) -> int:
        """Derive the bound; returns the number of the constraint that states it."""
        return self._proved(self._part.root, _Assumed({}, {}))

    def _proved(self, node: ProofNode, assumed: _Assumed) -> int:
        if not node.children:
            return self._leaf(node, assumed)
        closed: list[tuple[int, int, int]] = []
        for variable in (self._modes[op][mode] for op, modes in node.closed for mode in modes):
            one = self._assume("G", 1, variable)
            found = self._leaf(node, assumed.one(variable, one))
            zero = self._assume("L", 0, variable)
            closed.append((zero, found, one))
            assumed = assumed.zero(variable, zero)
        found = self._branched(node, assumed)
        for zero, other, one in reversed(closed):
            found = self._resolved(found, zero, other, one)
        return found

    def _branched(self, node: ProofNode, assumed: _Assumed) -> int:
        if len(node.children) == 1:
            return self._proved(node.children[0], assumed)
        # The second child has one mode of the op, the first one all others that are open.
        others, chosen = node.children
        variable = self._modes[node.op][node.cover[1][0]]
        zero, one = self._assume("L", 0, variable), self._assume("G", 1, variable)
        of_others = self._proved(others, assumed.zero(variable, zero))
        return self._resolved(of_others, zero, self._proved(chosen, assumed.one(variable, one)), one)

    def _assume(self, sense: str, bound: int, variable: int) -> int:
        return self._writer.derive(sense, bound, {variable: 1}, "asm")

    def _resolved(self, of_zero: int, zero: int, of_one: int, one: int) -> int:
        return self._writer.derive("G", self.target, self._costs, f"uns {of_zero} {zero} {of_one} {one}")

    def _leaf(self, node: ProofNode, assumed: _Assumed) -> int:
        """The bound by the prices of a node: each op takes its cheapest mode that is not assumed to be 0."""
        factors, bound = self._combination(node, assumed)
        step = self._part.step
        if bound >= self.target:
            return self._writer.derive("G", self.target, self._costs, _lin(factors))
        # Each choice costs a multiple of the step.
        parts = {variable: cost // step for variable, cost in self._costs.items()}
        scaled = {constraint: factor / step for constraint, factor in factors.items()}
        rounded = self._writer.derive("G", -(-bound // step), parts, _lin(scaled, "rnd"))
        return self._writer.derive("G", self.target, self._costs, _lin({rounded: Fraction(step)}))

    def _combination(self, node: ProofNode, assumed: _Assumed) -> tuple[dict[int, Fraction], Fraction]:
        """The factors of constraints whose combination bounds the costs, and that bound."""
        program, bound, factors = self._part.program, Fraction(0), dict[int, Fraction]()
        left = [Fraction(cost) for cost in program.costs]
        for row, entries, limit, price in zip(self._rows, program.rows, program.limits, node.prices, strict=False):
            if price:
                factors[row] = Fraction(-price, DIGITS)
                bound += factors[row] * limit
                for column, value in entries:
                    left[column] -= factors[row] * value
        for row, modes in zip(self._rows[len(program.limits) :], self._modes.values(), strict=True):
            costs = {mode: left[mode - self._first] for mode in modes}
            least = min(cost for mode, cost in costs.items() if mode not in assumed.zeros)
            bound += least
            factors[row] = least
            for mode, cost in costs.items():
                if mode in assumed.ones:
                    bound += cost - least
                    factors[assumed.ones[mode]] = cost - least
                else:
                    factors[assumed.zeros[mode] if cost < least else mode] = cost - least
        factors.update((step, left[step - self._first]) for step in self._steps)
        return factors, bound


def _nodes(root: ProofNode) -> Iterator[ProofNode]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def _lin(factors: Mapping[int, Fraction], reason: str = "lin") -> str:
    return f"{reason} {_terms(factors)}"


def _terms(factors: Mapping[int, int] | Mapping[int, Fraction]) -> str:
    """The number of factors that are not 0, and each with its place."""
    kept = [f"{place} {factor}" for place, factor in factors.items() if factor]
    return " ".join([str(len(kept)), *kept])
