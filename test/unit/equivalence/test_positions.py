"""Arrangements found from the positions of elements."""

import numpy as np
import pytest
from npu_opt.equivalence.positions import arrangement_of
from npu_opt.layout import Arrangement, Extent, Piece
from numpy.typing import NDArray


def positions(*shape: int) -> NDArray[np.uint32]:
    return np.arange(np.prod(shape), dtype=np.uint32).reshape(shape)


def piece(inner: int, size: int) -> Piece:
    return Piece(0, Extent(inner), Extent(size))


@pytest.mark.parametrize(
    ("places", "axes"),
    [
        (positions(6), [(piece(1, 6),)]),
        (positions(2, 3), [(piece(3, 2),), (piece(1, 3),)]),
        (positions(2, 3).T, [(piece(1, 3),), (piece(3, 2),)]),
        (positions(2, 3, 5).transpose(1, 0, 2).reshape(6, 5), [(piece(5, 3), piece(15, 2)), (piece(1, 5),)]),
        (positions(2, 1, 3), [(piece(3, 2),), (), (piece(1, 3),)]),
        (positions(1), [()]),
        (positions(), []),
        # Rows of six from columns of three: split unevenly, but still pieces.
        (positions(3, 4).T.reshape(2, 6), [(piece(2, 2),), (piece(1, 2), piece(4, 3))]),
    ],
)
def test_pieces_of_the_row(places: NDArray[np.uint32], axes: list[tuple[Piece, ...]]):
    assert arrangement_of(places) == Arrangement(tuple(axes))


@pytest.mark.parametrize(
    "places",
    [
        # Pairs of columns of three.
        positions(3, 4).T.reshape(6, 2),
        positions(3, 4).T.reshape(3, 4),
        # Every axis is regular if the others are at 0.
        np.array([[0, 1], [3, 2]], np.uint32),
        np.array([[[0, 1], [2, 3]], [[4, 6], [5, 7]]], np.uint32),
    ],
)
def test_split_axes_are_not_pieces(places: NDArray[np.uint32]):
    assert arrangement_of(places) is None
