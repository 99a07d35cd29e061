"""Layouts and orders against numpy."""

import subprocess
import sys
from collections.abc import Sequence
from itertools import permutations
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from npu_opt.layout import (
    DYNAMIC,
    Layout,
    LayoutClass,
    LayoutError,
    Order,
    channels_last,
    compose,
    identity,
    identity_layout,
    invert,
    order_from_keys,
    permutation_between,
    permute,
    prevailing,
    same_storage,
    unpermute,
)
from numpy.typing import NDArray

FEATURE, WEIGHT, TENSOR, NTENSOR = LayoutClass

Numbers = NDArray[np.int64]


def orders(rank: int) -> st.SearchStrategy[Order]:
    return st.permutations(range(rank)).map(tuple)


def same_rank_orders(count: int, max_rank: int = 5) -> st.SearchStrategy[tuple[Order, ...]]:
    return st.integers(0, max_rank).flatmap(lambda rank: st.tuples(*[orders(rank)] * count))


def stored(logical: Numbers, order: Order) -> Numbers:
    return np.array(logical.transpose(order), order="C")


def numbered(shape: Sequence[int]) -> Numbers:
    """A tensor of which every element is different."""
    size: int = prod(shape)
    return np.arange(size, dtype=np.int64).reshape(tuple(shape))


ALL_CNN_LAYOUTS = [
    "".join(letters) for names in ("NCW", "NCHW", "NCDHW", "OIW", "OIHW", "OIDHW") for letters in permutations(names)
]


def test_every_permutation_of_the_letters_is_a_layout() -> None:
    assert len(ALL_CNN_LAYOUTS) == 2 * (6 + 24 + 120)
    for text in ALL_CNN_LAYOUTS:
        layout = Layout.parse(text)
        assert str(layout) == text
        assert layout.cls is (FEATURE if "N" in text else WEIGHT)
        assert layout.rank == len(text)
        assert [text[layout.position_of(letter)] for letter in text] == list(text)


@pytest.mark.parametrize(
    ("text", "printed", "cls", "order"),
    [
        ("NCHW", "NCHW", FEATURE, (0, 1, 2, 3)),
        ("NHWC", "NHWC", FEATURE, (0, 2, 3, 1)),
        ("NHCW", "NHCW", FEATURE, (0, 2, 1, 3)),
        ("NWC", "NWC", FEATURE, (0, 2, 1)),
        ("NDHWC", "NDHWC", FEATURE, (0, 2, 3, 4, 1)),
        ("OIHW", "OIHW", WEIGHT, (0, 1, 2, 3)),
        ("HWOI", "HWOI", WEIGHT, (2, 3, 0, 1)),
        ("Tensor", "Tensor", TENSOR, None),
        ("NTensor", "NTensor", NTENSOR, None),
        (" Tensor ,[ 0,2 , 1] ", "Tensor, [0, 2, 1]", TENSOR, (0, 2, 1)),
        ("Tensor, [0, 1, 2]", "Tensor", TENSOR, None),
        ("NTensor, [1, 0, 2]", "NTensor, [1, 0, 2]", NTENSOR, (1, 0, 2)),
    ],
)
def test_text_form(text: str, printed: str, cls: LayoutClass, order: Order | None) -> None:
    layout = Layout.parse(text)
    assert (layout.cls, layout.order, str(layout)) == (cls, order, printed)
    assert Layout.parse(printed) == layout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a layout"),
        ("NHWX", "'NHWX' is not a layout: expected a permutation of NCW"),
        ("NNHW", "'NNHW' is not a layout"),
        ("NCHWW", "'NCHWW' is not a layout"),
        ("nchw", "'nchw' is not a layout"),
        ("Tensor, [0, 0]", "[0, 0] is not a permutation"),
        ("Tensor, [1, 2]", "[1, 2] is not a permutation"),
        ("Tensor, [0,, 1]", "an axis is missing"),
        ("Tensor, []", "an axis is missing"),
        ("Tensor, [1, 0, 2, 3, 4, 5, 6]", "ranks above 6 keep their order"),
        ("NTensor, [1, 0]", "NTensor is for ranks 3 to 6"),
        ("NCHW, [0, 1, 2, 3]", "is not a layout"),
    ],
)
def test_texts_that_are_not_layouts(text: str, message: str) -> None:
    with pytest.raises(LayoutError) as error:
        Layout.parse(text)
    assert message in str(error.value)


def test_layouts_that_cannot_be_built() -> None:
    with pytest.raises(LayoutError, match="Feature needs an order"):
        Layout(FEATURE)
    with pytest.raises(LayoutError, match="Weight has no named axes at rank 2"):
        Layout(WEIGHT, (0, 1))


