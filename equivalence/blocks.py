"""Values with blocks: reshapes of logical axes into pieces, filled up where blocks end in padding.

A filled value is a node of its own. Nothing reads padding that may be anything, so that it counts as zeros. An op on
values with blocks is numbered as the op on their logical tensors, which defines it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from xdsl.ir import Block, SSAValue

from ..dialects.npu.linear import LinearOp
from ..dialects.npu.packing import PackingOp
from ..dialects.npu.same_layout import SameLayoutOp
from ..dialects.npu.source import ConstantOp
from ..dialects.npu.uncut import uncut
from ..dialects.npu.values import layout_of
from ..layout import DYNAMIC, UNIT, Arrangement, Extent, Layout, Order, Piece, invert, permute
from .constants import Constants
from .merged import MergedAxes
from .values import NumberedValue, tensor


class Logical(NamedTuple):
    """A node, and the pieces of it in each logical axis of a value."""

    node: int
    axes: Arrangement


class _Resized(NamedTuple):
    """A value that is filled up or cropped to these sizes."""

    node: int
    axes: Arrangement
    sizes: tuple[Extent, ...]


class Blocks:
    """The logical tensors behind stored ones with blocks, and back."""

    def __init__(
        self,
        number: Callable[[Hashable], int],
        constants: Constants,
        merged: MergedAxes,
        results_of_block: Callable[[Block, Sequence[NumberedValue], Sequence[SSAValue]], list[NumberedValue]],
    ) -> None:
        self._number = number
        self._constants = constants
        self._merged = merged
        self._results_of_block = results_of_block
        self._filled: dict[_Resized, Logical] = {}
        """The values that were filled up."""
        self._whole: dict[_Resized, Logical] = {}
        """The values with padding, by what they are without."""

    def of_pack(self, op: PackingOp, operand: NumberedValue) -> list[NumberedValue] | None:
        """The result of a pack or unpack; None if pieces of axes cannot tell it."""
        before, after = op.layouts()
        logical = self._logical(before, operand)
        stored = None if logical is None else self._stored(after, logical)
        return None if stored is None else [stored]

    def of_op(
        self, op: SameLayoutOp | LinearOp | ConstantOp, operands: Sequence[NumberedValue]
    ) -> list[NumberedValue] | None:
        """The results of an op on values with blocks; None if the op treats the pieces of an axis differently."""
        if isinstance(op, ConstantOp):
            return self._of_constant(op)
        logical = [self._logical_or_same(*each) for each in zip(op.operands, operands, strict=True)]
        block = uncut(op)
        known = [each for each in logical if each is not None]
        if block is None or block.last_op is None or len(known) < len(logical):
            return None
        results = self._results_of_block(block, known, block.last_op.results)
        stored = [self._stored_or_same(*each) for each in zip(op.results, results, strict=True)]
        found = [each for each in stored if each is not None]
        return found if len(found) == len(stored) else None

    def _of_constant(self, op: ConstantOp) -> list[NumberedValue] | None:
        """The numbers of a constant without padding."""
        # Imported late: most programs have no constants in blocks.
        from ..dialects.npu.packed_numbers import without_blocks

        whole, layout = without_blocks(op), layout_of(op.result)
        if whole is None or layout is None:
            return None
        stored = self._stored(layout, Logical(*self._constants.value(whole)))
        return None if stored is None else [stored]

    def _logical_or_same(self, operand: SSAValue, value: NumberedValue) -> NumberedValue | None:
        layout = layout_of(operand)
        if layout is None:
            return value
        logical = self._logical(layout, value)
        return None if logical is None else NumberedValue(*logical)

    def _stored_or_same(self, result: SSAValue, value: NumberedValue) -> NumberedValue | None:
        layout = layout_of(result)
        return value if layout is None else self._stored(layout, Logical(value.node, tensor(value)))

    def _logical(self, layout: Layout, value: NumberedValue) -> Logical | None:
        """The logical tensor of a stored one, without padding."""
        stored = tensor(value)
        if stored.is_repeated:
            return _repeated(value.node, layout.logical_shape(_static(stored)))
        if not all(size.factor for size in stored.shape):
            return None
        pieces = stored.transposed(invert(layout.order_for(len(stored.axes))))
        if not layout.tiles:
            return Logical(value.node, pieces)
        axes = self._merged.reshaped(pieces, _axis_extents(pieces.shape, layout))
        if axes is None:
            return None
        sizes = _cropped_sizes(axes, layout)
        resized, places = _resized(value.node, axes, sizes)
        if (known := self._filled.get(resized)) is not None:
            return _at(places, known, len(sizes))
        if not layout.padded_axes:
            return Logical(value.node, axes)
        found = Logical(self._number(("cropped", *resized)), Arrangement.of(resized.sizes))
        self._note(self._whole, found, resized)
        return _at(places, found, len(sizes))

    def _note(self, known: dict[_Resized, Logical], found: Logical, resized: _Resized) -> None:
        """Note what a value was before its sizes changed."""
        key, places = _resized(found.node, found.axes, resized.axes.shape)
        known[key] = Logical(resized.node, Arrangement(permute(resized.axes.axes, places)))

    def _stored(self, layout: Layout, value: Logical) -> NumberedValue | None:
        """A logical tensor, stored and filled up as a layout says."""
        if value.axes.is_repeated and (not layout.padded_axes or 0 in _static(value.axes)):
            found = _repeated(value.node, layout.stored_shape(_static(value.axes)))
            return None if found is None else NumberedValue(*found)
        if not all(size.factor for size in value.axes.shape):
            return None
        axes: Arrangement | None = value.axes
        if layout.tiles:
            if layout.padded_axes:
                value = self._filled_up(value, layout)
            axes = self._merged.reshaped(value.axes, _piece_extents(value.axes.shape, layout))
        if axes is None:
            return None
        return NumberedValue(value.node, axes.transposed(layout.order_for(len(axes.axes))))

    def _filled_up(self, value: Logical, layout: Layout) -> Logical:
        sizes, tiles = list(value.axes.shape), dict(layout.tiles)
        for axis, size in layout.padded:
            sizes[axis] = Extent(-(-size // tiles[axis]) * tiles[axis])
        resized, places = _resized(*value, sizes)
        whole = self._whole.get(resized)
        if whole is None:
            whole = Logical(self._number(("filled", *resized)), Arrangement.of(resized.sizes))
            self._note(self._filled, whole, resized)
        return _at(places, whole, len(sizes))


def _resized(node: int, axes: Arrangement, sizes: Sequence[Extent]) -> tuple[_Resized, Order]:
    """The axes of a value that have elements before or after their sizes change, in an order that only they tell.

    The second part are their places in the value.
    """
    pairs = [*zip(axes.axes, sizes, strict=True)]
    places = sorted(
        (place for place, (pieces, size) in enumerate(pairs) if pieces or not size.is_unit), key=pairs.__getitem__
    )
    kept = [pairs[place] for place in places]
    return _Resized(node, Arrangement(tuple(pieces for pieces, _ in kept)), tuple(size for _, size in kept)), tuple(
        places
    )


def _at(places: Order, value: Logical, rank: int) -> Logical:
    """A value with these axes at some places of others, which have one element."""
    axes: list[tuple[Piece, ...]] = [()] * rank
    for place, pieces in zip(places, value.axes.axes, strict=True):
        axes[place] = pieces
    return Logical(value.node, Arrangement(tuple(axes)))


def _repeated(node: int, shape: Sequence[int]) -> Logical | None:
    """Equal elements in this shape."""
    return None if DYNAMIC in shape else Logical(node, Arrangement.repeated(shape))


def _cropped_sizes(axes: Arrangement, layout: Layout) -> tuple[Extent, ...]:
    """The sizes of the axes without padding."""
    known = layout.padded_axes
    return tuple(Extent(known[axis]) if axis in known else size for axis, size in enumerate(axes.shape))


def _piece_extents(sizes: Sequence[Extent], layout: Layout) -> list[Extent]:
    """The sizes of all pieces of axes of these sizes, which are multiples of the blocks."""
    tiles, found = dict(layout.tiles), list[Extent]()
    for axis, size in enumerate(sizes):
        if axis not in tiles:
            found.append(size)
        else:
            found += [UNIT, UNIT] if size.is_unit else [Extent(size.factor // tiles[axis]), Extent(tiles[axis])]
    return found


def _static(axes: Arrangement) -> tuple[int, ...]:
    return tuple(DYNAMIC if size.symbols else size.factor for size in axes.shape)


def _axis_extents(pieces: Sequence[Extent], layout: Layout) -> list[Extent]:
    tiles, rest, found = dict(layout.tiles), iter(pieces), list[Extent]()
    for axis in range(len(pieces) - len(tiles)):
        outer = next(rest)
        found.append(outer.times(next(rest)) if axis in tiles else outer)
    return found
