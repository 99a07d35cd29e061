"""The transposes of a model file."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ..dialects.assumed_sizes import assumed
from ..layout import DYNAMIC


@dataclass(frozen=True)
class MovedData:
    """The transposes of a model, and the bytes that they move."""

    transposes: int = 0
    bytes: int = 0
    is_estimated: bool = False
    """True if a size is unknown. It is assumed, as for programs; data of unknown rank count as none."""

    def with_transpose(self, sizes: Sequence[int] | None, width: int) -> "MovedData":
        """With one more transpose, of data of these sizes and so many bytes for each element."""
        moved = 0 if sizes is None else prod(assumed(sizes)) * width
        return MovedData(
            self.transposes + 1, self.bytes + moved, self.is_estimated or sizes is None or DYNAMIC in sizes
        )
