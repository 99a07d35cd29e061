"""Which values are the same stored data, looked at in different ways.

Transposes, relabels and most reshapes only say how data is looked at. All values that are such views of one value form
a family, and what matters of a layout is the *sequence* in which the data of the family stands in memory. Two views
that are stored in the same sequence are the same bytes.
"""

from collections.abc import Container
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.npu.shape import ViewOp
from ...dialects.npu.values import encoding, order_of_value, shape_of
from ...layout import UNIT, Arrangement, Extent, Order, Piece, named, unpermute
from ..common.origins import Origins

ByteOrder: TypeAlias = tuple[Piece, ...]
"""The axes of the first value of a family, or pieces of them, in the sequence in which they are stored."""


class View(NamedTuple):
    """A value as a view of the first one of its family."""

    root: SSAValue
    axes: Arrangement
    """For each logical axis of the value the pieces of the root's logical axes that it is."""
    sizes: tuple[Extent, ...]
    """The sizes of the logical axes."""


class Storage:
    """The families of a program."""

    def __init__(self, module: ModuleOp, live: Container[Operation | Block]) -> None:
        self._views: dict[SSAValue, View] = {}
        self._told: dict[SSAValue, dict[int, int]] = {}
        """Sizes that the type of the first value of a family leaves open, but that of a view tells."""
        self.origins = Origins()
        self._look(module)
        while self._learn(live):
            self._views.clear()
            self._look(module)
        self._members: dict[SSAValue, list[SSAValue]] = {}
        for value, view in self._views.items():
            self._members.setdefault(view.root, []).append(value)

    def _look(self, module: ModuleOp) -> None:
        views: list[ViewOp] = []
        for op in module.walk():
            for region in op.regions:
                for block in region.blocks:
                    for argument in block.args:
                        self._add_root(argument)
            if isinstance(op, ViewOp):
                views.append(op)
            else:
                for result in op.results:
                    self._add_root(result)
        for view in views:
            self._add_view(view)

    def _learn(self, live: Container[Operation | Block]) -> bool:
        """Note sizes that only the types of views tell; the answer is whether there were any.

        The views of another block, and those that nobody needs, may never come to be, with what they tell.
        """
        is_new = False
        for value, view in self._views.items():
            if value.owner not in live or not any(size.symbols for size in view.sizes):
                continue
            if _block(value) is not _block(view.root):
                continue
            for size, extent in zip(unpermute(shape_of(value), order_of_value(value)), view.sizes, strict=True):
                if size > 0 and len(extent.symbols) == 1 and size % extent.factor == 0:
                    self._told.setdefault(view.root, {})[extent.symbols[0]] = size // extent.factor
                    is_new = True
        return is_new

    def view(self, value: SSAValue) -> View:
        return self._views[value]

    def views(self, root: SSAValue) -> list[SSAValue]:
        """All views of a value, itself among them."""
        return self._members[root]

    def root(self, value: SSAValue) -> SSAValue:
        return self._views[value].root

    def is_constant(self, root: SSAValue) -> bool:
        """Whether the data of a family is known, so that it costs nothing to store it in any sequence.

        It may come from a constant through a reshape that tears its axes, and begins a family of its own.
        """
        return self.origins.is_constant(root)

    def is_view(self, value: SSAValue) -> bool:
        """Whether a value is only another look at the first one of its family."""
        return self._views[value].root is not value

    def byte_order(self, value: SSAValue, order: Order) -> ByteOrder:
        """The sequence in which the family is stored if the value is stored in this order."""
        return byte_order_in(self._views[value], order)

    def order(self, value: SSAValue, byte_order: ByteOrder) -> Order | None:
        """The order that a value has if its family is stored in this sequence; None if no order says it."""
        view = self._views[value]
        return order_in(view, self._views[view.root], byte_order)

    def _add_root(self, value: SSAValue) -> None:
        if encoding(value.type) is not None:
            told = self._told.get(value, {})
            logical = unpermute(shape_of(value), order_of_value(value))
            logical = tuple(told.get(axis, size) for axis, size in enumerate(logical))
            self._views[value] = View(value, _whole(logical), named(logical))

    def _add_view(self, view: ViewOp) -> None:
        """Note what a view shows, after the views that it looks through: a block may stand before the ones it reads."""
        chain = {view: None}
        while (above := view.input) not in self._views and isinstance(above.owner, ViewOp) and above.owner not in chain:
            view = above.owner
            chain[view] = None
        for op in reversed(chain):
            if op.result not in self._views:
                seen = self._seen_through(op)
                if seen is None:
                    self._add_root(op.result)
                else:
                    self._views[op.result] = seen

    def _seen_through(self, op: ViewOp) -> View | None:
        above = self._views.get(op.input)
        # Where ops may stand in any sequence, views can form a ring.
        if above is None or 0 in shape_of(op.input):
            return None
        stored = op.view(above.axes.transposed(order_of_value(op.input)))
        if stored is None:
            return None
        axes = Arrangement(unpermute(stored.axes, order_of_value(op.result)))
        return View(above.root, axes, axes.shape)


def byte_order_in(view: View, order: Order) -> ByteOrder:
    """The sequence in which a family is stored if a view of it is stored in this order."""
    return _byte_order(view.axes, order)


def order_in(view: View, root: View, byte_order: ByteOrder) -> Order | None:
    """The order that a view has if its family is stored in this sequence; None if no order says it."""
    return _order(view.axes, root.axes, byte_order)


def _block(value: SSAValue) -> Block | None:
    return value.owner if isinstance(value.owner, Block) else value.owner.parent


@lru_cache(maxsize=4096)
def _whole(shape: tuple[int, ...]) -> Arrangement:
    """A value that is no view. Without elements there is nothing to store in any sequence."""
    return Arrangement(((),) * len(shape)) if 0 in shape else Arrangement.of(named(shape))


@lru_cache(maxsize=65536)
def _byte_order(axes: Arrangement, order: Order) -> ByteOrder:
    pieces = tuple(piece for axis in order for piece in axes.axes[axis])
    return Arrangement.merged([pieces]).axes[0]


@lru_cache(maxsize=65536)
def _order(axes: Arrangement, root: Arrangement, byte_order: ByteOrder) -> Order | None:
    seen = _inverse(axes, root)
    found = None if seen is None else Arrangement((byte_order,)).applied_to(seen)
    if found is None:
        return None
    sizes = axes.shape
    whole = [piece for piece in found.axes[0] if piece.inner == UNIT and piece.size == sizes[piece.axis]]
    # Pieces of different axes are never joined, so each one that is left is a whole axis or a torn one.
    if len(whole) != len(found.axes[0]) or len(whole) != sum(not size.is_unit for size in sizes):
        return None
    moved = iter(piece.axis for piece in whole)
    return tuple(axis if size.is_unit else next(moved) for axis, size in enumerate(sizes))


@lru_cache(maxsize=4096)
def _inverse(axes: Arrangement, root: Arrangement) -> Arrangement | None:
    """For each axis of the root the pieces of the view's axes that it is."""
    return axes.inverse(root.shape)
