"""The sizes that count for unknown ones."""

from collections.abc import Sequence

from ..layout import DYNAMIC

ASSUMED_LEADING_SIZE = 1
"""The assumed size of an unknown first logical dimension, which is the batch in most networks."""
ASSUMED_SIZE = 64
"""The assumed size of all other unknown dimensions."""


def assumed(shape: Sequence[int], assumed_size: int = ASSUMED_SIZE) -> list[int]:
    """The logical sizes of a value; unknown ones are assumed."""
    others = (assumed_size if axis else ASSUMED_LEADING_SIZE for axis in range(len(shape)))
    return [other if size == DYNAMIC else size for size, other in zip(shape, others, strict=True)]
