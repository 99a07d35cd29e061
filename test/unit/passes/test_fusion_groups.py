"""Post-dominators and the groups of fuse-ops, against their definition and against observed results of TVM."""

from random import Random

import pytest
from npu_opt.dialects.npu.fusion import FusionKind
from npu_opt.passes.fusion.graph.dominators import post_dominators
from npu_opt.passes.fusion.graph.graph import Edge, FusionNode
from npu_opt.passes.fusion.groups.tvm_groups import partition
from support.generators.graphs import chain, graph, random_graph
from support.oracles.naive_fusion import NaiveFusion, kind_to_dominator, naive_dominator

GRAPHS = 400
E, B, J, R, C, X = FusionKind


def groups_of(nodes: list[FusionNode], max_depth: int = 256) -> set[frozenset[int]]:
    return {frozenset(node.index for node in members) for members in partition(nodes, 2, max_depth).members()}


def several(nodes: list[FusionNode], max_depth: int = 256) -> list[list[int]]:
    """The groups of more than one node, in program order."""
    return sorted(sorted(group) for group in groups_of(nodes, max_depth) if len(group) > 1)


def test_dominators_of_random_graphs():
    rng = Random(1)
    for _ in range(GRAPHS):
        nodes = random_graph(rng, rng.randrange(2, 14))
        tree = post_dominators(nodes)
        for node in nodes:
            expected = naive_dominator(nodes, node.index)
            assert tree[node.index].parent == expected
            if expected is not None:
                assert tree[node.index].kind is kind_to_dominator(nodes, node.index, expected)
                assert tree[node.index].depth == tree[expected].depth + 1


def test_groups_of_random_graphs():
    rng = Random(2)
    merged = 0
    for _ in range(GRAPHS):
        nodes = random_graph(rng, rng.randrange(2, 14))
        max_depth = rng.choice((1, 2, 3, 4, 6, 256))
        expected = NaiveFusion(nodes, max_depth).groups()
        assert groups_of(nodes, max_depth) == expected
        merged += len(nodes) - len(expected)
    # The graphs are such that there is something to fuse.
    assert merged > GRAPHS


def test_the_order_of_edges_does_not_matter():
    rng = Random(3)
    for _ in range(GRAPHS):
        nodes = random_graph(rng, 12)
        expected = groups_of(nodes)
        for node in nodes:
            rng.shuffle(node.edges)
        assert groups_of(nodes) == expected


def test_nothing_is_fused_at_level_0():
    assert len(partition(chain(C, E, E), 0, 256).members()) == 3
    assert len(partition(chain(C, E, E), 1, 256).members()) == 1


# Observed results of TVM 0.27. The nodes are numbered from 0; groups of one node are left out.
CHAINS: dict[str, tuple[tuple[FusionKind, ...], list[list[int]]]] = {
    "two complex ops, each with what is behind it": ((C, E, C, E), [[0, 1], [2, 3]]),
    "a complex op and a repeating one": ((C, B), []),
    "nothing goes into a complex op": ((E, C), []),
    "injective ops do not either": ((J, C), []),
    "injective behind complex": ((C, J), []),
    "a new group behind complex and elementwise": ((C, E, J, E), [[0, 1], [2, 3]]),
    "injective in front of a reduction": ((J, R), []),
    "elementwise in front of a reduction, nothing behind": ((E, R, E), [[0, 1]]),
    "injective ops in a row": ((J, J, E, J), [[0, 1, 2, 3]]),
    "opaque": ((E, X, E), []),
}


@pytest.mark.parametrize("name", CHAINS)
def test_chains(name: str):
    kinds, expected = CHAINS[name]
    assert several(chain(*kinds)) == expected


def test_two_complex_ops_meet_and_the_first_wins():
    assert several(graph([C, C, E], [(0, 2, E), (1, 2, E)], [2])) == [[0, 2]]


def test_residual_connection():
    nodes = graph([C, E, C, E, E], [(0, 1, E), (1, 2, C), (1, 3, E), (2, 3, E), (3, 4, E)], [4])
    assert several(nodes) == [[0, 1], [2, 3, 4]]


def test_a_value_that_is_also_returned():
    assert several(graph([C, E, E], [(0, 1, E), (1, 2, E)], [0, 2])) == [[1, 2]]


def test_broadcast_is_hidden_in_the_deeper_path():
    # Every node on the path is allowed there, but an edge broadcasts the result of the complex op.
    nodes = graph([C, E, B, E, E], [(0, 1, E), (1, 2, B), (2, 3, E), (0, 4, E), (3, 4, E)], [4])
    assert several(nodes) == [[1, 2, 3, 4]]


@pytest.mark.parametrize(
    ("depth", "length", "expected"),
    [(2, 4, [[0, 1], [2, 3]]), (3, 5, [[0, 1, 2], [3, 4]]), (1, 3, []), (256, 5, [[0, 1, 2, 3, 4]])],
)
def test_depth(depth: int, length: int, expected: list[list[int]]):
    assert several(chain(*[E] * length), depth) == expected


def test_injective_ops_side_by_side():
    nodes = graph([E, J, J, E], [(0, 1, J), (0, 2, J), (1, 3, E), (2, 3, E)], [3])
    assert several(nodes) == [[0, 1, 2, 3]]


def test_dead_ends_are_groups_of_their_own():
    nodes = graph([E, E, E], [(0, 1, E)], [2])
    assert several(nodes) == [[0, 1]]


def test_deep_and_wide_graphs():
    deep = chain(*[E] * 100_000)
    assert len(partition(deep, 2, 256).members()) == -(-100_000 // 256)
    # One value used by all ops of a chain, by the first of them last.
    shared = chain(E, *[E] * 100_000)
    shared[0].edges[:] = [Edge(reader, E) for reader in range(100_000, 0, -1)]
    assert post_dominators(shared)[0].parent == 100_000
    wide = graph([E] * 5002, [edge for each in range(1, 5001) for edge in ((0, each, E), (each, 5001, E))], [5001])
    assert several(wide, 10_000) == [list(range(5002))]
