"""The price of each byte order beside the first in which a constant is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ....targets import CostUnit, Target
from ...common.moves.kept_constants import Kept, kept_constants, kept_in
from ...common.storages.storage import ByteOrder
from ..modes.modes import Place
from ..modes.module_storage import ModuleStorage


def weighs_constants(target: Target, unit: CostUnit) -> bool:
    """True if each order of a constant beside the first costs something. Blocks are packed for each op that has any."""
    return unit == "target" and not target.blocks and target.costs is not None and target.costs.weighs_constants


class ConstantPrices:
    """The prices of the constants of a program on a target, by the byte orders in which they are kept."""

    def __init__(self, module: ModuleOp, storage: ModuleStorage, target: Target, unit: CostUnit) -> None:
        self._module = module
        self._storage = storage
        self._costs = target.costs if weighs_constants(target, unit) else None
        """None if constants cost nothing."""

    def orders(
        self, read: Iterable[Place], made: Callable[[SSAValue], ByteOrder]
    ) -> Mapping[SSAValue, Sequence[ByteOrder]]:
        """For each constant the byte orders in which it is read, behind that in which a reshape has `made` it."""
        storage, found = self._storage, dict[SSAValue, dict[ByteOrder, None]]()
        for root, byte_order in read if self._costs is not None else ():
            if storage.is_constant(root):
                given = {} if storage.is_stored_as_read(root) else {made(root): None}
                found.setdefault(storage.data(root), given)[storage.on_data(root, byte_order)] = None
        return {root: [*orders] for root, orders in found.items()}

    def kept(self, orders: Mapping[SSAValue, Sequence[ByteOrder]]) -> Kept:
        """The constants that are kept in several of these byte orders."""
        return Kept() if self._costs is None else kept_constants(orders, self._costs, self._storage.origins)

    @property
    def as_it_is(self) -> Kept:
        """The constants that the program reads in several byte orders, as it is at the moment."""
        return Kept() if self._costs is None else kept_in(self._module, self._costs)

    def of_further_order(self, size: int) -> int:
        """The price of each byte order beside the first of so many bytes that constants decide, in ticks."""
        return 0 if self._costs is None else self._costs.constant.ticks_of(size)
