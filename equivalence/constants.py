"""Constants by their content: equal numbers are one node, whatever shape and order they are written in."""

from collections.abc import Callable, Hashable, Sequence
from hashlib import sha256
from math import prod

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import SSAValue

from ..dialects.npu.base import Shape, element_type_of, shape_of
from ..dialects.npu.shape import AnyTransposeOp, ViewOp
from ..dialects.npu.source import ConstantOp
from ..layout import DYNAMIC, UNIT, Arrangement, Extent, Order, Piece, identity, invert, named
from .joined import JoinedAxes

Numbers = NDArray[np.uint8]
"""The elements of a constant; the last axis counts the bytes of an element."""


class Constants:
    """The constants met so far, found again by the bytes of one of their forms."""

    def __init__(self, number: Callable[[Hashable], int], joined: JoinedAxes) -> None:
        self._number = number
        self._joined = joined
        self._known: dict[Hashable, tuple[int, Arrangement]] = {}
        self._uniform: set[int] = set()
        self._written: dict[SSAValue, Numbers] = {}
        self._shapes_in_files: dict[Hashable, Shape] = {}

    def is_uniform(self, node: int) -> bool:
        """Whether all elements of a node are equal."""
        return node in self._uniform

    def enter_uniform(self, node: int) -> None:
        """Note that all elements of a node are equal."""
        self._uniform.add(node)

    def value(self, op: ConstantOp) -> tuple[int, Arrangement]:
        """The node of a constant and its arrangement there."""
        if not isinstance(op.value, DenseIntOrFPElementsAttr):
            return self._in_file(op)
        shape = shape_of(op.result)
        data = op.value.data.data
        numbers = np.frombuffer(data, np.uint8).reshape(*shape, len(data) // max(prod(shape), 1))
        elements = numbers.reshape(prod(shape), numbers.shape[-1])
        if (elements == elements[:1]).all():
            node = self._number(("uniform", element_type_of(op.result), elements[:1].tobytes()))
            self.enter_uniform(node)
            return node, uniform(shape)
        return self._by_content(op.result, numbers, None)

    def viewed(self, op: ViewOp, node: int, stored: Arrangement) -> tuple[int, Arrangement]:
        """The node and arrangement of a view, which are given, or those of a constant of the same numbers.

        How a constant that took up a view is arranged cannot always be told from its numbers; here it is seen.
        """
        numbers, shape = self._written.get(op.input), shape_of(op.result)
        if numbers is None or DYNAMIC in shape:
            return node, stored
        if isinstance(op, AnyTransposeOp):
            numbers = numbers.transpose(*op.moved(), len(shape))
        return self._by_content(op.result, numbers.reshape(*shape, -1), (node, stored))

    def _by_content(
        self, value: SSAValue, numbers: Numbers, given: tuple[int, Arrangement] | None
    ) -> tuple[int, Arrangement]:
        """The node and arrangement of numbers that were met before, else those given, else a new node."""
        self._written[value] = numbers
        shape = shape_of(value)
        forms = [identity(len(shape))]
        if (other := axis_order(numbers)) != forms[0]:
            forms.append(other)
        keys = [self._key(value, numbers, form) for form in forms]
        found = given or (self._number(keys[0]), Arrangement.of(named(shape)))
        for form, key in zip(forms, keys, strict=True):
            if (known := self._known.get(key)) is None:
                continue
            stored = self._joined.reshaped(known[1], named([shape[axis] for axis in form]))
            if stored is not None:
                found = known[0], stored.transposed(invert(form))
                break
        # Also what was found under one key: numbers that are met again must be found in the same way.
        for form, key in zip(forms, keys, strict=True):
            self._known.setdefault(key, (found[0], found[1].transposed(form)))
        return found

    def _key(self, value: SSAValue, numbers: Numbers, form: Order) -> Hashable:
        content = np.ascontiguousarray(numbers.transpose(*form, len(form)))
        return "constant", element_type_of(value), prod(numbers.shape), sha256(content.data).digest()

    def _in_file(self, op: ConstantOp) -> tuple[int, Arrangement]:
        """A constant in a file is known by its place there; how it is read from there is a matter of arrangement."""
        assert not isinstance(op.value, DenseIntOrFPElementsAttr)
        reference, shape = op.value.data, op.shape_before
        place = "constant", element_type_of(op.result), reference.file, reference.key
        stored = Arrangement.of(named(shape))
        if 0 in shape or DYNAMIC in shape:
            return self._number((*place, shape)), stored.transposed(op.permutation)
        count = prod(shape)
        if not reference.is_reshaped and self._shapes_in_files.setdefault((*place, count), shape) != shape:
            # It cannot have two shapes; one of these programs does not run.
            return self._number((*place, shape)), stored.transposed(op.permutation)
        row = Arrangement.of([Extent(count)]).reshaped(stored.shape)
        assert row is not None, "a row of numbers can be cut everywhere"
        return self._number((*place, count)), row.transposed(op.permutation)


def uniform(shape: Sequence[int]) -> Arrangement:
    """How equal elements are arranged: only the sizes of the axes count, so that all are the same axis of the node."""
    return Arrangement(tuple(() if size == 1 else (Piece(0, UNIT, Extent(size)),) for size in shape))


def axis_order(numbers: Numbers) -> Order:
    """An order of the axes that depends on the numbers alone and not on how the axes are ordered now.

    Each axis is told by its size and by the sums of the bytes at each of its positions. Axes that these do not tell
    apart keep their sequence.
    """
    rank = numbers.ndim - 1
    sums = [numbers.sum(axis=tuple(a for a in range(rank) if a != axis), dtype=np.uint64) for axis in range(rank)]
    return tuple(sorted(range(rank), key=lambda axis: (numbers.shape[axis], sums[axis].tobytes())))
