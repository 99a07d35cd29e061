"""Constants by content: equal numbers are one node, in any shape and order."""

from collections.abc import Callable, Hashable, Sequence
from hashlib import sha256
from itertools import chain, permutations, product
from math import factorial, prod
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, Signedness, f32, f64, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from ..dialects.npu.movement import GatherOp
from ..dialects.npu.shape import AnyTransposeOp, ViewOp
from ..dialects.npu.source import ConstantOp, elements_of
from ..dialects.npu.values import Shape, element_type_of, shape_of
from ..dialects.program.written import is_kept_once
from ..layout import DYNAMIC, Arrangement, Extent, Order, identity, invert, named, permute
from ..layout import product as total
from .merged import MergedAxes
from .positions import Positions, arrangement_of, places_of, positions_of, shuffled_pieces
from .values import NumberedValue, tensor

Numbers = NDArray[np.uint8]
"""The elements of a constant as bytes, along the last axis."""


BYTE = 8
"""The bits of a byte."""
MOST_ORDERS = 24
"""The maximum number of orders that axes with equal keys have."""
MOST_SORTED = 1 << 16
"""The maximum number of elements of a constant that is looked for in another order."""
MOST_SLICED = 1 << 24
"""The maximum number of elements of a constant of which slices are looked for in another order."""


class ConstantRow(NamedTuple):
    """A constant as one row of elements."""

    node: int
    order: NDArray[np.int64]
    """The positions of the elements in the order of their bytes."""
    stored: Arrangement


class ConstantSlices(NamedTuple):
    """A constant as slices along one of its axes."""

    node: int
    order: Sequence[int]
    """The positions of the slices in the order of their digests."""


