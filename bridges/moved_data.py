"""The transposes of a model file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import SSAValue

from ..dialects.npu.likely_sizes import LikelySizes
from ..dialects.npu.values import order_of_value, shape_of
from ..dialects.npu.views import views_above
from ..dialects.settings.assumed_sizes import assumed
from ..layout import DYNAMIC, unpermute


@dataclass(frozen=True)
class MovedData:
    """The transposes of a model that move data, and the bytes that they move."""

    transposes: int = 0
    bytes: int = 0
    is_estimated: bool = False
    """True if a size is unknown. It is assumed, as for programs; data of unknown rank count as none."""
    parts_of: tuple[str, ...] = ()
    """The names of the ops that are written with transposes, each once."""
    idle: int = 0
    """The transposes beside these that only move axes of one element."""
    views: int | None = None
    """The views of data in another shape, in formats where users count them."""

    def with_transpose(
        self, shape: Sequence[int] | None, width: int, part_of: str | None, likely: Sequence[int] | None = None
    ) -> "MovedData":
        """With one more transpose, of data of these sizes and so many bytes for each element.

        The transpose is one of the program, or a part of an op. `likely` are the sizes with those that are assumed.
        """
        moved = 0 if shape is None else prod(assumed(shape) if likely is None else likely) * width
        is_estimated = self.is_estimated or shape is None or DYNAMIC in shape
        parts_of = tuple(dict.fromkeys((*self.parts_of, *filter(None, [part_of]))))
        return replace(
            self,
            transposes=self.transposes + 1,
            bytes=self.bytes + moved,
            is_estimated=is_estimated,
            parts_of=parts_of,
        )

    def with_idle(self) -> "MovedData":
        """With one more transpose that moves nothing."""
        return replace(self, idle=self.idle + 1)


class StorageSizes:
    """The logical sizes of the storage of values, which count for all views of it, whatever sizes these show."""

    def __init__(self) -> None:
        self._roots: dict[SSAValue, SSAValue] = {}
        self._likely = LikelySizes()

    def of(self, value: SSAValue) -> list[int]:
        root = self._root(value)
        return list(unpermute(shape_of(root), order_of_value(root)))

    def likely(self, value: SSAValue) -> Sequence[int]:
        """The sizes of a value as it is stored; unknown ones are assumed."""
        return self._likely.of(self._root(value))

    def _root(self, value: SSAValue) -> SSAValue:
        passed, root = [value], value
        for view in views_above(value):
            root = self._roots.get(view.input, view.input)
            if root is not view.input:
                break
            passed.append(root)
        self._roots |= dict.fromkeys(passed, root)
        return root
