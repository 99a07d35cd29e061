"""The ways in which programs are compared, one after the other."""

from typing import NamedTuple


class Attempt(NamedTuple):
    """One way to compare programs."""

    rounds_once: bool = False
    """Dequantised values are real numbers (real_numbers.py)."""
    by_formulas: bool = False
    """Ops are numbered as the arithmetic that defines them (formulas/)."""
    moves_factors: bool = False
    """Factors behind convolutions and products are parts of the weights."""
    in_signed_bytes: bool = False
    """Dequantised values are those of i8."""
    has_float_weights: bool = False
    """Dequantised constants are no such values."""
    by_places: bool = False
    """Elements that are only moved are numbered by the places from which they come (moved.py)."""
    by_channels: bool = False
    """Values are numbered by their channels (by_channel.py)."""
    zeros_absorb: bool = False
    """Numbers that a convolution multiplies by zeros are finite."""


ATTEMPTS = (
    Attempt(by_places=True),
    Attempt(by_channels=True),
    Attempt(by_channels=True, zeros_absorb=True),
    Attempt(rounds_once=True),
    Attempt(by_formulas=True),
    Attempt(rounds_once=True, by_formulas=True),
    Attempt(by_formulas=True, moves_factors=True),
    Attempt(by_formulas=True, moves_factors=True, by_channels=True, zeros_absorb=True),
    Attempt(rounds_once=True, in_signed_bytes=True),
    Attempt(rounds_once=True, by_formulas=True, in_signed_bytes=True),
    Attempt(rounds_once=True, by_formulas=True, in_signed_bytes=True, has_float_weights=True),
)
"""The attempts behind the first one, in which values are the same if the same ops compute them."""
