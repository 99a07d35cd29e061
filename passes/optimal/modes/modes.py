"""The modes of all ops, enough of them to contain the best program."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects.npu.axes import Relayout
from ....layout.blocks import AxisSizes
from ...common.graph.op_classes import order_of
from ...common.graph.producers import Use
from ...common.plans.interface_choice import Freedom, Interface
from ...common.storages.storage import ByteOrder
from .module_storage import ModuleStorage
from .rewrites import Mode, Rewrites

Place: TypeAlias = tuple[SSAValue, ByteOrder]
"""A storage in a byte order."""
KnownOrders: TypeAlias = Mapping[SSAValue, Collection[ByteOrder]]
"""For each storage byte orders that it could have."""
Decider: TypeAlias = Operation | BlockArgument | Use
"""An op that uses storages, a free argument, or a free result as an operand of its return."""


class FreeInterface(NamedTuple):
    """The arguments and results that may take any order of their types."""

    arguments: frozenset[SSAValue]
    results: frozenset[Use]

    @staticmethod
    def of(interface: Interface) -> FreeInterface:
        free = [value for value, wanted in interface.items() if wanted is Freedom.FREE]
        arguments = (value.value for value in free if value.is_argument and value.value is not None)
        returns = ((value.function.get_return_op(), value.index) for value in free if not value.is_argument)
        return FreeInterface(frozenset(arguments), frozenset(Use(op, index) for op, index in returns if op is not None))


def uses_of(decider: Decider) -> Sequence[Use]:
    """The uses that the modes of an op, argument or result decide for."""
    match decider:
        case Operation():
            return [Use(decider, index) for index in range(len(decider.operands))]
        case BlockArgument():
            return ()
        case _:
            return (decider,)


def present_byte_order(value: SSAValue, storage: ModuleStorage) -> ByteOrder | None:
    """The byte order that the program gives the storage of a value; None without a layout."""
    order = order_of(value)
    return None if order is None else storage.byte_order(value, order)


def present_mode(decider: Decider, storage: ModuleStorage) -> Mode:
    """The mode in which nothing changes."""
    produced: Sequence[SSAValue] = decider.results if isinstance(decider, Operation) else ()
    if isinstance(decider, BlockArgument):
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

    def with_free(self, deciders: Iterable[BlockArgument | Use]) -> Modes:
        """All modes, with some more arguments and results free."""
        of = {**self.of, **dict.fromkeys(deciders, ())}
        return replace(
            self,
            of={each: modes if isinstance(each, Operation) else self.of_interface(each) for each, modes in of.items()},
        )

    def around(self, roots: Collection[SSAValue]) -> Modes:
        """The modes of the ops, arguments and results that use some storages. Other storages do not count."""
        touching = {op for root in roots for op, _ in self.touching.get(root, ())}
        of = {each: modes for each, modes in self.of.items() if each in touching or self._is_end(each, roots)}
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
            case BlockArgument():
                return decider in roots
            case _:
                return self.rewrites.storage.root(decider.value) in roots

    def of_interface(self, decider: BlockArgument | Use) -> Sequence[Mode]:
        """The modes that an argument or result has if it is free."""
        return [*self._modes_of_interface(decider)]

    def _modes_of_interface(self, decider: BlockArgument | Use) -> Iterator[Mode]:
        """The byte orders that are orders of the type of a free argument or result, the present one first."""
        value = decider if isinstance(decider, BlockArgument) else decider.value
        present, storage = order_of(value), self.rewrites.storage
        assert present is not None
        of_root = self.byte_orders.get(storage.root(value), ())
        known = dict.fromkeys([storage.byte_order(value, present), *of_root])
        for place, byte_order in enumerate(known):
            order = storage.order(value, byte_order) if place else present
            if order is None or storage.byte_order(value, order) != byte_order:
                continue
            if not self.rewrites.target_layouts.may_have(value, order):
                continue
            if isinstance(decider, BlockArgument):
                yield Mode(Relayout((), (order,)) if place else None, None, (), (byte_order,))
            else:
                yield Mode(Relayout((order,), ()) if place else None, None, (byte_order,), ())
