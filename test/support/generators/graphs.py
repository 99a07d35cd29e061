"""Fusion graphs for tests, built without a program."""

from collections.abc import Iterable, Sequence
from random import Random

from npu_opt.dialects.npu.fusion import FusionKind
from npu_opt.passes.fusion.graph.graph import Edge, FusionNode
from xdsl.dialects.builtin import UnregisteredOp

SomeOp = UnregisteredOp.with_name("test.op")

KINDS = (FusionKind.ELEMENTWISE,) * 5 + (
    FusionKind.BROADCAST,
    FusionKind.BROADCAST,
    FusionKind.INJECTIVE,
    FusionKind.INJECTIVE,
    FusionKind.REDUCTION,
    FusionKind.OUT_FUSABLE,
    FusionKind.OUT_FUSABLE,
    FusionKind.OPAQUE,
)


def graph(
    kinds: Sequence[FusionKind], edges: Iterable[tuple[int, int, FusionKind]], outside: Iterable[int]
) -> list[FusionNode]:
    """A graph of nodes of these kinds, with edges from producers to users."""
    used_outside = set(outside)
    nodes = [
        FusionNode(SomeOp.create(), index, kind, is_used_outside=index in used_outside)
        for index, kind in enumerate(kinds)
    ]
    for producer, reader, kind in edges:
        nodes[producer].edges.append(Edge(reader, kind))
    return nodes


def chain(*kinds: FusionKind) -> list[FusionNode]:
    """A chain of nodes, each used by the next; the last one is returned."""
    return graph(kinds, [(place, place + 1, kind) for place, kind in enumerate(kinds[1:])], [len(kinds) - 1])


def random_graph(rng: Random, size: int, kinds: Sequence[FusionKind] = KINDS) -> list[FusionNode]:
    """A random graph: most edges are short, some are double, and few nodes are used outside."""
    chosen = [rng.choice(kinds) for _ in range(size)]
    edges: list[tuple[int, int, FusionKind]] = []
    for reader in range(1, size):
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            producer = max(0, reader - 1 - int(rng.expovariate(0.6)))
            kind = chosen[reader]
            if kind is FusionKind.BROADCAST and rng.random() < 0.6:
                kind = FusionKind.ELEMENTWISE
            edges.append((producer, reader, kind))
    rng.shuffle(edges)
    return graph(chosen, edges, [place for place in range(size) if rng.random() < 0.08 or place == size - 1])
