"""The prices that a target with costs has for the conversions of a storage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import permutations
from math import factorial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ....dialects.carrying.callers import calls_around
from ....dialects.npu.values import shape_of, tensor_type
from ....layout import DYNAMIC, Extent, Movement, Order, Piece, movement, permute
from ....layout.byte_order import movement_between
from ....layout.movement import steps_of
from ....targets.costs import Costs
from ....targets.facts import TransposeFacts
from ...common.moves.transpose_cost import bytes_of
from ...common.storages.origins import Origins
from ...common.storages.storage import ByteOrder
from ..solve.problem import Prices

if TYPE_CHECKING:
    from ..modes.packed_views import Packed

MOST_PIECES = 4
"""The number of pieces of a storage up to which all conversions are tried."""
Length: TypeAlias = tuple[int, int]
"""The number of conversions that nothing can do, and the price of all."""


class Data(NamedTuple):
    """The data of a storage as far as prices depend on it."""

    element_type: str
    bytes: int
    calls: int = 1
    """The number of times that each conversion is made."""
    further_order: int | None = None
    """The price of each byte order beside the first, if it is constant: it is stored so from the start."""


class ConversionPrices:
    """The price of each conversion, in ticks, by the byte orders between which it leads."""

    tells_packs = False
    """True if a pack may cost another price than a transpose."""

    def __init__(self, costs: Costs, origins: Origins, assumed_size: int, most_axes: int | None = None) -> None:
        """`most_axes` is the number of axes that one transpose moves at most."""
        self._costs = costs
        self._most_axes = most_axes
        self._origins = origins
        self._assumed_size = assumed_size
        self._of = lru_cache(maxsize=None)(self._priced)
        self._by_orders = lru_cache(maxsize=None)(self._prices_of)
        self.data = lru_cache(maxsize=None)(self._data)
        self.lengths = lru_cache(maxsize=None)(self._lengths)
        self._least = lru_cache(maxsize=None)(self._least_of)

    def in_blocks(self, root: SSAValue) -> Sequence[ByteOrder]:
        """For each way to cut the axes of a storage into blocks an order of the pieces."""
        return ()

    @property
    def may_have_detours(self) -> bool:
        """True if the price of a conversion depends on its byte orders, so that two may cost less than one."""
        return len(self._costs.transposes) > 1 or self._costs.rules.can is not None or self._most_axes is not None

    def weight(self, root: SSAValue, penalty: int = 0) -> int | Prices:
        """The price of converting a storage, with a penalty for conversions that nothing can do."""
        if 0 in shape_of(root):
            return 0
        data = self.data(root)
        if data.further_order is not None:
            return data.further_order
        return self._by_orders(data, penalty) if self.may_have_detours else data.calls * self._dearest(data.bytes)

    def _prices_of(self, data: Data, penalty: int) -> Prices:
        """The prices of all conversions of some data, which all storages of such data share."""
        return cast("Prices", partial(self._of, data, penalty))

    def _data(self, root: SSAValue) -> Data:
        type_: TensorType = tensor_type(root)
        moved, _ = bytes_of(root, self._origins, self._assumed_size)
        is_weighed = self._costs.weighs_constants and self._origins.is_constant(root)
        price = self._costs.constant.ticks_of(moved) if is_weighed else None
        return Data(str(type_.element_type), moved, calls_around(root), price)

    def ticks(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> int:
        """The price of one conversion of a storage."""
        return self._of(self.data(root), 0, given, wanted)

    def _length(self, data: Data, sizes: Sequence[Extent], given: Order, wanted: Order) -> Length:
        """The length of the conversion between two sequences of pieces of some sizes."""
        before = [DYNAMIC if sizes[piece].symbols else sizes[piece].factor for piece in given]
        moved = movement([*map(given.index, wanted)], before)
        transpose = TransposeFacts(data.element_type, moved, data.bytes)
        if data.further_order is not None:
            return 0, data.further_order * (not transpose.moves_nothing)
        return int(self._costs.is_avoided(transpose)), data.calls * self._costs.of_transpose(transpose)

    def _lengths(self, data: Data, sizes: tuple[Extent, ...], start: int) -> list[Length]:
        """The length of each conversion of data in pieces of some sizes from one of their permutations."""
        nodes = list(permutations(range(len(sizes))))
        return [self._length(data, sizes, nodes[start], wanted) for wanted in nodes]

    def _priced(self, data: Data, penalty: int, given: ByteOrder, wanted: ByteOrder) -> int:
        return self.price(transpose_between(data, given, wanted), data, penalty)

    def price(self, transpose: TransposeFacts | None, data: Data, penalty: int) -> int:
        """The price of a transpose; None is several, which cost no less than the dearest one."""
        if data.further_order is not None:
            return data.further_order
        if transpose is None:
            return data.calls * self._dearest(data.bytes) + penalty
        steps = steps_of(transpose.movement.permutation, self._most_axes)
        if len(steps) > 1:
            return sum(self.price(each, data, penalty) for each in _facts_of_steps(transpose, steps))
        return data.calls * self._costs.of_transpose(transpose) + penalty * self._costs.is_avoided(transpose)

    def _dearest(self, size: int) -> int:
        """The price of the dearest transpose of data of a size."""
        any_transpose = TransposeFacts("", Movement((), ()), size)
        return max(each.price.ticks(any_transpose) for each in self._costs.transposes)

    def least(self, root: SSAValue, pieces: Sequence[Piece]) -> int:
        """A price that no conversion between sequences of some pieces of a storage is below."""
        return self._least(self.data(root), tuple(sorted(piece.size for piece in pieces)))

    def _least_of(self, data: Data, sizes: tuple[Extent, ...]) -> int:
        if not 1 < len(sizes) <= MOST_PIECES:
            return self._cheapest(data)
        every = (self.lengths(data, sizes, start) for start in range(factorial(len(sizes))))
        return min(price for start, found in enumerate(every) for end, (_, price) in enumerate(found) if end != start)

    def _cheapest(self, data: Data) -> int:
        """The price of the cheapest transpose of some data."""
        if data.further_order is not None:
            return data.further_order
        any_transpose = TransposeFacts("", Movement((), ()), data.bytes)
        prices = (*(each.price for each in self._costs.transposes), self._costs.rules.fallback)
        return data.calls * min(price.ticks(any_transpose) for price in prices if price is not None)

    def facts(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> TransposeFacts | None:
        """The facts of a conversion of a storage; None if no transpose does it."""
        return transpose_between(self.data(root), given, wanted)

    def pack(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> Packed | None:
        """The pack that a conversion is priced as; None if it is none, or if the target does not tell packs apart."""
        return None

    def is_avoided(self, root: SSAValue, given: ByteOrder, wanted: ByteOrder) -> bool:
        """True if nothing can do this conversion."""
        transpose = self.facts(root, given, wanted)
        if transpose is None or self.data(root).further_order is not None:
            return False
        steps = steps_of(transpose.movement.permutation, self._most_axes)
        return any(map(self._costs.is_avoided, _facts_of_steps(transpose, steps)))


def transpose_between(data: Data, given: ByteOrder, wanted: ByteOrder) -> TransposeFacts | None:
    """The transpose from one byte order to another; None if there is none, as from 3 by 2 pieces to 2 by 3."""
    found = movement_between(given, wanted)
    return None if found is None else TransposeFacts(data.element_type, found, data.bytes)


def _facts_of_steps(transpose: TransposeFacts, steps: Sequence[Order]) -> Iterator[TransposeFacts]:
    """The facts of each step of a transpose."""
    shape: Sequence[int] = transpose.movement.sizes
    for step in steps:
        yield replace(transpose, movement=movement(step, shape))
        shape = permute(shape, step)
