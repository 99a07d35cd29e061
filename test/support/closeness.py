"""Floats that two engines compute, or one engine in two orders: how far apart they may be, and why.

Engines add in orders that depend on the processor, so no test compares last digits. A room is as large as its reason
demands; results that have to be the same bits are compared by `np.array_equal`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Room:
    """The allowed difference: relative to each number expected, and absolute."""

    why: str
    relative: float
    absolute: float = 0

    def within(self, scale: float) -> "Room":
        """The room whose absolute part counts multiples of a scale."""
        return Room(self.why, self.relative, self.absolute * scale)


FEW_STEPS = Room("a few steps in f32 round by 6e-8 of their results each, and so do their sums in another order", 1e-5)
FEW_STEPS_NEAR_ZERO = Room(f"{FEW_STEPS.why}; summands cancel", 1e-5, 1e-6)
SUMS = Room("sums of up to a thousand products of f32, in another order, which cancel near zero", 1e-4, 1e-4)
LAYERS = Room("f32 through several layers, each of which adds in another order", 1e-3, 1e-3)
DOUBLE = Room("sums in f64, in another order: only a mistake is larger", 1e-9, 1e-9)


def assert_close(found: Any, expected: Any, room: Room, subject: object = "") -> None:
    message = f"{subject}\nallowed: {room.why}"
    np.testing.assert_allclose(found, expected, rtol=room.relative, atol=room.absolute, err_msg=message)


def are_close(found: Any, expected: Any, room: Room) -> bool:
    """True if arrays are close. NaN is equal to NaN."""
    return bool(np.allclose(found, expected, rtol=room.relative, atol=room.absolute, equal_nan=True))
