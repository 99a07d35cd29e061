"""The storage that a value shows, and the byte order in which it is stored.

Transposes, relabels and most reshapes move no data: their results are views of the same storage. The root of a storage
is the value that no view op produces. A layout matters only through the byte order of the storage: two views of one
storage with the same byte order are the same bytes.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ....dialects.npu.attrs import LayoutAttr
from ....dialects.npu.shape import ViewOp
from ....dialects.npu.values import encoding, order_of_value, shape_of
from ....dialects.npu.views import views_above
from ....layout import (
    DYNAMIC,
    Arrangement,
    ByteOrder,
    DirtyPadding,
    Extent,
    Layout,
    LayoutClass,
    Order,
    Piece,
    named,
    unpermute,
)


class View(NamedTuple):
    """A value as a view of its storage."""

    root: SSAValue
    axes: Arrangement
    """For each logical axis of the value, the pieces of the root's logical axes that it consists of."""
    sizes: tuple[Extent, ...]
    """The sizes of the logical axes."""
    has_zeros: bool = True
    """True if there is no padding, or it is zeros."""


class Storage:
    """The storage of each value, computed on demand."""

    def __init__(self, is_view: Callable[[ViewOp], bool] = lambda op: True) -> None:
        """`is_view` is false for view ops whose result counts as a storage of its own."""
        self._is_view = is_view
        self._views: dict[SSAValue, View] = {}

    def view(self, value: SSAValue) -> View:
        if (known := self._views.get(value)) is not None:
            return known
        self._add(value)
        return self._views[value]

    def root(self, value: SSAValue) -> SSAValue:
        return self.view(value).root

    def is_view(self, value: SSAValue) -> bool:
        """True if a value is not the root of its storage."""
        return self.root(value) is not value

    def byte_order(self, value: SSAValue, order: Order) -> ByteOrder:
        """The byte order of the storage if the value is stored in this order."""
        return byte_order_in(self.view(value), order)

    def order(self, value: SSAValue, byte_order: ByteOrder) -> Order | None:
        """The order of a value if its storage has this byte order; None if no order expresses it."""
        return order_in(self.view(value), byte_order)

    def known_sizes(self, root: SSAValue) -> dict[int, int]:
        """Static sizes of logical axes that the type of the root leaves open."""
        return {}

    def _add(self, value: SSAValue) -> None:
        """Add a value and all values above it. Blocks may precede those that dominate them, so no order is assumed."""
        chain: list[ViewOp] = []
        for op in views_above(value):
            if op.result in self._views or not self._is_view(op):
                break
            chain.append(op)
        top = chain[-1].input if chain else value
        if top not in self._views and top.owner not in chain and encoding(top.type) is not None:
            self._views[top] = self._whole(top)
        for op in reversed(chain):
            self._views[op.result] = self._view_through(op) or self._whole(op.result)

    def _whole(self, value: SSAValue) -> View:
        known = self.known_sizes(value)
        logical = unpermute(shape_of(value), order_of_value(value))
        logical = tuple(known.get(axis, size) for axis, size in enumerate(logical))
        return View(value, _whole(logical), named(logical))

    def _view_through(self, op: ViewOp) -> View | None:
        above = self._views.get(op.input)
        # In a graph region views can form a ring; a storage without elements has no byte order.
        if above is None or 0 in shape_of(op.input):
            return None
        stored = op.view(above.axes.transposed(order_of_value(op.input)))
        if stored is None:
            return None
        axes = Arrangement(unpermute(stored.axes, order_of_value(op.result)))
        return View(above.root, axes, axes.shape)


def byte_order_in(view: View, order: Order) -> ByteOrder:
    """The byte order of a storage if a view of it is stored in this order."""
    found = _byte_order(view.axes, order)
    return found if view.has_zeros else DirtyPadding(found)


def order_in(view: View, byte_order: ByteOrder) -> Order | None:
    """The order of a view if its storage has these pieces in this order; None if no order expresses it."""
    return _order(view.axes, byte_order)


@lru_cache(maxsize=4096)
def _whole(shape: tuple[int, ...]) -> Arrangement:
    """The axes of a root. Without elements there is no byte order."""
    return Arrangement(((),) * len(shape)) if 0 in shape else Arrangement.of(named(shape))


@lru_cache(maxsize=65536)
def _byte_order(axes: Arrangement, order: Order) -> ByteOrder:
    return axes.transposed(order).byte_order


@lru_cache(maxsize=65536)
def _order(axes: Arrangement, byte_order: ByteOrder) -> Order | None:
    return axes.order_of(byte_order)


def tensor_of_pieces(pieces: Sequence[Piece], element_type: Attribute) -> TensorType:
    """A tensor with a dimension for each piece."""
    shape = [DYNAMIC if piece.size.symbols else piece.size.factor for piece in pieces]
    return TensorType(element_type, shape, LayoutAttr(Layout(LayoutClass.TENSOR)))
