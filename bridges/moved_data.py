"""The transposes of a model file."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MovedData:
    """The transposes of a model, and the bytes that they move."""

    transposes: int = 0
    bytes: int = 0
    is_estimated: bool = False
    """True if a size is unknown; it counts as 1."""
