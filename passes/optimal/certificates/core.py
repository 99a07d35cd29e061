"""The certificate of a minimum: a problem in numbers, a choice, and the proof that no choice costs less.

`checkers/check_minimum.py` states the theorem, reads the format, and shares nothing with this package.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import file_digest
from itertools import chain, compress, groupby, repeat
from math import gcd
from pathlib import Path
from typing import Any, TypeAlias

from ..solve.linear_program import DIGITS
from ..solve.problem import Access, Problem, StorageTerm, cost_of_choice, each_of
from ..solve.proof_nodes import GroupCosts, JointPrice, PaidTerm, ProofNode
from .tree import ProvedPart, is_listed, listed_ops, proof_of, used_in, written_in
from .vipr import vipr_text

FORMAT = "npu-opt certificate 1"
PROBLEM = "npu-opt problem 1"

Json: TypeAlias = Any


@dataclass(frozen=True)
class Labels:
    """The words of a certificate, for its readers."""

    storages: Sequence[str]
    ops: Sequence[tuple[str, str]]
    """The name of each op and its kind."""
    layout: Callable[[Hashable], str] = str
    notes: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """Whatever a reader should know of the program: it is not checked."""
    figure: Callable[[int], str] = str
    """A cost in words."""
    storage_notes: Sequence[Mapping[str, Json]] = ()
    """For each storage whatever a reader should know of it."""


@dataclass(frozen=True)
class Certificate:
    """A problem with a choice and a proved bound, as data of JSON."""

    content: Mapping[str, Json]
    vipr: Callable[[], str] | None
    """Makes the proof of the same bound as an integer program with derivations, in the text format VIPR; None if joint
    prices are part of it."""
    figure: Callable[[int], str] = str
    """A cost in words."""

    @property
    def cost(self) -> int:
        """The cost of the choice."""
        return self.content["plan"]["cost"]

    @property
    def bound(self) -> int:
        """The cost that no choice is below."""
        return self.content["proof"]["bound"]

    @property
    def is_minimum(self) -> bool:
        return self.cost == self.bound

    def of_program(self, name: str) -> Certificate:
        """The certificate with the name of its program, and the digest of the file if it is one, for readers."""
        problem, digest = self.content["problem"], digest_of(name)
        file = {"program": name} | ({"sha256": digest} if digest else {})
        return replace(self, content={**self.content, "problem": {**problem, "notes": file | problem["notes"]}})

    @property
    def text(self) -> str:
        """The claim in words."""
        forms = f"for the forms of {len(self.content['problem']['ops'])} ops"
        if self.is_minimum:
            return f"proves the minimum {self.figure(self.cost)} {forms}"
        return f"proves the bound {self.figure(self.bound)} {forms}; the choice costs {self.figure(self.cost)}"

    def with_forms(self, forms: Json) -> Certificate:
        """The certificate with the facts from which the forms of its ops follow."""
        return replace(self, content={**self.content, "forms": forms})

    def data(self, is_compressed: bool) -> bytes:
        """The content of a file; the same certificate makes the same bytes."""
        text = json.dumps(self.content, ensure_ascii=False, separators=(",", ":")) + "\n"
        return gzip.compress(text.encode(), mtime=0) if is_compressed else text.encode()


def digest_of(name: str) -> str | None:
    """The SHA-256 of a file; None if there is no file of this name."""
    try:
        if not Path(name).is_file():
            return None
        with Path(name).open("rb") as stream:
            return file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


def certificate_of(
    problem: Problem,
    choice: Sequence[int],
    labels: Labels,
    time_limit: float = 60.0,
    impossible: int | None = None,
    groups: GroupCosts | None = None,
) -> Certificate:
    """The certificate of a choice for a problem, and maybe for costs of groups beside it.

    The problem is solved again for the proof, whose bound is the cost of the choice if the time suffices. Prices from
    `impossible` on are those of conversions that do not exist.
    """
    groups = groups or GroupCosts(0, cost_of_choice(problem, choice), proved=choice)
    text = _ProblemText(problem, labels, impossible, groups)
    if groups.root is not None:
        bound, parts = groups.root.bound, [(range(len(problem.storages)), _flat(groups.root))]
        return Certificate(text.certificate(choice, bound, parts), None, labels.figure)
    proved = proof_of(problem, groups.proved, text.steps, time_limit)
    parts = [(part.storages, _flat(part.root)) for part in proved]
    # Modes are closed where a choice with them costs as much as this one.
    bounds = (
        min(part.cost, *(each.bound for each in tree if not each.children))
        for part, (_, tree) in zip(proved, parts, strict=True)
    )
    bound = groups.sure + sum(map(min, problem.prices.values())) + sum(bounds)
    content = text.certificate(choice, bound, parts)
    return Certificate(content, lambda: _vipr(problem, groups, proved), labels.figure)


def _vipr(problem: Problem, groups: GroupCosts, parts: Sequence[ProvedPart]) -> str:
    """The proof for VIPR, in which what every choice pays is the price of one more op."""
    sure = {len(problem.modes): [groups.sure]} if groups.sure else {}
    whole = replace(problem, modes=[*problem.modes, *(1 for _ in sure)], prices={**problem.prices, **sure})
    return vipr_text(whole, [*groups.proved, *(0 for _ in sure)], parts)


def _flat(root: ProofNode) -> list[ProofNode]:
    """The nodes of a tree, each behind its parent."""
    nodes = [root]
    for node in nodes:
        nodes += node.children
    return nodes


class _ProblemText:
    """A problem as data of JSON; storages and ops that cost nothing in any choice are left out."""

    def __init__(self, problem: Problem, labels: Labels, impossible: int | None, groups: GroupCosts) -> None:
        self._problem = problem
        self._labels = labels
        self._impossible = impossible
        self._groups = groups
        self._layouts: dict[Hashable, int] = {}
        """The number of each byte order. Different ones with one name have one number, but for those of a storage."""
        self._names: dict[str | tuple[str, int], int] = {}
        self._may_share = all(map(self._are_different, problem.storages))
        self._tables: dict[str, int] = {}
        self._prices: list[Json] = []
        self.steps: list[int] = []
        """For each storage of the problem a number that divides all its prices."""
        kept = [number for number, each in enumerate(problem.storages) if is_listed(each)]
        self.storages = {number: place for place, number in enumerate(kept)}
        """The numbers of storages in the certificate, by those in the problem."""
        reads: dict[int, list[Json]] = {}
        writes: dict[int, list[Json]] = {}
        for number, place in self.storages.items():
            producer = problem.storages[number].producer
            if isinstance(producer, Access):
                writes.setdefault(producer.op, []).append([place, [*map(self._used, producer.byte_orders)]])
            for reader in problem.storages[number].readers:
                reads.setdefault(reader.op, []).append([place, [*map(self._used, reader.byte_orders)]])
        self.ops = sorted(listed_ops(problem))
        """The ops of the certificate, by their numbers in the problem."""
        self._numbers = {op: place for place, op in enumerate(self.ops)}
        self._pools = {pool: place for place, pool in enumerate(compress(range(len(groups.joint)), groups.joint))}
        """The places of the pools that have prices."""
        storages = [self._storage(number, storage) for number, storage in enumerate(problem.storages)]
        self.content = {
            "format": PROBLEM,
            "layouts": [each if isinstance(each, str) else each[0] for each in self._names],
            "tables": self._prices,
            "storages": [each for each in storages if each is not None],
            "ops": [self._op(op, reads.get(op, []), writes.get(op, [])) for op in self.ops],
            **self._group_costs(),
            "notes": labels.notes,
        }

    def _group_costs(self) -> Json:
        """The amount that every choice pays and the pools of joint prices; empty where there are none."""
        pools = zip(chain(self._labels.storages, repeat("all")), self._groups.joint, strict=False)
        kept = [
            {"name": name, "prices": [[each.amount, self._modes(each)] for each in pool]}
            for name, pool in pools
            if pool
        ]
        sure = {"sure": self._groups.sure} if self._groups.sure else {}
        return {**sure, "joint": kept} if kept else sure

    def _modes(self, price: JointPrice) -> Json:
        return [[self._numbers[op], sorted(modes)] for op, modes in price.modes]

    def certificate(
        self, choice: Sequence[int], bound: int, parts: Sequence[tuple[Sequence[int], Sequence[ProofNode]]]
    ) -> Mapping[str, Json]:
        """The content of a certificate: a choice, and a bound that the trees of some storages each prove."""
        cost = cost_of_choice(self._problem, choice) + self._groups.of_choice(choice)
        more = {"more": self._groups.cost - cost} if self._groups.cost > cost else {}
        listed = [
            {"storages": [self.storages[each] for each in own if each in self.storages], "nodes": [*self.nodes(tree)]}
            for own, tree in parts
        ]
        return {
            "format": FORMAT,
            "problem": self.content,
            "plan": {"modes": [choice[op] for op in self.ops], **more, "cost": self._groups.cost},
            "proof": {"denominator": DIGITS, "bound": bound, "parts": listed},
        }

    def _are_different(self, storage: StorageTerm) -> bool:
        """True if no two byte orders of a storage have the same name."""
        known = {*written_in(storage), *used_in(storage.readers)}
        return len({*map(self._labels.layout, known)}) == len(known)

    def _number(self, byte_order: Hashable) -> int:
        if byte_order not in self._layouts:
            name = self._labels.layout(byte_order)
            key = name if self._may_share else (name, len(self._names))
            self._layouts[byte_order] = self._names.setdefault(key, len(self._names))
        return self._layouts[byte_order]

    def _used(self, used: Hashable) -> Json:
        """The number of a byte order, or those of both."""
        numbers = [*map(self._number, each_of(used))]
        return numbers if len(numbers) > 1 else numbers[0]

    def _op(self, op: int, reads: Json, writes: Json) -> Json:
        name, kind = self._labels.ops[op]
        prices = {"prices": [*self._problem.prices[op]]} if op in self._problem.prices else {}
        return {"name": name, "kind": kind, **prices, "reads": reads, "writes": writes}

    def _storage(self, number: int, storage: StorageTerm) -> Json | None:
        """A storage in words; None if it is left out."""
        if number not in self.storages:
            self.steps.append(0)
            return None
        given = None if isinstance(storage.producer, Access) else storage.producer
        fixed = {} if given is None else {"given": self._number(given)}
        notes: Mapping[str, Json] = self._labels.storage_notes[number] if self._labels.storage_notes else {}
        return {"name": self._labels.storages[number], "conversion": self._conversion(storage), **fixed, **notes}

    def _conversion(self, storage: StorageTerm) -> Json:
        """The price of all conversions of a storage, or the table that has each."""
        if isinstance(storage.weight, int) and self._stated(storage.weight) is not None:
            self.steps.append(storage.weight)
            return storage.weight
        given, wanted = written_in(storage), used_in(storage.readers)
        prices = [[storage.price(each, other) for other in wanted] for each in given]
        self.steps.append(gcd(*(price for row in prices for price in row)))
        stated = [[*map(self._stated, row)] for row in prices]
        table = {"from": [*map(self._number, given)], "to": [*map(self._number, wanted)], "prices": stated}
        number = self._tables.setdefault(json.dumps(table), len(self._prices))
        if number == len(self._prices):
            self._prices.append(table)
        return {"table": number}

    def _stated(self, price: int) -> int | None:
        """A price, or None for a conversion that does not exist."""
        return price if self._impossible is None or price < self._impossible else None

    def nodes(self, tree: Sequence[ProofNode]) -> Iterator[Json]:
        """The nodes of a tree. One that is only branched has no terms."""
        first = 1
        for node in tree:
            terms = {"terms": [*self._terms(node.terms)]} if node.closed or not node.children else {}
            closed = {"closed": [[self._numbers[op], [*modes]] for op, modes in node.closed]} if node.closed else {}
            # The children of each node follow those of the nodes before it.
            children = [*range(first, first + len(node.children))]
            first += len(node.children)
            branched = {"op": self._numbers[node.op], "cover": node.cover, "children": children} if children else {}
            joint = {"joint": [[self._pools[pool], place] for pool, place in node.joint]} if node.joint else {}
            yield {**terms, **joint, **closed, **branched}

    def _terms(self, terms: Sequence[PaidTerm]) -> Iterator[Json]:
        for number, of_storage in groupby(terms, key=lambda term: term.storage):
            storage = self._problem.storages[number]
            in_order = sorted(range(len(storage.readers)), key=lambda reader: storage.readers[reader].op)
            places = {reader: place for place, reader in enumerate(in_order)}
            given = set(written_in(storage))
            for term in of_storage:
                read = set(used_in([storage.readers[term.reader]]))
                wanted = sorted(self._layouts[each] for each in term.wanted if each in read)
                saved_by = sorted(self._layouts[each] for each in term.given if each in given)
                yield [self.storages[number], places[term.reader], wanted, saved_by, term.amount]