class Constants:
    """The constants numbered so far, keyed by the bytes of one of their orders."""

    def __init__(self, number: Callable[[Hashable], int], merged: MergedAxes) -> None:
        self._number = number
        self._merged = merged
        self._known: dict[Hashable, tuple[int, Arrangement]] = {}
        self._written: dict[SSAValue, Numbers] = {}
        self._elements: dict[int, Numbers] = {}
        """The numbers of a node, in the order of its axes; one if all are equal."""
        self._symmetries: dict[int, list[Order]] = {}
        """For nodes with equal axes, the orders of them in which the numbers are the same."""
        self._rows: dict[Hashable, ConstantRow] = {}
        """A constant for each set of elements."""
        self._slices: dict[Hashable, ConstantSlices] = {}
        """A constant for each axis and set of slices along it."""
        self._shapes_in_files: dict[Hashable, Shape] = {}
        self._places: dict[int, Hashable] = {}
        """The file and position of a node's data, for constants in files."""
        self._positions: dict[SSAValue, Positions] = {}

    def ways(self, values: Sequence[NumberedValue]) -> list[tuple[Arrangement, ...]]:
        """The arrangements of values in their nodes: several if there are constants that equal their own transposes."""
        given = tuple(map(tensor, values))
        if not any(self._symmetries.get(value.node) for value in values):
            return [given]
        each = [self._ways(*value) for value in values]
        return [*product(*each)] if prod(map(len, each)) <= MOST_ORDERS else [given]

    def _ways(self, node: int, stored: Arrangement | None) -> list[Arrangement]:
        assert stored is not None, "operands of ops with roles are tensors"
        orders = self._symmetries.get(node, ())
        if any(not 0 <= piece.axis < len(order) for order in orders for along in stored.axes for piece in along):
            return [stored]
        moved = [
            tuple(tuple(piece._replace(axis=order[piece.axis]) for piece in along) for along in stored.axes)
            for order in orders
        ]
        return [stored, *map(Arrangement, moved)]

    def is_written(self, node: int) -> bool:
        """True if the numbers of a node are written out."""
        return node in self._elements

    def rows_of(self, node: int, count: int) -> Numbers | None:
        """This many numbers of a written-out constant as rows of bytes, or the one that all elements equal."""
        elements = self._elements.get(node)
        return elements if elements is None or len(elements) in (1, count) else None

    def numbers(self, node: int, stored: Arrangement) -> Numbers | None:
        """The numbers of a written-out vector as rows of bytes, or the one that all elements equal; None if unknown."""
        elements = self._elements.get(node)
        if elements is None or len(elements) == 1:
            return elements
        axes = [pieces for pieces in stored.axes if pieces]
        if len(axes) != 1 or axes[0][0].axis < 0 or len({piece.axis for piece in axes[0]}) != 1:
            return None
        is_whole = total(piece.size for piece in axes[0]) == Extent(len(elements))
        return elements[places_of(axes[0])] if is_whole else None

    def picked(
        self, op: GatherOp, data: tuple[int, Arrangement | None], indices: tuple[int, Arrangement | None]
    ) -> Arrangement | None:
        """The arrangement of gathered data, if constant indices permute pieces of the axis; else None."""
        (_, stored), (picking, places), axis = data, indices, op.axis.value.data
        if stored is None or places is None:
            return None
        rows, size = self.numbers(picking, places), stored.shape[axis]
        if rows is None:
            rows = self.in_order(picking, places, shape_of(op.indices))
        if rows is None or size.symbols or len(rows) != size.factor or total(places.shape) != size:
            return None
        pieces = shuffled_pieces(integers_in(rows, element_type_of(op.indices)), axis)
        if pieces is None:
            return None
        whole, moved = Arrangement.of(stored.shape).axes, stored
        if not stored.is_repeated:
            moved = Arrangement((*whole[:axis], pieces, *whole[axis + 1 :])).applied_to(stored)
        if moved is None or len(places.axes) == 1:
            return moved
        sizes = [*stored.shape[:axis], *places.shape, *stored.shape[axis + 1 :]]
        if not stored.is_repeated:
            return self._merged.reshaped(moved, sizes)
        return None if any(each.symbols for each in sizes) else Arrangement.repeated([each.factor for each in sizes])

    def in_order(self, node: int, stored: Arrangement, shape: Shape) -> Numbers | None:
        """The numbers of a written-out constant, or the one that all elements equal; None if unknown."""
        elements = self._elements.get(node)
        if elements is None or len(elements) == 1:
            return elements
        pieces = [piece for axis in stored.axes for piece in axis]
        sizes: dict[int, int] = {}
        # All digits of all axes of the node, each once.
        for axis, inner, size in sorted(pieces):
            if axis < 0 or size.symbols or inner.factor != sizes.setdefault(axis, 1):
                return None
            sizes[axis] *= size.factor
        if not prod(shape) == prod(sizes.values()) == len(elements):
            return None
        steps = {axis: prod(size for other, size in sizes.items() if other > axis) for axis in sizes}
        return elements[places_of([each._replace(inner=each.inner.times(Extent(steps[each.axis]))) for each in pieces])]

    def elements(self, value: SSAValue, operand: NumberedValue) -> NDArray[Any] | None:
        """The elements of a constant operand of a type that numpy has, or of integers of fewer bits."""
        shape, element = shape_of(value), element_type_of(value)
        narrow = element if isa(element, IntegerType) and 1 < element.bitwidth < BYTE else None
        dtype = dtype_of(element) if narrow is None else np.dtype(np.uint8)
        if DYNAMIC in shape or dtype is None:
            return None
        found = self.in_order(operand.node, tensor(operand), shape)
        if found is None:
            return None
        # True is any byte but 0.
        numbers = found.reshape(-1) != 0 if dtype == np.bool_ else np.frombuffer(found.tobytes(), dtype)
        if narrow is not None:
            # The bits above those of the number are free.
            free, is_unsigned = BYTE - narrow.bitwidth, narrow.signedness.data is Signedness.UNSIGNED
            numbers = (numbers << free).view(np.uint8 if is_unsigned else np.int8) >> free
        return np.broadcast_to(numbers, shape) if numbers.size != prod(shape) else numbers.reshape(shape)

    def value(self, op: ConstantOp) -> tuple[int, Arrangement]:
        """The node of a constant and its arrangement in it."""
        if not isinstance(op.value, DenseIntOrFPElementsAttr):
            node, stored = self._in_file(op)
            return self._by_position(op.result, (node, stored), False) if node in self._places else (node, stored)
        shape = shape_of(op.result)
        if is_kept_once(op.value):
            return self._of_equal_elements(op, op.value.data.data)
        numbers = elements_of(op.value)
        elements = numbers.reshape(prod(shape), numbers.shape[-1])
        if (elements == elements[:1]).all():
            return self._of_equal_elements(op, elements[:1].tobytes())
        return self._by_content(op.result, numbers, ("constant", element_type_of(op.result)), None)

    def _of_equal_elements(self, op: ConstantOp, element: bytes) -> tuple[int, Arrangement]:
        node = self._number(("uniform", element_type_of(op.result), element))
        self._elements[node] = np.frombuffer(element, np.uint8).reshape(1, -1)
        return node, Arrangement.repeated(shape_of(op.result))

    def viewed(self, op: ViewOp, node: int, stored: Arrangement) -> tuple[int, Arrangement]:
        """The node and arrangement of a view: the given ones, or those of a constant with the same numbers.

        The numbers of a constant that absorbed a view do not always determine its arrangement; those of the view do.
        """
        if node in self._places:
            return self._by_position(op.result, (node, stored), op.input in self._positions)
        numbers = self._written.get(op.input)
        if numbers is None or any(size.symbols for size in stored.shape):
            return node, stored
        if isinstance(op, AnyTransposeOp):
            numbers = numbers.transpose(*op.moved(), numbers.ndim - 1)
        numbers = numbers.reshape(*(size.factor for size in stored.shape), -1)
        return self._by_content(op.result, numbers, ("constant", element_type_of(op.result)), (node, stored))

    def _by_position(self, value: SSAValue, given: tuple[int, Arrangement], is_asked: bool) -> tuple[int, Arrangement]:
        """The node and arrangement of data in a file: the given ones, unless axes are split there.

        The fallback, also for all views of such a value, is the position of each element in the file.
        """
        node, stored = given
        is_split = any(piece.axis < 0 for pieces in stored.axes for piece in pieces)
        positions = positions_of(value, self._positions) if is_split or is_asked else None
        if positions is None:
            return given
        self._positions[value], place = positions, self._places[node]
        if (stored := arrangement_of(positions)) is not None:
            return self._number(place), stored
        numbers = np.ascontiguousarray(positions).view(np.uint8).reshape(*positions.shape, -1)
        found = self._by_content(value, numbers, ("places", place), None)
        self._places[found[0]] = place
        return found

    def _by_content(
        self, value: SSAValue, numbers: Numbers, kind: Hashable, given: tuple[int, Arrangement] | None
    ) -> tuple[int, Arrangement]:
        """The node and arrangement of known numbers, else the given ones, else a new node."""
        self._written[value] = numbers
        is_written = kind == ("constant", element_type_of(value))
        shape = numbers.shape[:-1]
        # First the orders that the numbers determine: their transposes have them too, also if the bytes of both agree.
        orders = axis_orders(numbers)
        if (natural := identity(len(shape))) not in orders:
            orders.append(natural)
        keys = [(kind, prod(shape), _digest(numbers, order)) for order in orders]
        found = given or (self._number(keys[-1]), Arrangement.of(named(shape)))
        for order, key in zip(orders, keys, strict=True):
            if (known := self._known.get(key)) is None:
                continue
            stored = self._merged.reshaped(known[1], named([shape[axis] for axis in order]))
            if stored is not None:
                found = known[0], stored.transposed(invert(order))
                break
        else:
            if given is None and is_written:
                found = self._of_same_elements(numbers, kind, found[0]) or self._of_same_slices(numbers, kind, *found)
        if is_written and found[1] == Arrangement.of(named(shape)) and found[0] not in self._elements:
            same = [order for order, key in zip(orders, keys, strict=True) if key == keys[0]]
            self._symmetries[found[0]] = [permute(order, invert(orders[0])) for order in same[1:]]
            self._elements[found[0]] = np.ascontiguousarray(numbers).reshape(prod(shape), -1)
        # Also for numbers found under one key: equal numbers must be found under the same key.
        for order, key in zip(orders, keys, strict=True):
            self._known.setdefault(key, (found[0], found[1].transposed(order)))
        return found

    def _of_same_elements(self, numbers: Numbers, kind: Hashable, node: int) -> tuple[int, Arrangement] | None:
        """The node and arrangement of a constant with the same elements in another order of pieces; it is noted if new.

        All elements have to be different, so that they have one order only.
        """
        *shape, width = numbers.shape
        if prod(shape) > MOST_SORTED or width not in (1, 2, 4, 8):
            return None
        row = np.ascontiguousarray(numbers).view(f"<u{width}").reshape(-1)
        order = np.argsort(row, kind="stable")
        ordered = row[order]
        if (ordered[1:] == ordered[:-1]).any():
            return None
        key = kind, row.size, sha256(ordered.data).digest()
        if key not in self._rows:
            whole = self._merged.reshaped(Arrangement.of(named(shape)), [Extent(row.size)])
            assert whole is not None, "static sizes can be merged"
            self._rows[key] = ConstantRow(node, order, whole)
            return None
        known = self._rows[key]
        positions = np.empty(row.size, np.uint32)
        positions[order] = known.order
        found = arrangement_of(positions.reshape(shape))
        stored = None if found is None else found.applied_to(known.stored)
        return None if stored is None else (known.node, self._merged.simplified(stored))

    def _of_same_slices(
        self, numbers: Numbers, kind: Hashable, node: int, whole: Arrangement
    ) -> tuple[int, Arrangement]:
        """The node and arrangement of a constant with the same slices along an axis, in another order of pieces.

        Else the given ones, whose slices are noted.
        """
        shape = numbers.shape[:-1]
        for axis in [axis for axis, size in enumerate(shape) if 1 < size < prod(shape) <= MOST_SLICED]:
            slices = [sha256(np.ascontiguousarray(each).data).digest() for each in np.moveaxis(numbers, axis, 0)]
            order = sorted(range(len(slices)), key=slices.__getitem__)
            key = kind, shape, axis, tuple(slices[place] for place in order)
            if (known := self._slices.setdefault(key, ConstantSlices(node, order))).node == node:
                continue
            places = np.empty(len(order), np.int64)
            places[order] = known.order
            if (pieces := shuffled_pieces(places, axis)) is not None:
                return known.node, Arrangement((*whole.axes[:axis], pieces, *whole.axes[axis + 1 :]))
        return node, whole

    def _in_file(self, op: ConstantOp) -> tuple[int, Arrangement]:
        """The node of a constant in a file is its position there; reading it is a matter of arrangement."""
        assert not isinstance(op.value, DenseIntOrFPElementsAttr)
        reference, (first, *others) = op.value.data, op.steps
        count = prod(first.shape)
        place = "constant", element_type_of(op.result), reference.file, reference.key, count
        node, stored = self._number(place), Arrangement.of(named(first.shape))
        if not count:
            return node, Arrangement.repeated(shape_of(op.result))
        if not reference.is_reshaped and self._shapes_in_files.setdefault(place, first.shape) != first.shape:
            # It cannot have two shapes; one of these programs fails at run time.
            node = self._number((*place, first.shape))
        else:
            self._places[node] = place
            stored = self._reshaped(Arrangement.of([Extent(count)]), first.shape)
        stored = stored.transposed(first.permutation)
        for step in others:
            stored = self._reshaped(stored, step.shape).transposed(step.permutation)
        return node, stored

    def _reshaped(self, stored: Arrangement, shape: Shape) -> Arrangement:
        reshaped = self._merged.reshaped(stored, named(shape))
        assert reshaped is not None, "static sizes can be split anywhere"
        return reshaped


