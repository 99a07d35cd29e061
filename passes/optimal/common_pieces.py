"""Cutting two sequences of the same data into the same pieces."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from ...dialects.npu.attrs import LayoutAttr
from ...layout import DYNAMIC, Extent, Layout, LayoutClass, Piece

Cuts: TypeAlias = dict[int, set[Extent]]


def common_atoms(one: Sequence[Piece], other: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Both sequences in pieces of which neither cuts one of the other's."""
    cuts = cuts_of(one, other)
    return atoms_of(one, cuts), atoms_of(other, cuts)


def cuts_of(*sequences: Sequence[Piece]) -> Cuts:
    """For each axis the places at which pieces begin or end."""
    cuts: Cuts = {}
    for piece in (piece for pieces in sequences for piece in pieces):
        cuts.setdefault(piece.axis, set()).update((piece.inner, piece.inner.times(piece.size)))
    return cuts


def atoms_of(pieces: Sequence[Piece], cuts: Cuts) -> list[Piece]:
    """The pieces, cut at all of these places."""
    return [atom for piece in pieces for atom in _cut(piece, cuts[piece.axis])]


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
