"""The arguments and results that may take other orders, and those of them that take one together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.ir import SSAValue

from ....dialects.notes.interfaces import InterfaceValue
from ....dialects.notes.ties import Tie
from ....dialects.npu.views import Sizes
from ....layout import MAX_RANK, Order, identity, invert, permute, unpermute
from ...common.graph.op_classes import order_of
from ...common.graph.producers import Use
from ...common.plans.interface_choice import Freedom, Interface
from ...common.storages.storage import ByteOrder
from .module_storage import ModuleStorage
from .rewrites import placements

FreeEnd: TypeAlias = SSAValue | Use
"""A free argument or result of a call or loop, or what is handed over as an operand: of a return, a call or a loop."""


class TiedEnd(NamedTuple):
    """A free end whose order decides for those of others."""

    end: FreeEnd
    dims: Order
    """The dimension of the original program at each logical axis, by which orders of several types compare."""

    @property
    def value(self) -> SSAValue:
        return value_of(self.end)

    def shared(self, order: Order) -> Order:
        """An order as one of original dimensions."""
        return permute(self.dims, order)

    def own(self, shared: Order) -> Order:
        return permute(invert(self.dims), shared)

    @staticmethod
    def inside(end: FreeEnd) -> TiedEnd:
        """An end in a program: its dimensions are compared as they are stored."""
        order = present_order(value_of(end))
        return TiedEnd(end, unpermute(identity(len(order)), order))

    @staticmethod
    def of(value: InterfaceValue) -> TiedEnd | None:
        end = end_of(value)
        order = None if end is None else order_of(value_of(end))
        if end is None or order is None:
            return None
        return TiedEnd(end, unpermute(value.permutation or identity(len(order)), order))


class FreeInterface(NamedTuple):
    """The arguments and results that may take any order of their types, and what calls, branches and loops carry."""

    arguments: frozenset[SSAValue]
    """The ends where values begin: arguments, and results of calls and loops."""
    results: frozenset[Use]
    ties: Sequence[Sequence[TiedEnd]] = ()
    """Free arguments and results that take one order."""

    @staticmethod
    def of(interface: Interface, ties: Iterable[Tie] = (), carried: Sequence[Sequence[FreeEnd]] = ()) -> FreeInterface:
        free = [value for value, wanted in interface.items() if wanted is Freedom.FREE]
        ends = [end for end in map(end_of, free) if end is not None]
        ends += [end for each in carried for end in each]
        tied = ([TiedEnd.of(value) for value in each.ends] for each in ties if {*each.ends} <= {*free})
        return FreeInterface(
            frozenset(end for end in ends if isinstance(end, SSAValue)),
            frozenset(end for end in ends if isinstance(end, Use)),
            [
                *([each for each in ends if each is not None] for ends in tied),
                *([*map(TiedEnd.inside, ends)] for ends in carried),
            ],
        )


def end_of(value: InterfaceValue) -> FreeEnd | None:
    """The argument, or the operand of the return; None for a function without either."""
    if len(value.function.body.blocks) != 1:
        return None
    if value.is_argument:
        return value.function.body.block.args[value.index]
    returned = value.function.get_return_op()
    return None if returned is None else Use(returned, value.index)


def value_of(end: FreeEnd) -> SSAValue:
    return end.value if isinstance(end, Use) else end


def present_order(value: SSAValue) -> Order:
    order = order_of(value)
    assert order is not None
    return order


def order_that_is(value: SSAValue, byte_order: ByteOrder, storage: ModuleStorage) -> Order | None:
    """The order of a value that is a byte order of its storage; None if none is."""
    order = storage.order(value, byte_order)
    return order if order is not None and storage.byte_order(value, order) == byte_order else None


def shared_orders(
    tied: TiedEnd, tie: Sequence[TiedEnd], byte_order: ByteOrder, storage: ModuleStorage
) -> Iterator[Order]:
    """The orders of original dimensions in which a tied end has a byte order.

    Where an axis has one element here and more at another end, it may be anywhere.
    """
    order = order_that_is(tied.value, byte_order, storage)
    if order is None:
        return
    longer = {each.dims[axis] for each in tie for axis, size in enumerate(sizes_of(each, storage)) if not size.is_unit}
    own = sizes_of(tied, storage)
    units = [axis for axis in order if own[axis].is_unit and tied.dims[axis] in longer]
    yield from map(tied.shared, (order, *placements(order, units)) if len(order) <= MAX_RANK else (order,))


def sizes_of(tied: TiedEnd, storage: ModuleStorage) -> Sizes:
    return storage.view(tied.value).sizes
