"""The conflicts that force a program to move data, as paths: a readable proof of the minimum.

If every op has two modes, every storage two byte orders, and no ring of them contradicts itself, the cheapest choice is
a minimum cut between the two byte orders, and its cost is a maximum flow. Each path of that flow is a conflict: its two
ends are pinned to different byte orders, so a storage between them must be converted. No two paths count the same bytes
of a storage, so their costs add up.

An op whose two modes differ in price is drawn to the cheaper one, and may be the end of a path, too: then a storage is
converted or the op runs in its dearer mode.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from ...common.graph.maximum_flow import SINK, SOURCE, FlowGraph, FlowPath
from ..solve.problem import Access, Problem, StorageTerm, accesses_of, byte_orders_of

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
    is_drawn: tuple[bool, bool] = (False, False)
    """True for an end that is not pinned, but cheaper in one of its modes."""


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
        self._accesses = accesses
        self._prices = problem.prices
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
        self._op_sides: dict[int, int] = {}
        """The side of the first mode of each op with a choice."""

    def of(self, storage: int, byte_order: Hashable) -> int:
        """The side of a byte order."""
        return self._side[storage] ^ self._byte_orders[storage].index(byte_order)

    def other(self, storage: int, byte_order: Hashable) -> Hashable:
        """The other one of the two byte orders of a storage."""
        first, second = self._byte_orders[storage]
        return second if byte_order == first else first

    def extra_prices(self, op: int) -> tuple[int, int]:
        """The amounts by which the modes of an op on either side are dearer than those on the other one."""
        if op not in self._prices:
            return 0, 0
        cheapest: dict[int, int] = {}
        ways = list(zip(*(access.byte_orders for access in self._accesses[op]), strict=True))
        for way, price in zip(ways, self._prices[op], strict=True):
            side = self._op_sides[op] ^ (way != ways[0])
            cheapest[side] = min(price, cheapest.get(side, price))
        return max(cheapest[0] - cheapest[1], 0), max(cheapest[1] - cheapest[0], 0)

    def parts(self) -> Iterator[tuple[list[int], bool]]:
        """The storages of each part, and true if it has two consistent sides."""
        for start, storage in enumerate(self._storages):
            if start in self._side or storage.is_free or len(self._byte_orders[start]) < 2:
                continue
            self._side[start] = 0
            found, count, fits = [start], 0, True
            # The list grows during the iteration.
            for number in found:
                fits &= len(self._byte_orders[number]) <= 2
                for op in (access.op for access in accesses_of(self._storages[number]) if not is_fixed(access)):
                    if op in self._op_sides:
                        continue
                    count += 1
                    fits &= self._ways[op] == 2
                    side = next(self._side[other] ^ turn for other, turn in self._links[op] if other == number)
                    self._op_sides[op] = side
                    for other, turn in self._links[op]:
                        if other not in self._side:
                            self._side[other] = side ^ turn
                            found.append(other)
                        fits &= self._side[other] == side ^ turn
            yield found, fits and count <= MOST_POINTS


def is_fixed(access: Access) -> bool:
    """True if an op uses one byte order in all of its modes."""
    return all(byte_order == access.byte_orders[0] for byte_order in access.byte_orders)


def _paths(problem: Problem, sides: _Sides, storages: Sequence[int]) -> list[Path]:
    """The conflicts of a part that is a cut: the flow from the first side to the second."""
    drawn = _Drawing(sides)
    for number in storages:
        drawn.add(number, problem.storages[number])
    return [drawn.path(found) for found in drawn.graph.paths()]


class _Drawing:
    """A part as a flow graph: the source is all that is pinned to the first side, the sink all of the second."""

    def __init__(self, sides: _Sides) -> None:
        self.graph = FlowGraph()
        self._sides = sides
        self._nodes: dict[tuple[int | None, int | None], int] = {}
        """The node of each op with a choice, and of each pinned op and side."""
        self._ops: dict[int, int | None] = {}
        self._crossings: dict[int, Crossing] = {}
        """The conversion that cutting an arc causes."""
        self._draws: set[int] = set()
        """The arcs that stand for what an op costs more on one side."""

    def add(self, number: int, storage: StorageTerm) -> None:
        """Add arcs between the storage's producer and its users, in both directions, of what each conversion costs."""
        if storage.is_free:
            return
        producer = self._producer(number, storage.producer)
        readers = list(dict.fromkeys(self._node(number, access) for access in storage.readers))
        byte_orders = dict.fromkeys(byte_order for access in storage.readers for byte_order in access.byte_orders)
        for byte_order in byte_orders:
            side = self._sides.of(number, byte_order)
            # All users of a byte order share one conversion.
            meeting = readers[0] if len(readers) == 1 else self.graph.add_node()
            tail, head = (producer, meeting) if side else (meeting, producer)
            amount = storage.price(self._sides.other(number, byte_order), byte_order)
            self._crossings[self.graph.add_arc(tail, head, amount)] = Crossing(number, byte_order, side == 1)
            if len(readers) > 1:
                for reader in readers:
                    tail, head = (meeting, reader) if side else (reader, meeting)
                    self.graph.add_arc(tail, head, FlowGraph.ENDLESS)

    def _producer(self, number: int, producer: Access | Hashable) -> int:
        if isinstance(producer, Access):
            return self._node(number, producer)
        return self._end(None, self._sides.of(number, producer))

    def _node(self, number: int, access: Access) -> int:
        if is_fixed(access):
            return self._end(access.op, self._sides.of(number, access.byte_orders[0]))
        if (access.op, None) not in self._nodes:
            node = self._nodes[access.op, None] = self._new(access.op)
            self._draw(node, *self._sides.extra_prices(access.op))
        return self._nodes[access.op, None]

    def _draw(self, node: int, first: int, second: int) -> None:
        """Add an arc for what an op costs more on the first side or on the second one."""
        if first:
            self._draws.add(self.graph.add_arc(node, SINK, first))
        if second:
            self._draws.add(self.graph.add_arc(SOURCE, node, second))

    def _end(self, op: int | None, side: int) -> int:
        """The node of all that is pinned to a side."""
        if (op, side) not in self._nodes:
            node = self._nodes[op, side] = self._new(op)
            tail, head = (node, SINK) if side else (SOURCE, node)
            self.graph.add_arc(tail, head, FlowGraph.ENDLESS)
        return self._nodes[op, side]

    def _new(self, op: int | None) -> int:
        node = self.graph.add_node()
        self._ops[node] = op
        return node

    def path(self, found: FlowPath) -> Path:
        nodes = [self.graph.head(arc) for arc in found.arcs]
        points = [self._ops[node] for node in nodes if node in self._ops]
        crossings = [self._crossings[arc] for arc in found.arcs if arc in self._crossings]
        return Path(found.amount, points, crossings, (found.arcs[0] in self._draws, found.arcs[-1] in self._draws))
