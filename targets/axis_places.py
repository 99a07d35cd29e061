"""Places of the stored axes that an attribute names."""

from typing import Literal, TypeAlias

LAST = "last"
NEXT_TO_LAST = "next-to-last"
"""The place of axes with one more behind them, in prices."""
OTHER = "other"
"""The place of axes that are not the last ones, in prices."""
INCREASING = "increasing"
IMAGE = "image"
NEVER = "never"
"""The op is written in forms without the attribute only."""
AxisPlace: TypeAlias = int | Literal["last", "increasing", "image", "never"]
"""The place of the stored axes that an attribute names: one position, behind all others, with increasing numbers, those
of an image, or none."""
