"""The constants of a program, and the byte orders in which it reads them, each of which is stored."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ....dialects.npu.base import NpuOp
from ....dialects.npu.shape import ViewOp
from ....dialects.npu.values import encoding, order_of_value
from ....layout import Order, unpermute
from ....targets.costs import Costs
from ..graph.dead_ops import live_ops
from ..storages.origins import Origins
from ..storages.storage import ByteOrder, Storage
from .transpose_cost import bytes_of


class Kept(NamedTuple):
    """The constants that are kept in more orders than one."""

    constants: int = 0
    orders: int = 0
    """The orders of all of them beside the first of each."""
    ticks: int = 0
    """The price of these orders."""

    @property
    def how(self) -> str:
        """The number of orders of each, in words."""
        return "in two layouts" if self.orders == self.constants else "in several layouts"


class SharedData:
    """The constants of a program that have the same data, maybe in several orders: also those of several functions."""

    def __init__(self, module: ModuleOp) -> None:
        self._of: dict[SSAValue, tuple[Hashable, Order]] = {}
        """For each constant what tells its data from others, and for each of its axes that of the data."""
        self._with: dict[Hashable, list[SSAValue]] = {}
        for op in module.walk():
            if isinstance(op, NpuOp) and op.is_source:
                key, axes = op.source_data()
                for result in op.results:
                    self._of[result] = (key, result.index), unpermute(axes, order_of_value(result)) if axes else ()
                    self._with.setdefault((key, result.index), []).append(result)

    def of(self, root: SSAValue) -> Sequence[SSAValue]:
        """The constants with the data of a storage, in program order; the root alone if it is none of them."""
        return self._with[self._of[root][0]] if root in self._of else (root,)

    def first(self, root: SSAValue) -> SSAValue:
        """The constant that stands for all with the data of a storage."""
        return self.of(root)[0]

    def moved(self, byte_order: ByteOrder, root: SSAValue, other: SSAValue) -> ByteOrder:
        """A byte order of a constant as one of another with the same data."""
        if root is other or not self._of[root][1]:
            return byte_order
        axes, others = self._of[root][1], self._of[other][1]
        return tuple(piece._replace(axis=others.index(axes[piece.axis])) for piece in byte_order)


def kept_constants(orders: Mapping[SSAValue, Sequence[ByteOrder]], costs: Costs, origins: Origins) -> Kept:
    """The constants of which each has these byte orders, with what they cost on a target."""
    several = {root: len(found) - 1 for root, found in orders.items() if len(found) > 1}
    prices = (costs.constant.ticks_of(bytes_of(root, origins)[0]) * further for root, further in several.items())
    return Kept(len(several), sum(several.values()), sum(prices))


def kept_in(module: ModuleOp, costs: Costs) -> Kept:
    """The constants of a program as it is, counted without regard to how it was made."""
    if not costs.weighs_constants:
        return Kept()
    origins, storage, shared = Origins(), Storage(), SharedData(module)
    found: dict[SSAValue, dict[ByteOrder, None]] = {}
    for op in live_ops(module):
        for value in _read(op, storage):
            root = storage.root(value)
            if encoding(value.type) is not None and origins.is_constant(root):
                first, read = shared.first(root), storage.byte_order(value, order_of_value(value))
                found.setdefault(first, made_orders(root, storage))[shared.moved(read, root, first)] = None
    return kept_constants({root: [*orders] for root, orders in found.items()}, costs, origins)


def made_orders(root: SSAValue, storage: Storage) -> dict[ByteOrder, None]:
    """The byte order that a constant has before anything reads it: only one that a reshape makes has any."""
    if not isinstance(root.owner, ViewOp):
        return {}
    return {storage.byte_order(root, order_of_value(root)): None}


def _read(op: Operation, storage: Storage) -> Iterator[SSAValue]:
    """The values that an op reads; a view reads nothing."""
    is_view = any(encoding(result.type) is not None and storage.is_view(result) for result in op.results)
    return iter(() if is_view else op.operands)
