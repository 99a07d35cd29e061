"""The modes of all ops, enough of them to contain the best program."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from ....dialects.npu.axes import Relayout
from ....layout import Order
from ....layout.blocks import AxisSizes
from ...common.graph.op_classes import order_of
from ...common.graph.producers import Use, node_of
from ...common.storages.storage import ByteOrder
from .free_interface import FreeEnd, FreeInterface, TiedEnd, order_that_is, present_order, shared_orders, value_of
from .module_storage import ModuleStorage
from .rewrites import Mode, Rewrites

Place: TypeAlias = tuple[SSAValue, ByteOrder]
"""A storage in a byte order."""
KnownOrders: TypeAlias = Mapping[SSAValue, Collection[ByteOrder]]
"""For each storage byte orders that it could have."""
Decider: TypeAlias = Operation | FreeEnd
"""An op that uses storages, or what is free."""


def uses_of(decider: Decider) -> Sequence[Use]:
    """The uses that the modes of an op, argument or result decide for."""
    match decider:
        case Operation():
            return [Use(decider, index) for index in range(len(decider.operands))]
        case SSAValue():
            return ()
        case _:
            return (decider,)


def producer_of(root: SSAValue, deciders: Container[Decider]) -> Decider:
    """The decider for the byte order in which a storage is produced: the value itself if it is free."""
    return root if root in deciders else node_of(root)


def place_of(decider: Decider) -> Operation | SSAValue:
    """The op of what decides, or the argument."""
    return decider.op if isinstance(decider, Use) else decider


def present_byte_order(value: SSAValue, storage: ModuleStorage) -> ByteOrder | None:
    """The byte order that the program gives the storage of a value; None without a layout."""
    order = order_of(value)
    return None if order is None else storage.byte_order(value, order)


def present_mode(decider: Decider, storage: ModuleStorage) -> Mode:
    """The mode in which nothing changes."""
    produced: Sequence[SSAValue] = decider.results if isinstance(decider, Operation) else ()
    if isinstance(decider, SSAValue):
        produced = (decider,)
    reads = (present_byte_order(use.value, storage) for use in uses_of(decider))
    return Mode(None, None, tuple(reads), tuple(present_byte_order(value, storage) for value in produced))


@dataclass(frozen=True)
class Modes:
    """All modes that follow from the demanded and the present orders, to closure.

    A free argument or result can have each of the byte orders of its storage that is an order of its type.

    The minimum is proved for these modes. A byte order that no demand and no value leads to could only help if two
    values can be reached through it alone; trying all orders on thousands of small programs found none.
    """

    rewrites: Rewrites
    free: FreeInterface
    touching: Mapping[SSAValue, Sequence[tuple[Operation, int]]]
    """For each storage the ops that use it, with the index among their operands and results."""
    of: Mapping[Decider, Sequence[Mode]]
    """The modes of all ops that use storages and are no views, and of what is free, the present one first."""
    byte_orders: KnownOrders
    """The byte orders that each storage could have."""
    is_complete: bool = True
    """True if all modes were tried."""
    has_all_orders: bool = True
    """True if the modes of all further byte orders were tried."""
    counted: Collection[SSAValue] | None = None
    """The storages whose byte orders count; None if all of them do."""

    @property
    def tiles(self) -> frozenset[AxisSizes]:
        """The blocks that the target demands of values, by axis."""
        blocks = self.rewrites.blocks
        return frozenset() if blocks is None else frozenset(tiles for _, tiles in blocks.tiles)

    @property
    def have_blocks(self) -> bool:
        """True if values may be stored in blocks."""
        return self.rewrites.blocks is not None

    def with_free(self, deciders: Iterable[FreeEnd]) -> Modes:
        """All modes, with some more arguments and results free."""
        of = {**self.of, **dict.fromkeys(deciders, ())}
        tied = {end: modes for each in self.free.ties for end, modes in self._of_tie(each).items()}
        for each in of:
            if not isinstance(each, Operation):
                of[each] = tied[each] if each in tied else self.of_interface(each)
        return replace(self, of=of)

    def _of_tie(self, tie: Sequence[TiedEnd]) -> Mapping[FreeEnd, Sequence[Mode]]:
        """The modes of tied ends: those of a number have one order of the original dimensions.

        The first ones are those of the present orders, if these are one.
        """
        shared = dict.fromkeys(each.shared(present_order(each.value)) for each in tie)
        shared |= dict.fromkeys(order for each in tie for order in self._shared_orders(each, tie))
        found: dict[object, list[Mode]] = {}
        for order in shared:
            modes = [self._mode_of_end(each.end, each.own(order)) for each in tie]
            known = [mode for mode in modes if mode is not None]
            if len(known) == len(tie):
                # Axes of one element may be anywhere: the first place is that of the nearest order.
                found.setdefault(tuple((*mode.reads, *mode.produces) for mode in known), known)
        return {each.end: [modes[place] for modes in found.values()] for place, each in enumerate(tie)}

    def _shared_orders(self, tied: TiedEnd, tie: Sequence[TiedEnd]) -> Iterator[Order]:
        """The orders of a tied end that the byte orders of its storage are."""
        root = self.rewrites.storage.root(tied.value)
        for byte_order in self.byte_orders.get(root, ()):
            yield from shared_orders(tied, tie, byte_order, self.rewrites.storage)

    def tied_to(self, decider: Decider) -> Sequence[Decider]:
        """The arguments and results that are tied to one, with itself; an op alone."""
        return [decider] if isinstance(decider, Operation) else self._tied.get(decider, [decider])

    @cached_property
    def _tied(self) -> Mapping[Decider, Sequence[Decider]]:
        """The ends of the tie of each tied argument and result."""
        return {end: ends for tie in self.free.ties for ends in ([each.end for each in tie],) for end in ends}

    def around(self, roots: Collection[SSAValue]) -> Modes:
        """The modes of the ops, arguments and results that use some storages. Other storages do not count."""
        touching = {op for root in roots for op, _ in self.touching.get(root, ())}
        ends = {end for each in self.of if self._is_end(each, roots) for end in self.tied_to(each)}
        of = {each: modes for each, modes in self.of.items() if each in touching or each in ends}
        known = {root: known for root, known in self.byte_orders.items() if root in roots}
        return replace(self, of=of, byte_orders=known, counted=roots)

    def with_part(self, part: Modes) -> Modes:
        """All modes, with those of some ops replaced."""
        return replace(self, of={**self.of, **part.of}, byte_orders={**self.byte_orders, **part.byte_orders})

    def counts(self, root: SSAValue) -> bool:
        """True if the conversions of a storage count."""
        return self.counted is None or root in self.counted

    def _is_end(self, decider: Decider, roots: Collection[SSAValue]) -> bool:
        """True for a free argument or result that is one of some storages."""
        match decider:
            case Operation():
                return False
            case SSAValue():
                return decider in roots
            case _:
                return self.rewrites.storage.root(decider.value) in roots

    def of_interface(self, decider: FreeEnd) -> Sequence[Mode]:
        """The modes that an argument or result has if it is free: byte orders that are orders of its type."""
        value = value_of(decider)
        present, storage = present_order(value), self.rewrites.storage
        own = storage.byte_order(value, present)
        known = (each for each in self.byte_orders.get(storage.root(value), ()) if each != own)
        orders = (order for each in known if (order := order_that_is(value, each, storage)) is not None)
        modes = (self._mode_of_end(decider, order) for order in (present, *orders))
        return [mode for mode in modes if mode is not None]

    def _mode_of_end(self, decider: FreeEnd, order: Order) -> Mode | None:
        """The mode in which an argument or result has an order; None if the hardware does not store it so."""
        value = value_of(decider)
        is_present = order == present_order(value)
        if not self.rewrites.target_layouts.may_have(value, order):
            return None
        byte_order = self.rewrites.storage.byte_order(value, order)
        if isinstance(decider, SSAValue):
            return Mode(None if is_present else Relayout((), (order,)), None, (), (byte_order,))
        return Mode(None if is_present else Relayout((order,), ()), None, (byte_order,), ())
