"""Union-find: the figure of the design paper, and any sequence of unions against a partition kept by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from npu_opt.passes.common.union_find import UnionFind

LONG = 100_000


def parents(sets: UnionFind[int]) -> dict[int, int]:
    """Where the arrows of the figure point. In its graphs no path has more than one arrow, so this is the root."""
    return {item: sets.find(item) for group in sets.groups() for item in group}


# --- the figure of nine nodes


def test_the_nine_nodes_of_the_paper():
    sets = UnionFind(range(1, 10))
    # step1: every node is a queue of its own and points to itself.
    assert parents(sets) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9}
    # step2: in each colour the first node points to the second.
    for first, second in ((1, 2), (4, 5), (7, 8)):
        sets.union(first, second)
    assert parents(sets) == {1: 2, 2: 2, 3: 3, 4: 5, 5: 5, 6: 6, 7: 8, 8: 8, 9: 9}
    assert sets.groups() == [[1, 2], [3], [4, 5], [6], [7, 8], [9]]
    # step3: the third points to the second as well: three colours, three groups.
    for first, second in ((3, 2), (6, 5), (9, 8)):
        sets.union(first, second)
    assert parents(sets) == {1: 2, 2: 2, 3: 2, 4: 5, 5: 5, 6: 5, 7: 8, 8: 8, 9: 8}
    assert sets.groups() == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


# --- what the functions promise


def test_a_new_item_is_alone_and_an_old_one_stays_where_it_is():
    sets = UnionFind("ab")
    sets.union("a", "b")
    sets.add("a")
    sets.add("c")
    assert sets.groups() == [["a", "b"], ["c"]]


def test_the_root_of_the_second_remains():
    sets = UnionFind("abcd")
    sets.union("a", "b")
    sets.union("c", "d")
    sets.union("a", "c")
    assert [sets.find(item) for item in "abcd"] == ["d"] * 4


def test_uniting_what_is_together_changes_nothing():
    sets = UnionFind("ab")
    sets.union("a", "b")
    sets.union("b", "a")
    sets.union("a", "a")
    assert [sets.find(item) for item in "ab"] == ["b", "b"]


def test_groups_stand_by_when_they_were_added_not_by_their_roots():
    sets = UnionFind("abcd")
    sets.union("b", "d")
    sets.union("a", "c")
    assert sets.groups() == [["a", "c"], ["b", "d"]]


def test_paths_of_several_arrows_lead_to_one_group():
    sets = UnionFind("abcd")
    for first, second in ("ab", "bc", "cd"):
        sets.union(first, second)
    assert sets.groups() == [["a", "b", "c", "d"]]


def test_equal_items_are_one_item():
    sets = UnionFind([("x", 1), ("y", 2)])
    sets.union(("x", int("1")), ("y", int("2")))
    assert sets.find(("y", int("2"))) == sets.find(("x", int("1"))) == ("y", 2)
    assert len(sets.groups()) == 1


def test_an_item_that_was_never_added_is_an_error():
    with pytest.raises(KeyError):
        UnionFind("ab").find("c")


def test_nothing_has_no_groups():
    assert UnionFind[int]().groups() == []


# --- any sequence of unions

SIZE = 12
UNIONS = st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=30)


def partition(unions: list[tuple[int, int]], items: list[int]) -> list[list[int]]:
    """The same groups, each item with its label, a union relabelling all items."""
    label = {item: item for item in items}
    for first, second in unions:
        old, new = label[first], label[second]
        label = {item: new if each == old else each for item, each in label.items()}
    return [[item for item in items if label[item] == each] for each in dict.fromkeys(label.values())]


@given(UNIONS, st.permutations(range(SIZE)))
def test_groups_are_those_of_a_partition(unions: list[tuple[int, int]], items: list[int]):
    sets = UnionFind(items)
    for count, (first, second) in enumerate(unions, 1):
        sets.union(first, second)
        assert sets.groups() == partition(unions[:count], items)


@given(UNIONS, st.lists(st.integers(0, SIZE - 1)))
def test_looking_changes_no_answer(unions: list[tuple[int, int]], looks: list[int]):
    quiet, asked = UnionFind(range(SIZE)), UnionFind(range(SIZE))
    for sets in (quiet, asked):
        for first, second in unions:
            sets.union(first, second)
    for item in looks:
        asked.find(item)
    assert [asked.find(item) for item in range(SIZE)] == [quiet.find(item) for item in range(SIZE)]


@given(UNIONS)
def test_a_root_is_a_member_of_its_group(unions: list[tuple[int, int]]):
    sets = UnionFind(range(SIZE))
    for first, second in unions:
        sets.union(first, second)
    for group in sets.groups():
        (root,) = {sets.find(item) for item in group}
        assert root in group


# --- long chains


@pytest.mark.parametrize("steps", [range(LONG - 1), range(LONG - 2, -1, -1)], ids=["from the front", "from the back"])
def test_a_long_chain(steps: range):
    sets = UnionFind(range(LONG))
    for item in steps:
        sets.union(item, item + 1)
    assert sets.find(0) == LONG - 1
    assert sets.groups() == [list(range(LONG))]
