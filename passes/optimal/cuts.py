"""The conflicts that force a program to move data, as paths: a readable proof of the minimum.

If every op has two modes, every storage two byte orders, and no ring of them contradicts itself, the cheapest choice is
a minimum cut between the two byte orders, and its cost is a maximum flow. Each path of that flow is a conflict: its two
ends are pinned to different byte orders, so a storage between them must be converted. No two paths count the same bytes
of a storage, so their costs add up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from ..common.maximum_flow import SINK, SOURCE, FlowGraph, FlowPath
from .problem import Access, Problem, StorageTerm, accesses_of, byte_orders_of

MOST_POINTS = 20_000
"""No conflicts are searched in larger parts, since that would take longer than finding the minimum."""


class Crossing(NamedTuple):
    """A storage that would have to be converted to a byte order."""

    storage: int
    byte_order: Hashable
    leads_to_reader: bool
    """True if the path leads from the producer of the storage to a user, false for the reverse."""


class Path(NamedTuple):
    """A conflict: a chain of ops whose ends are pinned to different byte orders."""

    amount: int
    """The cost of the conflict, wherever it is resolved."""
    points: list[int | None]
    """The ops; None at an end is a function argument."""
    crossings: list[Crossing]
    """The storages between neighbouring ops, where the conflict could be resolved."""


class Part(NamedTuple):
    """Ops and storages that are independent of all other parts."""

    storages: list[int]
    paths: list[Path] | None
    """The conflicts, whose costs add up to the minimum of the part; None if the part is no cut."""


def parts_of(problem: Problem) -> list[Part]:
    """The parts of a problem that may need conversions."""
    sides = _Sides(problem)
    return [Part(storages, _paths(problem, sides, storages) if is_cut else None) for storages, is_cut in sides.parts()]


class _Sides:
    """The side of a cut that each mode of an op and each byte order of a storage belongs to."""

    def __init__(self, problem: Problem) -> None:
        self._storages = problem.storages
        accesses: list[list[Access]] = [[] for _ in problem.modes]
        for access in (access for storage in problem.storages for access in accesses_of(storage)):
            accesses[access.op].append(access)
        self._ways = [len(set(zip(*(access.byte_orders for access in each), strict=True))) for each in accesses]
        """The number of different modes of each op."""
        self._byte_orders = [byte_orders_of(storage) for storage in problem.storages]
        self._links: list[list[tuple[int, int]]] = [[] for _ in problem.modes]
        """For each op the storages whose byte order it can choose, with the byte order's index in its first mode."""
        for number, storage in enumerate(problem.storages):
            for access in accesses_of(storage):
                if not is_fixed(access):
                    turn = self._byte_orders[number].index(access.byte_orders[0])
                    self._links[access.op].append((number, min(turn, 1)))
        self._side: dict[int, int] = {}
        """The side of the first byte order of each storage."""

    def of(self, storage: int, byte_order: Hashable) -> int:
        """The side of a byte order."""
        return self._side[storage] ^ self._byte_orders[storage].index(byte_order)

    def parts(self) -> Iterator[tuple[list[int], bool]]:
        """The storages of each part, and true if it has two consistent sides."""
        for start, storage in enumerate(self._storages):
            if start in self._side or not storage.weight or len(self._byte_orders[start]) < 2:
                continue
            self._side[start] = 0
            found, op_sides, fits = [start], dict[int, int](), True
            # The list grows during the iteration.
            for number in found:
                fits &= len(self._byte_orders[number]) <= 2
                for op in (access.op for access in accesses_of(self._storages[number]) if not is_fixed(access)):
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
    """True if an op uses one byte order in all of its modes."""
    return all(byte_order == access.byte_orders[0] for byte_order in access.byte_orders)


def _paths(problem: Problem, sides: _Sides, storages: Sequence[int]) -> list[Path]:
    """The conflicts of a part that is a cut: the flow from the first side to the second."""
    drawn = _Drawing(sides, 1 + sum(problem.storages[number].weight for number in storages))
    for number in storages:
        drawn.add(number, problem.storages[number])
    return [drawn.path(found) for found in drawn.graph.paths()]


class _Drawing:
    """A part as a flow graph: the source is all that is pinned to the first side, the sink all of the second."""

    def __init__(self, sides: _Sides, endless: int) -> None:
        self.graph = FlowGraph()
        self._sides = sides
        self._endless = endless
        """A capacity above any possible flow."""
        self._nodes: dict[tuple[int | None, int | None], int] = {}
        """The node of each op with a choice, and of each pinned op and side."""
        self._ops: dict[int, int | None] = {}
        self._crossings: dict[int, Crossing] = {}
        """The conversion that cutting an arc causes."""

    def add(self, number: int, storage: StorageTerm) -> None:
        """Add arcs of the storage's weight between its producer and its users, in both directions."""
        if not storage.weight:
            return
        producer = self._producer(number, storage.producer)
        readers = list(dict.fromkeys(self._node(number, access) for access in storage.readers))
        byte_orders = dict.fromkeys(byte_order for access in storage.readers for byte_order in access.byte_orders)
        for byte_order in byte_orders:
            side = self._sides.of(number, byte_order)
            # All users of a byte order share one conversion.
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
        """The node of all that is pinned to a side."""
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
