"""The modes that obey the pins of a program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, NoReturn

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ....dialects.notes.interfaces import InterfaceValue
from ....dialects.notes.value_pins import Pin, pins_of, refuse
from ....dialects.npu.values import encoding, rank_of
from ....layout.byte_order import pieces_between
from ...common.demands.demand_reasons import axis_reason, choices_reason
from ...common.demands.target_layouts import TargetLayouts
from ...common.graph.op_classes import is_fixed, order_of
from ...common.graph.producers import node_of
from ...common.storages.storage import ByteOrder
from ...common.words.reasons import Names
from .modes import Modes, producer_of
from .module_storage import ModuleStorage
from .rewrites import Mode


class PinnedStorage(NamedTuple):
    """A pin as the byte order in which a storage has to be produced."""

    pin: Pin
    root: SSAValue
    byte_order: ByteOrder


class PinnedStorages:
    """The pins of a coloured program."""

    def __init__(self, module: ModuleOp, storage: ModuleStorage, target_layouts: TargetLayouts) -> None:
        """Raises `PinError` for those that no program can obey."""
        self._names = Names(module)
        self._storage = storage
        self._target_layouts = target_layouts
        self.pins = pins_of(module)
        """In program order."""
        self.each = [*map(self._pinned, self.pins)]

    def _pinned(self, pin: Pin) -> PinnedStorage:
        value, layout, _ = pin
        own = encoding(value.type)
        if own is None:
            self._refuse(pin, f"has no layout: its type is {value.type}")
        if layout.cls.is_cnn != own.cls.is_cnn or (own.cls.is_cnn and layout.cls is not own.cls):
            self._refuse(pin, f"is a {own.cls.value}: {layout} is no permutation of {own}")
        if problem := layout.rank_mismatch(rank_of(value)):
            self._refuse(pin, f"cannot be stored in {layout}: {problem}")
        root = self._storage.root(value)
        if self._storage.is_constant(root):
            self._refuse(pin, "is a constant, which is stored for each use as that reads it")
        return PinnedStorage(pin, root, self._storage.byte_order(value, layout.order_for(rank_of(value))))

    @property
    def byte_orders(self) -> list[tuple[SSAValue, ByteOrder]]:
        """The storages with the byte orders in which they have to be produced."""
        return [(pinned.root, pinned.byte_order) for pinned in self.each]

    def restricted(self, modes: Modes) -> Modes:
        """The modes that obey the pins on storages that count; raises `PinError` if there are none."""
        obeyed: list[PinnedStorage] = []
        of = {**modes.of}
        for pinned in (each for each in self.each if modes.counts(each.root)):
            node = producer_of(pinned.root, of)
            if node in of:
                place = pinned.root.index if isinstance(pinned.root, OpResult) and node is not pinned.root else 0
                left = self._obedient(of[node], place, pinned, obeyed)
                for each in modes.tied_to(node):
                    of[each] = [of[each][number] for number in left]
                obeyed.append(pinned)
            elif isinstance(node, BlockArgument):
                self._check_argument(node, pinned)
            else:
                self._refuse(pinned.pin, "is not stored, as nothing reads it")
        return replace(modes, of=of) if obeyed else modes

    def check_conversions(self, conversions: Iterable[tuple[SSAValue, ByteOrder, ByteOrder]]) -> None:
        """Check that each conversion of a storage, from one byte order to another, is one transpose."""
        for root, given, wanted in conversions:
            if pieces_between(given, wanted) is None:
                pin = next((each.pin for each in self.each if each.root is root), self.each[0].pin)
                self._refuse(pin, f"cannot be stored in {pin.layout}: no transpose leads to what its users read")

    def _obedient(
        self, modes: Sequence[Mode], place: int, pinned: PinnedStorage, obeyed: Sequence[PinnedStorage]
    ) -> Sequence[int]:
        """The numbers of the modes that obey a pin on what they produce at a place."""
        left = [number for number, mode in enumerate(modes) if mode.produces[place] == pinned.byte_order]
        if not left:
            others = [each.pin for each in obeyed if node_of(each.root) is node_of(pinned.root)]
            self._refuse(pinned.pin, self._why_not(pinned, modes, place, others))
        return left

    def _check_argument(self, argument: BlockArgument, pinned: PinnedStorage) -> None:
        """Check the pin of an argument that keeps its order."""
        order = order_of(argument)
        assert order is not None
        if self._storage.byte_order(argument, order) == pinned.byte_order:
            return
        value, layout, _ = pinned.pin
        kept = f"argument {self._names.of(argument)} is {encoding(argument.type)}"
        function = argument.owner.parent_op()
        if isinstance(function, FuncOp):
            end = InterfaceValue(function, argument.index, is_argument=True)
            kept += f", and only --interface={end.name}:{layout if value is argument else 'LAYOUT'} changes that"
        self._refuse(pinned.pin, f"cannot be stored in {layout}: {kept}")

    def _refuse(self, pin: Pin, text: str) -> NoReturn:
        """Raise the error for a pin that cannot be obeyed."""
        owner = pin.value.owner
        op = owner if isinstance(owner, Operation) else owner.parent_op()
        refuse(op, f"{self._names.of(pin.value)} {text}", pin.place)

    def _why_not(self, pinned: PinnedStorage, modes: Sequence[Mode], place: int, others: Sequence[Pin]) -> str:
        """The reason why no mode obeys a pin, and those that could be obeyed."""
        reason = "; ".join(f"{self._names.of(pin.value)} is pinned to {pin.text}" for pin in others) or self._reason(
            pinned.root
        )
        possible = list(dict.fromkeys(self._possible(pinned, modes, place)))
        orders = " or ".join(possible) or "no layout of its type"
        return f"cannot be stored in {pinned.pin.layout}: {reason}; possible: {orders}"

    def _reason(self, root: SSAValue) -> str:
        node, targets = node_of(root), self._target_layouts
        if isinstance(node, BlockArgument):
            return "the hardware does not store it in this layout"
        if (demands := targets.demands(node)) is not None:
            return choices_reason(targets, node, demands).text(self._names)
        if is_fixed(node):
            return f"nothing is known of the axes of {self._names.of(node)}"
        if (reason := axis_reason(targets, node)) is not None:
            return reason.text(self._names)
        return f"{self._names.of(node)} has no form that produces this layout"

    def _possible(self, pinned: PinnedStorage, modes: Sequence[Mode], place: int) -> Iterator[str]:
        """The layouts of a pinned value that modes produce."""
        value = pinned.pin.value
        layout = encoding(value.type)
        assert layout is not None
        for mode in modes:
            byte_order = mode.produces[place]
            order = None if byte_order is None else self._storage.order(value, byte_order)
            if order is not None:
                yield str(layout.with_order(order))
