"""The components of a program: storages whose best byte orders may depend on each other, whatever orders are tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects.npu.values import encoding
from ...common.graph.op_classes import is_product
from ...common.graph.producers import Use
from ...common.storages.storage import ByteOrder
from .modes import Modes, present_byte_order
from .module_storage import ModuleStorage


class PricedConversion(NamedTuple):
    """A conversion that costs something: a storage, and the byte orders between which it leads."""

    root: SSAValue
    given: ByteOrder
    wanted: ByteOrder


class Components:
    """The parts of a program with some modes."""

    def __init__(self, modes: Modes, storage: ModuleStorage) -> None:
        self._modes = modes
        self._storage = storage
        self._tied: dict[SSAValue, set[SSAValue]] = {}
        """For each storage those of which arguments and results are tied to some of its own."""
        for tie in modes.free.ties:
            roots = {root for each in tie if not storage.has_any_order(root := storage.root(each.value))}
            for root in roots:
                self._tied.setdefault(root, set()).update(roots)

    def improvable(self, conversions: Iterable[PricedConversion], priced: Iterable[Operation]) -> set[SSAValue]:
        """The storages of the parts that could cost less in other byte orders.

        The others cost nothing but conversions that every program needs. `conversions` and `priced` are all conversions
        and ops of a solution that cost anything.
        """
        return self.priced([each for each in conversions if not self._is_needed(each)], priced)

    def priced(self, conversions: Iterable[PricedConversion], priced: Iterable[Operation]) -> set[SSAValue]:
        """The storages of the parts in which some conversions and ops cost anything."""
        first = [each.root for each in conversions]
        first += [root for op in priced for root in self._left_open(op)]
        found: set[SSAValue] = set()
        for root in first:
            if root not in found:
                found |= self._part_of(root)
        return found

    def _part_of(self, root: SSAValue) -> set[SSAValue]:
        part, waiting, seen = {root}, [root], set[Operation]()
        while waiting:
            used = waiting.pop()
            tied = {*self._tied.get(used, ()), *self._storage.with_same_data(used)} - part
            part |= tied
            waiting += tied
            for op, place in self._modes.touching.get(used, ()):
                if op not in seen and not self._is_settled(op, place):
                    seen.add(op)
                    new = {*self._left_open(op)} - part
                    part |= new
                    waiting += new
        return part

    def _left_open(self, op: Operation) -> Iterator[SSAValue]:
        """The storages that an op may use in other byte orders, if more of these are tried."""
        for place, value in enumerate((*op.operands, *op.results)):
            if encoding(value.type) is not None and not self._is_settled(op, place):
                root = self._storage.root(value)
                if not self._storage.has_any_order(root):
                    yield root

    def _is_needed(self, conversion: PricedConversion) -> bool:
        """True if every program has this conversion: its storage is always produced and read in these byte orders."""
        root, given, wanted = conversion
        produced: set[ByteOrder | None] = set()
        read: set[ByteOrder | None] = set()
        if isinstance(root, BlockArgument) and root not in self._modes.of:
            produced.add(present_byte_order(root, self._storage))
        for each in self._storage.with_same_data(root):
            for op, place in self._modes.touching.get(each, ()):
                if self._is_settled(op, place):
                    mode = self._modes.of[op][0]
                    used = (*mode.reads, *mode.produces)[place]
                    used = None if used is None else self._storage.on_data(each, used)
                    (read if place < len(op.operands) else produced).add(used)
        return given in (read if self._storage.is_stored_as_read(root) else produced) and wanted in read

    def _is_settled(self, op: Operation, place: int) -> bool:
        """True if no other order lets an op use this operand or result in another byte order."""
        free = self._modes.rewrites.ops.get(op)
        if free is None:
            free, border = self._modes.free, len(op.operands)
            return (
                Use(op, place) not in free.results
                if place < border
                else op.results[place - border] not in free.arguments
            )
        demanded = {(*each.operands, *each.results)[place] for each in free.demands}
        # A product may exchange its operands.
        return len(demanded) == 1 and None not in demanded and not is_product(op)