def dtype_of(element: Attribute, *, floats_only: bool = False) -> np.dtype[Any] | None:
    """The type in numpy of elements that are read."""
    if element in (f32, f64):
        return np.dtype("<f4" if element == f32 else "<f8")
    if not floats_only and element == i1:
        return np.dtype(np.bool_)
    if not floats_only and isa(element, IntegerType) and element.bitwidth in (8, 16, 32, 64):
        is_unsigned = element.signedness.data is Signedness.UNSIGNED
        return np.dtype(f"<{'u' if is_unsigned else 'i'}{element.bitwidth // 8}")
    return None


def _digest(numbers: Numbers, order: Order) -> bytes:
    return sha256(np.ascontiguousarray(numbers.transpose(*order, len(order))).data).digest()


def integers_in(rows: Numbers, type_: Attribute) -> NDArray[np.int64]:
    """The integers that rows of bytes are."""
    is_unsigned = cast("IntegerType", type_).signedness.data is Signedness.UNSIGNED
    kind = f"<{'u' if is_unsigned else 'i'}{rows.shape[1]}"
    return np.ascontiguousarray(rows).view(kind).reshape(-1).astype(np.int64)


def axis_orders(numbers: Numbers) -> list[Order]:
    """The orders of the axes that depend on the numbers, but not on their present order.

    Axes are sorted by size and by the sums of the bytes at each of their positions. Axes with equal keys and several
    elements have all orders, up to `MOST_ORDERS`; others keep theirs.
    """
    rank = numbers.ndim - 1
    sums = [numbers.sum(axis=tuple(a for a in range(rank) if a != axis), dtype=np.uint64) for axis in range(rank)]
    by_key: dict[tuple[int, bytes], list[int]] = {}
    for axis in range(rank):
        by_key.setdefault((numbers.shape[axis], sums[axis].tobytes()), []).append(axis)
    alike = [by_key[key] for key in sorted(by_key)]
    several = [axes for axes in alike if numbers.shape[axes[0]] > 1]
    if prod(factorial(len(axes)) for axes in several) > MOST_ORDERS:
        return [tuple(chain.from_iterable(alike))]
    each = [permutations(axes) if axes in several else [axes] for axes in alike]
    return [tuple(chain.from_iterable(axes)) for axes in product(*each)]