@pytest.mark.parametrize(
    ("text", "rank", "problem"),
    [
        ("NHWC", 4, None),
        ("NHWC", 3, "layout NHWC is of rank 4, the tensor of rank 3"),
        ("Tensor", 0, None),
        ("Tensor", 9, None),
        ("Tensor, [0, 2, 1]", 4, "layout Tensor, [0, 2, 1] is of rank 3, the tensor of rank 4"),
        ("NTensor", 2, "NTensor is for ranks 3 to 6, the tensor is of rank 2"),
        ("NTensor", 6, None),
        ("NTensor", 7, "NTensor is for ranks 3 to 6, the tensor is of rank 7"),
    ],
)
def test_mismatches_of_layout_and_rank(text: str, rank: int, problem: str | None) -> None:
    assert Layout.parse(text).rank_mismatch(rank) == problem


def test_the_hardware_orders_of_each_rank() -> None:
    assert [str(channels_last(FEATURE, rank)) for rank in (3, 4, 5)] == ["NWC", "NHWC", "NDHWC"]
    assert [str(channels_last(WEIGHT, rank)) for rank in (3, 4, 5)] == ["WOI", "HWOI", "DHWOI"]
    assert [str(identity_layout(FEATURE, rank)) for rank in (3, 4, 5)] == ["NCW", "NCHW", "NCDHW"]
    assert str(identity_layout(TENSOR, 7)) == "Tensor"


@given(same_rank_orders(1))
def test_physical_and_logical_shape(case: tuple[Order]) -> None:
    (order,) = case
    logical = tuple(range(2, 2 + len(order)))
    physical = stored(numbered(logical), order).shape
    assert permute(logical, order) == physical
    assert unpermute(physical, order) == logical
    assert permute(order, invert(order)) == identity(len(order))


@given(same_rank_orders(2))
def test_composed_transposes(case: tuple[Order, Order]) -> None:
    first, second = case
    data = numbered((2,) * len(first))
    np.testing.assert_array_equal(data.transpose(first).transpose(second), data.transpose(compose(first, second)))


@given(same_rank_orders(2))
def test_the_transpose_between_two_orders(case: tuple[Order, Order]) -> None:
    source, result = case
    logical = numbered(range(2, 2 + len(source)))
    moved = stored(logical, source).transpose(permutation_between(source, result))
    np.testing.assert_array_equal(moved, stored(logical, result))


def test_the_transpose_between_all_named_layouts_of_rank_4() -> None:
    logical = numbered((2, 3, 4, 5))
    for source in map(Layout.parse, map("".join, permutations("NCHW"))):
        for result in map(Layout.parse, map("".join, permutations("NCHW"))):
            moved = stored(logical, source.order_for(4)).transpose(
                permutation_between(source.order_for(4), result.order_for(4))
            )
            np.testing.assert_array_equal(moved, stored(logical, result.order_for(4)))


@given(same_rank_orders(2, max_rank=4), st.data())
def test_same_storage_compares_bytes(case: tuple[Order, Order], data: st.DataObject) -> None:
    left, right = case
    shape = data.draw(st.tuples(*[st.sampled_from([1, 2, 3, 0])] * len(left)))
    logical = numbered(shape)
    same_bytes = stored(logical, left).ravel().tolist() == stored(logical, right).ravel().tolist()
    assert same_storage(left, right, shape) == same_bytes


def test_a_dynamic_size_is_not_a_unit_size() -> None:
    assert same_storage((0, 1, 2), (1, 0, 2), (1, DYNAMIC, 3))
    assert not same_storage((0, 1, 2), (0, 2, 1), (1, DYNAMIC, 3))


def test_the_algebra_does_not_load_xdsl() -> None:
    code = "import sys, npu_opt.layout; sys.exit(any(name.split('.')[0] == 'xdsl' for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@given(same_rank_orders(1), st.sets(st.integers(0, 4)))
def test_remaining_axes_keep_their_logical_order(case: tuple[Order], dropped: set[int]) -> None:
    (order,) = case
    sizes = tuple(range(2, 2 + len(order)))
    left = tuple(size for axis, size in enumerate(sizes) if axis not in dropped)
    keys = [axis for axis in order if axis not in dropped]
    assert permute(left, order_from_keys(keys)) == tuple(sizes[axis] for axis in keys)


def test_prevailing_layout() -> None:
    by_precedence = [
        Layout.parse(text) for text in ("NCHW", "NHWC", "OIHW", "HWOI", "NTensor", "Tensor", "Tensor, [1, 0]")
    ]
    for place, layout in enumerate(by_precedence):
        for others in permutations([*by_precedence[place:], None], min(3, len(by_precedence) - place + 1)):
            if layout in others:
                assert prevailing(others) == layout
    assert prevailing([None, None]) is None
