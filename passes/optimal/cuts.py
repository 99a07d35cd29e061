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
from .problem import Family, Problem, Touch

MOST_POINTS = 20_000
"""Parts with more ops than this are not looked at: their conflicts would take longer to find than the minimum."""


class Crossing(NamedTuple):
    """A family that would have to be stored again in a sequence."""

    family: int
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

    families: list[int]
    paths: list[Path] | None
    """The conflicts, which add up to the minimum of the part; None if it is no cut."""


def parts_of(problem: Problem) -> list[Part]:
    """The parts of a problem in which anything could have to be stored again."""
    sides = _Sides(problem)
    return [Part(families, _paths(problem, sides, families) if is_cut else None) for families, is_cut in sides.parts()]


class _Sides:
    """To which of two sides each way to write an op and each sequence of a family belongs."""

    def __init__(self, problem: Problem) -> None:
        self._families = problem.families
        touches: list[list[Touch]] = [[] for _ in problem.modes]
        for touch in (touch for family in problem.families for touch in _touches(family)):
            touches[touch.op].append(touch)
        self._ways = [len(set(zip(*(touch.byte_orders for touch in each), strict=True))) for each in touches]
        """How many different modes each op has."""
        self._byte_orders = [list(dict.fromkeys(_byte_orders(family))) for family in problem.families]
        self._links: list[list[tuple[int, int]]] = [[] for _ in problem.modes]
        """For each op the families that it has a choice about, and whether its first mode takes the first sequence
        (0) or the second one (1)."""
        for number, family in enumerate(problem.families):
            for touch in _touches(family):
                if not is_fixed(touch):
                    turn = self._byte_orders[number].index(touch.byte_orders[0])
                    self._links[touch.op].append((number, min(turn, 1)))
        self._side: dict[int, int] = {}
        """On which side the first sequence of each family is."""

    def of(self, family: int, byte_order: Hashable) -> int:
        """The side that stores a family in this sequence."""
        return self._side[family] ^ self._byte_orders[family].index(byte_order)

    def parts(self) -> Iterator[tuple[list[int], bool]]:
        """The families of each part, and whether there are two sides, and nothing that belongs to both."""
        for start, family in enumerate(self._families):
            if start in self._side or not family.weight or len(self._byte_orders[start]) < 2:
                continue
            self._side[start] = 0
            found, op_sides, fits = [start], dict[int, int](), True
            # The list grows while it is gone through.
            for number in found:
                fits &= len(self._byte_orders[number]) <= 2
                for op in (touch.op for touch in _touches(self._families[number]) if not is_fixed(touch)):
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


def is_fixed(touch: Touch) -> bool:
    """Whether an op uses one sequence in all of its modes."""
    return all(byte_order == touch.byte_orders[0] for byte_order in touch.byte_orders)


def _touches(family: Family) -> list[Touch]:
    return [family.giver, *family.readers] if isinstance(family.giver, Touch) else family.readers


def _byte_orders(family: Family) -> Iterator[Hashable]:
    """All sequences that a family could be given or read in."""
    if not isinstance(family.giver, Touch):
        yield family.giver
    for touch in _touches(family):
        yield from touch.byte_orders


def _paths(problem: Problem, sides: _Sides, families: Sequence[int]) -> list[Path]:
    """The conflicts of a part that is a cut: what flows from the first side to the second."""
    drawn = _Drawing(sides, 1 + sum(problem.families[number].weight for number in families))
    for number in families:
        drawn.add(number, problem.families[number])
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

    def add(self, number: int, family: Family) -> None:
        """Between what gives a family and those who read it, either way, as much can flow as the family weighs."""
        if not family.weight:
            return
        giver = self._giver(number, family.giver)
        readers = list(dict.fromkeys(self._node(number, touch) for touch in family.readers))
        byte_orders = dict.fromkeys(byte_order for touch in family.readers for byte_order in touch.byte_orders)
        for byte_order in byte_orders:
            side = self._sides.of(number, byte_order)
            # However many read the sequence, it is stored once.
            meeting = readers[0] if len(readers) == 1 else self.graph.add_node()
            tail, head = (giver, meeting) if side else (meeting, giver)
            self._crossings[self.graph.add_arc(tail, head, family.weight)] = Crossing(number, byte_order, side == 1)
            if len(readers) > 1:
                for reader in readers:
                    tail, head = (meeting, reader) if side else (reader, meeting)
                    self.graph.add_arc(tail, head, self._endless)

    def _giver(self, number: int, giver: Touch | Hashable) -> int:
        if isinstance(giver, Touch):
            return self._node(number, giver)
        return self._end(None, self._sides.of(number, giver))

    def _node(self, number: int, touch: Touch) -> int:
        if is_fixed(touch):
            return self._end(touch.op, self._sides.of(number, touch.byte_orders[0]))
        if (touch.op, None) not in self._nodes:
            self._nodes[touch.op, None] = self._new(touch.op)
        return self._nodes[touch.op, None]

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
