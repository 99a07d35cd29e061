"""Arrangements against numpy: the stored tensor that an arrangement describes is built and compared."""

from math import prod

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from npu_opt.layout import DYNAMIC, Arrangement, Extent, compose, invert, named

Shape = tuple[int, ...]

shapes = st.lists(st.sampled_from([1, 2, 3, 4, 6]), max_size=4).map(tuple)


def build(arrangement: Arrangement, node: np.ndarray) -> np.ndarray:
    """The stored tensor, by looking up each element: the index along each node axis is the sum of its pieces."""
    physical = tuple(extent.factor for extent in arrangement.shape)
    result = np.empty(physical, dtype=node.dtype)
    for index in np.ndindex(*physical):
        source = [0] * node.ndim
        for position, pieces in zip(index, arrangement.axes, strict=True):
            rest = position
            for piece in reversed(pieces):
                source[piece.axis] += rest % piece.size.factor * piece.inner.factor
                rest //= piece.size.factor
        result[index] = node[tuple(source)]
    return result


@st.composite
def views(draw: st.DrawFn) -> tuple[Shape, Arrangement, np.ndarray]:
    """A node, and a stored tensor made of it by random transposes and reshapes, as arrangement and as numpy data."""
    shape = draw(shapes)
    data = np.arange(prod(shape)).reshape(shape)
    arrangement = Arrangement.of(named(shape))
    for _ in range(draw(st.integers(0, 4))):
        if draw(st.booleans()):
            permutation = tuple(draw(st.permutations(range(data.ndim))))
            arrangement, data = arrangement.transposed(permutation), data.transpose(permutation)
            continue
        target = draw(st.sampled_from(factorizations(data.size)))
        reshaped = arrangement.reshaped(named(target))
        if reshaped is not None:
            arrangement, data = reshaped, data.reshape(target)
    return shape, arrangement, data


def factorizations(size: int) -> list[Shape]:
    """Some shapes of this many elements, of rank up to four."""
    found: list[Shape] = [(size,), (1, size), (size, 1)]
    for left in (2, 3, 4, 6):
        if size % left == 0:
            rest = size // left
            found += [(left, rest), (rest, left), (left, 1, rest)]
            found += [(left, inner, rest // inner) for inner in (2, 3) if rest % inner == 0]
    return found


@settings(max_examples=400)
@given(views())
def test_transposes_and_reshapes(view: tuple[Shape, Arrangement, np.ndarray]) -> None:
    shape, arrangement, data = view
    node = np.arange(prod(shape)).reshape(shape)
    np.testing.assert_array_equal(build(arrangement, node), data)


@settings(max_examples=400)
@given(views(), st.data())
def test_a_reshape_is_a_view_exactly_if_it_splits_whole_pieces(
    view: tuple[Shape, Arrangement, np.ndarray], draw: st.DataObject
) -> None:
    _, arrangement, data = view
    target = draw.draw(st.sampled_from(factorizations(data.size)))
    there = arrangement.reshaped(named(target))
    assume(there is not None)
    assert there is not None
    assert there.reshaped(arrangement.shape) == arrangement
    assert tuple(extent.factor for extent in there.shape) == target


@given(views())
def test_equal_bytes_have_equal_arrangements(view: tuple[Shape, Arrangement, np.ndarray]) -> None:
    _, arrangement, data = view
    for permutation in [tuple(range(data.ndim))[::-1], tuple(np.roll(range(data.ndim), 1).tolist())]:
        moved = arrangement.transposed(permutation)
        same = data.shape == data.transpose(permutation).shape and (data == data.transpose(permutation)).all()
        assert (moved == arrangement) == bool(same)
        assert moved.transposed(invert(permutation)) == arrangement
        assert moved.transposed(permutation) == arrangement.transposed(compose(permutation, permutation))


@settings(max_examples=300)
@given(views(), st.data())
def test_views_of_views(view: tuple[Shape, Arrangement, np.ndarray], draw: st.DataObject) -> None:
    shape, inner, data = view
    outer = Arrangement.of(inner.shape).transposed(tuple(draw.draw(st.permutations(range(data.ndim)))))
    reshaped = outer.reshaped(named(draw.draw(st.sampled_from(factorizations(data.size)))))
    outer = outer if reshaped is None else reshaped
    composed = outer.applied_to(inner)
    if composed is not None:
        node = np.arange(prod(shape)).reshape(shape)
        np.testing.assert_array_equal(build(composed, node), build(outer, data))


def test_pieces_of_different_axes_stay_apart() -> None:
    """The high part of one axis is followed by another axis, of the size of the low part."""
    node = np.arange(32).reshape(8, 4)
    halves = Arrangement.of(named((8, 4))).reshaped(named((2, 4, 4)))
    assert halves is not None
    joined = halves.transposed((0, 2, 1)).reshaped(named((8, 4)))
    assert joined is not None
    np.testing.assert_array_equal(build(joined, node), node.reshape(2, 4, 4).transpose(0, 2, 1).reshape(8, 4))


def test_dynamic_sizes_are_pieces() -> None:
    node = named((DYNAMIC, 12, 7))
    heads = Arrangement.of(node).reshaped((node[0], Extent(3), Extent(4), Extent(7)))
    assert heads is not None
    swapped = heads.transposed((1, 0, 3, 2))
    assert swapped.shape == (Extent(3), node[0], Extent(7), Extent(4))
    joined = swapped.reshaped((Extent(3).times(node[0]), Extent(28)))
    assert joined is not None
    assert joined.shape == (Extent(3, (0,)), Extent(28))
    assert joined.reshaped((Extent(3), node[0], Extent(7), Extent(4))) == swapped
    assert Arrangement.of(node).reshaped((Extent(1, (5,)), Extent(84))) is None
