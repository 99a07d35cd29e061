"""The conflicts that make a program move data, as paths: a proof of the minimum that people can read.

Where every op has two ways to be written and every family is stored in one of two sequences, and no ring of them
contradicts itself, the cheapest choice is a cut between what wants the one and what wants the other. The most that can
flow between the two is as much as the cut costs. Each path of that flow is a conflict: one end has the one order, the
other end the other, so somewhere between them a family is stored again. No two paths count the same bytes of a family
twice, hence all of them together have to be paid.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from ..common.maximum_flow import SINK, SOURCE, FlowGraph, FlowPath
from .problem import Access, Problem, StorageTerm

MOST_POINTS = 20_000
"""Parts with more ops than this are not looked at: their conflicts would take longer to find than the minimum."""


class Crossing(NamedTuple):
    """A family that would have to be stored again in a sequence."""

    storage: int
    byte_order: Hashable
    leads_to_reader: bool
    """Whether the path goes from what gives the family to what reads it, and not the other way round."""


class Path(NamedTuple):
    """A conflict: a chain of ops, of which the first and the last have no choice and do not agree."""

    amount: int
    """What the conflict costs, wherever it is resolved."""
    points: list[int | None]
    """The ops; None at an end stands for a family that comes in from outside."""
    crossings: list[Crossing]
    """What stands between one op and the next, where the conflict could be resolved."""


class Part(NamedTuple):
    """Ops and families that have nothing to do with those of other parts."""

    storages: list[int]
    paths: list[Path] | None
    """The conflicts, which add up to the minimum of the part; None if it is no cut."""


def parts_of(problem: Problem) -> list[Part]:
    """The parts of a problem in which anything could have to be stored again."""
    sides = _Sides(problem)
    return [Part(storages, _paths(problem, sides, storages) if is_cut else None) for storages, is_cut in sides.parts()]


class _Sides:
    """To which of two sides each way to write an op and each sequence of a family belongs."""

    def __init__(self, problem: Problem) -> None:
        self._storages = problem.storages
        accesses: list[list[Access]] = [[] for _ in problem.modes]
        for access in (access for storage in problem.storages for access in _accesses(storage)):
            accesses[access.op].append(access)
        self._ways = [len(set(zip(*(access.byte_orders for access in each), strict=True))) for each in accesses]
        """How many different modes each op has."""
        self._byte_orders = [list(dict.fromkeys(_byte_orders(storage))) for storage in problem.storages]
        self._links: list[list[tuple[int, int]]] = [[] for _ in problem.modes]
        """For each op the families that it has a choice about, and whether its first mode takes the first sequence
        (0) or the second one (1)."""
        for number, storage in enumerate(problem.storages):
            for access in _accesses(storage):
                if not is_fixed(access):
                    turn = self._byte_orders[number].index(access.byte_orders[0])
                    self._links[access.op].append((number, min(turn, 1)))
        self._side: dict[int, int] = {}
        """On which side the first sequence of each family is."""

    def of(self, storage: int, byte_order: Hashable) -> int:
        """The side that stores a family in this sequence."""
        return self._side[storage] ^ self._byte_orders[storage].index(byte_order)

    def parts(self) -> Iterator[tuple[list[int], bool]]:
        """The families of each part, and whether there are two sides, and nothing that belongs to both."""
        for start, storage in enumerate(self._storages):
            if start in self._side or not storage.weight or len(self._byte_orders[start]) < 2:
                continue
            self._side[start] = 0
            found, op_sides, fits = [start], dict[int, int](), True
            # The list grows while it is gone through.
            for number in found:
                fits &= len(self._byte_orders[number]) <= 2
                for op in (access.op for access in _accesses(self._storages[number]) if not is_fixed(access)):
                    if op in op_sides:
                        continue
                    fits &= self._ways[op] == 2
                    op_sides[op] = next(self._side[other] ^ turn for other, turn in self._links[op] if other == number)
                    for other, turn in self._links[op]:
                        if other not in self._side:
                            self._side[other] = op_sides[op] ^ turn
                            found.append(other)
                        fits &= self._side[other] == op_sides[op] ^ turn
            yield found, fits and len(op_sides) <= MOST_POINTS


def is_fixed(access: Access) -> bool:
    """Whether an op uses one sequence in all of its modes."""
    return all(byte_order == access.byte_orders[0] for byte_order in access.byte_orders)


def _accesses(storage: StorageTerm) -> list[Access]:
    return [storage.producer, *storage.readers] if isinstance(storage.producer, Access) else storage.readers


def _byte_orders(storage: StorageTerm) -> Iterator[Hashable]:
    """All sequences that a family could be given or read in."""
    if not isinstance(storage.producer, Access):
        yield storage.producer
    for access in _accesses(storage):
        yield from access.byte_orders


def _paths(problem: Problem, sides: _Sides, storages: Sequence[int]) -> list[Path]:
    """The conflicts of a part that is a cut: what flows from the first side to the second."""
    drawn = _Drawing(sides, 1 + sum(problem.storages[number].weight for number in storages))
    for number in storages:
        drawn.add(number, problem.storages[number])
    return [drawn.path(found) for found in drawn.graph.paths()]


class _Drawing:
    """A part as a graph. The source is all that has to be on the first side, the sink what has to be on the second."""

    def __init__(self, sides: _Sides, endless: int) -> None:
        self.graph = FlowGraph()
        self._sides = sides
        self._endless = endless
        """More than could ever flow."""
        self._nodes: dict[tuple[int | None, int | None], int] = {}
        """The node of each op that has a choice, and one for each op without, by the side that it is on."""
        self._ops: dict[int, int | None] = {}
        self._crossings: dict[int, Crossing] = {}
        """What is stored again if an arc is cut."""

    def add(self, number: int, storage: StorageTerm) -> None:
        """Between what gives a family and those who read it, either way, as much can flow as the family weighs."""
        if not storage.weight:
            return
        producer = self._producer(number, storage.producer)
        readers = list(dict.fromkeys(self._node(number, access) for access in storage.readers))
        byte_orders = dict.fromkeys(byte_order for access in storage.readers for byte_order in access.byte_orders)
        for byte_order in byte_orders:
            side = self._sides.of(number, byte_order)
            # However many read the sequence, it is stored once.
            meeting = readers[0] if len(readers) == 1 else self.graph.add_node()
            tail, head = (producer, meeting) if side else (meeting, producer)
            self._crossings[self.graph.add_arc(tail, head, storage.weight)] = Crossing(number, byte_order, side == 1)
            if len(readers) > 1:
                for reader in readers:
                    tail, head = (meeting, reader) if side else (reader, meeting)
                    self.graph.add_arc(tail, head, self._endless)

    def _producer(self, number: int, producer: Access | Hashable) -> int:
        if isinstance(producer, Access):
            return self._node(number, producer)
        return self._end(None, self._sides.of(number, producer))

    def _node(self, number: int, access: Access) -> int:
        if is_fixed(access):
            return self._end(access.op, self._sides.of(number, access.byte_orders[0]))
        if (access.op, None) not in self._nodes:
            self._nodes[access.op, None] = self._new(access.op)
        return self._nodes[access.op, None]

    def _end(self, op: int | None, side: int) -> int:
        """The node of what has to be on a side."""
        if (op, side) not in self._nodes:
            node = self._nodes[op, side] = self._new(op)
            tail, head = (node, SINK) if side else (SOURCE, node)
            self.graph.add_arc(tail, head, self._endless)
        return self._nodes[op, side]

    def _new(self, op: int | None) -> int:
        node = self.graph.add_node()
        self._ops[node] = op
        return node

    def path(self, found: FlowPath) -> Path:
        nodes = [self.graph.head(arc) for arc in found.arcs]
        points = [self._ops[node] for node in nodes if node in self._ops]
        return Path(found.amount, points, [self._crossings[arc] for arc in found.arcs if arc in self._crossings])
