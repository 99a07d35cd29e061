"""Cutting two sequences of the same data into the same pieces."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from ..dialects.npu.attrs import LayoutAttr
from ..layout import DYNAMIC, Extent, Layout, LayoutClass, Piece


def common_atoms(one: Sequence[Piece], other: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Both sequences in pieces of which neither cuts one of the other's."""
    cuts: dict[int, set[Extent]] = {}
    for piece in (*one, *other):
        cuts.setdefault(piece.axis, set()).update((piece.inner, piece.inner.times(piece.size)))
    return [atom for piece in one for atom in _cut(piece, cuts[piece.axis])], [
        atom for piece in other for atom in _cut(piece, cuts[piece.axis])
    ]


def _cut(piece: Piece, cuts: Iterable[Extent]) -> list[Piece]:
    """A piece, cut at all places that lie inside it, most significant part first."""
    end = piece.inner.times(piece.size)
    inside = [cut for cut in cuts if cut.divided_by(piece.inner) and end.divided_by(cut)]
    inside.sort(key=lambda cut: (len(cut.symbols), cut.factor))
    parts = [
        Piece(piece.axis, low, size) for low, high in pairwise(inside) if (size := high.divided_by(low)) is not None
    ]
    return parts[::-1]


def tensor_of_atoms(atoms: Sequence[Piece], element_type: Attribute) -> TensorType:
    """A tensor with a dimension for each atom."""
    shape = [DYNAMIC if atom.size.symbols else atom.size.factor for atom in atoms]
    return TensorType(element_type, shape, LayoutAttr(Layout(LayoutClass.TENSOR)))
