"""The answer of `--assign`: a layout for each tensor, a tuple for each op, the conversions, and the proof."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from ...passes.optimal.certificates.core import Certificate, Labels, certificate_of
from ...passes.optimal.solve.in_whole_numbers import Progress, solve_in_whole_numbers
from ...passes.optimal.solve.problem import Solution, given_byte_order
from .contradiction import contradiction
from .numbers import NumberedProblem, OpOrigin, numbered
from .problem import AssignProblem

FORMAT = "npu-opt assignment 1"


class Status(Enum):
    """The part of the answer that is proved."""

    PROVED = "proved"
    NOT_PROVED = "not proved"
    INFEASIBLE = "infeasible"


@dataclass(frozen=True)
class AssignedConversion:
    """A conversion of a tensor, which all of its readers share."""

    tensor: str
    source: str
    """The layout in which it is written."""
    target: str
    """The layout in which it is read."""
    readers: Sequence[str]
    """The names of the ops that read it; `output` and `tie` stand for the caller."""
    cost: int


@dataclass(frozen=True)
class AssignedTuple:
    """The layouts in which an op runs."""

    number: int
    """The place of the tuple in the problem, from 0."""
    operands: Sequence[str]
    results: Sequence[str]


@dataclass(frozen=True)
class Assignment:
    """The cheapest choice of layouts, or the reason that there is none."""

    status: Status
    cost: int | None
    """The cost of the choice; None if no choice was found."""
    bound: int | None
    """A proved lower bound for the costs of all choices; None if no choice is possible."""
    layouts: Mapping[str, str] = field(repr=False)
    """The layout of each tensor, as it is written or given."""
    tuples: Mapping[str, AssignedTuple] = field(repr=False)
    """The tuple of each op."""
    conversions: Sequence[AssignedConversion] = field(repr=False)
    contradiction: Sequence[str] = ()
    """If no choice is possible: sentences about a smallest set of ops that contradict each other."""
    numbered: NumberedProblem | None = field(default=None, repr=False, compare=False)
    """The problem in numbers, and its solution: what a certificate is about."""
    solution: Solution | None = field(default=None, repr=False, compare=False)

    @property
    def proved(self) -> bool:
        """True if no choice costs less."""
        return self.status is Status.PROVED

    def __str__(self) -> str:
        if self.status is Status.INFEASIBLE:
            return "\n  ".join(["no choice of layouts is possible:", *self.contradiction])
        if self.cost is None:
            return "no choice of layouts was found in time, and none was proved to be impossible"
        count = len(self.conversions)
        proof = "proved minimum" if self.proved else f"not proved: no choice costs less than {self.bound}"
        return f"cost {self.cost}, {count} conversion{'s' * (count != 1)}: {proof}"

    def certificate(self, time_limit: float = 60.0) -> Certificate:
        """The proof of the cost for another program, which is looked for anew in at most `time_limit` seconds."""
        if self.numbered is None or self.solution is None:
            raise ValueError("no choice was found, so that there is nothing to certify")
        tensors, ops = self.numbered.tensors, self.numbered.ops
        labels = Labels([each.name for each in tensors], [(each.entry.name, each.origin.value) for each in ops])
        impossible = self.numbered.most + 1
        return certificate_of(self.numbered.problem, self.solution.choice, labels, time_limit, impossible)

    def as_json(self) -> str:
        """The answer as a JSON document, an item a line."""
        lines = [f'"format": {_text(FORMAT)}', f'"status": {_text(self.status.value)}']
        lines += [f'"cost": {_text(self.cost)}', f'"bound": {_text(self.bound)}']
        lines.append(f'"tensors": {_block([f"{_text(name)}: {_text(each)}" for name, each in self.layouts.items()])}')
        ops = (
            (name, {"tuple": each.number, "operands": [*each.operands], "results": [*each.results]})
            for name, each in self.tuples.items()
        )
        lines.append(f'"ops": {_block([f"{_text(name)}: {_text(each)}" for name, each in ops])}')
        lines.append(f'"conversions": {_block([*map(_conversion_text, self.conversions)], "[]")}')
        lines.append(f'"contradiction": {_block([*map(_text, self.contradiction)], "[]")}')
        return _block(lines, indent="") + "\n"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _block(lines: Sequence[str], brackets: str = "{}", indent: str = "  ") -> str:
    """Lines between brackets."""
    opening, closing = brackets
    if not lines:
        return brackets
    items = f",\n{indent}  ".join(lines)
    return f"{opening}\n{indent}  {items}\n{indent}{closing}"


def _conversion_text(each: AssignedConversion) -> str:
    found = {"tensor": each.tensor, "from": each.source, "to": each.target, "readers": [*each.readers]}
    return _text({**found, "cost": each.cost})


def solved(problem: AssignProblem, time_limit: float, progress: Progress) -> Assignment:
    """The answer to a problem."""
    numbers = numbered(problem)
    found = solve_in_whole_numbers(numbers.problem, numbers.most, time_limit, progress)
    if found.cost > numbers.most:
        if found.bound > numbers.most:
            return Assignment(Status.INFEASIBLE, None, None, {}, {}, [], contradiction(numbers, time_limit))
        return Assignment(Status.NOT_PROVED, None, found.bound, {}, {}, [])
    status = Status.PROVED if found.is_proved else Status.NOT_PROVED
    layouts, tuples = _layouts(problem, numbers, found.choice), _tuples(numbers, found.choice)
    conversions = [*_conversions(numbers, found.choice)]
    return Assignment(status, found.cost, found.bound, layouts, tuples, conversions, (), numbers, found)


def _layouts(problem: AssignProblem, numbers: NumberedProblem, choice: Sequence[int]) -> Mapping[str, str]:
    terms = zip(numbers.tensors, numbers.problem.storages, strict=True)
    found = {tensor.name: str(given_byte_order(term, choice)) for tensor, term in terms}
    # What nobody reads has the layout in which it is given.
    found |= {name: each.given for name, each in problem.tensors.items() if each.given is not None}
    return {name: found[name] for name in problem.tensors}


def _tuples(numbers: NumberedProblem, choice: Sequence[int]) -> Mapping[str, AssignedTuple]:
    found = dict[str, AssignedTuple]()
    for op, mode in zip(numbers.ops, choice, strict=True):
        if op.origin is OpOrigin.OP:
            chosen = op.entry.tuples[mode]
            found[op.entry.name] = AssignedTuple(mode, chosen.operands, chosen.results)
    return found


def _conversions(numbers: NumberedProblem, choice: Sequence[int]) -> Iterator[AssignedConversion]:
    for tensor, term in zip(numbers.tensors, numbers.problem.storages, strict=True):
        given = str(given_byte_order(term, choice))
        readers: dict[str, dict[str, None]] = {}
        for access in term.readers:
            wanted = str(access.byte_orders[choice[access.op]])
            if wanted != given:
                op = numbers.ops[access.op]
                name = op.entry.name if op.origin is OpOrigin.OP else op.origin.value
                readers.setdefault(wanted, {})[name] = None
        for wanted, names in readers.items():
            yield AssignedConversion(tensor.name, given, wanted, [*names], term.price(given, wanted))
