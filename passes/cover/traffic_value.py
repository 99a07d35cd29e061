"""The data that a program moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import SSAValue

from ..common.moves.transpose_cost import Cost
from ..common.storages.storage import ByteOrder
from .module import CoveredModule

Converted = tuple[SSAValue, ByteOrder]
"""A storage, by its root, and a byte order to which it is converted."""


class TrafficValue(NamedTuple):
    """The data that a program moves."""

    bytes: int
    least: int
    """The data that it moves at least, in whatever groups."""
    transposes: Cost
    """The cost of all transposes, with the data that travels."""
    outside: Sequence[Converted] = ()
    """The conversions that no group absorbs."""
    is_kept: bool = False
    """True if the program is best as it is."""
    is_bound_known: bool = True
    """False if the bound rests on sizes that are assumed."""

    @staticmethod
    def of(found: CoveredModule, transposes: Cost) -> TrafficValue:
        return TrafficValue(found.bytes, found.least, found.cost_with(transposes))

    @property
    def order(self) -> tuple[int, int]:
        """The data that travels, then that of all transposes."""
        return self.bytes, self.transposes.bytes
