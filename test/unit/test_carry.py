"""Carrying orders through reshapes, against numpy: every order that keeps the bytes is tried."""

from itertools import permutations
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from npu_opt.layout import DYNAMIC, Order, carry, identity, without_units

Shape = tuple[int, ...]


@st.composite
def reshapes(draw: st.DrawFn) -> tuple[Shape, Shape]:
    """Two shapes of up to five axes with the same number of elements: factors of it dealt out twice."""
    factors = draw(st.lists(st.sampled_from([2, 2, 3, 4, 5]), max_size=4))
    if draw(st.integers(0, 9)) == 0:
        factors.append(0)

    def shape() -> Shape:
        axes = draw(st.lists(st.just(1), max_size=2)) + list(factors)
        if draw(st.booleans()):
            axes = draw(st.permutations(axes))
        cuts = sorted(draw(st.lists(st.integers(0, len(axes)), max_size=4)))
        bounds = zip([0, *cuts], [*cuts, len(axes)], strict=True)
        return tuple(prod(axes[start:end]) for start, end in bounds)

    return shape(), shape()


def is_right(order: Order, source: Shape, result_order: Order, result: Shape) -> bool:
    data = np.arange(prod(source))
    before = data.reshape(source).transpose(order).ravel()
    after = data.reshape(result).transpose(result_order).ravel()
    return bool((before == after).all())


@settings(max_examples=600)
@given(reshapes(), st.data())
def test_carry_finds_a_right_order_whenever_there_is_one(case: tuple[Shape, Shape], data: st.DataObject) -> None:
    source, result = case
    order = data.draw(st.permutations(range(len(source))).map(tuple))
    right = [each for each in permutations(range(len(result))) if is_right(order, source, each, result)]
    carried = carry(order, source, result)
    assert (carried in right) if right else (carried is None)
    for preferred in permutations(range(len(result))):
        assert carry(order, source, result, preferred) == (preferred if preferred in right else carried)


@given(reshapes(), st.data())
def test_unit_axes_stay_in_place(case: tuple[Shape, Shape], data: st.DataObject) -> None:
    source, result = case
    order = data.draw(st.permutations(range(len(source))).map(tuple))
    carried = carry(order, source, result)
    if carried is not None:
        assert all(carried[axis] == axis for axis, size in enumerate(result) if size == 1)


@given(reshapes())
def test_the_identity_carries_through_every_reshape(case: tuple[Shape, Shape]) -> None:
    source, result = case
    assert carry(identity(len(source)), source, result) == identity(len(result))


@pytest.mark.parametrize(
    ("order", "source", "result", "carried"),
    [
        # NCHW with H and W merged: NHWC becomes N, HW, C.
        ((0, 2, 3, 1), (1, 8, 4, 6), (1, 8, 24), (0, 2, 1)),
        # A flatten of NHWC reads other elements.
        ((0, 2, 3, 1), (1, 8, 4, 6), (1, 192), None),
        # ... but not if there is nothing to flatten.
        ((0, 2, 3, 1), (1, 8, 1, 1), (1, 8), (0, 1)),
        # Groups of channels, as in a channel shuffle.
        ((0, 2, 3, 1), (2, 12, 4, 4), (2, 3, 4, 4, 4), (0, 3, 4, 1, 2)),
        # 4x6 to 6x4 has no common pieces: the two axes move as one block, or not at all.
        ((2, 0, 1), (4, 6, 5), (6, 4, 5), (2, 0, 1)),
        ((1, 0, 2), (4, 6, 5), (6, 4, 5), None),
        ((0, 2, 1), (4, 6, 5), (6, 4, 5), None),
        # More elements on one side: not a reshape.
        ((0, 1), (2, 3), (7,), None),
        ((0,), (1,), (2,), None),
        ((0,), (0,), (2,), None),
    ],
)
def test_examples(order: Order, source: Shape, result: Shape, carried: Order | None) -> None:
    assert carry(order, source, result) == carried


D = DYNAMIC


@pytest.mark.parametrize(
    ("order", "source", "result", "same", "carried"),
    [
        # One dynamic axis on each side: the static ones imply that they are equal.
        ((0, 2, 3, 1), (D, 8, 4, 6), (D, 8, 24), {}, (0, 2, 1)),
        ((1, 0, 2), (D, 3, 4), (D, 12), {}, None),
        ((1, 2, 0), (D, 3, 4), (D, 12), {}, (1, 0)),
        # Two on a side: only linked axes are equal.
        ((0, 2, 1), (D, D, 8), (D, D, 8), {}, None),
        ((2, 0, 1), (D, D, 8), (D, D, 8), {}, (2, 0, 1)),
        ((0, 2, 1), (D, D, 8), (D, D, 8), {0: 0, 1: 1}, (0, 2, 1)),
        ((0, 2, 1), (D, D, 8), (D, D, 8), {0: 0}, (0, 2, 1)),
        ((0, 2, 1), (D, D, 8), (D, D, 2, 4), {0: 0, 1: 1}, (0, 2, 3, 1)),
        # Heads of an attention with a dynamic length.
        ((0, 2, 1), (D, D, 12), (D, D, 3, 4), {0: 0, 1: 1}, (0, 2, 3, 1)),
        # ?x12 merged to one axis: a block.
        ((0, 1), (D, 12), (D,), {}, (0,)),
        ((1, 0), (D, 12), (D,), {}, None),
        ((2, 0, 1), (D, 12, 5), (D, 5), {}, (1, 0)),
        # A size that has to be one.
        ((0, 1), (D, 4), (D, D, 4), {0: 0}, (0, 1, 2)),
        ((0,), (1,), (D,), {}, (0,)),
        ((1, 0), (1, 1), (D, D), {}, (0, 1)),
        ((0, 1), (0, D), (3,), {}, None),
        ((1, 0), (0, D), (D, 4), {}, (0, 1)),
    ],
)
def test_dynamic_axes(order: Order, source: Shape, result: Shape, same: dict[int, int], carried: Order | None) -> None:
    assert carry(order, source, result, same=same) == carried


@settings(max_examples=300)
@given(reshapes(), st.data())
def test_orders_carried_for_dynamic_sizes_are_right_for_every_size(
    case: tuple[Shape, Shape], data: st.DataObject
) -> None:
    source, result = case
    hidden_source = data.draw(st.sets(st.sampled_from(range(len(source))))) if source else set[int]()
    hidden_result = data.draw(st.sets(st.sampled_from(range(len(result))))) if result else set[int]()
    order = data.draw(st.permutations(range(len(source))).map(tuple))
    carried = carry(
        order,
        tuple(DYNAMIC if axis in hidden_source else size for axis, size in enumerate(source)),
        tuple(DYNAMIC if axis in hidden_result else size for axis, size in enumerate(result)),
    )
    if carried is not None:
        assert is_right(order, source, carried, result)


def test_an_order_is_preferred_only_among_the_right_ones() -> None:
    assert carry((0, 2, 3, 1), (1, 8, 4, 6), (1, 8, 24), prefer=(2, 0, 1)) == (2, 0, 1)
    assert carry((0, 2, 3, 1), (1, 8, 4, 6), (1, 8, 24), prefer=(0, 1, 2)) == (0, 2, 1)
    assert without_units((2, 0, 1), (1, 8, 24)) == without_units((0, 2, 1), (1, 8, 24))
