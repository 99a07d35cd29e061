"""Layouts with blocks: their text, and their shapes against numpy."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from npu_opt.dialects.npu.padding import is_padding
from npu_opt.interpreter.storage import to_logical
from npu_opt.layout import Layout, LayoutClass, LayoutError

FEATURE, WEIGHT, TENSOR, NTENSOR = LayoutClass


@st.composite
def cut_tensors(draw: st.DrawFn) -> tuple[Layout, tuple[int, ...]]:
    """A layout with blocks, and the logical shape of a tensor."""
    shape = tuple(draw(st.lists(st.integers(0, 9), min_size=1, max_size=4)))
    axes = sorted(draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
    tiles = tuple((axis, draw(st.integers(2, 5))) for axis in axes)
    sizes = tuple((axis, shape[axis]) for axis, size in tiles if shape[axis] % size)
    pieces = tuple(draw(st.permutations(range(len(shape) + len(tiles)))))
    return Layout(TENSOR, pieces, tiles, sizes, draw(st.booleans())), shape


@given(cut_tensors())
def test_text_has_the_whole_layout(each: tuple[Layout, tuple[int, ...]]) -> None:
    layout, _ = each
    assert Layout.parse(str(layout)) == layout


@given(cut_tensors())
def test_shapes_are_those_of_numpy(each: tuple[Layout, tuple[int, ...]]) -> None:
    """Each element of the logical tensor is at one place, and the other places are padding."""
    layout, shape = each
    tiles = dict(layout.tiles)
    numbers = np.arange(1, np.prod(shape) + 1, dtype=np.int64).reshape(shape)
    filled = np.pad(numbers, [(0, -size % tiles.get(axis, 1)) for axis, size in enumerate(shape)])
    pieces: list[int] = []
    for axis, size in enumerate(filled.shape):
        pieces += [size // tiles[axis], tiles[axis]] if axis in tiles else [size]
    stored = filled.reshape(pieces).transpose(layout.order_for(len(pieces)))
    assert layout.stored_shape(shape) == stored.shape
    assert layout.logical_shape(stored.shape) == shape
    assert layout.mismatch(stored.shape) is None
    assert (to_logical(stored, layout) == filled).all()
    assert (is_padding(layout, stored.shape) == (stored == 0)).all()
    assert len(layout.pieces_by_axis()) == len(shape)


@pytest.mark.parametrize(
    ("text", "printed", "stored", "logical"),
    [
        ("NCHW16c", "NCHW16c", (1, 4, 5, 6, 16), (1, 64, 5, 6)),
        ("NC1HWC0", "NCHW16c", (1, 4, 5, 6, 16), (1, 64, 5, 6)),
        ("NDC1HWC0 { C0 = 32 }, C = 40", "NDCHW32c, C = 40", (1, 3, 2, 5, 6, 32), (1, 40, 3, 5, 6)),
        ("NHCWB16", "NHCW16c", (1, 5, 4, 6, 16), (1, 64, 5, 6)),
        ("OIHW16i4o,I=20,zeros", "OIHW16i4o, I = 20, zeros", (2, 2, 3, 3, 16, 4), (8, 20, 3, 3)),
        ("Tensor,[0,1 by 4,1]", "Tensor, [0, 1 by 4, 1]", (3, 4, 2), (3, 8)),
        ("Tensor, [0, 1] tiles [1 by 4, 0 by 2]", "Tensor, [0, 1] tiles [1 by 4, 0 by 2]", (3, 2, 4, 2), (6, 8)),
        ("Tensor, [1, 0] tiles [1 by 4], dim 1 = 6", "Tensor, [1, 0] tiles [1 by 4], dim 1 = 6", (2, 3, 4), (3, 6)),
    ],
)
def test_names(text: str, printed: str, stored: Sequence[int], logical: Sequence[int]) -> None:
    layout = Layout.parse(text)
    assert str(layout) == printed
    assert layout.logical_shape(stored) == logical
    assert layout.stored_shape(logical) == stored


@pytest.mark.parametrize(
    "text", ["NC1HWC0 {C0 = 1}", "NHCWB1", "NC1HWC0 {C1 = 32}", "NCHW16C", "Tensor, [0 by 2]", "16c"]
)
def test_other_texts_are_errors(text: str) -> None:
    with pytest.raises(LayoutError):
        Layout.parse(text)


def test_parts_of_a_layout() -> None:
    layout = Layout.parse("NHCW16c, C = 40, zeros")
    assert (layout.rank, layout.logical_rank(5), layout.letters_stored()) == (5, 4, "NHCWc")
    assert (layout.position_of("C"), layout.position_of("c"), layout.axis_at(4), layout.tile_of(1)) == (2, 4, 1, 16)
    assert layout.unsized == Layout.parse("NHCW16c")
    assert layout.padded_places() == {(2, 4): 40}
    assert layout.has_zeros
    assert not Layout.parse("NHCW16c, C = 40").has_zeros


def test_sizes_that_do_not_fit() -> None:
    assert Layout.parse("NCHW16c, C = 40").mismatch((1, 2, 5, 5, 16)) is not None
    assert Layout.parse("NCHW16c").mismatch((1, 1, 5, 5, 1)) is None
    assert Layout.parse("NCHW16c").mismatch((1, 2, 5, 5, 1)) is not None


@pytest.mark.parametrize(
    ("given", "made", "is_packed"),
    [
        ("NCHW", "NHWC", False),
        ("NCHW", "NCHW16c", True),
        ("NCHW16c", "NHWC", True),
        ("NCHW16c", "NHWC16c", False),
        ("NCHW32c", "NCHW16c", True),
        ("NCHW16c, C = 40", "NCHW16c, C = 40, zeros", True),
        ("NCHW16c, C = 40, zeros", "NCHW16c, C = 40", False),
    ],
)
def test_packs_make_other_blocks_or_write_zeros(given: str, made: str, is_packed: bool):
    assert Layout.parse(made).is_packed_from(Layout.parse(given)) is is_packed
