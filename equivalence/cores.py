"""Padded values, and the values without padding that are in them.

The *core* of a padded value are the elements in front of the padding. Elementwise ops compute the core of the result
from the cores of the operands, whatever the padding is, so that a slice which drops the padding is that core.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ..dialects.npu.axes import Role, RoleMap
from ..dialects.npu.movement import END_OF_AXIS, PadOp, SliceOp
from ..dialects.npu.values import shape_of
from ..layout import DYNAMIC, REPEATED, UNIT, Arrangement, Extent, Piece, product
from .roles import Axis

Pieces = tuple[Piece, ...]


class Core(NamedTuple):
    """A value that begins at the first element of a padded one."""

    node: int
    axes: Arrangement
    """The pieces of it along each axis of the padded node."""
    sizes: tuple[Extent, ...]
    """The sizes of these axes, with padding."""

    def along(self, pieces: Pieces) -> Pieces | None:
        """The pieces of the core along an axis that consists of these pieces of the padded node, if it has them all."""
        if not pieces or all(piece.axis == REPEATED for piece in pieces):
            return pieces
        if len(pieces) == 1 and pieces[0].axis >= 0 and pieces[0].size == self.sizes[pieces[0].axis]:
            return self.axes.axes[pieces[0].axis]
        if any(piece.axis < 0 or self.axes.shape[piece.axis] != self.sizes[piece.axis] for piece in pieces):
            return None
        found = Arrangement((pieces,)).applied_to(self.axes)
        return None if found is None else found.axes[0]


def core_of_pad(op: PadOp, node: int, given: Arrangement, stored: Arrangement) -> Core | None:
    """The operand of a pad behind some axes, as the core of the result; None if pieces of axes cannot tell it."""
    if any(op.low.get_values()) or DYNAMIC in (*shape_of(op.input), *shape_of(op.result)):
        return None
    padded = {axis for axis, count in enumerate(op.high.get_values()) if count}
    places, axes = _places(stored), list[Pieces]()
    if places is None:
        return None
    for place in places:
        position = place[0].axis
        if position in padded:
            found = given.axes[position] if place[0].size == stored.shape[position] else None
        elif any(piece.axis in padded for piece in place):
            found = None
        else:
            along = Arrangement((place,)).applied_to(given)
            found = None if along is None else along.axes[0]
        if found is None:
            return None
        axes.append(found)
    return Core(node, Arrangement(tuple(axes)), tuple(product(piece.size for piece in place) for place in places))


def _places(stored: Arrangement) -> list[Pieces] | None:
    """For each axis of a node the pieces of physical axes along it; None if it is not whole."""
    found: dict[int, list[tuple[Piece, Piece]]] = {}
    for position, pieces in enumerate(stored.axes):
        inner = UNIT
        for piece in reversed(pieces):
            found.setdefault(piece.axis, []).append((piece, Piece(position, inner, piece.size)))
            inner = inner.times(piece.size)
    found.pop(REPEATED, None)
    if sorted(found) != list(range(len(found))):
        return None
    places: list[Pieces] = []
    for axis in range(len(found)):
        pairs = sorted(found[axis], key=lambda pair: pair[0].inner.factor)
        if any(one.inner != product(each.size for each, _ in pairs[:index]) for index, (one, _) in enumerate(pairs)):
            return None
        places.append(tuple(place for _, place in reversed(pairs)))
    return places


def sliced(op: SliceOp, core: Core, stored: Arrangement) -> Arrangement | None:
    """The arrangement of a slice that is the core of its operand; None if it is not."""
    steps = op.steps.get_values() if op.steps else ()
    if any(op.starts.get_values()) or any(step != 1 for step in steps):
        return None
    found: list[Pieces] = []
    for pieces, size in zip(stored.axes, shape_of(op.result), strict=True):
        along = core.along(pieces)
        if along is None or product(piece.size for piece in along) != Extent(size):
            return None
        found.append(along)
    return Arrangement(tuple(found))


def takes_all(op: SliceOp) -> bool:
    """True if a slice leaves each element where it is, however its bounds are written."""
    sizes, left = shape_of(op.input), shape_of(op.result)
    steps = op.steps.get_values() if op.steps else (1,) * len(sizes)
    bounds = zip(op.starts.get_values(), op.limits.get_values(), steps, strict=True)
    # As many elements as there are, in their order, are all of them.
    return all(
        each == (0, END_OF_AXIS, 1) if size == DYNAMIC else size == rest
        for size, rest, each in zip(sizes, left, bounds, strict=True)
    )


def core_operands(axes: Sequence[Axis], cores: Sequence[Core | None]) -> list[Arrangement] | None:
    """The cores of the operands of an elementwise op along its axes; None if they do not fit each other."""
    by_axis: list[list[Pieces]] = []
    for axis in axes:
        along = [core.along(each) if core else each for core, each in zip(cores, axis.operands, strict=True)]
        known = [each for each in along if each is not None]
        # A size of 1 counts as well: an operand that is repeated has no pieces in the padded op either.
        sizes = {product(p.size for p in each) for each, whole in zip(known, axis.operands, strict=False) if whole}
        if len(known) < len(along) or len(sizes) != 1:
            return None
        by_axis.append(known)
    return [Arrangement(tuple(pieces)) for pieces in zip(*by_axis, strict=True)]


def roles_of_axes(operands: Sequence[Arrangement]) -> RoleMap:
    """The roles of an elementwise op on operands that have all axes."""
    count = len(operands[0].axes)
    return RoleMap(
        tuple(Role(tuple((index, axis) for index in range(len(operands))), ((0, axis),)) for axis in range(count))
    )


def sizes_of_axes(operands: Sequence[Arrangement]) -> list[Extent | None]:
    """The sizes of the result of an elementwise op."""
    return [
        next((size for size in sizes if not size.is_unit), UNIT)
        for sizes in zip(*(each.shape for each in operands), strict=True)
    ]
